/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The fields of one line of a text of points: numbers, the separators between them, names. */

/* A number: digits with a decimal point, and an exponent. */
const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![eE])/y;
const TEXT_MAX = 400, SHOWN = 24;
const MISSING = ["nan", "inf", "infinity", "na", "n/a", "null"];
const LEAST = -(2n ** 63n), MOST = 2n ** 63n - 1n;

export const SEPARATOR_NAMES = { ";": "semicolons", ",": "commas", "\t": "tabs", " ": "blanks" };

/** What a first line with several fields is separated by: semicolons where there are any, else commas, else tabs, else
 *  blanks. */
export function findSeparator(line) {
  const inside = line.replace(/^ +/, "");
  return [";", ",", "\t"].find((byte) => inside.includes(byte)) ?? " ";
}

function isBlank(c, separator) {
  return c === " " || (c === "\t" && separator !== "\t" && separator !== " ");
}

function skipBlanks(line, at, separator) {
  while (at < line.length && isBlank(line[at], separator))
    at++;
  return at;
}

/** Takes the finite number that stands at a place.
 *  @returns {{value, whole: it as BigInt or null, end}}, or null */
export function takeNumber(line, at) {
  NUMBER.lastIndex = at;
  const text = NUMBER.exec(line)?.[0];
  if (text === undefined)
    return null;
  const value = Number(text), isInteger = /^[+-]?\d+$/.test(text);
  const isShort = isInteger && text.replace(/^[+-]?0*/, "").length <= 19;
  const whole = isShort ? Number.isSafeInteger(value) ? value : BigInt(text.replace(/^\+/, "")) : null;
  if (!Number.isFinite(value) || text.length > TEXT_MAX)
    return null;
  const fits = whole !== null && (typeof whole === "number" || (whole >= LEAST && whole <= MOST));
  return { value, whole: fits ? whole : null, end: at + text.length };
}

/* Where the quote at a place ends, two quotes within standing for one; the place itself where it does not. */
function quoteEnd(line, begin) {
  let end = begin;
  do {
    end = line.indexOf("\"", end + 1);
    if (end < 0)
      return begin;
    end++;
  } while (line[end] === "\"");
  return end;
}

/** The fields of a line, without the blanks around them. */
export function fieldsOf(line, separator) {
  const fields = [];
  for (let at = 0; at >= 0;) {
    const begin = skipBlanks(line, at, separator), quoted = line[begin] === "\"" ? quoteEnd(line, begin) : begin;
    const found = line.indexOf(separator, quoted), end = found < 0 ? line.length : found;
    let last = end;
    while (last > begin && isBlank(line[last - 1], separator))
      last--;
    fields.push(line.slice(begin, last));
    if (separator === " ") {
      const next = skipBlanks(line, end, separator);
      at = next < line.length ? next : -1;
    } else
      at = found < 0 ? -1 : end + 1;
  }
  return fields;
}

/* Whether a field can be a name: neither a number, broken or not, nor what programs write for a missing one. */
function isName(field) {
  return !/^[-+.0-9]/.test(field) && !MISSING.includes(field.toLowerCase());
}

export function isHeader(line) {
  const names = fieldsOf(line, findSeparator(line)).filter((field) => field !== "");
  return names.length > 0 && names.every(isName);
}

/** The numbers of a line of n fields; null where it is no such line. */
export function takeFields(line, begin, separator, n) {
  const numbers = new Array(n);
  let at = skipBlanks(line, begin, separator);
  for (let i = 0; i < n; i++) {
    const number = takeNumber(line, at);
    if (number === null)
      return null;
    numbers[i] = number;
    at = skipBlanks(line, number.end, separator);
    if (i + 1 === n)
      break;
    if (separator === " " ? at === number.end : line[at++] !== separator)
      return null;
    at = skipBlanks(line, at, separator);
  }
  return at === line.length ? numbers : null;
}

/* The number that a field is, and nothing else. */
function numberOf(field) {
  const number = field === "" ? null : takeNumber(field, 0);
  return number !== null && number.end === field.length ? number : null;
}

/** The numbers of the chosen columns of a line; null where it is no such line.
 *  @param columns  {n: fields of a line, index: the chosen ones, areAll} */
export function takeColumns(line, separator, columns) {
  if (columns.areAll)
    return takeFields(line, 0, separator, columns.n);
  const fields = fieldsOf(line, separator);
  if (fields.length !== columns.n)
    return null;
  const numbers = columns.index.map((i) => numberOf(fields[i]));
  return numbers.includes(null) ? null : numbers;
}

/** What is wrong with a line of as many fields as there have to be. */
export function explainField(line, separator, columns) {
  const fields = fieldsOf(line, separator);
  const found = fields.findIndex((field, i) => columns.index.includes(i) && numberOf(field) === null);
  const i = found < 0 ? fields.length - 1 : found, shown = fields[i].slice(0, SHOWN).replace(/[^ -~]/g, "?");
  return fields[i] === "" ? `field ${i + 1} is empty`
    : `field ${i + 1} is '${shown}${fields[i].length > SHOWN ? "..." : ""}'`;
}
