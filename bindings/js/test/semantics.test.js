// What the Standard's interfaces promise to scripts, and what the package adds.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import * as mojika from "mojika";

const { LegacyTextDecoder, LegacyTextDecoderStream, LegacyTextEncoder, LegacyTextEncoderStream } = mojika;
const { TextDecoder, TextDecoderStream, TextEncoder, TextEncoderStream } = mojika;
const { decode, detect, encode, encodings, lookup, malformedSequences, sniff } = mojika;
const bytes = (...list) => Uint8Array.from(list);
const SJIS = bytes(0x95, 0xb6, 0x8e, 0x9a, 0x89, 0xbb);

test("labels are found as the Standard has it", () => {
  assert.equal(new TextDecoder().encoding, "utf-8");
  assert.equal(new TextDecoder("\t sJiS\n").encoding, "shift_jis");
  assert.equal(new TextDecoder(undefined).encoding, "utf-8");
  assert.equal(new TextDecoder("latin1").encoding, "windows-1252");
  for (const label of ["", "nope", "utf-7", "\u00a0utf-8", "iso-2022-kr", "replacement", "cp437", "x".repeat(1000), null, 7]) {
    assert.throws(() => new TextDecoder(label), { name: "RangeError" }, String(label));
  }
  assert.throws(() => new TextDecoder(Symbol("utf-8")), TypeError);
});

test("a TextDecoder has the properties of the interface", () => {
  const decoder = new TextDecoder("gbk", { fatal: 1, ignoreBOM: "" });
  assert.deepEqual([decoder.encoding, decoder.fatal, decoder.ignoreBOM], ["gbk", true, false]);
  assert.equal(Object.prototype.toString.call(decoder), "[object TextDecoder]");
  assert.throws(() => TextDecoder("utf-8"), TypeError);
  assert.throws(() => new TextDecoder("utf-8", 5), TypeError);
  assert.throws(() => decoder.decode(SJIS, "x"), TypeError);
  assert.throws(() => TextDecoder.prototype.decode.call({}), TypeError);
});

test("any buffer source is decoded, shared or not", () => {
  const decoder = new TextDecoder("shift_jis");
  const shared = new SharedArrayBuffer(8);
  new Uint8Array(shared).set(SJIS, 1);
  const { buffer } = SJIS.slice();
  const sources = [
    SJIS,
    buffer,
    new DataView(buffer),
    new Uint16Array(buffer),
    new Int8Array(buffer),
    Buffer.from(SJIS),
    new Uint8Array(shared, 1, 6),
    new DataView(shared, 1, 6),
  ];
  for (const source of sources) assert.equal(decoder.decode(source), "文字化");
  assert.equal(new TextDecoder().decode(new SharedArrayBuffer(2)), "\0\0");
  for (const source of [null, "text", 5, {}, [0x41], { byteLength: 1 }]) assert.throws(() => decoder.decode(source), TypeError);
  assert.equal(decoder.decode(), "");
  assert.equal(decoder.decode(undefined, null), "");
  const gone = SJIS.slice();
  structuredClone(gone.buffer, { transfer: [gone.buffer] });
  assert.equal(decoder.decode(gone), "");
  assert.equal(decoder.decode(gone.buffer), "");
});

test("of a view whose buffer is detached or has shrunk there is nothing", () => {
  const decoder = new TextDecoder("shift_jis");
  const detached = SJIS.slice();
  const views = [new DataView(detached.buffer, 1), new Uint16Array(detached.buffer), detached];
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  for (const view of views) assert.equal(decoder.decode(view), "");
  if (!ArrayBuffer.prototype.resize) return;
  const buffer = new ArrayBuffer(6, { maxByteLength: 6 });
  new Uint8Array(buffer).set(SJIS);
  const fixed = [new DataView(buffer, 2, 4), new Uint8Array(buffer, 2, 4)];
  const tracking = [new DataView(buffer, 2), new Uint8Array(buffer, 2)];
  buffer.resize(4);
  for (const view of fixed) assert.equal(decoder.decode(view), "");
  for (const view of tracking) assert.equal(decoder.decode(view), "字");
  buffer.resize(1);
  for (const view of tracking) assert.equal(decoder.decode(view), "");
});

