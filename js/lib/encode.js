// Strings to bytes, in any encoding.
import { PIECE, engine, offset, putString, takeBytes, word } from "./engine.js";
import { dictionary } from "./buffer-source.js";
import { nameOf, numberOf } from "./names.js";

const MODES = { fatal: 0, html: 1, replacement: 2 };

/** The number of a new encoder. */
export function newEncoder(encoding, options) {
  const { mode = "fatal", replacement = "?" } = options;
  if (!Object.hasOwn(MODES, mode)) throw new RangeError(`mode is "fatal", "html" or "replacement", not ${JSON.stringify(mode)}`);
  const text = `${replacement}`;
  if (mode === "replacement") putString(text, 0, text.length);
  const encoder = engine().new_encoder(encoding, MODES[mode], mode === "replacement" ? text.length : 0);
  if (encoder < 0) throw new RangeError(`${nameOf(encoding)} has no encoder`);
  return encoder;
}

/** The error of a character that the encoding lacks, whose place the last call has left. */
function unmappable(encoding) {
  const place = { offset: offset(), codePoint: word(4), encoding };
  const name = `U+${place.codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
  return Object.assign(new TypeError(`${name} at offset ${place.offset} is not in ${encoding}`), place);
}

/** Encodes with the encoder of this number: the bytes, or `undefined` if something is unmappable. */
export function runEncoder(encoder, string, more) {
  const { length } = string;
  if (length <= PIECE) {
    putString(string, 0, length);
    const made = engine().encode(encoder, length, more);
    return made < 0 ? undefined : takeBytes(made);
  }
  const parts = [];
  let total = 0;
  for (let from = 0; from < length; from += PIECE) {
    const to = Math.min(from + PIECE, length);
    putString(string, from, to);
    const made = engine().encode(encoder, to - from, more || to < length);
    if (made < 0) return undefined;
    parts.push(takeBytes(made));
    total += made;
  }
  const bytes = new Uint8Array(total);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Encodes a whole string. */
export function encode(text, encoding = "utf-8", options) {
  const string = `${text}`;
  const number = numberOf(encoding);
  const encoder = newEncoder(number, dictionary(options, "the third argument"));
  const bytes = runEncoder(encoder, string, false);
  const error = bytes === undefined ? unmappable(nameOf(number)) : undefined;
  engine().free_encoder(encoder);
  if (error !== undefined) throw error;
  return bytes;
}

const abandoned = globalThis.FinalizationRegistry &&
  new FinalizationRegistry((encoder) => engine().free_encoder(encoder));

/** An encoder of any encoding, in chunks: what the Standard's TextEncoder, which is for UTF-8 alone, leaves out. */
export class LegacyTextEncoder {
  #encoding;
  #options;
  #mode;
  #open;

  constructor(encoding, options = undefined) {
    const { mode = "fatal", replacement = "?" } = dictionary(options, "the second argument");
    this.#encoding = numberOf(encoding);
    this.#options = { mode, replacement: `${replacement}` };
    this.#mode = mode;
    // What cannot be made fails here.
    engine().free_encoder(newEncoder(this.#encoding, this.#options));
  }

  get encoding() {
    return nameOf(this.#encoding);
  }

  get mode() {
    return this.#mode;
  }

  encode(text = "", options = undefined) {
    const string = `${text}`;
    const more = Boolean(dictionary(options, "the second argument").stream);
    if (this.#open === undefined) {
      this.#open = newEncoder(this.#encoding, this.#options);
      abandoned?.register(this, this.#open, this);
    }
    const bytes = runEncoder(this.#open, string, more);
    const error = bytes === undefined ? unmappable(this.encoding) : undefined;
    if (!more || error !== undefined) {
      engine().free_encoder(this.#open);
      this.#open = undefined;
      abandoned?.unregister(this);
    }
    if (error !== undefined) throw error;
    return bytes;
  }
}
