// whatwg-encoding's functions over this package, for its own tests: scripts/check-js.sh --suite DIR puts this where they import it.
//
// Needs a Node that can `require` ES modules, from 22.12 on.
const mojika = require("mojika");

const MARKS = { "UTF-8": [0xef, 0xbb, 0xbf], "UTF-16LE": [0xff, 0xfe], "UTF-16BE": [0xfe, 0xff] };

exports.isSupported = (name) => exports.labelToName(name) === name;
exports.labelToName = (label) => {
  try {
    // Labels of the Standard alone, without those of "replacement", which this constructor refuses.
    new mojika.TextDecoder(`${label}`);
  } catch {
    return null;
  }
  return mojika.lookup(`${label}`);
};
exports.getBOMEncoding = (bytes) =>
  Object.keys(MARKS).find((name) => MARKS[name].every((byte, at) => bytes[at] === byte)) ?? null;
exports.decode = (bytes, name) => {
  if (!exports.isSupported(name)) throw new RangeError(`"${name}" is not a supported encoding name`);
  return mojika.decode(bytes, name, { bom: "sniff" });
};
