// The package for programs that bring the module themselves: bundlers, workers of other platforms, pages that preload it.
import { start } from "./engine.js";

const isModule = (source) => Object.prototype.toString.call(source) === "[object WebAssembly.Module]";

/** Loads the engine: from bytes, a compiled module, or a Response, which may still be awaited. */
export async function init(source) {
  source = await source;
  if (isModule(source)) return start(source);
  if (typeof source?.arrayBuffer === "function") {
    if (source.ok === false) throw new Error(`${source.url}: ${source.status}`);
    source = await source.arrayBuffer();
  }
  start(await WebAssembly.compile(source));
}

/** `init` from bytes or a compiled module, at once. Browsers refuse to compile long modules so outside of workers. */
export function initSync(source) {
  start(isModule(source) ? source : new WebAssembly.Module(source));
}

export * from "./api.js";