test("a byte order mark is removed once, unless it is ignored", () => {
  const marked = bytes(0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf, 0x41);
  assert.equal(new TextDecoder().decode(marked), "\ufeffA");
  assert.equal(new TextDecoder("utf-8", { ignoreBOM: true }).decode(marked), "\ufeff\ufeffA");
  const decoder = new TextDecoder();
  let text = "";
  for (const byte of marked) text += decoder.decode(bytes(byte), { stream: true });
  assert.equal(text + decoder.decode(), "\ufeffA");
  assert.equal(decoder.decode(marked), "\ufeffA");
  // A TextDecoder keeps its encoding whatever the mark.
  assert.equal(new TextDecoder("windows-1252").decode(marked.subarray(0, 3)), "ï»¿");
  assert.equal(new TextDecoder("utf-16be").decode(bytes(0xfe, 0xff, 0, 0x41)), "A");
});

test("malformed input is replaced or refused, with its place", () => {
  assert.equal(new TextDecoder("shift_jis").decode(bytes(0x41, 0x82, 0x22, 0xff)), "A\ufffd\"\ufffd");
  const fatal = new TextDecoder("shift_jis", { fatal: true });
  const error = { name: "TypeError", offset: 1, length: 1, encoding: "shift_jis" };
  assert.throws(() => fatal.decode(bytes(0x41, 0x82, 0x22)), error);
  assert.equal(fatal.decode(SJIS), "文字化");
  assert.equal(fatal.decode(bytes(0x82), { stream: true }), "");
  assert.throws(() => fatal.decode(), { name: "TypeError", offset: 0, length: 1 });
  assert.equal(fatal.decode(SJIS), "文字化");
  try {
    fatal.decode(bytes(0xff));
    assert.fail("no error");
  } catch (thrown) {
    assert.equal(thrown.constructor, TypeError);
  }
});

test("an error late in long input is refused with its place", () => {
  const long = new Uint8Array(1_000_003).fill(0x61);
  long[700_001] = 0xff;
  const place = { name: "TypeError", offset: 700_001, length: 1 };
  assert.throws(() => new TextDecoder("utf-8", { fatal: true }).decode(long), place);
  assert.throws(() => decode(long, "utf-8", { fatal: true }), place);
  // The mark has named the encoding.
  assert.throws(() => decode(bytes(0xef, 0xbb, 0xbf, 0xff), "shift_jis", { fatal: true }), { encoding: "UTF-8", offset: 3 });
  assert.deepEqual(malformedSequences(long), [{ offset: 700_001, length: 1 }]);
  for (const limit of ["x", NaN, -1, null, {}]) assert.throws(() => malformedSequences(long, "utf-8", { limit }), RangeError);
  const text = "a".repeat(600_000) + "💩";
  assert.throws(() => encode(text, "big5"), { offset: 600_000, codePoint: 0x1f4a9 });
});

test("what a stream in error mode fatal has not read is dropped", () => {
  // The Standard leaves it in the I/O queue; browsers and the Web platform's tests do not.
  const decoder = new TextDecoder("utf-8", { fatal: true });
  assert.throws(() => decoder.decode(bytes(0x61, 0xff, 0x62), { stream: true }), TypeError);
  assert.equal(decoder.decode(bytes(0x63)), "c");
  const long = new Uint8Array(500_000).fill(0x61);
  long[1] = 0xff;
  assert.throws(() => decoder.decode(long, { stream: true }), { offset: 1 });
  assert.equal(decoder.decode(bytes(0x64)), "d");
});

test("decoders of streams do not meet", () => {
  const decoders = Array.from({ length: 300 }, () => new TextDecoder("gb18030"));
  for (const [i, decoder] of decoders.entries()) decoder.decode(bytes(0x81, 0x30 + (i % 10)), { stream: true });
  assert.equal(new TextDecoder("gb18030").decode(bytes(0x41)), "A");
  for (const [i, decoder] of decoders.entries()) {
    const whole = new TextDecoder("gb18030").decode(bytes(0x81, 0x30 + (i % 10), 0x81, 0x30));
    assert.equal(decoder.decode(bytes(0x81, 0x30)), whole);
  }
});

