// Encodings by number, and how they are named.
import { engine, putName, takeJson } from "./engine.js";

// Numbers mean the same in each instance.
const labels = new Map();
const names = new Map();
let list;

// What the small module returns for an encoding that it leaves out.
const LEFT_OUT = -2;

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

/** The number of the encoding with a label of the Standard; less than 0 if there is none here. */
export function forLabel(label) {
  return cached(labels, "for_label", label);
}

/** The number of the encoding that is named so, in the Standard or outside it; less than 0 if there is none here. */
export function find(name) {
  return cached(names, "find", name);
}

/** The RangeError of a name for which `forLabel` or `find` has given a number less than 0, or of one that is not to be used. */
export function unknown(name, number, otherwise) {
  const quoted = JSON.stringify(name);
  return new RangeError(
    number === LEFT_OUT ? `${quoted} is left out of "mojika/small", which has single bytes and UTF alone: import "mojika"` : otherwise(quoted),
  );
}

/** `find`, with a RangeError. */
export function numberOf(name) {
  const number = find(`${name}`);
  if (number < 0) throw unknown(`${name}`, number, (quoted) => `no encoding is named ${quoted}`);
  return number;
}

// By number; and those that can be used.
let present;

function all() {
  if (list === undefined) {
    list = takeJson(engine().encodings());
    present = list.filter(({ leftOut }) => !leftOut);
    for (const encoding of list) {
      delete encoding.leftOut;
      Object.freeze(Object.freeze(encoding).labels);
    }
    Object.freeze(present);
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
  all();
  return present;
}

/** The name of the encoding that a label or a name means, in the Standard or outside it; `null` if there is none. */
export function lookup(name) {
  const number = find(`${name}`);
  return number < 0 ? null : nameOf(number);
}
