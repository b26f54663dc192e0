// The files of a checkout of web-platform-tests.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, resolve, sep } from "node:path";

/** The paths of the tests of encodings below a checkout, each from "/encoding/" on. */
export function testFiles(root) {
  const folder = join(root, "encoding");
  if (!existsSync(folder)) throw new Error(`${root} has no folder encoding: name a checkout of web-platform-tests`);
  return readdirSync(folder, { recursive: true })
    .map((path) => `/encoding/${path.split(sep).join("/")}`)
    .filter((path) => !path.includes("/resources/"))
    .sort();
}

/** The bytes of a path that begins with "/", or null if there is no such file below the checkout. */
export function readBelow(root, path) {
  const file = resolve(root, `.${path}`);
  if (!file.startsWith(resolve(root) + sep)) return null;
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
}
