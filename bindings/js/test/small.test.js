// mojika/small against mojika: what it has is the same, and what it leaves out is an error that says so.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as mojika from "mojika";
import * as small from "mojika/small";

const LEFT_OUT = ["GBK", "gb18030", "Big5", "EUC-JP", "ISO-2022-JP", "Shift_JIS", "EUC-KR"];
const standard = mojika.encodings().filter((encoding) => encoding.standard);
const isIn = ({ name }) => !LEFT_OUT.includes(name);
const vectors = readFileSync(process.env.MOJIKA_VECTORS, "utf8").trim().split("\n").map((line) => JSON.parse(line));

test("it has the Standard's encodings of single bytes and UTF", () => {
  assert.deepEqual(small.encodings(), standard.filter(isIn));
  for (const { id, labels } of small.encodings()) {
    for (const label of labels) assert.equal(small.lookup(label), id);
  }
});

for (const vector of vectors) {
  const encoding = standard.find(({ name }) => name === vector.name);
  if (encoding === undefined || !isIn(encoding)) continue;
  const { id } = encoding;
  test(`${id} is decoded and encoded as by mojika`, () => {
    const bytes = Uint8Array.from(Buffer.from(vector.bytes, "hex"));
    for (const bom of ["keep", "sniff"]) {
      assert.equal(small.decode(bytes, id, { bom }), mojika.decode(bytes, id, { bom }));
      assert.deepEqual(small.malformedSequences(bytes, id, { bom }), mojika.malformedSequences(bytes, id, { bom }));
    }
    if (vector.html === null) return;
    const text = Buffer.from(vector.units, "hex").swap16().toString("utf16le");
    assert.deepEqual(small.encode(text, id, { mode: "html" }), mojika.encode(text, id, { mode: "html" }));
    for (const mode of ["fatal", "replacement"]) {
      const [one, other] = [small, mojika].map((engine) => {
        try {
          return engine.encode(text, id, { mode });
        } catch (error) {
          return { ...error, message: error.message };
        }
      });
      assert.deepEqual(one, other);
    }
  });
}

test("what it leaves out is an error that names the package that has it", () => {
  const isLeftOut = { name: "RangeError", message: /is left out of "mojika\/small".*import "mojika"/ };
  for (const { labels } of standard.filter((encoding) => !isIn(encoding))) {
    for (const label of labels) {
      assert.throws(() => small.decode(new Uint8Array(2), label), isLeftOut);
      assert.throws(() => small.malformedSequences(new Uint8Array(2), label), isLeftOut);
      assert.throws(() => small.encode("a", label), isLeftOut);
      assert.throws(() => new small.TextDecoder(label), isLeftOut);
      assert.throws(() => new small.TextDecoderStream(label), isLeftOut);
      assert.throws(() => new small.LegacyTextEncoder(label), isLeftOut);
      assert.equal(small.lookup(label), null);
    }
  }
  assert.throws(() => small.decode(new Uint8Array(2), "no such name"), { name: "RangeError", message: /no encoding is named/ });
  assert.equal("detect" in small || "sniff" in small, false);
});

test("both can be used at once", () => {
  const decoder = new small.TextDecoder("koi8-r");
  const other = new mojika.TextDecoder("shift_jis");
  assert.equal(decoder.decode(Uint8Array.of(0xf0), { stream: true }), "П");
  assert.equal(other.decode(Uint8Array.of(0x95), { stream: true }), "");
  assert.equal(decoder.decode(Uint8Array.of(0xd2)), "р");
  assert.equal(other.decode(Uint8Array.of(0xb6)), "文");
});
