// Questions about input that the module asks for piece by piece.
import { PIECE, engine, putBytes, setPieces, takeJson } from "./engine.js";

/** Calls a function of the module that asks for `source` piece by piece, with options before it. */
export function ask(name, options, source) {
  const lines = [];
  for (const [key, value] of options) lines.push(`${key}=${value.replaceAll("\n", " ")}`);
  const encoded = encodeUtf8(lines.join("\n"));
  putBytes(encoded);
  let from = 0;
  setPieces(() => {
    const piece = source.subarray(from, from + PIECE);
    from += piece.length;
    if (piece.length > 0) putBytes(piece);
    return piece.length;
  });
  try {
    return takeJson(engine()[name](encoded.length));
  } finally {
    setPieces(undefined);
  }
}

// The platform's, also where a program puts this package's in its place.
const Native = globalThis.TextEncoder;

function encodeUtf8(string) {
  if (/^[\0-\x7f]*$/.test(string)) return Uint8Array.from(string, (c) => c.charCodeAt(0));
  return new Native().encode(string);
}
