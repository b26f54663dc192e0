// The module's instance and its memory: how bytes and strings go in and out.
import { bytesOf, lengthOf } from "./buffer-source.js";
import { restoreTables } from "./tables.js";

// Input is converted in pieces of this many bytes, or code units to encode, so that memory is bounded and stays in the
// processor's nearer caches.
export const PIECE = 128 * 1024;

// What the C ABI returns for what is unknown, malformed or unmappable.
const NONE = -1;

const Buffer = globalThis.Buffer;
// Copies of memory in both directions, which Node, Bun and Deno have. Decoders of the platform are slower by far.
const canCopyStrings = typeof Buffer?.prototype?.ucs2Slice === "function" && typeof Buffer.prototype.latin1Slice === "function" &&
  typeof Buffer.prototype.ucs2Write === "function";
// The platform's, also where a program puts this package's in their place.
const Native = globalThis.TextDecoder;
const utf16 = Native && new Native("utf-16le", { ignoreBOM: true });
// The platform's decoder takes this many code units to start.
const FEW_UNITS = 24;

let module;
let exports;
let bytes = new Uint8Array(0);
let units;
let words;
let buffer;
let input = { at: 0, room: 0 };
let text = { at: 0, room: 0 };
let resultAt = 0;
let pieces;

/** Makes a compiled module the engine. */
export function start(compiled) {
  module = compiled;
}

function instantiate() {
  if (module === undefined) throw new Error("mojika is not loaded yet");
  const imports = { env: { next_piece: () => pieces() } };
  exports = new WebAssembly.Instance(module, imports).exports;
  restoreTables(module, exports.memory.buffer);
  input = { at: 0, room: 0 };
  text = { at: 0, room: 0 };
  refresh();
  resultAt = exports.result() >> 2;
}

// Views end when the memory grows.
function refresh() {
  const memory = exports.memory.buffer;
  bytes = new Uint8Array(memory);
  units = new Uint16Array(memory);
  words = new Uint32Array(memory);
  if (canCopyStrings) buffer = Buffer.from(memory);
}

/** The functions of the module. */
export function engine() {
  if (exports === undefined) instantiate();
  return exports;
}

function inputRoom(length) {
  if (exports === undefined) instantiate();
  if (input.room < length) {
    const room = Math.max(length, 4096);
    input = { at: exports.input(room) >>> 0, room };
  }
  if (bytes.length === 0) refresh();
  return input.at;
}

/** Puts a Uint8Array where functions find their input. */
export function putBytes(source) {
  const at = inputRoom(source.length);
  bytes.set(source, at);
}

/** Puts code units of a string where functions find their text. */
export function putString(string, from, to) {
  const length = to - from;
  if (exports === undefined) instantiate();
  if (text.room < length) {
    const room = Math.max(length, 2048);
    text = { at: exports.text(room) >>> 0, room };
  }
  if (bytes.length === 0) refresh();
  if (canCopyStrings && length > 8) {
    const part = from === 0 && to === string.length ? string : string.slice(from, to);
    buffer.ucs2Write(part, text.at, 2 * length);
    return;
  }
  const at = text.at >> 1;
  for (let i = 0; i < length; i++) units[at + i] = string.charCodeAt(from + i);
}

/** Puts a short ASCII string where functions find their input; other characters become one that names nothing. */
export function putName(string) {
  const at = inputRoom(string.length);
  for (let i = 0; i < string.length; i++) {
    const unit = string.charCodeAt(i);
    bytes[at + i] = unit < 0x80 ? unit : 0xff;
  }
  return string.length;
}

/** A word that the last function left. */
export function word(i) {
  if (bytes.length === 0) refresh();
  return words[resultAt + i];
}

/** The offset that the last function left. */
export function offset() {
  return word(2) + word(3) * 2 ** 32;
}

/** A copy of the bytes that the last function left. */
export function takeBytes(length) {
  const at = word(0);
  return bytes.slice(at, at + length);
}

/** The bytes that the last function left, until the next call. */
export function seeBytes(length) {
  const at = word(0);
  return bytes.subarray(at, at + length);
}

