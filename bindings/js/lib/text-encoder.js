// The Standard's TextEncoder (section 7.4), which is for UTF-8 alone.
import { isUint8Array, lengthOf } from "./buffer-source.js";
import { PIECE, engine, putString, seeBytes, word } from "./engine.js";
import { runEncoder, newEncoder } from "./encode.js";
import { asInterface } from "./interface.js";
import { forLabel } from "./names.js";

let utf8;

const isLead = (unit) => (unit & 0xfc00) === 0xd800;

const { set } = Uint8Array.prototype;

export class TextEncoder {
  #encoding = "utf-8";

  static #check(value) {
    if (!(#encoding in value)) throw new TypeError("not a TextEncoder");
  }

  get encoding() {
    return this.#encoding;
  }

  encode(input = "") {
    TextEncoder.#check(this);
    utf8 ??= newEncoder(forLabel("utf-8"));
    return runEncoder(utf8, `${input}`, false);
  }

  encodeInto(source, destination) {
    TextEncoder.#check(this);
    if (arguments.length < 2) throw new TypeError("encodeInto takes two arguments");
    const string = `${source}`;
    if (!isUint8Array(destination)) throw new TypeError("the destination is not a Uint8Array");
    const { length } = string;
    const room = lengthOf(destination);
    let [read, written] = [0, 0];
    while (read < length && written < room) {
      // No pair of surrogates is taken apart.
      let to = Math.min(read + PIECE, length);
      if (to < length && isLead(string.charCodeAt(to - 1))) to -= 1;
      putString(string, read, to);
      const made = engine().encode_into(to - read, Math.min(room - written, 3 * (to - read)));
      set.call(destination, seeBytes(made), written);
      const units = word(1);
      written += made;
      read += units;
      if (read < to) break;
    }
    return { read, written };
  }
}

asInterface(TextEncoder, "TextEncoder");
