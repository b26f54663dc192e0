// iconv-lite's functions over this package, for its own tests: scripts/check-js.sh --suite DIR puts this where they import it.
//
// Needs a Node that can `require` ES modules, from 22.12 on. Streams, byte order marks by option and codecs that are plugged in are
// iconv-lite's own, and are not here.
const mojika = require("mojika");

// "utf-16" has a byte order mark there, written and obeyed.
const isMarked = (name) => /^utf-?16$/i.test(name);
const LEFT_OUT = new Set(["base64", "hex", "binary", "utf7", "utf7imap"]);

/** The id of the encoding that iconv-lite knows by this name. */
function idOf(name) {
  const key = `${name}`.toLowerCase();
  const plain = key.replace(/:\d{4}$|[^0-9a-z]/g, "");
  // Names of iconv mean themselves, not the Web's supersets.
  for (const id of [`cp${plain}`, `extended:${key}`, `extended:${plain}`, key, plain]) {
    const found = LEFT_OUT.has(plain) ? null : mojika.lookup(id);
    if (found !== null) return found;
  }
  return plain === "ucs2" ? "UTF-16LE" : null;
}

function known(name) {
  const id = idOf(name);
  if (id === null) throw new Error(`Encoding not recognized: '${name}' (searched as: '${name}')`);
  return id;
}

exports.encodingExists = (name) => idOf(name) !== null;
exports.decode = (input, name, { stripBOM = true } = {}) =>
  mojika.decode(Buffer.from(input), known(name), {
    bom: !stripBOM ? "keep" : isMarked(name) ? "sniff" : "remove",
  });
exports.encode = (text, name, { addBOM = isMarked(name) } = {}) =>
  Buffer.from(mojika.encode(`${addBOM ? "\ufeff" : ""}${text ?? ""}`, known(name), { mode: "replacement" }));
exports.toEncoding = exports.encode;
exports.fromEncoding = exports.decode;
exports.defaultCharUnicode = "\ufffd";
exports.defaultCharSingleByte = "?";
