// What a person sees and does; all work is the worker's.
"use strict";
const $ = (id) => document.getElementById(id);
const worker = new Worker(URL.createObjectURL(new Blob([$("worker").textContent], { type: "text/javascript" })));

const SOURCES = {
  bom: "a byte order mark",
  override: "your choice",
  transport: "the Content-Type of the transport",
  meta: "a meta element in the page",
  "xml-declaration": "the XML declaration",
  "xml-family": "the first bytes of XML",
  "css-charset": "@charset in the style sheet",
  declaration: "a declaration in the text",
  environment: "the document that refers to it",
  detection: "statistics of its bytes",
  locale: "the language of the reader",
  default: "nothing: it is the default",
};

let number = 0;
let file = null;
let fileName = "";
let decided = "";
let url = null;

// The last request of each kind, whose answers are awaited. The others' answers come too late.
const asked = {};
const REPLACED = {
  encodings: [],
  open: ["open", "show", "weigh", "convert"],
  show: ["show", "weigh", "convert"],
  weigh: ["weigh", "convert"],
  convert: ["weigh", "convert"],
};

function ask(kind, data = {}) {
  number += 1;
  for (const other of REPLACED[kind]) delete asked[other];
  asked[kind] = number;
  worker.postMessage({ id: number, kind, ...data });
}

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

const percent = (probability) => {
  if (probability > 0.999) return "over 99.9 %";
  return probability < 0.001 ? "under 0.1 %" : `${(100 * probability).toFixed(1)} %`;
};
const plural = (n, one, many = `${one}s`) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

function hints() {
  const found = { context: $("context").value, extended: $("extended").checked };
  if ($("content-type").value) found.contentType = $("content-type").value;
  if ($("tld").value) found.tld = $("tld").value;
  return found;
}

function open(chosen, name) {
  [file, fileName] = [chosen, name];
  $("result").hidden = true;
  $("status").textContent = `Reading ${name} …`;
  $("progress").hidden = false;
  $("progress").value = 0;
  $("download").textContent = "";
  ask("open", { file, hints: hints() });
}

function language(tag) {
  try {
    return new Intl.DisplayNames("en", { type: "language" }).of(tag);
  } catch {
    return tag;
  }
}

function opened({ decision, candidates, size }) {
  decided = decision.encoding;
  $("status").textContent = `${fileName}: ${plural(size, "byte")}, ${decided}, because of ${SOURCES[decision.source]}.`;
  const what = $("decision");
  what.replaceChildren(element("strong", { id: "decided", textContent: decided }), `, because of ${SOURCES[decision.source]}`);
  if (decision.probability !== null) what.append(`; right with a probability of ${percent(decision.probability)}`);
  const reasons = [];
  if (decision.content === "ascii") reasons.push("It is all ASCII: nearly every encoding reads it alike.");
  if (decision.content === "binary") reasons.push(`It is no text${decision.format ? `, but ${decision.format}` : ""}.`);
  if (decision.content === "unsupported") reasons.push(`It is ${decision.unsupported}, which has no decoder here.`);
  if (decision.bomLength > 0) reasons.push(`A byte order mark of ${plural(decision.bomLength, "byte")} is not part of the text.`);
  if (decision.declared) reasons.push(`${decision.declared.encoding} is declared by ${SOURCES[decision.declared.source]}.`);
  if (decision.contradiction) reasons.push(`Its bytes look like ${decision.contradiction} instead.`);
  if (decision.malformed !== null) reasons.push(`In what is declared, it is malformed at offset ${decision.malformed.toLocaleString("en")}.`);
  if (decision.contradicts) reasons.push(`Its XML contradicts itself: ${decision.contradicts}.`);
  if (decision.doubtful) reasons.push("This is doubtful: compare the candidates.");
  $("reasons").replaceChildren(...reasons.map((reason) => element("li", { textContent: reason })));
  $("candidates").replaceChildren(...candidates.map(card));
  $("result").hidden = false;
  choose(decided);
}

