// Which encoding bytes are in.
import { ask } from "./ask.js";
import { bytesOf, dictionary, requireBufferSource } from "./buffer-source.js";
import { engine } from "./engine.js";
import { numberOf } from "./names.js";

const STRINGS = ["contentType", "context", "locale", "tld"];
const ENCODINGS = ["override", "explicitEnvironment", "environment", "history"];
const LISTS = ["allowed", "denied"];
const FLAGS = ["extended", "stripMarkup", "distrustDeclared", "likeBrowsers", "byTable", "isText"];

function isList(value) {
  return typeof value === "object" && typeof value[Symbol.iterator] === "function";
}

// The options as the module reads them, each asked for once. An encoding that is not known is an error here, and no option lost.
function lines(options) {
  const found = [];
  const add = (name, value, check = () => {}) => {
    const string = `${value}`;
    check(string);
    found.push([name, string]);
  };
  const given = (names) => names.map((name) => [name, options[name]]).filter(([, value]) => value != null);
  for (const [name, value] of given(STRINGS)) add(name, value);
  for (const [name, value] of given(ENCODINGS)) add(name, value, numberOf);
  for (const [name, value] of given(LISTS)) {
    if (!isList(value)) throw new TypeError(`${name} is no list of encodings`);
    // A list without encodings is an option, too.
    add(name, "");
    for (const encoding of value) add(name, encoding, numberOf);
  }
  for (const [name, value] of given(FLAGS)) if (value) add(name, "1");
  if (options.detect === false) add("noDetection", "1");
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
  throw offset === undefined ? new RangeError(error) : Object.assign(new TypeError(error), { offset });
}

function mojibake(text) {
  engine();
  const answer = ask("repair", [], new TextEncoder().encode(`${text}`));
  for (const finding of answer.findings) {
    const steps = finding.steps;
    finding.steps = [];
    for (let at = 0; at < steps.length; at += 2) finding.steps.push([steps[at], steps[at + 1]]);
  }
  return answer;
}

/** Repairs the lines of a text that were decoded in the wrong encoding. */
export function repair(text) {
  return mojibake(text).text;
}

/** Finds the lines of a text that were decoded in the wrong encoding. */
export function findMojibake(text) {
  return mojibake(text).findings;
}