test("long text is Latin-1 or not wherever that changes", () => {
  const parts = ["a".repeat(300_000), "é".repeat(300_000), "文字".repeat(100_000), "b".repeat(200_000)];
  for (const order of [[0], [0, 1], [0, 1, 2, 3], [2, 0, 1], [3, 2]]) {
    const text = order.map((i) => parts[i]).join("");
    const encoded = Buffer.from(text);
    const decoded = decode(encoded);
    assert.ok(decoded === text, `parts ${order}`);
    assert.ok(Buffer.from(encode(text)).equals(encoded));
    assert.ok(new TextDecoder("utf-16le").decode(Buffer.from(text, "utf16le")) === text);
  }
});

test("what a buffer or a view is counts, and not what properties say of it", () => {
  const text = "aé";
  const of = (type = Uint8Array) => new type(Uint8Array.from([...Buffer.from(text), 0x20, 0x20, 0x20]).buffer);
  const own = (value, properties) => Object.defineProperties(value, Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, { value }])));
  class Liar extends Uint8Array {
    get byteLength() {
      return 0;
    }
    get length() {
      return 1;
    }
    subarray() {
      return new Uint8Array(0);
    }
    static get [Symbol.species]() {
      return Uint16Array;
    }
  }
  const sources = [
    of(Liar),
    Object.setPrototypeOf(of(), null),
    Object.setPrototypeOf(of(DataView), null),
    Object.setPrototypeOf(of().buffer, null),
    own(of(), { length: 1, byteLength: 0, subarray: null }),
    own(of(Uint16Array), { buffer: new ArrayBuffer(9), byteOffset: 3, byteLength: 1 }),
    own(of(DataView), { byteLength: 0, buffer: null }),
    own(of().buffer, { byteLength: 0 }),
    own(of(), { [Symbol.toStringTag]: "Array" }),
  ];
  for (const [i, source] of sources.entries()) {
    const expected = "aé   ";
    assert.equal(new TextDecoder().decode(source), expected, `source ${i}`);
    assert.equal(decode(source, "utf-8"), expected, `source ${i}`);
    assert.equal(detect(source).encoding, "UTF-8", `source ${i}`);
    assert.equal(sniff(source).encoding, "UTF-8", `source ${i}`);
    assert.deepEqual(malformedSequences(source, "shift_jis").length, 0, `source ${i}`);
  }
  const long = new Liar(300_000).fill(0x61);
  assert.equal(new TextDecoder().decode(long).length, 300_000);
  assert.deepEqual(malformedSequences(long.fill(0xff), "utf-8", { limit: 200_000 }).length, 200_000);
  for (const destination of [new Liar(4), own(new Uint8Array(4), { length: 1, set: null, [Symbol.toStringTag]: "Array" }), Object.setPrototypeOf(new Uint8Array(4), null)]) {
    assert.deepEqual(new TextEncoder().encodeInto("aé文", destination), { read: 2, written: 3 });
    assert.equal(new globalThis.TextDecoder().decode(destination), "aé\0");
  }
  for (const destination of [own(new Int8Array(4), { [Symbol.toStringTag]: "Uint8Array" }), Object.create(Uint8Array.prototype), new Proxy(new Uint8Array(4), {})]) {
    assert.throws(() => new TextEncoder().encodeInto("a", destination), TypeError);
  }
  for (const source of [Object.create(Uint8Array.prototype), Object.create(ArrayBuffer.prototype), new Proxy(of(), {})]) {
    assert.throws(() => new TextDecoder().decode(source), TypeError);
  }
});

test("a class keeps its name when a program is minified", async () => {
  const { asInterface } = await import("../lib/interface.js");
  class a {
    get encoding() {
      return "";
    }
  }
  asInterface(a, "TextDecoder");
  assert.deepEqual([a.name, String(new a()), Object.keys(a.prototype)], ["TextDecoder", "[object TextDecoder]", ["encoding"]]);
});

