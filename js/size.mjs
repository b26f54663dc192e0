// What the module has: bytes of its code and of its data, as they are and gzipped.
//
// Usage: node js/size.mjs
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const module = readFileSync(new URL("mojika.wasm", import.meta.url));
const gzipped = (bytes) => gzipSync(bytes, { level: 9 }).length;
console.log(`mojika.wasm: ${module.length} bytes, ${gzipped(module)} gzipped`);

// A section is a number, its length in LEB128, and its bytes.
const NAMES = { 10: "code", 11: "data" };
for (let at = 8; at < module.length; ) {
  const kind = module[at++];
  let length = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = module[at++];
    length |= (byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  const section = module.subarray(at, at + length);
  if (NAMES[kind]) console.log(`  ${NAMES[kind]}: ${length} bytes, ${gzipped(section)} gzipped`);
  at += length;
}
