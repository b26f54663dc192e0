// Reads and converts the file, so that the page never waits. The engine comes before this text as `mojika`.
const { decode, encode, encodings, findMojibake, lookup, malformedSequences, repair, sniff } = mojika;

const SLICE = 4 << 20;
// How much of a file is shown, and in how much of it lines beyond ASCII are looked for.
const SHOWN = 64 << 10;
const SEARCHED = 1 << 20;
const MOST_ERRORS = 1000;

let bytes = new Uint8Array(0);

// What was asked last: older answers are not wanted.
let latest = 0;

const say = (id, kind, data = {}) => postMessage({ id, kind, ...data });

// Lets messages in between two pieces of work; false if another file was chosen meanwhile.
async function goesOn(id, done) {
  say(id, "progress", { done });
  await new Promise((resolve) => setTimeout(resolve));
  return id === latest;
}

async function read(id, file) {
  const all = new Uint8Array(file.size);
  for (let from = 0; from < file.size; from += SLICE) {
    const slice = await file.slice(from, from + SLICE).arrayBuffer();
    all.set(new Uint8Array(slice), from);
    if (!(await goesOn(id, (from + slice.byteLength) / file.size))) return undefined;
  }
  return all;
}

// Up to four lines of a text that have more than ASCII, cut around its first place.
function lines(text) {
  const found = [];
  for (const line of text.split(/\r\n?|\n|\u0085/)) {
    const at = line.search(/[^\0-\x7f]/);
    if (at < 0) continue;
    const start = Math.max(0, at - 20);
    // No pair of surrogates is taken apart.
    const shown = line.slice(start, start + 100).replace(/[\ud800-\udbff]$/, "");
    found.push((start > 0 ? "…" : "") + shown + (line.length > start + 100 ? "…" : ""));
    if (found.length === 4) break;
  }
  return found;
}

// Where the first character beyond ASCII may begin: a byte that is none of ASCII, or one that shifts to other characters.
function beyondAscii() {
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte >= 0x80 || byte === 0x1b || byte === 0x0e || byte === 0x0f) return at;
  }
  return 0;
}

// Likewise where a character has two or four bytes: a pair of bytes that are not zero and ASCII, in either order.
function beyondWideAscii() {
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    const a = bytes[at];
    const b = bytes[at + 1];
    if (a >= 0x80 || b >= 0x80 || (a !== 0 && b !== 0)) return at;
  }
  return 0;
}

// The part of the file in which the first character beyond ASCII is. EBCDIC has some at the start.
function part(encoding, found) {
  const isWide = /^UTF-(16|32)/.test(encoding);
  const at = isWide ? (found.wide ??= beyondWideAscii()) : (found.narrow ??= beyondAscii());
  const start = at < SEARCHED ? 0 : at - (at % 4096);
  return bytes.subarray(start, start + SEARCHED);
}

// How far before the end of a part what is cut off there can begin, and how far behind it that can end.
const CUT = 64;

// A part of the file without what is cut off at its end, which is no error, and the malformed sequences in it.
function whole(part, encoding, limit = Infinity) {
  const options = { bom: "remove", limit };
  const errors = malformedSequences(part, encoding, options);
  const end = part.byteOffset + part.length;
  if (end === bytes.length || errors.length === limit) return { part, errors };
  const inMore = malformedSequences(bytes.subarray(part.byteOffset, end + CUT), encoding, options);
  const known = new Set(inMore.map(({ offset, length }) => `${offset} ${length}`));
  const cut = errors.find(({ offset, length }) => offset >= part.length - CUT && !known.has(`${offset} ${length}`));
  if (cut === undefined) return { part, errors };
  return { part: part.subarray(0, cut.offset), errors: errors.filter(({ offset }) => offset < cut.offset) };
}

function look(encoding, known, found) {
  const limit = MOST_ERRORS;
  const seen = whole(part(encoding, found), encoding, limit);
  const count = seen.errors.length;
  return { encoding, malformed: count, most: count >= limit, lines: lines(decode(seen.part, encoding, { bom: "remove" })), ...known };
}

