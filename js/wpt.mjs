// Runs the Web platform's tests of encodings through this package, in node.
//
// Usage: node js/wpt.mjs DIR
// DIR is a checkout of web-platform-tests. Tests without a document (`*.any.js`) run with the few functions of testharness.js
// that they use, with each of their variants; in pages of characters (`*_chars*.html`) each character has the code point that
// it states, or is what the bytes of that code point decode to, where two code points have the same bytes. Tests that need a browser are counted and left out.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import * as mojika from "mojika";

const root = resolve(process.argv[2] ?? ".");
const folder = join(root, "encoding");
if (!existsSync(folder)) {
  console.error(`${root} has no folder encoding: name a checkout of web-platform-tests`);
  process.exit(2);
}
const { TextDecoder, TextDecoderStream, TextEncoder, TextEncoderStream } = mojika;
const native = { TextDecoder: globalThis.TextDecoder };
Object.assign(globalThis, { TextDecoder, TextDecoderStream, TextEncoder, TextEncoderStream });

class Failed extends Error {}
function fail(what, message) {
  throw new Failed(message === undefined ? what : `${message}: ${what}`);
}
const show = (value) => (typeof value === "string" ? JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value) : String(value));
const isThrown = (error, type) => typeof error === "object" && error !== null && error.constructor === type;

const asserts = {
  assert_equals: (a, b, message) => Object.is(a, b) || fail(`${show(a)} instead of ${show(b)}`, message),
  assert_not_equals: (a, b, message) => !Object.is(a, b) || fail(`got ${show(a)}`, message),
  assert_true: (a, message) => a === true || fail(`${show(a)} instead of true`, message),
  assert_false: (a, message) => a === false || fail(`${show(a)} instead of false`, message),
  assert_unreached: (message) => fail("reached", message),
  assert_greater_than: (a, b, message) => a > b || fail(`${a} is not above ${b}`, message),
  assert_less_than_equal: (a, b, message) => a <= b || fail(`${a} is above ${b}`, message),
  assert_in_array: (a, list, message) => list.includes(a) || fail(`${show(a)} is not there`, message),
  assert_array_equals: (a, b, message) => {
    if (a.length !== b.length) fail(`${a.length} items instead of ${b.length}`, message);
    for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) fail(`item ${i} is ${show(a[i])} instead of ${show(b[i])}`, message);
  },
  assert_throws_js: (type, call, message) => {
    try {
      call();
    } catch (error) {
      return isThrown(error, type) || fail(`threw ${error}`, message);
    }
    fail("threw nothing", message);
  },
  assert_throws_dom: (name, call, message) => {
    try {
      call();
    } catch (error) {
      return error.name === name || fail(`threw ${error}`, message);
    }
    fail("threw nothing", message);
  },
  promise_rejects_js: (_, type, promise, message) =>
    promise.then(() => fail("did not reject", message), (error) => isThrown(error, type) || fail(`rejected with ${error}`, message)),
  promise_rejects_exactly: (_, value, promise, message) =>
    promise.then(() => fail("did not reject", message), (error) => error === value || fail(`rejected with ${error}`, message)),
};

// The functions for one file; what it defines is run one after another.
function harness(tests) {
  const add = (call, name = "unnamed") => tests.push({ name, call });
  return {
    ...asserts,
    test: add,
    promise_test: add,
    async_test: (call, name) =>
      add(
        (t) =>
          new Promise((done, reject) => {
            const guarded = (f) => (...args) => {
              try {
                return f(...args);
              } catch (error) {
                reject(error);
              }
            };
            t.done = done;
            t.step = (f) => guarded(f)();
            t.step_func = guarded;
            t.step_func_done = (f = () => {}) => (...args) => {
              guarded(f)(...args);
              done();
            };
            guarded(call)(t);
          }),
        name,
      ),
    setup: (call) => typeof call === "function" && call(),
    generate_tests: (call, list) => list.forEach(([name, ...args]) => add(() => call(...args), name)),
    step_timeout: setTimeout,
    format_value: show,
    done: () => {},
  };
}

const context = () => ({
  step_timeout: setTimeout,
  unreached_func: (message) => () => fail("reached", message),
  add_cleanup: () => {},
});

