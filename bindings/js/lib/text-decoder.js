// The Standard's TextDecoder (section 7.2).
import { bytesOf, dictionary, requireBufferSource } from "./buffer-source.js";
import { BOM, giveDecoder, malformed, takeDecoder } from "./decode.js";
import { engine, run } from "./engine.js";
import { asInterface } from "./interface.js";
import { forLabel, lowerCaseNameOf, unknown } from "./names.js";

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

export class TextDecoder {
  #encoding;
  #name;
  #fatal;
  #ignoreBOM;
  // The decoder of an input that has not ended.
  #open;

  constructor(label = "utf-8", options = undefined) {
    label = `${label}`;
    options = dictionary(options, "the second argument");
    this.#fatal = Boolean(options.fatal);
    this.#ignoreBOM = Boolean(options.ignoreBOM);
    this.#encoding = encodingFor(label);
    this.#name = lowerCaseNameOf(this.#encoding);
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
    // An object that is no TextDecoder is an error before the arguments are.
    const encoding = this.#encoding;
    if (input !== undefined) requireBufferSource(input, "the input");
    const more = Boolean(dictionary(options, "the second argument").stream);
    const source = input === undefined ? EMPTY : bytesOf(input);
    const bom = this.#ignoreBOM ? BOM.webIgnored : BOM.web;
    const decoder = this.#open ?? takeDecoder(encoding, bom, this.#fatal);
    let [isOpen, isWhole] = [false, false];
    try {
      // The platform may refuse to make a string as long as this one; the stream is lost then.
      const string = run(decoder, source, more);
      isOpen = more;
      isWhole = string !== undefined;
      if (!isWhole) throw malformed(this.#name);
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
        if (isWhole) giveDecoder(decoder, encoding, bom, this.#fatal);
        else engine().free_decoder(decoder);
      }
    }
  }
}

asInterface(TextDecoder, "TextDecoder");
