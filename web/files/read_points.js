/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Points: as text, one a line, molecules in the XYZ form among it; or as rows of an .npy array. */

import { allocate, fail } from "./bytes.js";
import { fromFortran, numbersOfNpy, openNpy } from "./read_npy.js";
import { AXES_MAX, findColumns } from "./point_columns.js";
import {
  SEPARATOR_NAMES, explainField, fieldsOf, findSeparator, isHeader, takeColumns, takeFields,
} from "./point_fields.js";

const LINE_MAX = 65535, BLOCK = 65536;

/* ---- Lines ---- */

class Lines {
  constructor(text) {
    Object.assign(this, { text, at: 0, n: 0, isUnended: false });
  }

  /** The next line without its end; null behind the last one. */
  next() {
    const { text, at } = this;
    if (at >= text.length)
      return null;
    const found = text.indexOf("\n", at), end = found < 0 ? text.length : found;
    this.isUnended = found < 0;
    this.at = end + 1;
    this.n++;
    if (end - at > LINE_MAX)
      this.fail(`more than ${LINE_MAX} bytes; one point per line expected, lines that end in a line feed`);
    const line = text.slice(at, text[end - 1] === "\r" && end > at ? end - 1 : end);
    if (line.includes("\0"))
      this.fail("a zero byte; points as plain text (ASCII or UTF-8) or an npy array expected");
    return line;
  }

  fail(why) {
    return fail(`line ${this.n}: ${why}`);
  }
}

/* ---- What was gathered ----
 *
 * Whole numbers as long as all are whole, else doubles, in blocks that are joined at the end. */

class Store {
  constructor() {
    Object.assign(this, { blocks: [], used: BLOCK, isReal: false, n: 0, nAxes: 0 });
  }

  add(numbers) {
    if (!this.isReal && numbers.some((number) => number.whole === null))
      this.makeReal();
    for (const number of numbers)
      this.put(this.isReal ? number.value : number.whole);
    this.n++;
  }

  put(value) {
    if (this.used === BLOCK) {
      this.blocks.push(new (this.isReal ? Float64Array : BigInt64Array)(BLOCK));
      this.used = 0;
    }
    this.blocks.at(-1)[this.used++] = this.isReal ? value : BigInt(value);
  }

  makeReal() {
    this.blocks = this.blocks.map((block) => Float64Array.from(block, Number));
    this.isReal = true;
  }

  join() {
    const all = allocate(this.isReal ? "f64" : "i64", this.n * this.nAxes);
    this.blocks.forEach((block, i) => all.set(block.subarray(0, all.length - i * BLOCK), i * BLOCK));
    this.blocks = [];
    return all;
  }
}

/* ---- Lines of points ---- */

class Reader {
  constructor(text, asked) {
    Object.assign(this, { lines: new Lines(text), asked, store: new Store(), first: 0, header: null });
    this.facts = { comment_lines: 0, header: false, has_elements: false };
  }

  /* Learns from the first line of numbers how all others must be. */
  learn(line) {
    this.separator = findSeparator(line);
    this.first = this.lines.n;
    const given = {
      n: fieldsOf(line, this.separator).length, header: this.header, isComment: !this.facts.header, line: this.first,
      separator: this.separator,
    };
    this.columns = findColumns(given, this.asked.columns);
    this.store.nAxes = this.columns.index.length;
  }

  takePoint(line) {
    if (this.first === 0)
      this.learn(line);
    const numbers = takeColumns(line, this.separator, this.columns);
    if (numbers === null)
      this.explain(line);
    this.store.add(numbers);
  }

  /* Says why a line is none of as many numbers. */
  explain(line) {
    const n = fieldsOf(line, this.separator).length, name = SEPARATOR_NAMES[this.separator];
    const control = /[\0-\x08\x0a-\x1f\x7f]/.exec(line)?.[0];
    if (control === "\r")
      this.lines.fail("a carriage return within; a line feed at the end of every line expected");
    if (control !== undefined)
      this.lines.fail(`a byte 0x${control.charCodeAt(0).toString(16).padStart(2, "0")}; ` +
        "plain text of numbers expected");
    if (n !== this.columns.n)
      this.lines.fail(`${n} field${n === 1 ? "" : "s"} separated by ${name}; ${this.columns.n} expected, as in line ` +
        `${this.first}${this.lines.isUnended ? " (is the file cut off?)" : ""}`);
    this.lines.fail(`${explainField(line, this.separator, this.columns)}; a finite number with a decimal point ` +
      `expected, fields separated by ${name}`);
  }

