// Lays the tables of a module out so that they compress better: `mojika.wasm` has a quarter less gzipped.
//
// Usage: node bindings/js/pack.mjs INPUT OUTPUT
//
// Tables are mostly 16-bit numbers that grow by small steps, which gzip does not see. So each block of the module's data is
// stored as it is, or as the high bytes of its numbers and then the low ones, or as their differences, or as the bytes of the
// differences, whichever gzip makes smallest. The custom section "mojika.blocks" has the block's length and a digit for each
// block; lib/tables.js restores the memory from it before the first call, in a millisecond or two.
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const BLOCK = 4096;
const DATA = 11;
const [input, output] = process.argv.slice(2);
const module = readFileSync(input);

/** A number in LEB128 at a place, and the place after it. */
function number(at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = module[at++];
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return [value, at];
  }
}

/** The address of the largest segment of data, and its bytes, which are changed in place. */
function tables() {
  for (let at = 8; at < module.length; ) {
    const kind = module[at++];
    let length;
    [length, at] = number(at);
    const end = at + length;
    if (kind === DATA) {
      let count;
      [count, at] = number(at);
      let largest;
      for (let i = 0; i < count; i++) {
        // An active segment of memory 0: `i32.const` ADDRESS `end`.
        if (module[at] !== 0 || module[at + 1] !== 0x41) throw new Error("a segment of another kind");
        let address, size;
        [address, at] = number(at + 2);
        [size, at] = number(at + 1);
        if (largest === undefined || size > largest.bytes.length) largest = { address, bytes: module.subarray(at, at + size) };
        at += size;
      }
      return largest;
    }
    at = end;
  }
  throw new Error("no data");
}

function differences(block) {
  const made = Buffer.alloc(block.length);
  let before = 0;
  for (let i = 0; i < block.length; i += 2) {
    const value = block.readUInt16LE(i);
    made.writeUInt16LE((value - before) & 0xffff, i);
    before = value;
  }
  return made;
}

function halves(block) {
  const made = Buffer.alloc(block.length);
  const half = block.length / 2;
  for (let i = 0; i < half; i++) [made[i], made[half + i]] = [block[2 * i + 1], block[2 * i]];
  return made;
}

const { address, bytes } = tables();
let digits = "";
for (let at = 0; at + BLOCK <= bytes.length; at += BLOCK) {
  const block = bytes.subarray(at, at + BLOCK);
  const forms = [Buffer.from(block), halves(block), differences(block), halves(differences(block))];
  const lengths = forms.map((form) => gzipSync(form, { level: 9 }).length);
  const best = lengths.indexOf(Math.min(...lengths));
  block.set(forms[best]);
  digits += best;
}
const name = "mojika.blocks";
const content = Buffer.from(`${String.fromCharCode(name.length)}${name}${address} ${BLOCK} ${digits}`);
const length = [];
for (let rest = content.length; ; rest >>= 7) {
  length.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
  if (rest <= 0x7f) break;
}
writeFileSync(output, Buffer.concat([module, Buffer.from([0, ...length]), content]));