test("the object is looked at before the arguments", () => {
  const never = () => assert.fail("an argument was asked for");
  const argument = { toString: never, get stream() { return never(); } };
  for (const type of [LegacyTextDecoder, LegacyTextDecoderStream, TextDecoder, TextEncoder, LegacyTextEncoder, TextDecoderStream, TextEncoderStream, LegacyTextEncoderStream]) {
    for (const [name, { get, value }] of Object.entries(Object.getOwnPropertyDescriptors(type.prototype))) {
      if (name === "constructor") continue;
      for (const object of [{}, Object.create(type.prototype), type.prototype]) {
        assert.throws(() => (get ?? value).call(object, type === TextDecoder ? SJIS : argument, argument), TypeError, `${type.name}.${name}`);
      }
    }
    assert.equal(Object.getOwnPropertyDescriptor(type.prototype, Symbol.toStringTag).value, type.name);
    assert.ok(Object.entries(Object.getOwnPropertyDescriptors(type.prototype)).every(([name, { enumerable }]) => enumerable === (name !== "constructor")), type.name);
  }
});

test("TextEncoder encodes UTF-8, and lone surrogates as U+FFFD", () => {
  const encoder = new TextEncoder("shift_jis");
  assert.equal(encoder.encoding, "utf-8");
  assert.deepEqual(encoder.encode("aé文💩\ud800"), new globalThis.TextEncoder().encode("aé文💩\ud800"));
  assert.deepEqual(encoder.encode(), bytes());
  assert.deepEqual(encoder.encode(null), new globalThis.TextEncoder().encode("null"));
  const long = "x💩".repeat(200_000) + "\udc00";
  assert.ok(Buffer.from(encoder.encode(long)).equals(Buffer.from(long)));
});

test("encodeInto writes whole characters", () => {
  const texts = ["", "a", "é文💩", "💩💩", "\ud83d", "a\udca9b", "文".repeat(400_000), "💩".repeat(100_000)];
  for (const text of texts) {
    for (const room of [0, 1, 2, 3, 4, 5, 7, 11, 500_000, 2_000_000]) {
      const [ours, theirs] = [new Uint8Array(room).fill(7), new Uint8Array(room).fill(7)];
      const expected = new globalThis.TextEncoder().encodeInto(text, theirs);
      assert.deepEqual(new TextEncoder().encodeInto(text, ours), expected, `${text.slice(0, 5)} into ${room}`);
      assert.ok(Buffer.from(ours).equals(theirs));
    }
  }
  assert.throws(() => new TextEncoder().encodeInto("a", new Uint16Array(2)), TypeError);
  assert.throws(() => new TextEncoder().encodeInto("a"), TypeError);
});

test("encode has three ways with what an encoding lacks", () => {
  assert.throws(() => encode("ab💩", "shift_jis"), { name: "TypeError", offset: 2, codePoint: 0x1f4a9, encoding: "Shift_JIS" });
  assert.equal(Buffer.from(encode("a💩b", "shift_jis", { mode: "html" })).toString(), "a&#128169;b");
  assert.equal(Buffer.from(encode("a💩b", "shift_jis", { mode: "replacement" })).toString(), "a?b");
  assert.equal(Buffer.from(encode("a💩b", "ascii", { mode: "replacement", replacement: "[x]" })).toString(), "a[x]b");
  assert.equal(Buffer.from(encode("a💩b", "big5", { mode: "replacement", replacement: "" })).toString(), "ab");
  assert.throws(() => encode("💩", "big5", { mode: "replacement", replacement: "💩" }), { codePoint: 0x1f4a9 });
  // A lone surrogate is U+FFFD, and no part of a pair with what follows.
  for (const text of ["→", "→\udca9", "→a"]) {
    assert.throws(() => encode(text, "ascii", { mode: "replacement", replacement: "\ud83d" }), { codePoint: 0x2192 });
  }
  assert.throws(() => encode("→", "ascii", { mode: "replacement", replacement: "\udca9" }), { codePoint: 0x2192 });
  assert.throws(() => encode("a", "big5", { mode: "ignore" }), RangeError);
  assert.throws(() => encode("a", "replacement"), RangeError);
  assert.throws(() => encode("a", "nope"), RangeError);
  assert.deepEqual(encode("A文", "utf-16be"), bytes(0, 0x41, 0x65, 0x87));
});

