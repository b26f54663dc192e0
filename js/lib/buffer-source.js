// The conversions of Web IDL that the Standard's interfaces need.

const getter = (type, name) => type && Object.getOwnPropertyDescriptor(type.prototype, name)?.get;
const lengthOfBuffer = getter(globalThis.ArrayBuffer, "byteLength");
const lengthOfShared = getter(globalThis.SharedArrayBuffer, "byteLength");

function has(length, value) {
  if (length === undefined) return false;
  try {
    length.call(value);
    return true;
  } catch {
    return false;
  }
}

/** Whether a value is an ArrayBuffer, of any realm, a SharedArrayBuffer or a view of one. */
export function isBufferSource(value) {
  return ArrayBuffer.isView(value) ||
    (typeof value === "object" && value !== null && (has(lengthOfBuffer, value) || has(lengthOfShared, value)));
}

/** A BufferSource, shared or not, or a TypeError. */
export function requireBufferSource(value, what) {
  if (!isBufferSource(value)) throw new TypeError(`${what} is not an ArrayBuffer, a SharedArrayBuffer or a view of one`);
}

// A DataView throws for its length where its buffer is detached or has shrunk.
function isGone(view) {
  try {
    return view.byteLength === 0;
  } catch {
    return true;
  }
}

/** The bytes of a BufferSource; none if it is detached or has shrunk. */
export function bytesOf(source) {
  if (isGone(source)) return new Uint8Array(0);
  if (source instanceof Uint8Array) return source;
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  return new Uint8Array(source);
}

/** An argument that is a dictionary. */
export function dictionary(value, what) {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object" && typeof value !== "function") throw new TypeError(`${what} is not an object`);
  return value;
}