/** The ASCII or UTF-8 text that the last function left, as JSON. */
export function takeJson(length) {
  const at = word(0);
  const json = bytes.subarray(at, at + length);
  if (canCopyStrings) return JSON.parse(buffer.utf8Slice(at, at + length));
  // Only messages are not ASCII.
  return JSON.parse(Native ? new Native().decode(json) : fromUnits(json));
}

function fromUnits(array) {
  let string = "";
  for (let i = 0; i < array.length; i += 4096) string += String.fromCharCode.apply(null, array.subarray(i, i + 4096));
  return string;
}

/** The string of code units. */
function stringOf(array) {
  if (array.length <= FEW_UNITS || utf16 === undefined) return fromUnits(array);
  return utf16.decode(array);
}

function takeString(length) {
  if (length === 0) return "";
  const at = word(0);
  if (canCopyStrings) {
    return words[resultAt + 1] === 1 ? buffer.latin1Slice(at, at + length) : buffer.ucs2Slice(at, at + 2 * length);
  }
  return stringOf(units.subarray(at >> 1, (at >> 1) + length));
}

/**
 * Decodes with the decoder of this number: the string, or `undefined` if something is malformed. If `more` is not set, this
 * is the end of the input.
 */
export function run(decoder, source, more) {
  const length = lengthOf(source);
  if (length <= PIECE) {
    const at = inputRoom(length);
    bytes.set(source, at);
    const made = exports.decode(decoder, length, more ? 1 : 0, canCopyStrings ? 1 : 0);
    return made === NONE ? undefined : takeString(made);
  }
  source = bytesOf(source);
  const collected = new Collected(length);
  for (let from = 0; from < length; from += PIECE) {
    const piece = source.subarray(from, from + PIECE);
    const isMore = more || from + PIECE < length;
    putBytes(piece);
    const made = exports.decode(decoder, piece.length, isMore ? 1 : 0, collected.isNarrow ? 1 : 0);
    if (made === NONE) return undefined;
    collected.add(made);
  }
  return collected.string();
}

// Fresh memory costs more than what is written to it, so up to this many bytes are kept for the next call.
const KEPT = 8 << 20;
let kept;

function scratch(length) {
  if (length > KEPT) return canCopyStrings ? Buffer.allocUnsafeSlow(length).buffer : new ArrayBuffer(length);
  if (kept === undefined || kept.byteLength < length) kept = new ArrayBuffer(Math.max(length, 1 << 20));
  return kept;
}

// The code units of many calls: bytes as long as all are Latin-1. No encoding has more code units than bytes, apart from a few
// bytes that wait from an earlier call, each of which may be malformed.
class Collected {
  #most;
  #latin1;
  #units;
  #length = 0;

  constructor(bytes) {
    this.#most = bytes + 16;
  }

  get isNarrow() {
    return this.#units === undefined && canCopyStrings;
  }

  add(length) {
    const at = word(0);
    if (this.isNarrow && words[resultAt + 1] === 1) {
      this.#latin1 ??= Buffer.from(scratch(this.#most));
      this.#latin1.set(bytes.subarray(at, at + length), this.#length);
    } else {
      this.#units ??= this.#widened();
      this.#units.set(units.subarray(at >> 1, (at >> 1) + length), this.#length);
    }
    this.#length += length;
  }

  #widened() {
    if (this.#latin1 === undefined) return new Uint16Array(scratch(2 * this.#most));
    // A Latin-1 text so far, which may lie in the memory that is kept.
    const wide = Uint16Array.from(this.#latin1.subarray(0, this.#length));
    this.#latin1 = undefined;
    const units = new Uint16Array(scratch(2 * this.#most));
    units.set(wide);
    return units;
  }

  string() {
    const length = this.#length;
    if (this.#units === undefined) return length === 0 ? "" : this.#latin1.latin1Slice(0, length);
    if (!canCopyStrings) return stringOf(this.#units.subarray(0, length));
    return Buffer.from(this.#units.buffer).ucs2Slice(0, 2 * length);
  }
}

/** Sets what the module calls for the next piece of its input: it puts the bytes there and returns their number. */
export function setPieces(next) {
  pieces = next;
}
