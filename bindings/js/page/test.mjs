// The page in headless Chromium, opened from disk: what it decides, shows, converts and how long it keeps a person waiting.
//
// Usage: node bindings/js/page/test.mjs PAGE CHROMIUM [SCREENSHOT]
// puppeteer-core is taken from the folder that it is started in.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readFileSync, readdirSync, writeFileSync, existsSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { encode, encodings, lookup } from "mojika";

const [path, chromium, screenshot] = process.argv.slice(2);
const from = createRequire(resolve("x.js"));
const { default: puppeteer } = await import(pathToFileURL(from.resolve("puppeteer-core")).href);
const samples = new URL("../../../samples/", import.meta.url);
const work = mkdtempSync(join(tmpdir(), "mojika-page-"));

const browser = await puppeteer.launch({ executablePath: chromium, headless: true, args: ["--no-sandbox"] });
const page = await browser.newPage();
const asked = [];
page.on("request", (request) => asked.push(request.url()));
const failures = [];
page.on("pageerror", (error) => failures.push(error.message));
const session = await page.createCDPSession();
await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: work, eventsEnabled: true });
await page.goto(pathToFileURL(resolve(path)).href);

const text = (selector) => page.$eval(selector, (element) => element.textContent);
const settled = () =>
  page.waitForFunction(
    () => document.querySelector("#decided") && document.querySelector("#progress").hidden &&
      /lost|lacks/.test(document.querySelector("#loss").textContent) && document.querySelector("#text").textContent !== "…",
    { timeout: 120_000 },
  );
async function open(file) {
  await page.evaluate(() => {
    document.querySelector("#decision").replaceChildren();
    document.querySelector("#loss").textContent = "";
  });
  const input = await page.$("#file");
  await input.uploadFile(file);
  await settled();
}
/** A server of the package, whose pages have this policy. */
function serve(policy = "") {
  return createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    if (policy !== "") response.setHeader("Content-Security-Policy", policy);
    // The second wasm comes as servers send what they do not know.
    const types = { ".js": "text/javascript", ".wasm": pathname.startsWith("/plain") ? "application/octet-stream" : "application/wasm" };
    if (pathname === "/") {
      response.setHeader("Content-Type", "text/html");
      return response.end("<!doctype html>");
    }
    try {
      const body = readFileSync(new URL(`..${pathname.replace("/plain", "")}`, import.meta.url));
      response.writeHead(200, { "Content-Type": types[pathname.slice(pathname.lastIndexOf("."))] ?? "text/plain" });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  }).listen(0, "127.0.0.1");
}
let count = 0;
async function rule(name, check) {
  await check();
  count += 1;
  console.log(`ok ${count} - ${name}`);
}

