// Decoding and encoding beside the platform's TextDecoder, @exodus/bytes and iconv-lite; detection beside jschardet; and the
// ways to make a string of what lies in the memory of a module.
//
// Usage: node bindings/js/bench.mjs [--seconds S] [--sizes 1024,65536] [--only decode|encode|detect|strings] [FOLDER]
// FOLDER has a node_modules with the peers: `npm install @exodus/bytes iconv-lite jschardet`. Those that are missing are left
// out. What a peer makes of the text must be what this package makes of it, or its cell says so.
//
// Candidates alternate in slices of 20 ms of processor time; a cell is the median of the slices in MB/s (of encoded bytes), with
// the quartiles.
import { createRequire } from "node:module";
import { cpus } from "node:os";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import * as mojika from "mojika";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "0.5" },
    sizes: { type: "string", default: "100,1024,16384,65536,1048576,16777216" },
    only: { type: "string" },
    encodings: { type: "string" },
  },
});

const from = createRequire(resolve(positionals[0] ?? ".", "x.js"));
async function peer(name) {
  try {
    return await import(pathToFileURL(from.resolve(name)).href);
  } catch {
    return undefined;
  }
}
const exodus = await peer("@exodus/bytes/encoding.js");
const iconv = (await peer("iconv-lite"))?.default;
const jschardet = (await peer("jschardet"))?.default;

const WORDS = {
  ja: "これは 日本語の 文章です。 文字コードの 変換は、 速く 正確で なければ なりません。 カタカナや 漢字、 ひらがなが 混ざります。 東京 大阪 京都 2024年",
  "zh-CN": "这是 一段 中文 文字。 编码 转换 必须 既 快速 又 准确。 北京 上海 广州 的 用户 每天 读取 大量 网页， 2024年",
  "zh-TW": "這是 一段 中文 文字。 編碼 轉換 必須 既 快速 又 準確。 台北 高雄 台中 的 使用者 每天 讀取 大量 網頁， 2024年",
  ko: "이것은 한국어 문장입니다. 문자 인코딩 변환은 빠르고 정확해야 합니다. 서울 부산 대구 사용자가 매일 많은 페이지를 읽습니다. 2024년",
  ru: "Это обычный русский текст. Преобразование кодировок должно быть быстрым и точным. Москва Казань 2024 года",
  fr: "Ceci est un texte français. La conversion des caractères doit être rapide et exacte : où, déjà, élève, naïf, çà et là, 2024",
};
const ENCODINGS = [
  ["shift_jis", "ja"],
  ["euc-jp", "ja"],
  ["iso-2022-jp", "ja"],
  ["gbk", "zh-CN"],
  ["gb18030", "zh-CN"],
  ["big5", "zh-TW"],
  ["euc-kr", "ko"],
  ["windows-1251", "ru"],
  ["windows-1252", "fr"],
  ["utf-8", "ja"],
  ["utf-16le", "ja"],
].filter(([name]) => values.encodings === undefined || values.encodings.split(",").includes(name));

// Words in random order, so that nothing learns the text; of about `bytes` bytes.
function text(language, encoding, bytes) {
  let seed = 12345;
  const words = WORDS[language].split(" ");
  const isSpaced = ["ko", "ru", "fr"].includes(language);
  const list = [];
  let length = 0;
  while (length < bytes) {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    const word = words[(seed >>> 8) % words.length] + (isSpaced ? " " : "");
    list.push(word);
    length += word.length * (isSpaced && encoding !== "utf-16le" && language !== "ko" ? 1 : 2);
  }
  return list.join("");
}

const quartile = (sorted, q) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))];

