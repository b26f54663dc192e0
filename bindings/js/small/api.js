// All that mojika/small exports: single bytes and UTF, without detection and sniffing.
export { decode, malformedSequences } from "./decode.js";
export { encode, LegacyTextEncoder } from "./encode.js";
export { encodings, lookup } from "./names.js";
export { LegacyTextDecoderStream, LegacyTextEncoderStream, TextDecoderStream, TextEncoderStream } from "./streams.js";
export { LegacyTextDecoder, TextDecoder } from "./text-decoder.js";
export { TextEncoder } from "./text-encoder.js";
