// "mojika" without its module, which the program hands over before the first call.
export * from "./index.js";

/** Loads the engine: from the bytes of `mojika.wasm`, a compiled module, or a `Response`, which may still be awaited. */
export function init(
  source: BufferSource | WebAssembly.Module | Response | Promise<BufferSource | WebAssembly.Module | Response>,
): Promise<void>;

/** `init` from bytes or a compiled module, at once. Browsers refuse to compile long modules so outside of workers. */
export function initSync(source: BufferSource | WebAssembly.Module): void;
