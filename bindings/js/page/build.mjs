// Makes the page: one file, which needs no server, as a browser lets a page from disk fetch nothing.
//
// Usage: node bindings/js/page/build.mjs OUTPUT
// Reads bindings/js/mojika.wasm, which scripts/build-js.sh builds, bindings/js/lib and samples.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const here = new URL(".", import.meta.url);
const read = (path) => readFileSync(new URL(path, here), "utf8");

// The modules of bindings/js/lib as one classic script. They export declarations and re-export lists, each on a line of its own, and
// import lists.
const made = new Map();
function bundle(name) {
  if (made.has(name)) return;
  made.set(name, "");
  const exported = [];
  const code = read(`../lib/${name}`)
    .replace(/^export (\{[^}]*\}) from "\.\/([^"]+)";$/gm, (_, list, other) => {
      bundle(other);
      exported.push(...list.replace(/[{} ]/g, "").split(",").filter(Boolean));
      return `const ${list} = modules[${JSON.stringify(other)}];`;
    })
    .replace(/^import (\{[^}]*\}) from "\.\/([^"]+)";$/gm, (_, list, other) => {
      bundle(other);
      return `const ${list} = modules[${JSON.stringify(other)}];`;
    })
    .replace(/^export (?=(?:async )?(?:function|class|const|let) (\w+))/gm, (_, declared) => {
      exported.push(declared);
      return "";
    });
  if (/^(import|export)\b/m.test(code)) throw new Error(`${name} imports or exports otherwise`);
  made.delete(name);
  made.set(name, `modules[${JSON.stringify(name)}] = (() => {\n${code}\nreturn { ${exported.join(", ")} };\n})();`);
}
bundle("api.js");
const wasm = readFileSync(new URL("../mojika.wasm", here)).toString("base64");
const engine = `"use strict";
const modules = {};
${[...made.values()].join("\n")}
modules["engine.js"].start(new WebAssembly.Module(Uint8Array.from(atob("${wasm}"), (c) => c.charCodeAt(0))));
const mojika = modules["api.js"];
`;

const samples = {};
for (const name of readdirSync(new URL("../../../samples", here)).filter((name) => name.endsWith(".txt"))) {
  const bytes = readFileSync(new URL(`../../../samples/${name}`, here));
  samples[name] = bytes.toString("base64");
}

const parts = {
  "page.css": read("page.css"),
  "page.js": read("page.js"),
  worker: engine + read("worker.js"),
  samples: JSON.stringify(samples),
};
let page = read("index.html");
for (const [name, part] of Object.entries(parts)) {
  if (/<\/script|<!--/i.test(part)) throw new Error(`${name} would end its element`);
  page = page.replace(`/* ${name} */`, () => part);
}
const [output] = process.argv.slice(2);
mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, page);
console.log(`${output}: ${Math.round(page.length / 1024)} KB`);
