// The package in browsers and their workers: the module that imports this waits until the engine is there, and all calls
// are synchronous from then on.
import { start } from "./engine.js";

const url = new URL("../mojika.wasm", import.meta.url);

async function compiled() {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  // Streaming compilation wants the type application/wasm, which some servers do not know.
  const type = response.headers.get("Content-Type") ?? "";
  if (WebAssembly.compileStreaming && type.startsWith("application/wasm")) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

start(await compiled());

export * from "./api.js";
