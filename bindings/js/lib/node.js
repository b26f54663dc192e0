// The package in Node, Bun and Deno, where a file can be read synchronously.
import { readFileSync } from "node:fs";
import { start } from "./engine.js";

start(new WebAssembly.Module(readFileSync(new URL("../mojika.wasm", import.meta.url))));

export * from "./api.js";
