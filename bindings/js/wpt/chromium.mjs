// Runs the Web platform's tests of encodings through this package, in a page in headless Chromium.
//
// Usage: node bindings/js/wpt/chromium.mjs DIR CHROMIUM
// DIR is a checkout of web-platform-tests. puppeteer-core is taken from the folder that it is started in.
import { once } from "node:events";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { readBelow, testFiles } from "./files.mjs";

const [root, chromium] = process.argv.slice(2);
const from = createRequire(resolve("x.js"));
const { default: puppeteer } = await import(pathToFileURL(from.resolve("puppeteer-core")).href);

const PAGE = `<!doctype html><meta charset="utf-8"><title>Tests of encodings</title>
<script type="importmap">{"imports": {"mojika": "/package/lib/index.js"}}</script>
<script type="module">
  import { run } from "/package/wpt/tests.mjs";
  const read = async (path) => {
    const response = await fetch("/tests" + path);
    return response.ok ? new Uint8Array(await response.arrayBuffer()) : null;
  };
  report(await run(await (await fetch("/list")).json(), read, log));
</script>`;
const TYPES = { ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };
const files = testFiles(root);
const sources = fileURLToPath(new URL("..", import.meta.url));

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://localhost");
  const [, folder, rest] = /^\/(package|tests)(\/.*)/.exec(pathname) ?? [];
  const body = pathname === "/" ? PAGE
    : pathname === "/list" ? JSON.stringify(files)
    : folder === "package" ? readBelow(sources, rest)
    : folder === "tests" ? readBelow(root, rest)
    : null;
  response.writeHead(body === null ? 404 : 200, {
    "Content-Type": pathname === "/" ? "text/html" : (TYPES[extname(pathname)] ?? "application/octet-stream"),
    // With these a page has SharedArrayBuffer.
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
  });
  response.end(body);
});
server.listen(0, "127.0.0.1");
await once(server, "listening");

const browser = await puppeteer.launch({ executablePath: chromium, headless: true, args: ["--no-sandbox"] });
try {
  const page = await browser.newPage();
  page.on("pageerror", (error) => console.log(`# ${error.message}`));
  await page.exposeFunction("log", (line) => console.log(line));
  const passed = new Promise((done) => page.exposeFunction("report", done).then(() => page.goto(`http://127.0.0.1:${server.address().port}/`)));
  const late = new Promise((_, reject) => setTimeout(reject, 600_000, new Error("the page takes more than 10 minutes")).unref());
  process.exitCode = (await Promise.race([passed, late])) ? 0 : 1;
} finally {
  await browser.close();
  server.close();
}
