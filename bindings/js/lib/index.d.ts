// All text conversions of the WHATWG Encoding Standard, and more. Offsets of bytes count from the start of the input or of
// the stream; offsets in strings are in UTF-16 code units.

/** Bytes, shared or not. */
export type Bytes = ArrayBufferLike | ArrayBufferView;

/** Bytes in an `ArrayBuffer` of their own, as `Blob` and `fetch` take them: `Uint8Array<ArrayBuffer>` from TypeScript 5.7 on. */
export type OwnBytes = ReturnType<Uint8Array["slice"]>;

/** A byte order mark decides ("sniff"), is removed if it is the encoding's own ("remove"), or is text ("keep"). */
export type BomHandling = "sniff" | "remove" | "keep";

/** The place of a malformed sequence. */
export interface MalformedSequence {
  /** In bytes. */
  offset: number;
  /** In bytes. */
  length: number;
}

/** What `decode` and `TextDecoder` throw for malformed input in error mode "fatal". */
export interface DecodeError extends TypeError, MalformedSequence {
  encoding: string;
}

/** What `encode` and `LegacyTextEncoder` throw in mode "fatal". */
export interface EncodeError extends TypeError {
  /** In code units. */
  offset: number;
  /** The character that the encoding lacks. */
  codePoint: number;
  encoding: string;
}

export interface DecodeOptions {
  /** Throw a `DecodeError` for malformed input, instead of writing U+FFFD. */
  fatal?: boolean;
  /** "sniff" if left out. */
  bom?: BomHandling;
}

/**
 * Decodes whole input. `encoding` is a label of the Standard, or a name of an encoding outside it; "utf-8" if left out.
 * @throws {RangeError} for an unknown encoding.
 */
export function decode(input: Bytes, encoding?: string, options?: DecodeOptions): string;

/** The malformed sequences of whole input: `decode` writes one U+FFFD for each. */
export function malformedSequences(
  input: Bytes,
  encoding?: string,
  options?: { bom?: BomHandling; limit?: number },
): MalformedSequence[];

/** What becomes of characters that an encoding lacks. */
export interface EncodeOptions {
  /** "fatal" throws an `EncodeError`; "html" writes `&#128169;`; "replacement" writes `replacement`. "fatal" if left out. */
  mode?: "fatal" | "html" | "replacement";
  /** "?" if left out. */
  replacement?: string;
}

/** Encodes a whole string. Lone surrogates are U+FFFD. */
export function encode(text: string, encoding?: string, options?: EncodeOptions): OwnBytes;

/** An encoder of any encoding, in chunks: the Standard's `TextEncoder` is for UTF-8 alone. */
export class LegacyTextEncoder {
  constructor(encoding: string, options?: EncodeOptions);
  readonly encoding: string;
  readonly mode: "fatal" | "html" | "replacement";
  encode(text?: string, options?: { stream?: boolean }): OwnBytes;
}

/** `LegacyTextEncoder` as a stream. */
export class LegacyTextEncoderStream {
  constructor(encoding: string, options?: EncodeOptions);
  readonly encoding: string;
  readonly mode: "fatal" | "html" | "replacement";
  readonly readable: ReadableStream<OwnBytes>;
  readonly writable: WritableStream<string>;
}

export interface TextDecoderOptions {
  fatal?: boolean;
  ignoreBOM?: boolean;
}

/** A decoder of any encoding, in chunks: the Standard's `TextDecoder` is for its own alone. */
export class LegacyTextDecoder {
  constructor(encoding: string, options?: DecodeOptions);
  readonly encoding: string;
  readonly fatal: boolean;
  readonly bom: BomHandling;
  /** Without `stream`, this is the end of the input. Its TypeError for malformed input is a `DecodeError`. */
  decode(input?: Bytes, options?: { stream?: boolean }): string;
}

/** `LegacyTextDecoder` as a stream. */
export class LegacyTextDecoderStream {
  constructor(encoding: string, options?: DecodeOptions);
  readonly encoding: string;
  readonly fatal: boolean;
  readonly bom: BomHandling;
  readonly readable: ReadableStream<string>;
  readonly writable: WritableStream<Bytes>;
}

/** The Standard's `TextDecoder`, for all its encodings. */
export class TextDecoder {
  constructor(label?: string, options?: TextDecoderOptions);
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  /** Its TypeError for malformed input is a `DecodeError`. */
  decode(input?: Bytes, options?: { stream?: boolean }): string;
}

/** The Standard's `TextEncoder`. */
export class TextEncoder {
  readonly encoding: "utf-8";
  encode(input?: string): OwnBytes;
  encodeInto(source: string, destination: Uint8Array): { read: number; written: number };
}

/** The Standard's `TextDecoderStream`. */
export class TextDecoderStream {
  constructor(label?: string, options?: TextDecoderOptions);
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  readonly readable: ReadableStream<string>;
  readonly writable: WritableStream<Bytes>;
}

/** The Standard's `TextEncoderStream`. */
export class TextEncoderStream {
  readonly encoding: "utf-8";
  readonly readable: ReadableStream<OwnBytes>;
  readonly writable: WritableStream<string>;
}

