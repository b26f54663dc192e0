// Which encoding bytes are in.
import { ask } from "./ask.js";
import { bytesOf, dictionary, requireBufferSource } from "./buffer-source.js";
import { engine } from "./engine.js";
import { numberOf } from "./names.js";

const STRINGS = ["contentType", "context", "locale", "tld"];
const ENCODINGS = ["override", "explicitEnvironment", "environment", "history"];
const LISTS = ["allowed", "denied"];
const FLAGS = ["extended", "stripMarkup", "distrustDeclared", "likeBrowsers", "byTable", "isText"];

// The options as the module reads them. An encoding that is not known is an error here, and no option lost.
function lines(options) {
  const found = [];
  for (const name of STRINGS) if (options[name] != null) found.push([name, options[name]]);
  for (const name of ENCODINGS) {
    if (options[name] != null) {
      numberOf(options[name]);
      found.push([name, options[name]]);
    }
  }
  for (const name of LISTS) {
    if (options[name] == null) continue;
    for (const encoding of options[name]) {
      numberOf(encoding);
      found.push([name, encoding]);
    }
  }
  for (const name of FLAGS) if (options[name]) found.push([name, "1"]);
  if (options.detect === false) found.push(["noDetection", "1"]);
  return found;
}

function asked(name, input, options) {
  requireBufferSource(input, "the input");
  const given = lines(dictionary(options, "the second argument"));
  engine();
  const answer = ask(name, given, bytesOf(input));
  for (const candidate of answer.candidates ?? []) candidate.probability /= 1e6;
  if (typeof answer.probability === "number") answer.probability /= 1e6;
  return answer;
}

/** Guesses the encoding of bytes that come without a label. */
export function detect(input, options) {
  const answer = asked("detect", input, options);
  const [best] = answer.candidates;
  return {
    encoding: best?.encoding ?? null,
    probability: best?.probability ?? null,
    language: best?.language ?? null,
    ...answer,
  };
}

/** Decides the encoding of a document as software on the Web does. */
export function sniff(input, options) {
  const { error, offset, ...answer } = asked("sniff", input, options);
  if (error === undefined) return answer;
  throw offset === undefined ? new RangeError(`${error}: ${options.context}`) : Object.assign(new TypeError(error), { offset });
}
