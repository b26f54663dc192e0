// The Web platform's tests of encodings, run over this package in any JavaScript platform.
//
// Tests without a document (`*.any.js`) run with the few functions of testharness.js that they use, with each of their variants; in
// pages of characters (`*_chars*.html`) each character has the code point that it states, or is what the bytes of that code point
// decode to, where two code points have the same bytes. Tests that need a document are counted and left out.
import * as mojika from "mojika";

const { TextDecoder, TextDecoderStream, TextEncoder, TextEncoderStream } = mojika;

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

// The tests of one run, with what it has found so far.
class Run {
  passed = 0;
  failed = 0;
  leftOut = 0;
  noFloat16 = 0;

  constructor(read, log) {
    Object.assign(this, { read, log });
  }

  async tests(title, tests) {
    for (const { name, call } of tests) {
      let timer;
      try {
        const late = new Promise((_, reject) => (timer = setTimeout(reject, 30_000, new Failed("takes more than 30 s"))));
        await Promise.race([call(context()), late]);
        this.passed += 1;
      } catch (error) {
        if (name.includes("Float16Array") && globalThis.Float16Array === undefined) {
          this.noFloat16 += 1;
          continue;
        }
        this.failed += 1;
        this.log(`not ok - ${title}: ${name}: ${error instanceof Failed ? error.message : error.stack}`);
      } finally {
        clearTimeout(timer);
      }
    }
  }

  async text(path) {
    const bytes = await this.read(path);
    return bytes && new TextDecoder().decode(bytes);
  }

  async script(file) {
    const title = titleOf(file);
    const code = await this.text(file);
    const metas = [...code.matchAll(/^\/\/ META: (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value.trim()]);
    const values = (wanted) => metas.filter(([name]) => name === wanted).map(([, value]) => value);
    const paths = values("script").map((path) => new URL(path, `http://web-platform.test${file}`).pathname);
    const scripts = await Promise.all(paths.map((path) => this.text(path)));
    const missing = scripts.findIndex((script) => script === null);
    if (missing >= 0 || /idlharness/.test(title)) {
      this.leftOut += 1;
      this.log(`# left out: ${title}${missing < 0 ? "" : `, as ${paths[missing]} is not there`}`);
      return;
    }
    const variants = values("variant");
    for (const search of variants.length > 0 ? variants : [""]) {
      const tests = [];
      const given = { ...harness(tests), self: globalThis, location: { search, href: `http://web-platform.test/${search}` } };
      try {
        new Function(...Object.keys(given), [...scripts, code].join("\n;\n"))(...Object.values(given));
      } catch (error) {
        tests.push({ name: "the file", call: () => Promise.reject(error) });
      }
      await this.tests(title + search, tests);
    }
  }

  async page(file) {
    const bytes = await this.read(file);
    const head = new TextDecoder("windows-1252").decode(bytes.subarray(0, 1024));
    const label = /<meta charset="?([\w-]+)/i.exec(head)?.[1];
    const page = label === undefined ? "" : new TextDecoder(label).decode(bytes);
    const spans = [...page.matchAll(/<span data-cp="([0-9A-F ]+)" data-bytes="([^"]*)">([^<]*)<\/span>/gi)];
    if (spans.length === 0) return void (this.leftOut += 1);
    const wrong = spans.filter(([, points, hex, source]) => {
      const expected = points.trim().split(/\s+/).map((point) => String.fromCodePoint(parseInt(point, 16))).join("");
      const text = { "&lt;": "<", "&gt;": ">", "&amp;": "&" }[source] ?? source;
      if (text === expected) return false;
      const stated = Uint8Array.from(hex.match(/[0-9A-F]{2}/gi), (digits) => parseInt(digits, 16));
      return `${stated}` !== `${mojika.encode(expected, label, { mode: "html" })}` || mojika.decode(stated, label) !== text;
    });
    const call = () => wrong.length === 0 || fail(`${wrong.length} otherwise, first ${wrong[0][0]}`);
    await this.tests(titleOf(file), [{ name: `${spans.length} characters`, call }]);
  }
}

const titleOf = (file) => file.replace("/encoding/", "");

/**
 * Runs the tests of files whose paths begin with "/encoding/". `read` gives the bytes of a path, or null if there is no such
 * file; `log` takes lines. True if some tests passed and none failed.
 */
export async function run(files, read, log) {
  const native = { TextDecoder: globalThis.TextDecoder, TextEncoder: globalThis.TextEncoder };
  Object.assign(globalThis, { TextDecoder, TextDecoderStream, TextEncoder, TextEncoderStream });
  const run = new Run(read, log);
  for (const file of files) {
    if (file.endsWith(".any.js")) await run.script(file);
    else if (/_chars[^/]*\.html$/.test(file)) await run.page(file);
    else if (/\.(html|window\.js|worker\.js)$/.test(file)) run.leftOut += 1;
  }
  Object.assign(globalThis, native);
  log(`# ${run.leftOut} files are left out, as they need a document or what is not there`);
  if (run.noFloat16 > 0) log(`# ${run.noFloat16} tests are left out, as this platform has no Float16Array`);
  log(`${run.passed} passed, ${run.failed} failed`);
  return run.failed === 0 && run.passed > 0;
}