// MB/s of each candidate: median and quartiles.
function measure(candidates, bytes) {
  const seconds = Number(values.seconds);
  const state = candidates.map(([name, run]) => ({ name, run, speeds: [], rounds: 1 }));
  const cpu = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  };
  for (const one of state) {
    // As many rounds as take 20 ms.
    for (let warm = 0; warm < 3; warm++) {
      const start = cpu();
      for (let i = 0; i < one.rounds; i++) one.run();
      const took = cpu() - start;
      one.rounds = Math.max(1, Math.min(1e6, Math.ceil((one.rounds * 0.02) / Math.max(took, 1e-5))));
    }
  }
  const slices = Math.max(5, Math.round(seconds / 0.02));
  for (let slice = 0; slice < slices; slice++) {
    for (const one of state) {
      const start = cpu();
      for (let i = 0; i < one.rounds; i++) one.run();
      one.speeds.push((one.rounds * bytes) / 1e6 / (cpu() - start));
    }
  }
  return state.map(({ name, speeds }) => {
    speeds.sort((a, b) => a - b);
    return { name, median: quartile(speeds, 0.5), low: quartile(speeds, 0.25), high: quartile(speeds, 0.75) };
  });
}

const size = (bytes) =>
  bytes >= 0.8 * 2 ** 20 ? `${Math.round(bytes / 2 ** 20)} MB` : bytes >= 512 ? `${Math.round(bytes / 1024)} KB` : `${bytes}`;
const round = (n) => (n >= 100 ? n.toFixed(0) : n.toFixed(1));
const show = ({ median, low, high }) => `${round(median)} (${round(low)} to ${round(high)})`;

// What reads every string that is made, as a rope is flat only once it is read.
let sink = 0;
const read = (string) => {
  sink += string.charCodeAt(string.length >> 1);
};

function table(title, names, rows, first = "mojika", last = "times the fastest other") {
  console.log(`\n${title}\n`);
  console.log(`| encoding | size | ${names.join(" | ")} | ${last} |`);
  console.log(`|---|---|${names.map(() => "---|").join("")}---|`);
  for (const [encoding, bytes, cells] of rows) {
    const ours = cells.find(({ name }) => name === first);
    const others = cells.filter(({ name, median }) => name !== first && median);
    const best = Math.max(...others.map(({ median }) => median));
    const columns = names.map((name) => {
      const cell = cells.find((cell) => cell.name === name);
      return cell === undefined ? "" : cell.wrong ? "otherwise" : show(cell);
    });
    const times = others.length > 0 ? (ours.median / best).toFixed(1) : "";
    console.log(`| ${encoding} | ${size(bytes)} | ${columns.join(" | ")} | ${times} |`);
  }
}

const sizes = values.sizes.split(",").map(Number);
const wanted = (what) => values.only === undefined || values.only === what;
console.log(`node ${process.version}, ${cpus()[0].model}; MB/s, median and quartiles`);

function sorted(candidates, expected, isSame) {
  const [right, wrong] = [[], []];
  for (const candidate of candidates) {
    let made;
    try {
      made = candidate[1]();
    } catch {
      continue;
    }
    (isSame(made, expected) ? right : wrong).push(candidate);
  }
  return [right, wrong.map(([name]) => ({ name, wrong: true }))];
}

if (wanted("decode")) {
  const rows = [];
  for (const [encoding, language] of ENCODINGS) {
    for (const bytes of sizes) {
      const expected = text(language, encoding, bytes);
      const input = mojika.encode(expected, encoding);
      const ours = new mojika.TextDecoder(encoding);
      const candidates = [["mojika", () => ours.decode(input)]];
      try {
        const native = new globalThis.TextDecoder(encoding);
        candidates.push(["TextDecoder", () => native.decode(input)]);
      } catch {
        // Node is built without it.
      }
      if (exodus) {
        const decoder = new exodus.TextDecoder(encoding);
        candidates.push(["@exodus/bytes", () => decoder.decode(input)]);
      }
      if (iconv?.encodingExists(encoding)) {
        const buffer = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
        candidates.push(["iconv-lite", () => iconv.decode(buffer, encoding)]);
      }
      const [right, wrong] = sorted(candidates, expected, (a, b) => a === b);
      const reading = right.map(([name, run]) => [name, () => read(run())]);
      rows.push([encoding, input.length, [...measure(reading, input.length), ...wrong]]);
    }
  }
  table("Decoding", ["mojika", "TextDecoder", "@exodus/bytes", "iconv-lite"], rows);
}

