// Every encoding against the transliteration of the Standard, whole and at every split.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { LegacyTextEncoder, TextDecoder, decode, encode, encodings, malformedSequences } from "mojika";

// scripts/check-js.sh makes them; without it, cargo does.
const lines = process.env.MOJIKA_VECTORS
  ? readFileSync(process.env.MOJIKA_VECTORS, "utf8")
  : execFileSync("cargo", ["run", "-q", "-p", "mojika-spec", "--example", "vectors"], {
      cwd: new URL("../../..", import.meta.url),
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });

const unhex = (hex) => Uint8Array.from(Buffer.from(hex, "hex"));
const units = (hex) => Buffer.from(hex, "hex").swap16().toString("utf16le");
const vectors = lines
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
const byName = new Map(encodings().map((encoding) => [encoding.name, encoding]));

test("there are vectors for every encoding", () => {
  assert.deepEqual(new Set(vectors.map(({ name }) => name)), new Set(byName.keys()));
});

for (const vector of vectors) {
  const { standard, id } = byName.get(vector.name);
  const bytes = unhex(vector.bytes);
  const text = units(vector.text);
  const malformed = vector.malformed.map(([offset, length]) => ({ offset, length }));
  // U+FEFF at the start is the text's, not a mark.
  const bom = "keep";

  test(`${id} is decoded as the transliteration decodes it`, () => {
    assert.equal(decode(bytes, id, { bom }), text);
    assert.deepEqual(malformedSequences(bytes, id, { bom }), malformed);
    const [first] = malformed;
    if (first === undefined) {
      assert.equal(decode(bytes, id, { bom, fatal: true }), text);
    } else {
      const place = { name: "TypeError", encoding: id, ...first };
      assert.throws(() => decode(bytes, id, { bom, fatal: true }), place);
      assert.equal(malformedSequences(bytes, id, { bom, limit: 1 }).length, 1);
    }
  });

  if (standard && vector.name !== "replacement") {
    test(`${id} is decoded alike at every split`, () => {
      const decoder = new TextDecoder(id, { ignoreBOM: true });
      for (let at = 0; at <= bytes.length; at++) {
        const parts = decoder.decode(bytes.subarray(0, at), { stream: true }) + decoder.decode(bytes.subarray(at));
        if (parts !== text) assert.equal(parts, text, `split at ${at}`);
      }
      let single = "";
      for (const byte of bytes) single += decoder.decode(Uint8Array.of(byte), { stream: true });
      assert.equal(single + decoder.decode(), text);
    });
  }

  if (vector.html !== null) {
    test(`${id} is encoded as the transliteration encodes it, whole and at every split`, () => {
      const source = units(vector.units);
      const html = Buffer.from(unhex(vector.html));
      assert.deepEqual(Buffer.from(encode(source, id, { mode: "html" })), html);
      const encoder = new LegacyTextEncoder(id, { mode: "html" });
      for (let at = 0; at <= source.length; at++) {
        const parts = [encoder.encode(source.slice(0, at), { stream: true }), encoder.encode(source.slice(at))];
        const joined = Buffer.concat(parts);
        if (!joined.equals(html)) assert.deepEqual(joined, html, `split at ${at}`);
      }
    });
  }
}

test("an encoder writes the same however much it has written", () => {
  for (const id of ["GBK", "gb18030", "Big5", "EUC-JP", "Shift_JIS", "EUC-KR"]) {
    const pairs = [];
    for (let lead = 0x81; lead < 0xff; lead++) {
      for (let trail = 0x40; trail < 0xff; trail++) pairs.push(lead, trail);
    }
    const text = decode(Uint8Array.from(pairs), id).replaceAll("\ufffd", "");
    const html = (piece) => encode(piece, id, { mode: "html" });
    const oneByOne = Buffer.concat(Array.from(text, html));
    // After 65,536 characters, a table of all is made.
    for (let time = 0; time < 8; time++) {
      assert.ok(Buffer.concat(text.match(/[^]{1,1000}/gu).map(html)).equals(oneByOne), id);
    }
  }
});
