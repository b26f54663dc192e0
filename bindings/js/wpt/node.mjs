// Runs the Web platform's tests of encodings through this package, in node.
//
// Usage: node bindings/js/wpt/node.mjs DIR
// DIR is a checkout of web-platform-tests.
import { readBelow, testFiles } from "./files.mjs";
import { run } from "./tests.mjs";

const root = process.argv[2] ?? ".";
// A rejection that a test expects is looked at later than it happens.
process.on("unhandledRejection", () => {});
const passed = await run(testFiles(root), (path) => readBelow(root, path), console.log);
process.exitCode = passed ? 0 : 1;