function card(candidate) {
  const facts = [];
  if (candidate.decided) facts.push("decided");
  if (typeof candidate.probability === "number") facts.push(percent(candidate.probability));
  if (candidate.language) facts.push(language(candidate.language));
  facts.push(candidate.malformed === 0 ? "no errors" : `${candidate.most ? "at least " : ""}${plural(candidate.malformed, "error")}`);
  const made = element("article", { className: "candidate" });
  made.setAttribute("role", "listitem");
  made.dataset.encoding = candidate.encoding;
  const button = element("button", { type: "button", textContent: "Decode as this" });
  button.setAttribute("aria-label", `Read it in ${candidate.encoding}`);
  button.addEventListener("click", () => choose(candidate.encoding));
  const text = element("pre", { dir: "auto" });
  mark(text, candidate.lines.length > 0 ? candidate.lines.join("\n") : "(nothing beyond ASCII)", []);
  made.append(element("h3", { textContent: candidate.encoding }), element("p", { textContent: facts.join(" · ") }), text, button);
  return made;
}

// Text with each U+FFFD marked, and its place said where it is known.
function mark(into, text, places) {
  into.replaceChildren();
  text.split("\ufffd").forEach((piece, i, all) => {
    into.append(piece);
    if (i === all.length - 1) return;
    const marked = element("mark", { textContent: "\ufffd" });
    if (places[i]) marked.title = `malformed at offset ${places[i].offset.toLocaleString("en")}, ${plural(places[i].length, "byte")}`;
    into.append(marked);
  });
}

function choose(encoding) {
  $("encoding").value = encoding;
  for (const one of $("candidates").children) one.classList.toggle("chosen", one.dataset.encoding === encoding);
  $("text").textContent = "…";
  ask("show", { encoding });
}

// How many malformed sequences are listed.
const LISTED = 200;

function shown({ encoding, text, rows, places, isWhole, most, twice }) {
  mark($("text"), text + (isWhole ? "" : "\n…"), places);
  $("errors").textContent = rows.length === 0
    ? `All of it is well-formed ${encoding}.`
    : `${most ? "At least " : ""}${plural(rows.length, "malformed sequence")} in ${encoding}${rows.length > LISTED ? `, the first ${LISTED} of them` : ""}:`;
  $("error-box").hidden = rows.length === 0;
  $("error-rows").replaceChildren(
    ...rows.slice(0, LISTED).map((row) =>
      element("tr", {},
        element("td", { textContent: row.offset.toLocaleString("en") }),
        element("td", { textContent: row.bytes }),
        element("td", {}, `${row.before} `, element("mark", { textContent: row.bytes }), ` ${row.after}`))),
  );
  const repairable = twice.filter(({ after }) => after !== null);
  $("twice").hidden = twice.length === 0;
  if (twice.length > 0) {
    const [first] = repairable.length > 0 ? repairable : twice;
    const [before, after] = [first.before.trimEnd(), first.after?.trimEnd()];
    const example = `“${before}”${after === undefined ? "" : `, which was “${after}”`}`;
    $("twice").textContent = `${twice.length === 1 ? "A line was" : `${plural(twice.length, "line")} were`} encoded twice, such as ${example}.`;
  }
  $("repair-box").hidden = repairable.length === 0;
  $("repair").checked &&= repairable.length > 0;
  $("progress").hidden = true;
  // A conversion weighs by itself.
  if (asked.convert === undefined) weigh();
}

function weigh() {
  if (file === null) return;
  // A conversion that has not ended does not go on.
  if (asked.convert !== undefined) $("download").textContent = "";
  $("loss").textContent = "…";
  $("lost").replaceChildren();
  ask("weigh", { source: $("encoding").value, target: $("target").value, repair: $("repair").checked });
}

