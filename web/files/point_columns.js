/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Chooses the columns of coordinates by the names of a header or as asked, and says in words which were taken and which
 * were left out. */

import { fail } from "./bytes.js";
import { fieldsOf, findSeparator } from "./point_fields.js";

/** Coordinates of a point at most. */
export const AXES_MAX = 10;

const ALL_MAX = 3, NAME_SHOWN = 40, LIST_SHOWN = 300;
const PLACES = new Set([
  "position", "pos", "coordinate", "coord", "centroid", "center", "centre", "nm", "um", "\u00b5m", "\u03bcm", "micron",
  "microns", "mm", "cm", "m", "px", "pixel", "pixels"]);

/* ---- Names ---- */

function withoutQuotes(name) {
  const inside = name.length >= 2 && name.startsWith("\"") && name.endsWith("\"") ? name.slice(1, -1) : name;
  return inside.replace(/^ +| +$/g, "");
}

/* A name without the unit in brackets behind it. */
function withoutUnit(name) {
  const open = { "]": "[", ")": "(" }[name.at(-1)], at = open === undefined ? -1 : name.indexOf(open);
  return at > 0 ? withoutQuotes(name.slice(0, at)) : name;
}

/* A list of columns in words, by their names or numbers. */
function listOf(names, columns) {
  let text = "";
  for (const i of columns) {
    const name = names?.[i] ?? "", short = name.length > NAME_SHOWN ? `${name.slice(0, NAME_SHOWN)}...` : name;
    const shown = short === "" ? String(i + 1) : short.replace(/[\0-\x1f\x7f]/g, "?");
    if (text.length + shown.length + 9 > LIST_SHOWN)
      return text.endsWith("...") ? text : `${text}, ...`;
    text += (text === "" ? "" : ", ") + shown;
  }
  return text;
}

function range(n) {
  return Array.from({ length: n }, (_, i) => i);
}

/* ---- Headers ---- */

function axisOfWord(word) {
  return word.length === 1 ? "xyz".indexOf(word.toLowerCase()) : -1;
}

/* The axis of a name such as `x`, `x [nm]`, or in full only `x_nm`, `Position X`; -1 for others. */
function axisOfName(name, inFull) {
  if (!inFull)
    return axisOfWord(withoutUnit(name));
  let axis = -1;
  for (const word of name.split(/[ _.[\]()-]+/).filter((w) => w !== "")) {
    const a = axisOfWord(word);
    if (a < 0 ? !PLACES.has(word.toLowerCase()) : axis >= 0)
      return -1;
    axis = a >= 0 ? a : axis;
  }
  return axis;
}

/* Finds x, y, z. @returns {{n: how many, -1 when one is there twice, column: of each, or -1}} */
function findAxes(names, inFull) {
  const column = [-1, -1, -1];
  for (let i = 0; i < names.length; i++) {
    const a = axisOfName(names[i], inFull);
    if (a >= 0 && column[a] >= 0)
      return { n: -1, column };
    if (a >= 0)
      column[a] = i;
  }
  return { n: column.filter((i) => i >= 0).length, column };
}

/* The names of a header, separated as the points are, or as a header alone would be. */
function namesOf(given) {
  if (given.header === null)
    return null;
  let names = fieldsOf(given.header, given.separator);
  if (names.length !== given.n)
    names = fieldsOf(given.header, findSeparator(given.header));
  return names.map(withoutQuotes);
}

function refuseNumber(given, names) {
  const list = names === null ? "" : `: ${listOf(names, range(given.n))}`;
  const line = given.line > 0 ? `line ${given.line}: ` : "";
  fail(`${line}${given.n} columns${list}, and no header that names x, y, z; say which are the coordinates (--columns ` +
    `${names === null ? "1,2,3" : "NAME,NAME"})`);
}

/* Takes what a header calls x, y, z; else all. */
function chooseByHeader(given, all) {
  const hasNames = all !== null && all.length === given.n;
  let found = all === null ? { n: 0, column: [-1] } : findAxes(all, false);
  if (found.n === 0 && all !== null)
    found = findAxes(all, true);
  const isNone = given.isComment && (found.n < 0 || !hasNames); /* it is no header */
  if (found.n < 0 && !isNone)
    fail("the header names x, y or z twice; say which columns are the coordinates by number (--columns 1,2)");
  if (found.column[0] >= 0 && !isNone) {
    if (!hasNames)
      fail(`the header names ${all.length} column${all.length === 1 ? "" : "s"}, and line ${given.line} has ` +
        `${given.n} fields; as many names as fields expected, or the coordinates by number (--columns 1,2)`);
    return { index: found.column.filter((i) => i >= 0), isGuess: false };
  }
  if (given.n > ALL_MAX)
    refuseNumber(given, hasNames ? all : null);
  return { index: range(given.n), isGuess: true };
}

/* ---- What was asked for ---- */

function findColumn(given, names, word) {
  const shown = word.slice(0, NAME_SHOWN), number = /^\d{1,9}$/.test(word) ? Number(word) : 0;
  if (word === "")
    fail("columns: an empty name given; names or numbers from 1 expected, such as x,y or 2,3");
  if (number >= 1 && number <= given.n)
    return number - 1;
  if (/^\d/.test(word))
    fail(`columns: ${shown} given; numbers from 1 to ${given.n} expected`);
  if (names === null)
    fail(`columns: '${shown}' given, and no header names the ${given.n} columns; numbers from 1 expected`);
  const same = (name) => name.toLowerCase() === word.toLowerCase();
  for (const shorten of [(name) => name, withoutUnit]) {
    const found = range(names.length).filter((i) => same(shorten(names[i])));
    if (found.length === 1)
      return found[0];
    if (found.length > 1)
      fail(`columns: more than one is called '${shown}'; one of these or its number expected: ` +
        listOf(names, range(given.n)));
  }
  return fail(`columns: there is no '${shown}'; one of these or its number expected: ${listOf(names, range(given.n))}`);
}

function chooseAsked(given, names, asked) {
  const index = [];
  for (const word of fieldsOf(asked, ",").map(withoutQuotes)) {
    const column = findColumn(given, names, word);
    if (index.includes(column))
      fail(`columns: column ${column + 1} given twice; each once expected`);
    if (index.length === AXES_MAX)
      fail(`columns: more than ${AXES_MAX} given; at most as many coordinates of a point expected`);
    index.push(column);
  }
  return { index, isGuess: false };
}

/** Which columns are the coordinates.
 *  @param given  {n: columns, header: a line or null, isComment, line: of the first point or 0, separator}
 *  @param asked  such as "x,y", or null
 *  @returns {{n, index, areAll, isGuess, columns, left_out: in words, or null}} */
export function findColumns(given, asked) {
  const all = namesOf(given), names = all?.length === given.n ? all : null;
  const chosen = asked !== null ? chooseAsked(given, names, asked) : chooseByHeader(given, all);
  const areAll = chosen.index.length === given.n && chosen.index.every((i, a) => i === a);
  const rest = range(given.n).filter((i) => !chosen.index.includes(i));
  return {
    ...chosen, n: given.n, areAll, columns: areAll ? null : listOf(names, chosen.index),
    left_out: areAll || rest.length === 0 ? null : listOf(names, rest),
  };
}