  /* That before the first point may have the names of the columns. */
  takeComment(text) {
    this.facts.comment_lines++;
    const names = text.replace(/^[# \t]+/, "");
    if (this.first === 0 && !this.facts.header && isHeader(names))
      this.header = names;
  }

  takeLine(line) {
    const inside = line.replace(/^[ \t]+/, "");
    if (inside === "")
      return;
    if (inside[0] === "#")
      this.takeComment(inside);
    else if (this.first === 0 && !this.facts.header && isHeader(line)) {
      this.facts.header = true;
      this.header = line;
    } else
      this.takePoint(line);
  }

  takeLines() {
    for (let line; (line = this.lines.next()) !== null;)
      this.takeLine(line);
  }

  /* ---- Molecules: a count, a comment, then lines with an element and three numbers ---- */

  /* Whether the first three lines are those of a molecule; if so, learns its form. */
  findMolecule() {
    const [one, two, three] = this.lines.text.split("\n", 3).map((line) => line.replace(/\r$/, ""));
    const count = takeFields(one, 0, findSeparator(one), 1)?.[0].whole ?? null;
    if (three === undefined || two === undefined || count === null || count < 0 || three.length > 255)
      return false;
    this.separator = three.includes("\t") ? "\t" : " ";
    this.promised = Number(count);
    this.store.nAxes = 3;
    return takeAtom(three, this.separator) !== null;
  }

  takeMolecule() {
    Object.assign(this.facts, { has_elements: true, comment_lines: 1 });
    for (let line; (line = this.lines.next()) !== null;)
      if (this.lines.n > 2 && /[^ \t]/.test(line))
        this.takeAtomLine(line);
    if (this.store.n !== this.promised)
      fail(`line 1 announces ${this.promised} atoms, and ${this.store.n} follow; the same number expected (is the ` +
        "file cut off?)");
  }

  takeAtomLine(line) {
    const numbers = takeAtom(line, this.separator);
    if (this.store.n === this.promised)
      this.lines.fail(`text after the ${this.promised} atoms that line 1 announces; one molecule per file expected`);
    if (numbers === null)
      this.lines.fail(`an element symbol and 3 finite numbers separated by ${SEPARATOR_NAMES[this.separator]} ` +
        "expected, as in line 3");
    this.store.add(numbers);
  }

  skipRows() {
    const n = this.asked.skipRows;
    while (this.lines.n < n)
      if (this.lines.next() === null)
        fail(`${n} rows to be skipped of ${this.lines.n}; fewer expected`);
  }

  takeAll() {
    this.skipRows();
    if (this.asked.skipRows > 0 || !this.findMolecule())
      return this.takeLines();
    if (this.asked.columns !== null)
      fail("columns given for a molecule, whose coordinates are the three numbers behind the element symbols; none " +
        "expected");
    return this.takeMolecule();
  }
}

/* The coordinates of an atom; null where the line has none. */
function takeAtom(line, separator) {
  const symbol = /^ *[A-Za-z][A-Za-z0-9]{0,7}(?=[ \t])/.exec(line);
  if (symbol === null)
    return null;
  let at = symbol[0].length;
  while (line[at] === " ")
    at++;
  if (separator === "\t" && line[at++] !== "\t")
    return null;
  return takeFields(line, at, separator, 3);
}

function readText(bytes, asked) {
  let text;
  try {
    text = new TextDecoder().decode(bytes);
  } catch (error) {
    return fail(`${bytes.length} bytes of text are more than a browser holds; the program reads such files`);
  }
  const reader = new Reader(text, asked);
  reader.takeAll();
  const { store, facts, lines } = reader;
  if (store.n === 0)
    fail(`no points in ${lines.n} line${lines.n === 1 ? "" : "s"} (${facts.comment_lines} of comments, ` +
      `${facts.header ? "a" : "no"} header); one point per line expected`);
  return {
    format: "text", dtype: store.isReal ? "f64" : "i64", n: store.n, nAxes: store.nAxes, data: store.join(), ...facts,
    columns: reader.columns?.columns ?? null, left_out: reader.columns?.left_out ?? null,
    isGuess: reader.columns?.isGuess ?? false,
  };
}

/* ---- Arrays ---- */

function takeSome(data, dtype, n, nColumns, index) {
  const some = allocate(dtype, n * index.length);
  for (let i = 0, at = 0; i < n; i++)
    for (const column of index)
      some[at++] = data[i * nColumns + column];
  return some;
}

function readArray(bytes, asked) {
  const array = openNpy(bytes), [n, nColumns = 1] = array.shape;
  if (array.shape.length !== 1 && array.shape.length !== 2)
    fail(`the npy array has ${array.shape.length} axes; 2 (a row for each point) or 1 expected`);
  if (n === 0)
    fail("the npy array has no points; at least 1 expected");
  if (nColumns > AXES_MAX && asked.columns === null)
    fail(`the npy array is ${n}x${nColumns}: its rows are points of ${nColumns} coordinates; at most ${AXES_MAX} ` +
      "expected, so transpose it if its columns are the points");
  if (asked.skipRows > 0)
    fail("rows to be skipped given for an npy array, which is no text; none expected");
  const { dtype, data: stored } = numbersOfNpy(bytes, array);
  const columns = findColumns({ n: nColumns, header: null, isComment: true, line: 0, separator: " " }, asked.columns);
  const data = array.isFortran && array.shape.length === 2 ? fromFortran(stored, [n, nColumns], dtype) : stored;
  return {
    format: "npy", dtype, n, nAxes: columns.index.length, comment_lines: 0, header: false, has_elements: false,
    data: columns.areAll ? data : takeSome(data, dtype, n, nColumns, columns.index),
    columns: columns.columns, left_out: columns.left_out, isGuess: columns.isGuess,
  };
}

/* ---- Both ---- */

function axisName(a) {
  return "xyz"[a] ?? `axis ${a + 1}`;
}

/* The extent of all axes; refuses what is no finite number. */
function measure({ data, n, nAxes }) {
  const axes = Array.from({ length: nAxes }, () => ({ min: Infinity, max: -Infinity }));
  let whole = true;
  for (let i = 0, at = 0; i < n; i++)
    for (let a = 0; a < nAxes; a++, at++) {
      const value = Number(data[at]), axis = axes[a];
      if (!Number.isFinite(value))
        fail(`point ${i} (from 0): ${axisName(a)} is ` +
          `${String(value).replace("Infinity", "inf").replace("NaN", "nan")}; finite coordinates expected`);
      axis.min = value < axis.min ? value : axis.min;
      axis.max = value > axis.max ? value : axis.max;
      whole = whole && Number.isInteger(value);
    }
  return { whole, axes };
}

/* Warns where nothing says that the first column is a coordinate, and it numbers the points. */
function warnOfIndex({ data, n, nAxes, dtype, isGuess }, axes, warn) {
  const begin = Number(data[0]);
  if (!isGuess || nAxes < 2 || n < 3 || (dtype !== "i64" && dtype !== "f64"))
    return;
  for (let i = 0; i < n; i++)
    if (Number(data[i * nAxes]) !== begin + i)
      return;
  const short = (value) => String(Number(value.toPrecision(6)));
  warn(`the first column numbers the points, from ${short(axes[0].min)} to ${short(axes[0].max)}, and is taken for a ` +
    `coordinate; if it is none, leave it out (--columns ${nAxes === 2 ? "2" : "2,3"})`);
}

/** Reads points.
 *  @param asked  {columns: text or null, skipRows: number}
 *  @returns {{format, dtype, data, n, nAxes, comment_lines, header, has_elements, columns, left_out, whole, axes}} */
export function readPoints(bytes, asked, isArray, warn) {
  const points = isArray ? readArray(bytes, asked) : readText(bytes, asked), extent = measure(points);
  warnOfIndex(points, extent.axes, warn);
  return { ...points, ...extent };
}
