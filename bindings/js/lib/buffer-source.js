// The conversions of Web IDL that the Standard's interfaces need. Buffers and views are read as Web IDL reads them, by what they
// are: a program may give an object other properties, another prototype or a subclass.

const getter = (prototype, name) => prototype && Object.getOwnPropertyDescriptor(prototype, name).get;
const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
const kindOfArray = getter(typedArray, Symbol.toStringTag);
const lengthOfArray = getter(typedArray, "byteLength");
const ofArray = { buffer: getter(typedArray, "buffer"), offset: getter(typedArray, "byteOffset"), length: lengthOfArray };
const ofView = {
  buffer: getter(DataView.prototype, "buffer"),
  offset: getter(DataView.prototype, "byteOffset"),
  length: getter(DataView.prototype, "byteLength"),
};
const lengthOfBuffer = getter(globalThis.ArrayBuffer.prototype, "byteLength");
const lengthOfShared = getter(globalThis.SharedArrayBuffer?.prototype, "byteLength");
const EMPTY = new Uint8Array(0);
const NOTHING = Object.freeze(Object.create(null));

// What the getter finds in the value, or undefined if that is of another kind.
function found(get, value) {
  try {
    return get?.call(value);
  } catch {
    return undefined;
  }
}

const lengthOfWhole = (value) => found(lengthOfBuffer, value) ?? found(lengthOfShared, value);

/** Whether a value is an ArrayBuffer, of any realm, a SharedArrayBuffer or a view of one. */
export function isBufferSource(value) {
  return ArrayBuffer.isView(value) || (typeof value === "object" && value !== null && lengthOfWhole(value) !== undefined);
}

/** A BufferSource, shared or not, or a TypeError. */
export function requireBufferSource(value, what) {
  if (!isBufferSource(value)) throw new TypeError(`${what} is not an ArrayBuffer, a SharedArrayBuffer or a view of one`);
}

/** Whether a value is a Uint8Array, of any realm. */
export function isUint8Array(value) {
  return kindOfArray.call(value) === "Uint8Array";
}

/** The number of bytes of a Uint8Array; 0 if it is detached or has shrunk. */
export function lengthOf(array) {
  return lengthOfArray.call(array);
}

/** The bytes of a BufferSource as a Uint8Array without properties of its own; none if it is detached or has shrunk. */
export function bytesOf(source) {
  if (!ArrayBuffer.isView(source)) return lengthOfWhole(source) > 0 ? new Uint8Array(source) : EMPTY;
  const of = kindOfArray.call(source) === undefined ? ofView : ofArray;
  // The length of a DataView that is detached or has shrunk is an error.
  const length = found(of.length, source) ?? 0;
  return length === 0 ? EMPTY : new Uint8Array(of.buffer.call(source), of.offset.call(source), length);
}

/** `bytesOf`, or the source itself if it is a Uint8Array: a view costs as much as to decode a line. Its properties may lie. */
export function arrayOf(source) {
  if (!isUint8Array(source)) return bytesOf(source);
  return lengthOf(source) === 0 ? EMPTY : source;
}

/** A value in a message. */
export function quoted(value) {
  if (typeof value === "string") return JSON.stringify(value);
  const isPlain = value === null || !["object", "function", "symbol"].includes(typeof value);
  return isPlain ? String(value) : `a value of type ${typeof value}`;
}

/** An argument that is a dictionary. */
export function dictionary(value, what) {
  if (value === undefined || value === null) return NOTHING;
  if (typeof value !== "object" && typeof value !== "function") throw new TypeError(`${what} is not an object`);
  return value;
}
