// Encodings by number, and how they are named.
import { engine, putName, takeJson } from "./engine.js";

// Numbers mean the same in each instance.
const labels = new Map();
const names = new Map();
let list;

// More different names are no names of encodings.
const MOST_NAMES = 4096;

function cached(map, find, name) {
  let number = map.get(name);
  if (number === undefined) {
    number = name.length > 256 ? -1 : engine()[find](putName(name));
    if (map.size < MOST_NAMES) map.set(name, number);
  }
  return number;
}

/** The number of the encoding with a label of the Standard; -1 if there is none. */
export function forLabel(label) {
  return cached(labels, "for_label", label);
}

/** The number of the encoding that is named so, in the Standard or outside it; -1 if there is none. */
export function find(name) {
  return cached(names, "find", name);
}

/** `find`, with a RangeError. */
export function numberOf(name) {
  const number = find(`${name}`);
  if (number < 0) throw new RangeError(`no encoding is named ${JSON.stringify(`${name}`)}`);
  return number;
}

function all() {
  if (list === undefined) {
    list = takeJson(engine().encodings());
    for (const encoding of list) Object.freeze(Object.freeze(encoding).labels);
    Object.freeze(list);
  }
  return list;
}

/** The name of an encoding by its number, which every call takes. */
export function nameOf(number) {
  return all()[number].id;
}

/** The Standard's name of an encoding by its number, as `TextDecoder` has it. */
export function lowerCaseNameOf(number) {
  return all()[number].name.toLowerCase();
}

/** All encodings: those of the Standard, then the others. */
export function encodings() {
  return all();
}

/** The name of the encoding that a label or a name means, in the Standard or outside it; `null` if there is none. */
export function lookup(name) {
  const number = find(`${name}`);
  return number < 0 ? null : nameOf(number);
}
