/** Gives a class the attributes that Web IDL gives an interface of this name, which a minifier may have changed. */
export function asInterface(type, name) {
  for (const key of Object.getOwnPropertyNames(type.prototype)) {
    if (key !== "constructor") Object.defineProperty(type.prototype, key, { enumerable: true });
  }
  Object.defineProperty(type.prototype, Symbol.toStringTag, { value: name, configurable: true });
  Object.defineProperty(type, "name", { value: name });
}