test("an encoder keeps its state between chunks", () => {
  const encoder = new LegacyTextEncoder("iso-2022-jp");
  const parts = [encoder.encode("文", { stream: true }), encoder.encode("字", { stream: true }), encoder.encode()];
  assert.deepEqual(Buffer.concat(parts), Buffer.from(encode("文字", "iso-2022-jp")));
  assert.deepEqual([encoder.encoding, encoder.mode], ["ISO-2022-JP", "fatal"]);
  assert.throws(() => encoder.encode("💩", { stream: true }), TypeError);
  assert.deepEqual(encoder.encode("a"), bytes(0x61));
});

test("a long replacement of many characters takes little memory", async () => {
  const { engine } = await import("../lib/engine.js");
  const before = engine().memory.buffer.byteLength;
  const replacement = "[not in ASCII]".repeat(30);
  const text = "a→".repeat(50_000);
  const expected = text.replaceAll("→", replacement);
  assert.ok(Buffer.from(encode(text, "ascii", { mode: "replacement", replacement })).equals(Buffer.from(expected)));
  const encoder = new LegacyTextEncoder("ascii", { mode: "replacement", replacement });
  assert.ok(Buffer.concat([encoder.encode(text, { stream: true }), encoder.encode()]).equals(Buffer.from(expected)));
  assert.ok(engine().memory.buffer.byteLength - before < 2_000_000, `${engine().memory.buffer.byteLength - before} bytes`);
});

test("many open decoders and encoders cost as little as few", async () => {
  const open = [];
  const start = performance.now();
  for (let i = 0; i < 40_000; i++) {
    const [decoder, encoder] = [new TextDecoder("gb18030"), new LegacyTextEncoder("iso-2022-jp")];
    decoder.decode(bytes(0x81), { stream: true });
    encoder.encode("文", { stream: true });
    open.push(decoder, encoder);
  }
  assert.equal(open[0].decode(bytes(0x30, 0x81, 0x30)), "\u0080");
  assert.ok(performance.now() - start < 5000, `${performance.now() - start} ms`);
  // Numbers of those that have ended are given again, and to one alone.
  for (const one of open) if (one instanceof TextDecoder) one.decode();
  const [first, second] = [new TextDecoder("big5"), new TextDecoder("big5")];
  assert.equal(first.decode(bytes(0xa4), { stream: true }) + second.decode(bytes(0xa5), { stream: true }), "");
  assert.equal(first.decode(bytes(0xe5)) + second.decode(bytes(0x40)), "文世");
});

test("encodings outside the Standard have names", () => {
  assert.equal(lookup("cp437"), "IBM437");
  assert.equal(lookup("sjis"), "Shift_JIS");
  assert.equal(lookup("extended:iso-8859-1"), "extended:ISO-8859-1");
  assert.equal(lookup("nope"), null);
  assert.equal(decode(bytes(0xc8, 0x85, 0x93), "ibm037"), "Hel");
  for (const { id, encodes, standard, labels } of encodings()) {
    assert.equal(lookup(id), id);
    assert.ok(labels.every((label) => !standard || lookup(label) === id));
    // Of double bytes alone, which have ASCII in full width.
    const text = /^IBM(300|83[457])$/.test(id) ? "Ａｚ０９" : "Az09";
    if (encodes) assert.equal(decode(encode(text, id, { mode: "html" }), id, { bom: "keep" }), text);
    else assert.throws(() => encode("A", id), RangeError);
  }
});