function weighed({ target, lost, kinds, count }) {
  $("loss").textContent = kinds === 0
    ? `Nothing is lost in ${target}.`
    : `${target} lacks ${plural(kinds, "character")}, which ${count === 1 ? "is there once" : `are there ${plural(count, "time")}`}:`;
  $("lost").replaceChildren(
    ...lost.map(({ point, count }) =>
      element("li", { textContent: `${String.fromCodePoint(point)} U+${point.toString(16).toUpperCase().padStart(4, "0")} × ${count.toLocaleString("en")}` })),
  );
  $("progress").hidden = true;
}

function converted({ blob, target }) {
  delete asked.convert;
  if (url !== null) URL.revokeObjectURL(url);
  url = URL.createObjectURL(blob);
  const name = fileName.replace(/(\.[^.]*)?$/, (ending) => `.${target.toLowerCase().replace(/[^a-z0-9-]+/g, "-")}${ending}`);
  const link = element("a", { href: url, download: name, textContent: name });
  $("download").replaceChildren("Converted: ", link, ` (${plural(blob.size, "byte")})`);
  link.click();
  $("progress").hidden = true;
}

function options({ encodings }) {
  const group = (label, list) => {
    const made = element("optgroup", { label });
    made.append(...list.map(({ id }) => element("option", { value: id, textContent: id })));
    return made;
  };
  for (const [id, list] of [["encoding", encodings], ["target", encodings.filter(({ encodes }) => encodes)]]) {
    $(id).replaceChildren(
      group("The Encoding Standard", list.filter(({ standard }) => standard)),
      group("Others", list.filter(({ standard }) => !standard)),
    );
  }
  $("target").value = "UTF-8";
}

const ANSWERS = {
  encodings: options,
  opened,
  shown,
  weighed,
  converted,
  refused: () => {
    delete asked.convert;
    $("progress").hidden = true;
    $("download").textContent = "Not converted: characters would be lost. Choose how to write them, or another encoding.";
  },
  progress: ({ done }) => {
    $("progress").hidden = false;
    $("progress").value = done;
  },
  failed: ({ message }) => {
    delete asked.convert;
    $("progress").hidden = true;
    $("status").textContent = `This does not work: ${message}`;
  },
};
worker.onmessage = ({ data }) => {
  if (Object.values(asked).includes(data.id)) ANSWERS[data.kind](data);
};
worker.onerror = (event) => ANSWERS.failed({ message: event.message });
ask("encodings");

const samples = JSON.parse($("samples").textContent);
for (const name of Object.keys(samples)) $("sample").append(element("option", { value: name, textContent: name }));
$("sample").addEventListener("change", ({ target }) => {
  if (target.value === "") return;
  const bytes = Uint8Array.from(atob(samples[target.value]), (c) => c.charCodeAt(0));
  open(new Blob([bytes]), target.value);
});
// The file that was chosen last may be chosen again, as it is by then.
$("file").addEventListener("click", ({ target }) => (target.value = ""));
$("file").addEventListener("change", ({ target }) => {
  if (target.files.length > 0) open(target.files[0], target.files[0].name);
});
for (const id of ["content-type", "context", "tld", "extended"]) {
  $(id).addEventListener("change", () => file !== null && open(file, fileName));
}
$("encoding").addEventListener("change", ({ target }) => choose(target.value));
for (const id of ["target", "repair"]) $(id).addEventListener("change", weigh);
$("convert").addEventListener("click", () => {
  if (file === null) return;
  $("download").textContent = "Converting …";
  ask("convert", { source: $("encoding").value, target: $("target").value, mode: $("mode").value, repair: $("repair").checked });
});

for (const kind of ["dragenter", "dragover"]) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    $("drop").classList.add("over");
  });
}
document.addEventListener("dragleave", () => $("drop").classList.remove("over"));
document.addEventListener("drop", (event) => {
  event.preventDefault();
  $("drop").classList.remove("over");
  const [dropped] = event.dataTransfer.files;
  if (dropped) open(dropped, dropped.name);
});
document.addEventListener("paste", (event) => {
  const [pasted] = event.clipboardData.files;
  if (pasted) {
    event.preventDefault();
    open(pasted, pasted.name);
  }
});
