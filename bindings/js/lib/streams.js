// The Standard's streams (sections 7.5 and 7.6), and one for all encodings.
import { requireBufferSource } from "./buffer-source.js";
import { LegacyTextEncoder } from "./encode.js";
import { asInterface } from "./interface.js";
import { LegacyTextDecoder, TextDecoder } from "./text-decoder.js";

// A TransformStream of what `convert` returns for each chunk and `end` for the end, unless it is empty.
function transform(convert, end) {
  const enqueue = (controller, made) => {
    if (made.length > 0) controller.enqueue(made);
  };
  return new TransformStream({
    transform: (chunk, controller) => enqueue(controller, convert(chunk)),
    flush: (controller) => enqueue(controller, end()),
  });
}

// A TransformStream of the bytes that a LegacyTextEncoder makes of each chunk.
const encodingTransform = (encoder) =>
  transform(
    (chunk) => encoder.encode(`${chunk}`, { stream: true }),
    () => encoder.encode(),
  );

// A TransformStream of the strings that a decoder makes of each chunk.
const decodingTransform = (decoder) =>
  transform(
    (chunk) => {
      requireBufferSource(chunk, "the chunk");
      return decoder.decode(chunk, { stream: true });
    },
    () => decoder.decode(),
  );

export class TextDecoderStream {
  #decoder;
  #transform;

  constructor(label = "utf-8", options = undefined) {
    this.#decoder = new TextDecoder(label, options);
    this.#transform = decodingTransform(this.#decoder);
  }

  get encoding() {
    return this.#decoder.encoding;
  }

  get fatal() {
    return this.#decoder.fatal;
  }

  get ignoreBOM() {
    return this.#decoder.ignoreBOM;
  }

  get readable() {
    return this.#transform.readable;
  }

  get writable() {
    return this.#transform.writable;
  }
}

export class LegacyTextDecoderStream {
  #decoder;
  #transform;

  constructor(encoding, options = undefined) {
    this.#decoder = new LegacyTextDecoder(encoding, options);
    this.#transform = decodingTransform(this.#decoder);
  }

  get encoding() {
    return this.#decoder.encoding;
  }

  get fatal() {
    return this.#decoder.fatal;
  }

  get bom() {
    return this.#decoder.bom;
  }

  get readable() {
    return this.#transform.readable;
  }

  get writable() {
    return this.#transform.writable;
  }
}

export class LegacyTextEncoderStream {
  #encoder;
  #transform;

  constructor(encoding, options = undefined) {
    this.#encoder = new LegacyTextEncoder(encoding, options);
    this.#transform = encodingTransform(this.#encoder);
  }

  get encoding() {
    return this.#encoder.encoding;
  }

  get mode() {
    return this.#encoder.mode;
  }

  get readable() {
    return this.#transform.readable;
  }

  get writable() {
    return this.#transform.writable;
  }
}

export class TextEncoderStream {
  #encoding = "utf-8";
  #transform = encodingTransform(new LegacyTextEncoder("utf-8"));

  get encoding() {
    return this.#encoding;
  }

  get readable() {
    return this.#transform.readable;
  }

  get writable() {
    return this.#transform.writable;
  }
}

asInterface(TextDecoderStream, "TextDecoderStream");
asInterface(LegacyTextDecoderStream, "LegacyTextDecoderStream");
asInterface(TextEncoderStream, "TextEncoderStream");
asInterface(LegacyTextEncoderStream, "LegacyTextEncoderStream");