export interface EncodingInfo {
  /** Whether it is one of the Standard's. */
  standard: boolean;
  name: string;
  /** The name that every call takes: `name`, after "extended:" where that is a label of another encoding. */
  id: string;
  /** Whether it has an encoder. */
  encodes: boolean;
  labels: readonly string[];
}

/** All encodings: the 40 of the Standard, then the others. */
export function encodings(): readonly Readonly<EncodingInfo>[];

/** The `id` of the encoding that a label or a name means; `null` if there is none. */
export function lookup(name: string): string | null;

/** An answer of detection. */
export interface Candidate {
  /** The `id`, which every call takes; likewise in all answers. */
  encoding: string;
  /** That the text is right, from 0 to 1. */
  probability: number;
  /** The likeliest language, as a BCP 47 tag, where statistics decided. */
  language: string | null;
  /** Its script, as an ISO 15924 code. */
  script: string | null;
  /** How many malformed sequences the bytes that were read have. */
  malformed: number;
}

export interface Contents {
  /** "unsupported" is text in an encoding without a decoder, whose name is in `unsupported`. */
  content: "ascii" | "text" | "binary" | "unsupported";
  unsupported: string | null;
  /** The format of a binary file, if its first bytes say it. */
  format: string | null;
  /** After how many bytes the answer could not change any more. */
  bytesRead: number;
  /** The best first, four at most. */
  candidates: Candidate[];
}

export interface DetectOptions {
  /** The top-level domain or the host that the bytes came from. */
  tld?: string;
  /** The reader's locale, as a BCP 47 tag. */
  locale?: string;
  /** No other encoding is an answer. */
  allowed?: Iterable<string>;
  /** Encodings that are no answer. */
  denied?: Iterable<string>;
  /** Whether code pages of DOS and EBCDIC are answers, too. */
  extended?: boolean;
  /** Whether what stands between `<` and `>` is left out of statistics. */
  stripMarkup?: boolean;
}

export interface Detection extends Contents {
  /** The best candidate's, or `null`: of ASCII, of what is not text, and where nothing fits. */
  encoding: string | null;
  probability: number | null;
  language: string | null;
}

/** Guesses the encoding of bytes that come without a label. */
export function detect(input: Bytes, options?: DetectOptions): Detection;

/** A line that was decoded in the wrong encoding. */
export interface Mojibake {
  /** The number of the line, from 1. */
  line: number;
  before: string;
  /** The line after the repair, or null if it stays, as several encodings explain it. */
  after: string | null;
  /** The steps that repair it, each with an encoding. */
  steps: ["encode" | "decode", string][];
  confidence: "certain" | "tentative";
}

/** Repairs the lines of a text that were decoded in the wrong encoding. */
export function repair(text: string): string;

/** Finds the lines of a text that were decoded in the wrong encoding. */
export function findMojibake(text: string): Mojibake[];

export type Source =
  | "bom" | "override" | "transport" | "meta" | "xml-declaration" | "xml-family" | "css-charset" | "declaration"
  | "environment" | "detection" | "locale" | "default";

export interface SniffOptions {
  /** The header Content-Type, or a bare label. */
  contentType?: string;
  /** "auto", "text", "html", "xml", "css", or an id of docs/SNIFFING.md. "auto" if left out: the first bytes say it. */
  context?: string;
  /** The user's choice. */
  override?: string;
  /** What the reference says, such as `<script charset>`. */
  explicitEnvironment?: string;
  /** The encoding of the document that refers to this one. */
  environment?: string;
  /** The encoding of the page when the reader last visited it. */
  history?: string;
  locale?: string;
  tld?: string;
  /** Whether encodings may be guessed; `true` if left out. */
  detect?: boolean;
  /** Whether the bytes win where they contradict a declaration. */
  distrustDeclared?: boolean;
  /** Whether XML that contradicts itself is read as browsers read it, and no error. */
  likeBrowsers?: boolean;
  /** Whether nothing is decided but by the standards. */
  byTable?: boolean;
  /** Whether the bytes are known to be text, U+0000 or not. */
  isText?: boolean;
  extended?: boolean;
  allowed?: Iterable<string>;
  denied?: Iterable<string>;
}

export interface Decision extends Contents {
  encoding: string;
  /** What decided. */
  source: Source;
  /** Whether a later declaration in the document may change it. */
  confidence: "certain" | "tentative";
  /** In bytes. */
  bomLength: number;
  /** That the text is right, from 0 to 1; `null` where a declaration decided. */
  probability: number | null;
  /** Whether the text is not right with a probability of 0.9, or malformed in the encoding that is declared. */
  doubtful: boolean;
  declared: { encoding: string; source: Source } | null;
  /** The encoding that the bytes show, where it contradicts what is declared. */
  contradiction: string | null;
  /** Offset of the first malformed sequence in the declared encoding, where another encoding has fewer of them. */
  malformed: number | null;
}

/**
 * Decides the encoding of a document: byte order mark, override, transport, declaration, environment, detection, locale,
 * default.
 * @throws {TypeError} for XML that contradicts itself.
 */
export function sniff(input: Bytes, options?: SniffOptions): Decision;