test("decode sniffs, removes or keeps a byte order mark", () => {
  const marked = bytes(0xff, 0xfe, 0x41, 0);
  assert.equal(decode(marked, "shift_jis"), "A");
  assert.equal(decode(marked, "utf-16le", { bom: "remove" }), "A");
  assert.equal(decode(marked, "utf-16le", { bom: "keep" }), "\ufeffA");
  for (const bom of ["x", null, 1n, {}, Symbol("x")]) assert.throws(() => decode(marked, "utf-16le", { bom }), RangeError);
  assert.throws(() => decode("A"), TypeError);
});

test("text that was decoded in the wrong encoding is repaired", () => {
  const { findMojibake, repair } = mojika;
  assert.equal(repair("cafÃ© – Привет"), "café – Привет");
  const [found, unclear] = findMojibake("ok\nРџСЂРёРІРµС‚\nÃ€hnlich");
  assert.deepEqual(found, {
    line: 2, before: "РџСЂРёРІРµС‚\n", after: "Привет\n", steps: [["encode", "windows-1251"], ["decode", "UTF-8"]], confidence: "certain",
  });
  assert.deepEqual([unclear.line, unclear.after, unclear.confidence], [3, null, "tentative"]);
  assert.deepEqual(findMojibake("naïve café"), []);
});

test("detect says what bytes are", () => {
  const text = "Привет, мир! Это обычный текст на русском языке.";
  const guess = detect(encode(text, "windows-1251"));
  assert.equal(guess.encoding, "windows-1251");
  assert.equal(guess.language, "ru");
  assert.ok(guess.probability > 0.9 && guess.probability <= 1);
  assert.equal(guess.candidates[0].script, "Cyrl");
  assert.equal(detect(encode(text, "koi8-r"), { denied: ["koi8-r", "koi8-u"] }).candidates.some(({ encoding }) => encoding === "KOI8-R"), false);
  assert.deepEqual([detect(bytes(0x41)).content, detect(bytes(0x41)).encoding], ["ascii", null]);
  assert.equal(detect(bytes(0x89, 0x50, 0x4e, 0x47, 0xd, 0xa, 0x1a, 0xa, 0, 0, 0, 0xd)).format, "PNG");
  assert.throws(() => detect("text"), TypeError);
  assert.throws(() => detect(bytes(), { denied: ["nope"] }), RangeError);
  for (const list of ["gbk", 5, {}, true]) {
    assert.throws(() => detect(SJIS, { allowed: list }), { name: "TypeError", message: /allowed/ });
    assert.throws(() => sniff(SJIS, { denied: list }), { name: "TypeError", message: /denied/ });
  }
  // Where nothing is allowed, nothing is an answer.
  assert.equal(detect(SJIS, { allowed: [] }).encoding, null);
  const late = new Uint8Array(1_000_000).fill(0x61);
  late.set(encode(text, "windows-1251"), 999_000);
  assert.equal(detect(late).encoding, "windows-1251");
});

test("sniff says what decided", () => {
  const page = encode("<!doctype html><meta charset=sjis>文字", "shift_jis");
  assert.deepEqual([sniff(page).encoding, sniff(page).source], ["Shift_JIS", "meta"]);
  const transported = sniff(page, { contentType: "text/html; charset=euc-jp" });
  assert.deepEqual([transported.encoding, transported.source], ["EUC-JP", "transport"]);
  assert.deepEqual(sniff(bytes(0xef, 0xbb, 0xbf, 0x41)).bomLength, 3);
  assert.equal(sniff(page, { override: "gbk" }).source, "override");
  // What is answered is what calls take: "ISO-8859-1" is a label of windows-1252.
  const latin = sniff(bytes(0x80), { override: "extended:latin1" }).encoding;
  assert.deepEqual([latin, decode(bytes(0x80), latin)], ["extended:ISO-8859-1", "\x80"]);
  assert.equal(sniff(bytes(0xff), { context: "html", locale: "ja", detect: false }).encoding, "Shift_JIS");
  assert.throws(() => sniff(page, { context: "nope" }), { name: "RangeError", message: /nope/ });
  // An option is asked for once.
  let asked = 0;
  const override = { toString: () => (asked++ === 0 ? "gbk" : "nope") };
  assert.equal(sniff(page, { override }).encoding, "GBK");
  assert.throws(() => sniff(page, { override: "nope" }), RangeError);
  const unknown = encode('<?xml version="1.0" encoding="nope-1"?><a/>');
  assert.throws(() => sniff(unknown), { name: "TypeError", offset: 30 });
  // An option is no line of its own.
  assert.equal(sniff(page, { contentType: "text/html\noverride=gbk" }).source, "meta");
});

