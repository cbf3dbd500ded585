/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Rows, and the tables that are made of them, byte for byte as the program writes them (cli/tables).
 *
 * A row is {cells, row}. `row` has the members of -f json in their order: texts, numbers, true and
 * false, null for what is undefined, lists and objects; whole numbers of 10^16 and more are BigInts.
 * `cells` are its texts under the columns, as in -f csv, not quoted. */

import { formatReal, parseReal } from "./number.js";

const UNDEFINED = "nan";
const LARGE_WHOLE = 1e16;

/* ---- Members ---- */

/** A number for a row: null for what is not finite. */
export const real = (value) => (Number.isFinite(value) ? value + 0 : null);

/** Members with numbers for a row, real or whole. */
export function reals(members) {
  const numbers = Object.entries(members).filter(([, value]) => typeof value === "number");
  return { ...members, ...Object.fromEntries(numbers.map(([name, value]) => [name, real(value)])) };
}

/** A whole number for a row: those that are large print with all digits. */
export function whole(value) {
  const number = Number(value);
  if (typeof value === "bigint") return BigInt(number) === value && number < LARGE_WHOLE ? number : value;
  return Math.abs(value) < LARGE_WHOLE ? value : BigInt(value);
}

/** "512x512" */
export const shapeText = (shape) => Array.from(shape, String).join("x");

/* ---- Cells ---- */

function textOf(value) {
  if (value === null || value === undefined || typeof value === "object") return UNDEFINED;
  return typeof value === "number" ? formatReal(value) : String(value);
}

function valueAt(row, column) {
  if (column in row) return row[column];
  const [, bin] = /^bin_([0-9]+)$/.exec(column) || [];
  return bin !== undefined && Array.isArray(row.bins) ? row.bins[Number(bin)] : undefined;
}

/* What a spreadsheet would take for a formula stands behind an apostrophe. */
const isFormula = (text) => /^[=+\-@\t\r\n]/.test(text) && parseReal(text) === null;

/* The texts of a row under columns. */
function cellsOf(row, columns) {
  return columns.map((column) => textOf(valueAt(row, column))).map((text) => (isFormula(text) ? "'" + text : text));
}

/** A row of a result. */
export const makeRow = (row, columns) => ({ cells: cellsOf(row, columns), row });

/* ---- CSV ---- */

const quoted = (text) => (text === "" || /[,"\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text);

/** The table of results of one command with the same options, as -f csv writes it.
 *  @param results  of run(), in their order; none gives "" */
export function toCsv(results) {
  if (!results.length) return "";
  const lines = [results[0].columns, ...results.flatMap((result) => result.rows.map((row) => row.cells))];
  return lines.map((cells) => cells.map(quoted).join(",") + "\n").join("");
}

/* ---- JSON ---- */

const ESCAPES = { "\b": "\\b", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\f": "\\f", '"': '\\"', "\\": "\\\\" };
const escaped = (c) => ESCAPES[c] || "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0");
const TO_ESCAPE = /["\\\u0000-\u001f\u007f-\u009f]/g;
const jsonText = (text) => `"${text.replace(/\p{Cs}/gu, "\ufffd").replace(TO_ESCAPE, escaped)}"`;

function jsonValue(value, indent) {
  if (value === null || value === undefined) return "null";
  if (typeof value === "string") return jsonText(value);
  if (typeof value === "number") return Number.isFinite(value) ? formatReal(value) : "null";
  if (typeof value !== "object") return String(value);
  const inner = indent + "  ", isList = Array.isArray(value) || ArrayBuffer.isView(value);
  const items = isList ? Array.from(value, (item) => inner + jsonValue(item, inner))
    : Object.entries(value).map(([name, item]) => inner + jsonText(name) + ": " + jsonValue(item, inner));
  const [open, close] = isList ? "[]" : "{}";
  return open + "\n" + items.join(",\n") + (items.length ? "\n" : "") + indent + close;
}

/** The document of results of one command with the same options, as -f json writes it.
 *  @param results  of run(), in their order
 *  @param head     {command, parameters, version}: of the document, where there is no result */
export function toJson(results, head = {}) {
  const { command, parameters, version } = { ...head, ...results[0] };
  const rows = results.flatMap((result) => result.rows.map((row) => row.row));
  return jsonValue({ program: "rugose", version, command, parameters, results: rows }, "") + "\n";
}
