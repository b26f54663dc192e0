// The Standard's TextDecoder (section 7.2), and one for all encodings.
import { arrayOf, dictionary, requireBufferSource } from "./buffer-source.js";
import { BOM, bomOf, giveDecoder, malformed, takeDecoder } from "./decode.js";
import { engine, run, word } from "./engine.js";
import { asInterface } from "./interface.js";
import { forLabel, lowerCaseNameOf, nameOf, numberOf, unknown } from "./names.js";

const EMPTY = new Uint8Array(0);

// The decoders of streams that nobody will end.
const abandoned = globalThis.FinalizationRegistry &&
  new FinalizationRegistry((decoder) => engine().free_decoder(decoder));

/** The number of the encoding of a label that may be decoded, or a RangeError. */
export function encodingFor(label) {
  const number = forLabel(label);
  if (number < 0 || lowerCaseNameOf(number) === "replacement") {
    throw unknown(label, number, (quoted) => `${quoted} is not a label of an encoding that may be decoded`);
  }
  return number;
}

/** The input of a decoder, which may come in chunks: its state between two calls. */
class Input {
  #open;
  #encoding;
  #bom;
  #fatal;
  #error;

  // `error` makes the error of malformed input.
  constructor(encoding, bom, fatal, error) {
    this.#encoding = encoding;
    this.#bom = bom;
    this.#fatal = fatal;
    this.#error = error;
  }

  decode(input, options) {
    if (input !== undefined) requireBufferSource(input, "the input");
    const more = Boolean(dictionary(options, "the second argument").stream);
    const source = input === undefined ? EMPTY : arrayOf(input);
    const decoder = this.#open ?? takeDecoder(this.#encoding, this.#bom, this.#fatal);
    let [isOpen, isWhole] = [false, false];
    try {
      // The platform may refuse to make a string as long as this one; the stream is lost then.
      const string = run(decoder, source, more);
      isOpen = more;
      isWhole = string !== undefined;
      if (!isWhole) throw this.#error();
      return string;
    } finally {
      if (isOpen) {
        if (this.#open === undefined) {
          this.#open = decoder;
          abandoned?.register(this, decoder, this);
        }
      } else {
        if (this.#open !== undefined) {
          this.#open = undefined;
          abandoned?.unregister(this);
        }
        if (isWhole) giveDecoder(decoder, this.#encoding, this.#bom, this.#fatal);
        else engine().free_decoder(decoder);
      }
    }
  }
}

export class TextDecoder {
  #name;
  #fatal;
  #ignoreBOM;
  #input;

  constructor(label = "utf-8", options = undefined) {
    label = `${label}`;
    options = dictionary(options, "the second argument");
    this.#fatal = Boolean(options.fatal);
    this.#ignoreBOM = Boolean(options.ignoreBOM);
    const encoding = encodingFor(label);
    const name = lowerCaseNameOf(encoding);
    this.#name = name;
    const bom = this.#ignoreBOM ? BOM.webIgnored : BOM.web;
    this.#input = new Input(encoding, bom, this.#fatal, () => malformed(name));
  }

  get encoding() {
    return this.#name;
  }

  get fatal() {
    return this.#fatal;
  }

  get ignoreBOM() {
    return this.#ignoreBOM;
  }

  decode(input = undefined, options = undefined) {
    return this.#input.decode(input, options);
  }
}

/** A decoder of any encoding, in chunks: what the Standard's TextDecoder, which is for its own alone, leaves out. */
export class LegacyTextDecoder {
  #encoding;
  #fatal;
  #bom;
  #input;

  constructor(encoding, options = undefined) {
    options = dictionary(options, "the second argument");
    this.#encoding = numberOf(encoding);
    this.#fatal = Boolean(options.fatal);
    const bom = bomOf(options);
    this.#bom = bom.word;
    this.#input = new Input(this.#encoding, bom.number, this.#fatal, () => malformed(nameOf(word(5))));
  }

  get encoding() {
    return nameOf(this.#encoding);
  }

  get fatal() {
    return this.#fatal;
  }

  get bom() {
    return this.#bom;
  }

  decode(input = undefined, options = undefined) {
    return this.#input.decode(input, options);
  }
}

asInterface(TextDecoder, "TextDecoder");
asInterface(LegacyTextDecoder, "LegacyTextDecoder");