let [passed, failed, leftOut, noFloat16] = [0, 0, 0, 0];
async function run(title, tests) {
  for (const { name, call } of tests) {
    try {
      await Promise.race([
        call(context()),
        new Promise((_, reject) => setTimeout(reject, 30_000, new Failed("takes more than 30 s")).unref()),
      ]);
      passed += 1;
    } catch (error) {
      if (name.includes("Float16Array") && globalThis.Float16Array === undefined) {
        noFloat16 += 1;
        continue;
      }
      failed += 1;
      console.log(`not ok - ${title}: ${name}: ${error instanceof Failed ? error.message : error.stack}`);
    }
  }
}

function scriptOf(path, file) {
  return path.startsWith("/") ? join(root, path) : resolve(dirname(file), path);
}

async function runScript(file) {
  const code = readFileSync(file, "utf8");
  const metas = [...code.matchAll(/^\/\/ META: (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value.trim()]);
  const values = (wanted) => metas.filter(([name]) => name === wanted).map(([, value]) => value);
  const scripts = values("script").map((path) => scriptOf(path, file));
  const missing = scripts.find((path) => !existsSync(path));
  const title = relative(folder, file);
  if (missing !== undefined || /idlharness/.test(title)) {
    leftOut += 1;
    console.log(`# left out: ${title}${missing === undefined ? "" : `, as ${relative(root, missing)} is not there`}`);
    return;
  }
  const variants = values("variant");
  for (const search of variants.length > 0 ? variants : [""]) {
    const tests = [];
    const given = { ...harness(tests), self: globalThis, location: { search, href: `http://web-platform.test/${search}` } };
    const all = [...scripts.map((path) => readFileSync(path, "utf8")), code].join("\n;\n");
    try {
      new Function(...Object.keys(given), all)(...Object.values(given));
    } catch (error) {
      tests.push({ name: "the file", call: () => Promise.reject(error) });
    }
    await run(title + search, tests);
  }
}

async function runPage(file) {
  const bytes = readFileSync(file);
  const head = bytes.toString("latin1", 0, 1024);
  const label = /<meta charset="?([\w-]+)/i.exec(head)?.[1];
  const title = relative(folder, file);
  if (label === undefined) return void (leftOut += 1);
  const page = new TextDecoder(label).decode(bytes);
  const spans = [...page.matchAll(/<span data-cp="([0-9A-F ]+)" data-bytes="([^"]*)">([^<]*)<\/span>/gi)];
  if (spans.length === 0) return void (leftOut += 1);
  const wrong = spans.filter(([, points, hex, source]) => {
    const expected = points.trim().split(/\s+/).map((point) => String.fromCodePoint(parseInt(point, 16))).join("");
    const text = { "&lt;": "<", "&gt;": ">", "&amp;": "&" }[source] ?? source;
    if (text === expected) return false;
    const stated = Buffer.from(hex.replaceAll(" ", ""), "hex");
    return !stated.equals(mojika.encode(expected, label, { mode: "html" })) || mojika.decode(stated, label) !== text;
  });
  await run(title, [{ name: `${spans.length} characters`, call: () => wrong.length === 0 || fail(`${wrong.length} otherwise, first ${wrong[0][0]}`) }]);
}

function* files(path) {
  for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.isDirectory()) {
      if (entry.name !== "resources") yield* files(join(path, entry.name));
    } else yield join(path, entry.name);
  }
}

// A rejection that a test expects is looked at later than it happens.
process.on("unhandledRejection", () => {});
for (const file of files(folder)) {
  if (file.endsWith(".any.js")) await runScript(file);
  else if (/_chars[^/]*\.html$/.test(file)) await runPage(file);
  else if (/\.(html|window\.js|worker\.js)$/.test(file)) leftOut += 1;
}
console.log(`# ${leftOut} files are left out, as they need a browser or what is not there`);
if (noFloat16 > 0) console.log(`# ${noFloat16} tests are left out, as this version of node has no Float16Array`);
console.log(`${passed} passed, ${failed} failed`);
Object.assign(globalThis, native);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