try {
  await rule("lines that were encoded twice are counted, and repaired when the person asks for it", async () => {
    const twice = join(work, "twice.txt");
    writeFileSync(twice, "cafÃ© crÃ¨me\nplain café\n");
    await open(twice);
    assert.match(await text("#twice"), /A line was encoded twice, such as “cafÃ© crÃ¨me”, which was “café crème”/);
    await page.click("#repair");
    await page.click("#convert");
    await page.waitForSelector("#download a");
    const saved = join(work, await page.$eval("#download a", (link) => link.download));
    for (let tries = 0; !existsSync(saved) && tries < 100; tries++) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(readFileSync(saved, "utf8"), "café crème\nplain café\n");
    const plain = join(work, "plain.txt");
    writeFileSync(plain, "plain café\n");
    await open(plain);
    assert.equal(await page.$eval("#repair-box", (box) => box.hidden), true);
  });
  const names = readdirSync(samples).filter((name) => name.endsWith(".txt"));
  // Texts that are the same bytes in two encodings, of which either is right.
  const alike = { "iso-8859-7": ["windows-1253"], gb18030: ["GBK"] };
  for (const name of names) {
    const [language, label] = name.split(".");
    await rule(`${name} is found, and converts to UTF-8`, async () => {
      await open(new URL(name, samples).pathname);
      const decided = await text("#decided");
      assert.ok([lookup(label), ...(alike[label] ?? [])].includes(decided), `${name} is taken for ${decided}`);
      assert.match(await text("#errors"), /well-formed/);
      await page.evaluate((encoding) => {
        const select = document.querySelector("#encoding");
        select.value = encoding;
        select.dispatchEvent(new Event("change"));
      }, lookup(label));
      await new Promise((resolve) => setTimeout(resolve, 50));
      await settled();
      await page.click("#convert");
      await page.waitForSelector("#download a");
      const link = await page.$eval("#download a", (link) => link.download);
      const saved = join(work, link);
      for (let tries = 0; !existsSync(saved) && tries < 100; tries++) await new Promise((resolve) => setTimeout(resolve, 50));
      const expected = readFileSync(new URL(`utf-8/${language}.txt`, samples));
      assert.deepEqual(readFileSync(saved), expected, `${link} of ${language}`);
    });
  }

  await rule("candidates stand side by side, the decided one chosen", async () => {
    await open(new URL("ja.shift_jis.txt", samples).pathname);
    const cards = await page.$$eval(".candidate", (all) => all.map((card) => [card.dataset.encoding, card.className, card.querySelector("pre").textContent]));
    assert.ok(cards.length >= 3);
    assert.match(cards.find(([encoding]) => encoding === "Shift_JIS")[1], /chosen/);
    assert.match(cards.find(([encoding]) => encoding === "Shift_JIS")[2], /[ぁ-ん]/);
    assert.match(cards.find(([encoding]) => encoding === "UTF-8")[2], /\ufffd/);
    if (screenshot) {
      await page.setViewport({ width: 1100, height: 1000 });
      await page.screenshot({ path: screenshot, fullPage: false });
    }
  });

  await rule("malformed sequences are marked where they are", async () => {
    const file = join(work, "broken.txt");
    const good = encode("これは日本語の文章です。文字コードを調べます。\n", "euc-jp");
    writeFileSync(file, Buffer.concat([good, Buffer.from([0xff]), good, Buffer.from([0x8f]), Buffer.from("\n")]));
    await open(file);
    await page.select("#encoding", "EUC-JP");
    await settled();
    await page.waitForFunction(() => /2 malformed sequences in EUC-JP/.test(document.querySelector("#errors").textContent));
    const rows = await page.$$eval("#error-rows tr td:first-child", (cells) => cells.map((cell) => Number(cell.textContent)));
    assert.deepEqual(rows, [good.length, 2 * good.length + 1]);
    const titles = await page.$$eval("#text mark", (marks) => marks.map((mark) => mark.title));
    assert.match(titles[0], new RegExp(`offset ${good.length},`));
  });

  await rule("a candidate shows its first characters beyond ASCII, wherever and in whatever bytes they are", async () => {
    const japanese = encode("これは日本語の文章です。\n".repeat(90_000), "iso-2022-jp");
    const late = Buffer.from(`${"It is ASCII.\r\n".repeat(60_000)}It’s not… “quite”.\r\n`, "utf16le");
    const files = [
      ["iso-2022-jp.txt", japanese, "ISO-2022-JP", /^これは日本語の文章です。\n/],
      ["utf-16le.txt", late, "UTF-16LE", /^It’s not… “quite”\./],
      ["utf-16be.txt", Buffer.from(late).swap16(), "UTF-16BE", /^It’s not… “quite”\./],
      ["utf-8.txt", encode(`文${"𠮷".repeat(99)}\n`), "UTF-8", /^文𠮷{49}…/u],
    ];
    for (const [name, bytes, encoding, expected] of files) {
      const file = join(work, name);
      writeFileSync(file, bytes);
      await open(file);
      const card = await page.$eval(`[data-encoding="${encoding}"]`, (card) => [card.querySelector("p").textContent, card.querySelector("pre").textContent]);
      assert.match(card[0], /no errors/, name);
      assert.match(card[1], expected, name);
    }
  });

  await rule("a character that the shown beginning cuts off is no error", async () => {
    for (const encoding of ["euc-jp", "utf-8", "gb18030", "utf-16le", "utf-32be", "iso-2022-jp"]) {
      for (const start of ["", "x", "xy"]) {
        const file = join(work, `cut${start}.${encoding}.txt`);
        writeFileSync(file, encode(`${start}${"漢𠮷字\n".repeat(40_000).replaceAll("𠮷", /jp/.test(encoding) ? "仮" : "𠮷")}`, encoding));
        await open(file);
        await page.select("#encoding", lookup(encoding));
        await page.waitForFunction((encoding) => document.querySelector("#errors").textContent === `All of it is well-formed ${encoding}.`, {}, lookup(encoding));
        assert.equal(await page.$$eval("#text mark", (marks) => marks.length), 0, `${encoding} after "${start}"`);
      }
    }
    await settled();
  });

  await rule("of many malformed sequences, each that is shown has its place", async () => {
    const file = join(work, "many.txt");
    writeFileSync(file, Buffer.concat(Array(3000).fill(Buffer.from("a\xff", "latin1"))));
    await open(file);
    await page.select("#encoding", "UTF-8");
    await page.waitForFunction(() => /At least 1,000 malformed sequences in UTF-8, the first 200/.test(document.querySelector("#errors").textContent));
    const titles = await page.$$eval("#text mark", (marks) => marks.map((mark) => mark.title));
    assert.equal(titles.length, 3000);
    assert.equal(titles[2999], "malformed at offset 5,999, 1 byte");
    await settled();
  });

  await rule("a file that has changed is chosen again", async () => {
    const file = join(work, "again.txt");
    for (const [bytes, encoding] of [[Buffer.from("é"), "UTF-8"], [Buffer.from("\ufeffé", "utf16le"), "UTF-16LE"]]) {
      writeFileSync(file, bytes);
      const [chooser] = await Promise.all([page.waitForFileChooser(), page.click("#file")]);
      await chooser.accept([file]);
      await page.waitForFunction((encoding) => document.querySelector("#decided")?.textContent === encoding, { timeout: 20_000 }, encoding);
      await settled();
    }
  });

  await rule("what is asked before an answer is there takes none away", async () => {
    const file = join(work, "long.txt");
    writeFileSync(file, encode("これは日本語の文章です。\n".repeat(400_000), "shift_jis"));
    await open(file);
    const change = (id, value) => page.evaluate((id, value) => {
      const select = document.querySelector(id);
      select.value = value;
      select.dispatchEvent(new Event("change"));
    }, id, value);
    // The text in another encoding, and at once what another target lacks.
    await page.evaluate(() => {
      for (const [id, value] of [["#encoding", "EUC-JP"], ["#target", "windows-1252"]]) {
        const select = document.querySelector(id);
        select.value = value;
        select.dispatchEvent(new Event("change"));
      }
    });
    await settled();
    assert.match(await text("#errors"), /EUC-JP/);
    assert.match(await text("#loss"), /^windows-1252 lacks/);
    // A conversion, at once after another encoding is chosen.
    await change("#target", "UTF-8");
    await page.evaluate(() => {
      const select = document.querySelector("#encoding");
      select.value = "Shift_JIS";
      select.dispatchEvent(new Event("change"));
      document.querySelector("#convert").click();
    });
    await page.waitForSelector("#download a", { timeout: 60_000 });
    await settled();
    assert.match(await text("#errors"), /well-formed Shift_JIS/);
    // A conversion that another target ends says so.
    await page.evaluate(() => {
      document.querySelector("#convert").click();
      const select = document.querySelector("#target");
      select.value = "EUC-JP";
      select.dispatchEvent(new Event("change"));
    });
    await settled();
    assert.equal(await text("#download"), "");
    await page.select("#target", "UTF-8");
  });

  await rule("what a conversion loses is said, and refused unless it is allowed", async () => {
    const file = join(work, "loss.txt");
    writeFileSync(file, "Größe 💩 5 € 💩 文\n");
    await open(file);
    await page.select("#target", "windows-1252");
    await page.waitForFunction(() => /windows-1252 lacks 2 characters, which are there 3 times/.test(document.querySelector("#loss").textContent));
    assert.match(await text("#lost"), /💩 U\+1F4A9 × 2/);
    await page.click("#convert");
    await page.waitForFunction(() => /Not converted/.test(document.querySelector("#download").textContent));
    await page.select("#mode", "html");
    await page.click("#convert");
    await page.waitForSelector("#download a");
    const href = await page.$eval("#download a", (link) => link.href);
    const made = await page.evaluate(async (href) => Array.from(new Uint8Array(await (await fetch(href)).arrayBuffer())), href);
    assert.equal(Buffer.from(made).toString("latin1"), "Gr\xf6\xdfe &#128169; 5 \x80 &#128169; &#25991;\n");
    await page.select("#mode", "fatal");
    await page.select("#target", "UTF-8");
  });

  await rule("hints decide, and a file from the clipboard is read", async () => {
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.of(0xce, 0xc4, 0xd7, 0xd6)], "pasted.txt"));
      document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
    });
    await page.waitForFunction(() => /^pasted.txt/.test(document.querySelector("#status").textContent));
    await settled();
    await page.$eval("details", (details) => (details.open = true));
    await page.type("#content-type", "text/plain; charset=gbk");
    await page.keyboard.press("Tab");
    await page.waitForFunction(() => /GBK, because of the Content-Type/.test(document.querySelector("#status").textContent));
    await page.$eval("#content-type", (input) => (input.value = ""));
  });

  await rule("everything is reached by keyboard, and has a name", async () => {
    await settled();
    const snapshot = await page.accessibility.snapshot();
    const unnamed = [];
    const walk = (node) => {
      if (/^(button|textbox|combobox|checkbox|link|progressbar)$/.test(node.role) && !node.name) unnamed.push(node.role);
      for (const child of node.children ?? []) walk(child);
    };
    walk(snapshot);
    assert.deepEqual(unnamed, []);
    await page.evaluate(() => document.activeElement.blur());
    const reached = new Set();
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press("Tab");
      reached.add(await page.evaluate(() => document.activeElement.id || document.activeElement.textContent));
    }
    for (const id of ["file", "sample", "content-type", "context", "encoding", "target", "mode", "convert", "Decode as this"]) {
      assert.ok(reached.has(id), `${id} is not reached`);
    }
  });

  await rule("a sample is read", async () => {
    await page.select("#sample", "ru.koi8-r.txt");
    await page.waitForFunction(() => /^ru.koi8-r.txt/.test(document.querySelector("#status").textContent) && document.querySelector("#decided")?.textContent === "KOI8-R");
    await settled();
  });

  await rule("a narrow window, or one that is enlarged, shows all of it without scrolling sideways", async () => {
    const before = page.viewport();
    await page.setViewport({ width: 320, height: 600 });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
    await page.setViewport(before);
  });

  await rule("a dropped file is read", async () => {
    const bytes = Array.from(encode("Съешь же ещё этих мягких французских булок, да выпей чаю.", "koi8-r"));
    await page.evaluate((bytes) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([Uint8Array.from(bytes)], "dropped"));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    }, bytes);
    await page.waitForFunction(() => /^dropped: 57 bytes, KOI8-R/.test(document.querySelector("#status").textContent));
    await settled();
  });

  await rule("dark mode has dark paper", async () => {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
    const paper = await page.$eval("body", (body) => getComputedStyle(body).backgroundColor);
    assert.equal(paper, "rgb(21, 24, 28)");
    await page.emulateMediaFeatures([]);
  });

  await rule("100 MB do not freeze the page", async () => {
    const file = join(work, "large.txt");
    const piece = encode("これは日本語の文章です。文字コードを調べます。\n".repeat(1000), "shift_jis");
    writeFileSync(file, Buffer.concat(Array(Math.ceil(1e8 / piece.length)).fill(piece)));
    await page.evaluate(() => {
      window.longest = 0;
      window.bars = new Set();
      let last = performance.now();
      window.watch = setInterval(() => {
        const now = performance.now();
        window.longest = Math.max(window.longest, now - last);
        last = now;
        if (!document.querySelector("#progress").hidden) window.bars.add(document.querySelector("#progress").value);
      }, 10);
    });
    const start = performance.now();
    await open(file);
    await page.click("#convert");
    await page.waitForSelector("#download a", { timeout: 120_000 });
    const took = performance.now() - start;
    const [longest, bars] = await page.evaluate(() => [window.longest, window.bars.size]);
    assert.equal(await text("#decided"), "Shift_JIS");
    console.log(`# 100 MB read, decided, weighed and converted in ${(took / 1000).toFixed(1)} s; the page waited ${longest.toFixed(0)} ms at most`);
    assert.ok(bars > 5, `${bars} steps of progress`);
    // A processor that others use is late by itself; reading it all on the page would take more.
    assert.ok(longest < 1000, `the page waited ${longest} ms`);
  });

  await rule("a module of a page and of its worker imports the package", async () => {
    const server = serve();
    await once(server, "listening");
    try {
      const other = await browser.newPage();
      const origin = `http://127.0.0.1:${server.address().port}`;
      await other.goto(origin);
      const answers = await other.evaluate(async (origin) => {
        const texts = [];
        for (const folder of ["", "/plain"]) {
          const { TextDecoder, decode, encode } = await import(`${origin}${folder}/lib/index.js`);
          const long = "文字é💩".repeat(200_000);
          const bytes = encode(long, "gb18030");
          texts.push(new TextDecoder("shift_jis").decode(Uint8Array.of(0x95, 0xb6, 0x8e, 0x9a)), decode(bytes, "gb18030") === long);
        }
        const code = `import { decode } from "${origin}/lib/index.js"; postMessage(decode(Uint8Array.of(0xa4, 0xe5), "big5"));`;
        const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })), { type: "module" });
        texts.push(await new Promise((resolve, reject) => {
          worker.onmessage = ({ data }) => resolve(data);
          worker.onerror = reject;
        }));
        return texts;
      }, origin);
      assert.deepEqual(answers, ["文字", true, "文字", true, "文"]);
      await other.close();
    } finally {
      server.close();
    }
  });

  await rule("a policy that docs/JAVASCRIPT.md states admits the module, and one without wasm-unsafe-eval does not", async () => {
    const wasm = " 'wasm-unsafe-eval'";
    for (const more of [wasm, ""]) {
      const server = serve(`default-src 'none'; script-src 'self'${more}; connect-src 'self'`);
      await once(server, "listening");
      const other = await browser.newPage();
      try {
        const origin = `http://127.0.0.1:${server.address().port}`;
        await other.goto(origin);
        const decoded = await other.evaluate(async (origin) => {
          const texts = [];
          for (const entry of ["index", "init"]) {
            try {
              const { decode, init } = await import(`${origin}/lib/${entry}.js`);
              await init?.(await (await fetch(`${origin}/mojika.wasm`)).arrayBuffer());
              texts.push(decode(Uint8Array.of(0x95, 0xb6), "shift_jis"));
            } catch (error) {
              texts.push(error.name);
            }
          }
          return texts;
        }, origin);
        assert.deepEqual(decoded, more === wasm ? ["文", "文"] : ["CompileError", "CompileError"]);
      } finally {
        await other.close();
        server.close();
      }
    }
  });

  await rule("nothing is fetched from elsewhere, nor could be", async () => {
    assert.equal(await page.evaluate(() => fetch("data:,text").then(() => "fetched", () => "refused")), "refused");
    assert.deepEqual(asked.filter((url) => !/^(file|blob|data):/.test(url)), []);
    assert.deepEqual(failures, []);
  });
  assert.ok(new Set(names.map((name) => name.split(".")[1])).size >= 19 && encodings().length > 100);
  console.log(`${count} passed, 0 failed`);
} finally {
  await browser.close();
  rmSync(work, { recursive: true, force: true });
}
