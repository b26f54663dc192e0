// Makes the entry `mojika/inline`: a script that has the module in itself, for bundlers and pages that load one file.
//
// Usage: node bindings/js/inline.mjs MODULE OUTPUT
import { readFileSync, writeFileSync } from "node:fs";

const [module, output] = process.argv.slice(2);
writeFileSync(output, `// Made by bindings/js/inline.mjs.
import { start } from "./engine.js";

const MODULE = "${readFileSync(module).toString("base64")}";

start(await WebAssembly.compile(Uint8Array.from(atob(MODULE), (c) => c.charCodeAt(0))));

export * from "./api.js";
`);
