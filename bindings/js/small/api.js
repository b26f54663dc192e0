// All that mojika/small exports: single bytes and UTF, without detection and sniffing.
export { decode, malformedSequences } from "./decode.js";
export { encode, LegacyTextEncoder } from "./encode.js";
export { encodings, lookup } from "./names.js";
export { LegacyTextEncoderStream, TextDecoderStream, TextEncoderStream } from "./streams.js";
export { TextDecoder } from "./text-decoder.js";
export { TextEncoder } from "./text-encoder.js";