async function through(stream, chunks) {
  const writer = stream.writable.getWriter();
  const written = (async () => {
    for (const chunk of chunks) await writer.write(chunk);
    await writer.close();
  })();
  written.catch(() => {});
  const made = [];
  for await (const chunk of stream.readable) made.push(chunk);
  await written;
  return made;
}

test("streams convert chunk by chunk", async () => {
  const decoder = new TextDecoderStream("shift_jis", { fatal: true });
  assert.deepEqual([decoder.encoding, decoder.fatal, decoder.ignoreBOM], ["shift_jis", true, false]);
  assert.deepEqual(await through(decoder, [SJIS.subarray(0, 3), SJIS.subarray(3, 4), SJIS.slice(4).buffer]), ["文", "字", "化"]);
  await assert.rejects(through(new TextDecoderStream("shift_jis", { fatal: true }), [bytes(0xff)]), TypeError);
  await assert.rejects(through(new TextDecoderStream(), ["text"]), TypeError);
  assert.deepEqual(await through(new TextDecoderStream(), [bytes(0xe6)]), ["\ufffd"]);
  const utf8 = await through(new TextEncoderStream(), ["a", "", "\ud83d", "\udca9", "\ud83d"]);
  assert.deepEqual(await through(new TextEncoderStream(), [undefined, null]), [Buffer.from("undefined"), Buffer.from("null")].map((bytes) => new Uint8Array(bytes)));
  assert.deepEqual(utf8, [bytes(0x61), bytes(0xf0, 0x9f, 0x92, 0xa9), bytes(0xef, 0xbf, 0xbd)]);
  const legacy = await through(new LegacyTextEncoderStream("big5", { mode: "html" }), ["文", "💩"]);
  assert.equal(Buffer.concat(legacy).toString("latin1"), "\xa4\xe5&#128169;");
});

test("a decoder of any encoding reads chunks of any length", async () => {
  for (const [encoding, text] of [
    ["utf-7", "a+ZYdbVw-b 文字 £"], ["utf-32", "\ufeff文字💩"], ["extended:utf-32le", "文字💩"], ["ibm930", "文字AB"], ["extended:iso-2022-kr", "한국 a"],
    ["cp437", "éß"], ["shift_jis", "文字"], ["utf-8", "文字💩"],
  ]) {
    const source = encode(text, encoding);
    const expected = decode(source, encoding);
    for (const size of [1, 2, 3, 5, source.length]) {
      const decoder = new LegacyTextDecoder(encoding);
      const chunks = [];
      for (let at = 0; at < source.length; at += size) chunks.push(source.subarray(at, at + size));
      let made = "";
      for (const chunk of chunks) made += decoder.decode(chunk, { stream: true });
      assert.equal(made + decoder.decode(), expected, `${encoding} by ${size}`);
      // From the start again, the byte order mark as well.
      assert.equal(decoder.decode(source), expected);
      assert.equal((await through(new LegacyTextDecoderStream(encoding), chunks)).join(""), expected);
    }
  }
  const kept = new LegacyTextDecoder("utf-8", { bom: "keep" });
  assert.equal(kept.decode(encode("\ufeffa")), "\ufeffa");
  assert.equal(new LegacyTextDecoder("koi8-r").decode(encode("\ufeffa")), "a");
  assert.deepEqual([kept.encoding, kept.fatal, kept.bom], ["UTF-8", false, "keep"]);
  const fatal = new LegacyTextDecoder("utf-7", { fatal: true });
  assert.equal(fatal.decode(bytes(0x61), { stream: true }), "a");
  assert.throws(() => fatal.decode(bytes(0x62, 0xff), { stream: true }), (e) => e.offset === 2 && e.encoding === "UTF-7");
  assert.equal(fatal.decode(bytes(0x61)), "a");
  assert.throws(() => new LegacyTextDecoder("nope"), RangeError);
  assert.throws(() => new LegacyTextDecoder("utf-8", { bom: "add" }), RangeError);
  assert.throws(() => LegacyTextDecoder.prototype.decode.call({}), TypeError);
  assert.throws(() => kept.decode("text"), TypeError);
  assert.equal(Object.prototype.toString.call(kept), "[object LegacyTextDecoder]");
});