async function open(id, file, hints) {
  const all = await read(id, file);
  if (all === undefined) return;
  bytes = all;
  let decision;
  try {
    decision = sniff(bytes, hints);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // XML that contradicts itself.
    decision = { ...sniff(bytes, { ...hints, likeBrowsers: true }), contradicts: error.message };
  }
  // Where characters beyond ASCII begin, which is looked for once.
  const found = {};
  const decided = idOf(decision.encoding);
  const seen = new Map([[decided, look(decided, { decided: true, probability: decision.probability }, found)]]);
  const isText = decision.content === "text";
  for (const { encoding, probability, language } of decision.candidates) {
    const candidate = idOf(encoding);
    const known = { probability, language };
    if (seen.has(candidate)) Object.assign(seen.get(candidate), known);
    else seen.set(candidate, look(candidate, known, found));
  }
  if (isText) for (const other of ["UTF-8", "windows-1252"]) if (!seen.has(other)) seen.set(other, look(other, {}, found));
  say(id, "opened", { decision: { ...decision, encoding: decided }, candidates: [...seen.values()], size: bytes.length });
}

// The name that every call takes, of the name in an answer.
function idOf(name) {
  return encodings().find((encoding) => encoding.name === name)?.id ?? lookup(name);
}

const hex = (array) => Array.from(array, (byte) => byte.toString(16).padStart(2, "0").toUpperCase()).join(" ");

function show(id, encoding) {
  const bom = "remove";
  const { part: head, errors: inHead } = whole(bytes.subarray(0, SHOWN), encoding);
  const errors = malformedSequences(bytes, encoding, { bom, limit: MOST_ERRORS });
  const rows = errors.map(({ offset, length }) => ({
    offset,
    bytes: hex(bytes.subarray(offset, offset + length)),
    before: hex(bytes.subarray(Math.max(0, offset - 4), offset)),
    after: hex(bytes.subarray(offset + length, offset + length + 4)),
  }));
  const text = decode(head, encoding, { bom });
  // Where U+FFFD is no error of the text itself, each one is the next error.
  const isMapped = text.split("\ufffd").length - 1 === inHead.length;
  const isWhole = head.length === bytes.length;
  say(id, "shown", { encoding, text, rows, places: isMapped ? inHead : [], isWhole, most: errors.length === MOST_ERRORS, twice: findMojibake(text) });
}

// The characters of a text, with how often each is there.
async function census(id, text) {
  const counts = new Uint32Array(0x110000);
  for (let from = 0; from < text.length; ) {
    let at = from;
    const to = Math.min(from + SLICE, text.length);
    while (at < to) {
      const unit = text.charCodeAt(at);
      const point = (unit & 0xfc00) === 0xd800 ? text.codePointAt(at) : unit;
      counts[point]++;
      at += point > 0xffff ? 2 : 1;
    }
    from = at;
    if (!(await goesOn(id, 0.3 + (0.3 * from) / text.length))) return undefined;
  }
  return counts;
}

function isLost(point, target) {
  try {
    encode(String.fromCodePoint(point), target);
    return false;
  } catch {
    return true;
  }
}

async function weigh(id, source, target, isRepaired) {
  if (!(await goesOn(id, 0))) return undefined;
  const decoded = decode(bytes, source, { bom: "remove" });
  const text = isRepaired ? repair(decoded) : decoded;
  const counts = await census(id, text);
  if (counts === undefined) return undefined;
  const lost = [];
  for (let point = 0; point < counts.length; point++) {
    if (counts[point] > 0 && isLost(point, target)) lost.push({ point, count: counts[point] });
  }
  lost.sort((a, b) => b.count - a.count);
  say(id, "weighed", { target, lost: lost.slice(0, 100), kinds: lost.length, count: lost.reduce((sum, { count }) => sum + count, 0) });
  return { text, lost };
}

async function convert(id, source, target, mode, isRepaired) {
  const weighed = await weigh(id, source, target, isRepaired);
  if (weighed === undefined) return;
  if (mode === "fatal" && weighed.lost.length > 0) {
    say(id, "refused");
    return;
  }
  const { text } = weighed;
  const encoder = new mojika.LegacyTextEncoder(target, { mode });
  const parts = [];
  for (let from = 0; from < text.length; from += SLICE) {
    parts.push(encoder.encode(text.slice(from, from + SLICE), { stream: true }));
    if (!(await goesOn(id, 0.6 + (0.4 * from) / text.length))) return;
  }
  parts.push(encoder.encode());
  say(id, "converted", { blob: new Blob(parts, { type: "application/octet-stream" }), target });
}

onmessage = async ({ data: { id, kind, ...data } }) => {
  latest = id;
  try {
    if (kind === "encodings") say(id, "encodings", { encodings: encodings() });
    else if (kind === "open") await open(id, data.file, data.hints);
    else if (kind === "show") show(id, data.encoding);
    else if (kind === "weigh") await weigh(id, data.source, data.target, data.repair);
    else if (kind === "convert") await convert(id, data.source, data.target, data.mode, data.repair);
  } catch (error) {
    say(id, "failed", { message: error.message });
  }
};
