// What the package has: bytes of the code and of the data of its modules, as they are and gzipped, and what a browser loads.
//
// Usage: node bindings/js/size.mjs FOLDER [MOST]
// FOLDER is the package as scripts/build-js.sh makes it. Fails if mojika/small is larger than MOST bytes.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const [folder, most] = process.argv.slice(2);
const gzipped = (bytes) => gzipSync(bytes, { level: 9 }).length;

// A section is a number, its length in LEB128, and its bytes.
const NAMES = { 10: "code", 11: "data" };
function sections(module) {
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
}

// Prints what an entry of the package is made of; returns what a browser loads of it, gzipped.
function entry(name, path) {
  const module = readFileSync(join(folder, path, "mojika.wasm"));
  const scripts = readdirSync(join(folder, path, "lib")).filter((script) => script.endsWith(".js") && !["node.js", "inline.js", "init.js"].includes(script));
  const loaded = [module, ...scripts.map((script) => readFileSync(join(folder, path, "lib", script)))].map(gzipped);
  const total = loaded.reduce((sum, length) => sum + length);
  console.log(`${name}: a browser loads ${total} bytes, gzipped; mojika.wasm: ${module.length} bytes, ${loaded[0]} gzipped`);
  sections(module);
  return total;
}

entry("mojika", ".");
const small = entry("mojika/small", "small");
if (small > Number(most)) {
  console.error(`mojika/small is larger than ${most} bytes`);
  process.exit(1);
}
