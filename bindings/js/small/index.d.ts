// "mojika" for single bytes and UTF alone: the Standard's encodings of several bytes are a RangeError.
export {
  LegacyTextDecoder,
  LegacyTextDecoderStream,
  LegacyTextEncoder,
  LegacyTextEncoderStream,
  TextDecoder,
  TextDecoderStream,
  TextEncoder,
  TextEncoderStream,
  decode,
  encode,
  encodings,
  lookup,
  malformedSequences,
} from "../../lib/index.js";
export type {
  BomHandling,
  Bytes,
  DecodeError,
  DecodeOptions,
  EncodeError,
  EncodeOptions,
  EncodingInfo,
  MalformedSequence,
  OwnBytes,
  TextDecoderOptions,
} from "../../lib/index.js";
