// All that the package exports.
export { decode, malformedSequences } from "./decode.js";
export { encode, LegacyTextEncoder } from "./encode.js";
export { encodings, lookup } from "./names.js";
export { detect, findMojibake, repair, sniff } from "./sniff.js";
export { LegacyTextDecoderStream, LegacyTextEncoderStream, TextDecoderStream, TextEncoderStream } from "./streams.js";
export { LegacyTextDecoder, TextDecoder } from "./text-decoder.js";
export { TextEncoder } from "./text-encoder.js";
