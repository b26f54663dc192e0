// The Standard's TextEncoder (section 7.4), which is for UTF-8 alone.
import { PIECE, engine, putString, seeBytes, word } from "./engine.js";
import { runEncoder, newEncoder } from "./encode.js";
import { forLabel } from "./names.js";

let utf8;

const isLead = (unit) => (unit & 0xfc00) === 0xd800;

export class TextEncoder {
  get encoding() {
    checked(this);
    return "utf-8";
  }

  encode(input = "") {
    checked(this);
    utf8 ??= newEncoder(forLabel("utf-8"), {});
    return runEncoder(utf8, `${input}`, false);
  }

  encodeInto(source, destination) {
    checked(this);
    if (arguments.length < 2) throw new TypeError("encodeInto takes two arguments");
    const string = `${source}`;
    if (Object.prototype.toString.call(destination) !== "[object Uint8Array]" || !ArrayBuffer.isView(destination)) {
      throw new TypeError("the destination is not a Uint8Array");
    }
    const { length } = string;
    const room = destination.length;
    let [read, written] = [0, 0];
    while (read < length && written < room) {
      // No pair of surrogates is taken apart.
      let to = Math.min(read + PIECE, length);
      if (to < length && isLead(string.charCodeAt(to - 1))) to -= 1;
      putString(string, read, to);
      const made = engine().encode_into(to - read, Math.min(room - written, 3 * (to - read)));
      destination.set(seeBytes(made), written);
      const units = word(1);
      written += made;
      read += units;
      if (read < to) break;
    }
    return { read, written };
  }
}

function checked(encoder) {
  if (!(encoder instanceof TextEncoder)) throw new TypeError("not a TextEncoder");
}

for (const name of ["encoding", "encode", "encodeInto"]) {
  Object.defineProperty(TextEncoder.prototype, name, { enumerable: true });
}
Object.defineProperty(TextEncoder.prototype, Symbol.toStringTag, { value: "TextEncoder", configurable: true });