test("UTF-7 and UTF-32 are streamed by byte and by code unit, with marks", () => {
  const text = "Hi 你好, 💩 ~&+é";
  const hex = (list) => Buffer.concat(list).toString("hex");
  for (const id of ["utf-7", "utf-7-imap", "utf-32le", "utf-32be", "utf-32"].map((name) => `extended:${name}`)) {
    for (const mark of ["", "\ufeff"]) {
      const whole = encode(mark + text, id);
      const encoder = new LegacyTextEncoder(id);
      const parts = Array.from(mark + text, (c) => c.split("")).flat().map((unit) => encoder.encode(unit, { stream: true }));
      assert.equal(hex([...parts, encoder.encode()]), hex([whole]), id);
      for (const bom of ["remove", "keep"]) {
        const decoder = new LegacyTextDecoder(id, { bom });
        let decoded = "";
        for (const byte of whole) decoded += decoder.decode(bytes(byte), { stream: true });
        // UTF-7 has no mark.
        const isRemoved = bom === "remove" && id.includes("32");
        assert.equal(decoded + decoder.decode(), (isRemoved ? "" : mark) + text, `${id} ${bom}`);
      }
    }
  }
  // The mark states the order of "UTF-32" alone, wherever it is cut.
  const little = bytes(0xff, 0xfe, 0, 0, 0x57, 0x65, 0, 0);
  for (let cut = 0; cut <= little.length; cut++) {
    const decoder = new LegacyTextDecoder("extended:utf-32");
    const start = decoder.decode(little.subarray(0, cut), { stream: true });
    assert.equal(start + decoder.decode(little.subarray(cut)), "敗", `${cut}`);
  }
});

test("the module's memory stays small whatever the input", async () => {
  const { engine } = await import("../lib/engine.js");
  const long = new Uint8Array(30_000_000).fill(0x61);
  for (const encoding of ["shift_jis", "utf-16le", "iso-2022-jp"]) decode(long, encoding);
  const decoder = new TextDecoder("shift_jis", { fatal: true });
  assert.equal(decoder.decode(long, { stream: true }).length, long.length);
  assert.equal(encode(decoder.decode() + "文".repeat(10_000_000), "shift_jis").length, 20_000_000);
  assert.equal(encode("💩".repeat(2_000_000), "big5", { mode: "html" }).length, 18_000_000);
  detect(long);
  sniff(long);
  malformedSequences(long.fill(0xff), "big5", { limit: 1000 });
  assert.ok(engine().memory.buffer.byteLength < 16 << 20, `${engine().memory.buffer.byteLength} bytes`);
});

test("the package works where its classes stand in the place of the platform's", () => {
  // Without a Buffer, as in a browser. The name of the label is not ASCII.
  const program = `
    delete globalThis.Buffer;
    const mojika = await import("mojika");
    Object.assign(globalThis, { TextDecoder: mojika.TextDecoder, TextEncoder: mojika.TextEncoder });
    const text = new TextDecoder("shift_jis").decode(new Uint8Array([0x95, 0xb6, 0x8e, 0x9a, 0x89, 0xbb]));
    const answers = [text, mojika.lookup("ü"), mojika.detect(new Uint8Array(100).fill(0x41)).content];
    if (answers.join() !== "文字化,,ascii") throw new Error(answers.join());`;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: new URL(".", import.meta.url),
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
});
