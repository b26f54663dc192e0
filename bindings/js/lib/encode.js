// Strings to bytes, in any encoding.
import { PIECE, engine, offset, putString, takeBytes, word } from "./engine.js";
import { dictionary, quoted } from "./buffer-source.js";
import { asInterface } from "./interface.js";
import { nameOf, numberOf } from "./names.js";

const MODES = { fatal: 0, html: 1, replacement: 2 };

// The platform's, also where a program puts this package's in its place. It is faster up to this many code units.
const platform = globalThis.TextEncoder && new globalThis.TextEncoder();
const FEW_UNITS = 200;

const FATAL = { mode: "fatal", replacement: "", most: PIECE };

/** What options say: the mode, what replaces what the encoding lacks, and how many code units are encoded at once. */
function settingsOf(options, what) {
  if (options === undefined) return FATAL;
  const { mode = "fatal", replacement = "?" } = dictionary(options, what);
  if (!Object.hasOwn(MODES, mode)) throw new RangeError(`mode is "fatal", "html" or "replacement", not ${quoted(mode)}`);
  if (mode !== "replacement") return { ...FATAL, mode };
  const text = `${replacement}`;
  // A long replacement for each of them takes no more memory than other text does.
  return { mode, replacement: text, most: Math.ceil(PIECE / Math.max(1, text.length)) };
}

/** The number of a new encoder. */
export function newEncoder(encoding, { mode, replacement } = FATAL) {
  putString(replacement, 0, replacement.length);
  const encoder = engine().new_encoder(encoding, MODES[mode], replacement.length);
  if (encoder < 0) throw new RangeError(`${nameOf(encoding)} has no encoder`);
  return encoder;
}

// Encoders of mode "fatal" between two texts, by encoding.
const idle = [];

/** The number of an encoder at the start of a text. */
function takeEncoder(encoding, settings) {
  const waiting = settings.mode === "fatal" ? idle[encoding] : undefined;
  if (waiting === undefined) return newEncoder(encoding, settings);
  idle[encoding] = undefined;
  return waiting;
}

/** Gives an encoder back that has come to the end of a text. */
function giveEncoder(encoder, encoding, settings) {
  if (settings.mode === "fatal" && idle[encoding] === undefined) idle[encoding] = encoder;
  else engine().free_encoder(encoder);
}

/** The error of a character that the encoding lacks, whose place the last call has left. */
function unmappable(encoding) {
  const place = { offset: offset(), codePoint: word(4), encoding };
  const name = `U+${place.codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
  return Object.assign(new TypeError(`${name} at offset ${place.offset} is not in ${encoding}`), place);
}

/** Encodes with the encoder of this number: the bytes, or `undefined` if something is unmappable. */
export function runEncoder(encoder, string, more, most = PIECE) {
  const { length } = string;
  if (length <= most) {
    putString(string, 0, length);
    const made = engine().encode(encoder, length, more ? 1 : 0);
    return made < 0 ? undefined : takeBytes(made);
  }
  const parts = [];
  let total = 0;
  for (let from = 0; from < length; from += most) {
    const to = Math.min(from + most, length);
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
  const settings = settingsOf(options, "the third argument");
  if (string.length < FEW_UNITS && platform !== undefined && nameOf(number) === "UTF-8") return platform.encode(string);
  const encoder = takeEncoder(number, settings);
  const bytes = runEncoder(encoder, string, false, settings.most);
  if (bytes === undefined) {
    const error = unmappable(nameOf(number));
    engine().free_encoder(encoder);
    throw error;
  }
  giveEncoder(encoder, number, settings);
  return bytes;
}

const abandoned = globalThis.FinalizationRegistry &&
  new FinalizationRegistry((encoder) => engine().free_encoder(encoder));

/** An encoder of any encoding, in chunks: what the Standard's TextEncoder, which is for UTF-8 alone, leaves out. */
export class LegacyTextEncoder {
  #encoding;
  #settings;
  #open;

  constructor(encoding, options = undefined) {
    this.#settings = settingsOf(options, "the second argument");
    this.#encoding = numberOf(encoding);
    // What cannot be made fails here.
    engine().free_encoder(newEncoder(this.#encoding, this.#settings));
  }

  get encoding() {
    return nameOf(this.#encoding);
  }

  get mode() {
    return this.#settings.mode;
  }

  encode(text = "", options = undefined) {
    // An object that is no LegacyTextEncoder is an error before the arguments are.
    const encoding = this.#encoding;
    const string = `${text}`;
    const more = Boolean(dictionary(options, "the second argument").stream);
    const encoder = this.#open ?? newEncoder(encoding, this.#settings);
    let isOpen = false;
    try {
      const bytes = runEncoder(encoder, string, more, this.#settings.most);
      if (bytes === undefined) throw unmappable(nameOf(encoding));
      isOpen = more;
      return bytes;
    } finally {
      if (!isOpen) {
        engine().free_encoder(encoder);
        if (this.#open !== undefined) abandoned?.unregister(this);
        this.#open = undefined;
      } else if (this.#open === undefined) {
        this.#open = encoder;
        abandoned?.register(this, encoder, this);
      }
    }
  }
}

asInterface(LegacyTextEncoder, "LegacyTextEncoder");
