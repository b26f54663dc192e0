// iconv-lite's functions over this package, for its own tests: scripts/check-js.sh --suite DIR puts this where they import it.
//
// Needs a Node that can `require` ES modules, from 22.12 on. Codecs that are plugged in are iconv-lite's own, and are not here.
const { Transform } = require("node:stream");
const mojika = require("mojika");

// "utf-16" and "utf-32" have a byte order mark there, written and obeyed.
const isMarked = (name) => /^(utf-?(16|32)|ucs-?4)$/i.test(name);
const LEFT_OUT = new Set(["base64", "hex", "binary"]);
const PLAIN = { ucs2: "utf-16le", utf32: "extended:utf-32le", ucs4: "extended:utf-32le", utf7imap: "extended:utf-7-imap" };

/** The id of the encoding that iconv-lite knows by this name. */
function idOf(name) {
  const key = `${name}`.toLowerCase();
  const plain = key.replace(/:\d{4}$|[^0-9a-z]/g, "");
  const dashed = plain.replace(/^utf(7|16|32)/, "utf-$1").replace(/^ucs4/, "utf-32");
  // Names of iconv mean themselves, not the Web's supersets.
  for (const id of [PLAIN[plain], `cp${plain}`, `extended:${dashed}`, `extended:${key}`, `extended:${plain}`, dashed, key, plain]) {
    const found = LEFT_OUT.has(plain) || id === undefined ? null : mojika.lookup(id);
    if (found !== null) return found;
  }
  return null;
}

function known(name) {
  const id = idOf(name);
  if (id === null) throw new Error(`Encoding not recognized: '${name}' (searched as: '${name}')`);
  return id;
}

const decoding = (name, { stripBOM = true, fatal = false } = {}) => ({
  fatal,
  bom: !stripBOM ? "keep" : isMarked(name) ? "sniff" : "remove",
});
const mark = (name, { addBOM = isMarked(name) } = {}) => (addBOM ? "\ufeff" : "");
const target = (name, { defaultEncoding = name } = {}) => known(isMarked(name) ? defaultEncoding : name);

exports.encodingExists = (name) => idOf(name) !== null;
exports.decode = (input, name, options) => mojika.decode(Buffer.from(input), known(name), decoding(name, options));
exports.encode = (text, name, options) =>
  Buffer.from(mojika.encode(`${mark(name, options)}${text ?? ""}`, target(name, options), { mode: "replacement" }));
exports.toEncoding = exports.encode;
exports.fromEncoding = exports.decode;
exports.defaultCharUnicode = "\ufffd";
exports.defaultCharSingleByte = "?";

exports.getDecoder = (name, options) => {
  const decoder = new mojika.LegacyTextDecoder(known(name), decoding(name, options));
  return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
};
exports.getEncoder = (name, options) => {
  const encoder = new mojika.LegacyTextEncoder(target(name, options), { mode: "replacement" });
  let before = mark(name, options);
  return {
    write(text) {
      const bytes = encoder.encode(before + text, { stream: true });
      before = "";
      return Buffer.from(bytes);
    },
    end: () => Buffer.from(encoder.encode()),
  };
};

/** A stream of Node's over one of these, whose chunks have the type that `isInput` asks for. */
function transform(coder, options, isInput, refusal, join) {
  const parts = [];
  const stream = new Transform({
    ...options,
    transform(chunk, _, done) {
      if (!isInput(chunk)) return done(new Error(refusal));
      const made = coder.write(chunk);
      done(null, made.length > 0 ? made : undefined);
    },
    flush(done) {
      const made = coder.end();
      done(null, made.length > 0 ? made : undefined);
    },
  });
  stream.collect = (done) => {
    stream.on("error", done);
    stream.on("data", (part) => parts.push(part));
    stream.on("end", () => done(null, join(parts)));
    return stream;
  };
  return stream;
}

exports.supportsStreams = true;
exports.decodeStream = (name, options) => {
  const coder = exports.getDecoder(name, options);
  const refusal = "Iconv decoding stream needs Uint8Array-s or Buffers as its input";
  const isBytes = (chunk) => chunk instanceof Uint8Array;
  return transform(coder, { ...options, encoding: "utf8", readableObjectMode: false }, isBytes, refusal, (parts) => parts.join(""));
};
exports.encodeStream = (name, options) => {
  const coder = exports.getEncoder(name, options);
  const refusal = "Iconv encoding stream needs strings as its input";
  return transform(coder, { ...options, decodeStrings: false }, (chunk) => typeof chunk === "string", refusal, (parts) => Buffer.concat(parts));
};
// Their tests make bytes by it.
exports.backend = {
  allocBytes: (length) => Buffer.alloc(length),
  bytesToResult: (bytes, length) => bytes.subarray(0, length),
  concatByteResults: (parts) => Buffer.concat(parts),
};
