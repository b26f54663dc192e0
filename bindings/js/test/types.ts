// Compiled, not run: what a program in TypeScript may write.
import * as mojika from "mojika";
import * as small from "mojika/small";
import type { Decision, DecodeError, Detection, EncodeError, MalformedSequence } from "mojika";

const input = new Uint8Array([0x95, 0xb6]);
const text: string = mojika.decode(input, "shift_jis", { fatal: true, bom: "keep" });
const bytes: Uint8Array = mojika.encode(text, "gbk", { mode: "replacement", replacement: "?" });
const sequences: MalformedSequence[] = mojika.malformedSequences(new DataView(input.buffer), "big5", { limit: 1 });
const guess: Detection = mojika.detect(new SharedArrayBuffer(1), { tld: "jp", denied: new Set(["big5"]) });
const decision: Decision = mojika.sniff(bytes, { contentType: "text/html; charset=utf-8", context: "html" });
const source: "bom" | string = decision.source;
const decoder: globalThis.TextDecoder = new mojika.TextDecoder("euc-kr", { ignoreBOM: true });
const encoder: globalThis.TextEncoder = new mojika.TextEncoder();
const { read, written }: { read: number; written: number } = encoder.encodeInto(text, bytes);
const names: readonly string[] = mojika.encodings().map(({ id, labels }) => labels[0] ?? id);
const found: string | null = mojika.lookup("sjis");
const stream: ReadableStream<string> = new ReadableStream<Uint8Array>().pipeThrough(new mojika.TextDecoderStream("big5"));
try {
  new mojika.LegacyTextEncoder("iso-2022-jp", { mode: "html" }).encode(text, { stream: true });
} catch (error) {
  const place: number = (error as DecodeError).offset + (error as EncodeError).codePoint;
  console.log(place, sequences, guess.probability, source, decoder, read, written, names, found, stream);
}
// The classes stand in the place of the platform's, and what is encoded is taken wherever bytes are.
globalThis.TextDecoder = mojika.TextDecoder;
globalThis.TextEncoder = mojika.TextEncoder;
globalThis.TextDecoderStream = mojika.TextDecoderStream;
globalThis.TextEncoderStream = mojika.TextEncoderStream;
new Blob([mojika.encode(text, "gbk"), new mojika.LegacyTextEncoder("big5").encode(text)]);
new Response(stream.pipeThrough(new mojika.LegacyTextEncoderStream("gbk")));
const legacy: string = new mojika.LegacyTextDecoder("utf-7", { fatal: true, bom: "keep" }).decode(bytes, { stream: true });
new ReadableStream<Uint8Array>().pipeThrough(new mojika.LegacyTextDecoderStream("ibm930"));
console.log(legacy);
const short: string = small.decode(small.encode("ж", "koi8-r"), "koi8-r", { fatal: true });
const rest: globalThis.TextDecoder = new small.TextDecoder("latin1");
console.log(short, rest);
// @ts-expect-error mojika/small detects nothing
small.detect(input);
// @ts-expect-error a mode that does not exist
mojika.encode(text, "gbk", { mode: "ignore" });
// @ts-expect-error text is no input
mojika.decode("text");
