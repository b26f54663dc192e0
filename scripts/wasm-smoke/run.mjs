// Loads the wasm module named on the command line and checks a few conversions, the decoders also against node's own
// TextDecoder, which is another implementation of the Encoding Standard.
import { readFileSync } from "node:fs";

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]));
const { memory, input, output, decode, encode } = instance.exports;

function call(convert, label, bytes) {
  const name = new TextEncoder().encode(label);
  const buffer = new Uint8Array(memory.buffer, input(), name.length + bytes.length);
  buffer.set(name);
  buffer.set(bytes, name.length);
  const length = convert(name.length, bytes.length);
  return length < 0 ? null : new Uint8Array(memory.buffer, output(), length).slice();
}

let cases = 0;
function check(what, actual, expected) {
  cases += 1;
  if (actual !== expected) {
    console.error(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
    process.exit(1);
  }
}

const hex = (bytes) => (bytes === null ? null : Buffer.from(bytes).toString("hex"));
const from = (string) => Uint8Array.from(Buffer.from(string, "hex"));
const text = (bytes) => (bytes === null ? null : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));

// Label, text, bytes in hex; the text has no unmappable characters.
const both = [
  ["utf-8", "naïve 文字 💩", "6e61c3af766520e69687e5ad9720f09f92a9"],
  ["utf-16le", "a文💩", "61008765" + "3dd8a9dc"],
  ["utf-16be", "a文💩", "00616587" + "d83ddca9"],
  ["windows-1252", "5 € naïve", "352080206e61ef7665"],
  ["koi8-r", "да", "c4c1"],
  ["shift_jis", "文字化ｱ", "95b68e9a89bbb1"],
  ["euc-jp", "文字化", "cab8bbfab2bd"],
  ["iso-2022-jp", "a文字", "611b24424a383b7a1b2842"],
  ["euc-kr", "가각", "b0a1b0a2"],
  ["big5", "文字", "a4e5a672"],
  ["gbk", "文字€", "cec4d7d680"],
  ["gb18030", "文字€💩", "cec4d7d6a2e39439da33"],
];
for (const [label, string, bytes] of both) {
  // Also behind and before ASCII of every length up to a few vectors, so that the kernels come to work.
  for (let n = 0; n <= 70; n += 1) {
    const wide = (unit) => (label === "utf-16le" ? unit + "00" : label === "utf-16be" ? "00" + unit : unit);
    const padding = wide("78").repeat(n);
    const padded = "x".repeat(n) + string + "x".repeat(n);
    const encoded = padding + bytes + padding;
    check(`${label} decodes ${encoded}`, text(call(decode, label, from(encoded))), padded);
    check(`${label} encodes ${padded}`, hex(call(encode, label, new TextEncoder().encode(padded))), encoded);
  }
}

// Every pair of bytes, as node's own decoder has it, where node has the encoding in full: UTF-8 and UTF-16.
for (const label of ["utf-8", "utf-16le"]) {
  for (let lead = 0; lead < 256; lead += 1) {
    const bytes = Uint8Array.from({ length: 1024 }, (_, i) => [0x41, lead, i >> 2, 0x42][i & 3]);
    const expected = new TextDecoder(label, { ignoreBOM: true }).decode(bytes);
    check(`${label} decodes like node, lead ${lead}`, text(call(decode, label, bytes)), expected);
  }
}

check("malformed input", text(call(decode, "gb18030", from("8130fe29"))), "\uFFFD0\uFFFD)");
check("a byte order mark", text(call(decode, "shift_jis", from("feff6587"))), "文");
check("an unmappable character", Buffer.from(call(encode, "euc-jp", new TextEncoder().encode("💩"))).toString(), "&#128169;");
check("an unknown label", call(decode, "utf-7", from("61")), null);
check("replacement has no encoder", call(encode, "replacement", from("61")), null);

console.log(`${cases} conversions as expected`);