if (wanted("encode")) {
  const rows = [];
  for (const [encoding, language] of ENCODINGS) {
    for (const bytes of sizes) {
      const string = text(language, encoding, bytes);
      const expected = mojika.encode(string, encoding);
      const candidates = [["mojika", () => mojika.encode(string, encoding)]];
      if (encoding === "utf-8") {
        const native = new globalThis.TextEncoder();
        candidates.push(["TextEncoder", () => native.encode(string)]);
      }
      if (iconv?.encodingExists(encoding)) candidates.push(["iconv-lite", () => iconv.encode(string, encoding)]);
      const [right, wrong] = sorted(candidates, expected, (a, b) => Buffer.compare(a, b) === 0);
      rows.push([encoding, expected.length, [...measure(right, expected.length), ...wrong]]);
    }
  }
  table("Encoding", ["mojika", "TextEncoder", "iconv-lite"], rows);
}

if (wanted("detect")) {
  const rows = [];
  for (const [encoding, language] of ENCODINGS.filter(([name]) => name !== "utf-16le")) {
    for (const bytes of sizes.filter((bytes) => bytes <= 65536)) {
      const input = mojika.encode(text(language, encoding, bytes), encoding);
      const candidates = [["mojika", () => mojika.detect(input)]];
      const buffer = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
      if (jschardet) candidates.push(["jschardet", () => jschardet.detect(buffer)]);
      rows.push([encoding, input.length, measure(candidates, input.length)]);
    }
  }
  table("Detection (bytes of the input in the time of an answer)", ["mojika", "jschardet"], rows);
}
if (wanted("strings")) {
  const memory = new WebAssembly.Memory({ initial: 2048 }).buffer;
  const buffer = Buffer.from(memory);
  const utf16 = new globalThis.TextDecoder("utf-16le", { ignoreBOM: true });
  const utf8 = new globalThis.TextDecoder("utf-8", { ignoreBOM: true });
  const rows = [];
  for (const [kind, character] of [["ASCII", "x"], ["Latin-1", "é"], ["CJK", "文"]]) {
    for (const length of sizes.filter((length) => length <= 1 << 22)) {
      const string = character.repeat(length);
      buffer.ucs2Write(string, 0);
      const inUtf8 = 1 << 25;
      const bytes = buffer.utf8Write(string, inUtf8);
      const latin1 = 1 << 26;
      buffer.latin1Write(string, latin1);
      const units = new Uint16Array(memory, 0, length);
      const candidates = [
        ["copy of code units", () => buffer.ucs2Slice(0, 2 * length)],
        ["TextDecoder of UTF-16LE", () => utf16.decode(units)],
        ["TextDecoder of UTF-8", () => utf8.decode(new Uint8Array(memory, inUtf8, bytes))],
      ];
      if (length <= 4096) candidates.push(["fromCharCode", () => String.fromCharCode.apply(null, units)]);
      if (kind !== "CJK") candidates.push(["copy of Latin-1", () => buffer.latin1Slice(latin1, latin1 + length)]);
      const reading = candidates.map(([name, run]) => [name, () => read(run())]);
      rows.push([kind, length, measure(reading, length)]);
    }
  }
  const names = ["copy of code units", "copy of Latin-1", "TextDecoder of UTF-16LE", "TextDecoder of UTF-8", "fromCharCode"];
  const title = "Strings out of a module's memory, in millions of code units a second (sizes are code units)";
  table(title, names, rows, "copy of code units", "copy of code units, times the fastest other");
}
if (sink < 0) console.log(sink);
