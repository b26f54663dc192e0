// Whole input, in any encoding.
import { arrayOf, bytesOf, dictionary, quoted, requireBufferSource } from "./buffer-source.js";
import { PIECE, engine, offset, putBytes, run, word } from "./engine.js";
import { nameOf, numberOf } from "./names.js";

// How a decoder treats byte order marks, as the module has it.
export const BOM = { sniff: 0, remove: 1, keep: 2, web: 3, webIgnored: 4 };

// Decoders between two inputs, by encoding, byte order mark and error mode.
const idle = [];

const key = (encoding, bom, fatal) => (encoding * 5 + bom) * 2 + (fatal ? 1 : 0);

/** The number of a decoder at the start of an input. */
export function takeDecoder(encoding, bom, fatal) {
  const waiting = idle[key(encoding, bom, fatal)];
  if (waiting !== undefined && waiting.length > 0) return waiting.pop();
  return engine().new_decoder(encoding, bom, fatal);
}

/** Gives a decoder back that has come to the end of an input. */
export function giveDecoder(decoder, encoding, bom, fatal) {
  const at = key(encoding, bom, fatal);
  const waiting = idle[at];
  if (waiting === undefined) idle[at] = [decoder];
  else if (waiting.length < 4) waiting.push(decoder);
  else engine().free_decoder(decoder);
}

/** The error of malformed input, whose place the last call has left. */
export function malformed(encoding) {
  const place = { offset: offset(), length: word(4), encoding };
  const s = place.length === 1 ? "" : "s";
  return Object.assign(
    new TypeError(`not ${encoding}: malformed sequence of ${place.length} byte${s} at byte offset ${place.offset}`),
    place,
  );
}

/** The handling of byte order marks that options ask for: as a word, and as the module has it. */
export function bomOf(options) {
  const { bom = "sniff" } = options;
  if (bom !== "sniff" && bom !== "remove" && bom !== "keep") {
    throw new RangeError(`bom is "sniff", "remove" or "keep", not ${quoted(bom)}`);
  }
  return { word: bom, number: BOM[bom] };
}

/** Decodes whole input. */
export function decode(input, encoding = "utf-8", options) {
  requireBufferSource(input, "the input");
  options = dictionary(options, "the third argument");
  const [number, bom, fatal] = [numberOf(encoding), bomOf(options).number, Boolean(options.fatal)];
  const decoder = takeDecoder(number, bom, fatal);
  let isAtStart = false;
  try {
    const string = run(decoder, arrayOf(input), false);
    isAtStart = true;
    if (string === undefined) throw malformed(nameOf(word(5)));
    return string;
  } finally {
    // The platform may refuse to make a string as long as this one.
    if (isAtStart) giveDecoder(decoder, number, bom, fatal);
    else engine().free_decoder(decoder);
  }
}

/** The places of malformed sequences, the first `limit` of them. */
export function malformedSequences(input, encoding = "utf-8", options) {
  requireBufferSource(input, "the input");
  options = dictionary(options, "the third argument");
  const { limit = Infinity } = options;
  if (typeof limit !== "number" || !(limit >= 0)) throw new RangeError(`limit is a number from 0 on, not ${quoted(limit)}`);
  const [number, bom] = [numberOf(encoding), bomOf(options).number];
  const source = bytesOf(input);
  const decoder = takeDecoder(number, bom, true);
  const found = [];
  for (let from = 0; from < source.length && found.length < limit; from += PIECE) {
    const piece = source.subarray(from, from + PIECE);
    const isMore = from + PIECE < source.length;
    putBytes(piece);
    let read = 0;
    while (found.length < limit) {
      read = engine().find_malformed(decoder, read, piece.length, isMore);
      if (read < 0) break;
      found.push({ offset: offset(), length: word(4) });
    }
  }
  engine().reset_decoder(decoder);
  giveDecoder(decoder, number, bom, true);
  return found;
}
