/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reads the options of a command by its table, as the program reads its command line (cli/options), and
 * says with its words what is wrong; describes them as the parameters of -f json.
 *
 * A row of a table is {name, kind, ...}:
 *   kind        flag, text, texts (a list: it may be given several times), int, count, real, choice, sizes, range,
 *               foreground
 *   value       what it is called where it is missing
 *   choices     "a|b|c" of a choice; the first is the default
 *   min, max, unit, isAbove0   of numbers; isAbove0: every number above 0
 *   fallback    value when it is not given; else null, 0, false or the first choice
 *   unset       what the parameters say then; "" is null
 *   modes       ways of working that it belongs to, as bits; 0: all
 *   fractions   sizes and ranges may be lengths, which another option asks for
 *   also        "a|b": what others call it
 *   isUnlisted  it is no parameter */

import { exact, formatReal, general, parseReal, parseWhole } from "./number.js";

/** What is wrong with options, or does not go with an image: a text for people. */
export class UsageError extends Error {
  name = "UsageError";
}

const MAX_SIZES = 1024;
const SIZE_MAX = 2n ** 63n;
const SURE_WHOLE = 2 ** 53;

/* ---- The nearest word ---- */

const WORD_MAX = 32;
const BEGINNING = 3;

/* Letters to change, add, leave out or swap with the next one. */
function distanceOf(a, b) {
  if (a.length >= WORD_MAX || b.length >= WORD_MAX) return WORD_MAX;
  const d = [];
  for (let i = 0; i <= a.length; i++) {
    d.push([i]);
    for (let k = 1; k <= b.length; k++) {
      if (i === 0) {
        d[0].push(k);
        continue;
      }
      let least = Math.min(d[i - 1][k] + 1, d[i][k - 1] + 1, d[i - 1][k - 1] + (a[i - 1] !== b[k - 1] ? 1 : 0));
      const areSwapped = i > 1 && k > 1 && a[i - 1] === b[k - 2] && a[i - 2] === b[k - 1];
      if (areSwapped) least = Math.min(least, d[i - 2][k - 2] + 1);
      d[i].push(least);
    }
  }
  return d[a.length][b.length];
}

const mostWrong = (n) => (n < 4 ? 1 : n < 9 ? 2 : Math.floor(n / 3));

/** The word that is meant: candidates are [word, meant]. @return undefined: none is near */
export function guess(word, candidates) {
  let best, least = Infinity;
  for (const [candidate, meant] of candidates) {
    let distance = distanceOf(word, candidate);
    if (word.length >= BEGINNING && distance > 1 && candidate.startsWith(word)) distance = 1;
    if (distance > mostWrong(word.length) || distance >= word.length || distance >= least) continue;
    best = meant;
    least = distance;
  }
  return best;
}

/* ---- Values ---- */

const toNumber = (whole) => (whole <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(whole) : whole);

/* Digits only, from 1 to 2^63, as a BigInt. @return null */
function parseSize(text) {
  if (!/^[0-9]+$/.test(text)) return null;
  const size = BigInt(text);
  return size > 0n && size <= SIZE_MAX ? size : null;
}

function parseEnds(text) {
  const [, lo, hi] = /^([0-9]+)\.\.([0-9]+)$/.exec(text) || [];
  const ends = lo === undefined ? null : [parseSize(lo), parseSize(hi)];
  return ends && ends[0] !== null && ends[1] !== null && ends[0] <= ends[1] ? ends : null;
}

function parseSteps(text) {
  const [, range, step = "1"] = /^([^:]*)(?::([^:]*))?$/.exec(text) || [];
  const ends = range === undefined ? null : parseEnds(range), by = parseSize(step);
  if (!ends || by === null) return null;
  const n = (ends[1] - ends[0]) / by + 1n;
  return n > BigInt(MAX_SIZES) ? [] : Array.from({ length: Number(n) }, (_, i) => toNumber(ends[0] + BigInt(i) * by));
}

/* @return null where it is none; {text, sizes}: ascending, each once */
function parseSizes(text) {
  const steps = parseSteps(text);
  if (steps) return steps.length ? { text, sizes: steps } : null;
  const sizes = new Set();
  for (const word of text.split(",")) {
    const size = parseSize(word);
    if (size === null) return null;
    sizes.add(size);
    if (sizes.size > MAX_SIZES) return null;
  }
  return { text, sizes: [...sizes].sort((a, b) => (a < b ? -1 : 1)).map(toNumber) };
}

function parseRange(text) {
  if (text === "auto") return { text, isAuto: true, min: 0, max: 0 };
  const ends = parseEnds(text);
  return ends && { text, isAuto: false, min: toNumber(ends[0]), max: toNumber(ends[1]) };
}

/* Whether a text looks like sizes that are no whole numbers. */
function areFractions(option, text) {
  const points = text.replaceAll("..", "");
  return Boolean(option.fractions) && points.includes(".") && !text.includes("...") && /^[0-9.,:]*$/.test(text);
}

const RULE = /^(above|below|label)=(.*)$/s;

/** A rule of foreground: {kind, value}, value a Number or BigInt. @return null: it is none */
export function parseForeground(text) {
  if (["auto", "nonzero", "otsu", "otsu-dark"].includes(text)) return { kind: text, value: 0 };
  const [, kind, number] = RULE.exec(text) || [];
  if (kind === undefined) return null;
  const infinite = { inf: Infinity, "-inf": -Infinity }[number];
  const value = infinite !== undefined ? infinite : parseWhole(number) ?? parseReal(number);
  return value === null ? null : { kind, value };
}

/** The text of a rule, also of one that the library has resolved: {kind, value, rest}. */
export function formatForeground({ kind, value, rest }) {
  return ["above", "below", "label"].includes(kind) ? kind + "=" + formatReal(exact(value, rest)) : kind;
}

function isWithin(option, value) {
  return (option.isAbove0 ? value > 0 : value >= (option.min || 0)) && (!option.max || value <= option.max);
}

function parseNumber(option, text) {
  const value = parseReal(text);
  return value !== null && isWithin(option, value) ? value : null;
}

/* Digits, or a number such as 1e6 that is whole. */
function parseCount(option, text) {
  const size = parseSize(text), real = parseReal(text);
  if (size !== null) return isWithin(option, Number(size)) ? toNumber(size) : null;
  return real !== null && Number.isInteger(real) && isWithin(option, real) && real <= SURE_WHOLE ? real + 0 : null;
}

function parseInt10(option, text) {
  const value = /^[-+]?[0-9]+$/.test(text) ? Number(text) : NaN;
  return value >= option.min && value <= option.max ? value : null;
}

/** "LO..HI", finite numbers with LO < HI: [lo, hi] or null. */
export function parseRealRange(text) {
  const at = text.indexOf("..");
  const lo = at < 0 || at >= 64 ? null : parseReal(text.slice(0, at));
  const hi = lo === null ? null : parseReal(text.slice(at + 2));
  return hi !== null && lo < hi ? [lo, hi] : null;
}

function keepFractions(option, text, empty) {
  return areFractions(option, text) ? { text, hasFractions: true, ...empty } : null;
}

const NO_SIZES = { sizes: [] };
const NO_RANGE = { isAuto: false, min: 0, max: 0 };

const KINDS = {
  flag: { none: false },
  text: { none: null, parse: (o, text) => text },
  texts: { none: [] },
  int: { none: -1, parse: parseInt10 },
  count: { none: 0, parse: parseCount },
  real: { none: 0, parse: parseNumber },
  choice: { parse: (o, text) => (o.choices.split("|").includes(text) ? text : null) },
  sizes: {
    none: { text: null, ...NO_SIZES },
    parse: (o, text) => parseSizes(text) || keepFractions(o, text, NO_SIZES),
  },
  range: {
    none: { text: null, ...NO_RANGE },
    parse: (o, text) => parseRange(text) || keepFractions(o, text, NO_RANGE),
  },
  foreground: { none: { kind: "auto", value: 0 }, parse: (o, text) => parseForeground(text) },
};

/* ---- What is wrong ---- */

function expectedNumber(o) {
  const isAbove = o.isAbove0, what = `a${o.kind === "real" ? "" : " whole"} number${o.unit ? " " + o.unit : ""}`;
  const least = general(isAbove ? 0 : o.min || 0, 15), most = o.max ? general(o.max, 15) : "";
  return what + (isAbove ? " above " : " from ") + least + (most ? (isAbove ? ", at most " : " to ") + most : "");
}

const EXPECTED = {
  choice: (o) => "one of " + o.choices,
  sizes: () => "up to 1024 sizes such as 3,9,27, or A..B or A..B:STEP with 1 <= A <= B <= 2^63",
  range: () => "'auto' or two sizes A..B with 1 <= A <= B <= 2^63",
  foreground: () => "auto, nonzero, otsu, otsu-dark, above=T, below=T or label=L (T and L are numbers)",
};

function refuse(o, given) {
  const expected = (EXPECTED[o.kind] || expectedNumber)(o);
  const meant = o.kind === "choice" ? guess(given, o.choices.split("|").map((name) => [name, name])) : undefined;
  const hint = meant ? ` (did you mean ${meant}?)` : "";
  throw new UsageError(`--${o.name}: '${given}' given, ${expected} expected${hint}`);
}

function failUnknown(table, name) {
  const names = table.map((o) => [o.name, o]);
  const others = table.filter((o) => o.also)
    .flatMap((o) => o.also.split("|").map((word) => [word, { ...o, isOther: true }]));
  const meant = guess(name, [...names, ...others]);
  const rule = meant && meant.isOther && meant.kind === "foreground" ? " above=T" : "";
  throw new UsageError(`unknown option --${name}` + (meant ? ` (did you mean --${meant.name}${rule}?)` : ""));
}

/* ---- Options of all commands ---- */

/** How files are read (web/files), and which of their pixels hold no data. */
export const READING = [
  { name: "page", kind: "text", value: "N|all" },
  { name: "volume", kind: "flag" },
  { name: "channel", kind: "int", value: "N", min: 0, max: 65535 },
  { name: "nodata", kind: "text", value: "V|none" },
].map((o) => ({ ...o, isReading: true }));

/** What is inside of masks, and where they and labels lie. */
export const MASKS = [
  { name: "mask-value", kind: "text", value: "V[,V...]" },
  { name: "mask-above", kind: "text", value: "T" },
  { name: "mask-below", kind: "text", value: "T" },
  { name: "ignore-geometry", kind: "flag" },
].map((o) => ({ ...o, isReading: true }));

/* Checks that need no image. */
function checkReading(values) {
  const { page, volume, nodata } = values;
  if (page === "all" && volume) throw new UsageError("--page all and --volume cannot be used together");
  if (page !== null && page !== "all" && !(/^[-+]?[0-9]+$/.test(page) && Number(page) >= 0 && Number(page) <= 2 ** 30))
    throw new UsageError("--page: a whole number from 0 or 'all' expected");
  if (nodata && nodata !== "none" && nodata !== "nan" && !parseForeground("label=" + nodata))
    throw new UsageError("--nodata: a number, nan or none expected");
}

/* ---- Reading ---- */

function defaultOf(o) {
  if (o.fallback !== undefined) return o.fallback;
  return o.kind === "choice" ? o.choices.split("|")[0] : KINDS[o.kind].none;
}

/** Reads options.
 *  @param table   rows as above, those that the command shares with others behind its own
 *  @param given   {name: value}: a text as on the command line, a number, or true for a flag; false, null
 *                 and undefined are not given
 *  @return {table, values: {name: value}, given: Set of names}; throws UsageError */
export function readOptions(table, given) {
  const values = {}, names = new Set();
  for (const o of table) if (!(o.name in values)) values[o.name] = defaultOf(o);
  for (const [name, value] of Object.entries(given || {})) {
    if (value === undefined || value === null || value === false) continue;
    const o = table.find((row) => row.name === name);
    if (!o) failUnknown(table, name);
    names.add(name);
    if (o.kind === "flag" && value !== true) throw new UsageError(`--${name} takes no value, '${value}' given`);
    if (o.kind !== "flag" && value === true) throw new UsageError(`--${name} needs a value: ${o.choices || o.value}`);
    if (o.kind === "texts") values[name] = [value].flat().map(String);
    else values[name] = o.kind === "flag" ? true : KINDS[o.kind].parse(o, String(value));
    if (values[name] === null) refuse(o, String(value));
  }
  if ("page" in values) checkReading(values);
  return { table, values, given: names };
}

/** Not both of two options. */
export function checkExclusive(options, a, b) {
  if (options.given.has(a) && options.given.has(b)) throw new UsageError(`--${a} and --${b} cannot be used together`);
}

/** No option of another way of working. @param why  behind its name, such as "cannot be used with --gray" */
export function checkMode(options, mode, why) {
  for (const name of options.given) {
    const o = options.table.find((row) => row.name === name);
    if (o.modes && !(o.modes & mode)) throw new UsageError(`--${name} ${why}`);
  }
}

/** The word of a list that is wrong. */
export function refuseWord(name, word, expected) {
  const [text] = word.split(","), shown = text.length < 64 ? text : text.slice(0, 60) + "...";
  throw new UsageError(`--${name}: '${shown}' given, ${expected} expected`);
}

/* ---- Parameters ---- */

const DESCRIBED = { foreground: formatForeground, sizes: (v) => v.text, range: (v) => v.text };

function describeReading(values) {
  const p = {};
  p.device = "cpu";
  p.page = values.page === null ? "0" : values.page;
  p.volume = values.volume;
  p.channel = values.channel >= 0 ? values.channel : "luma";
  p.level = 0;
  return p;
}

/** The parameters of -f json.
 *  @param mode  the way of working, as a bit
 *  @param more     members of reading that the command knows, such as {resolution: 256}
 *  @param before   members before the command's own
 *  @param instead  what its own are instead of the values of options */
export function describe({ table, values, given }, { mode, more = {}, before = {}, instead = {} }) {
  const p = { ...describeReading(values), ...more };
  for (const name of ["nodata", "mask-value", "mask-above", "mask-below"])
    if (values[name] !== null && values[name] !== undefined) p[name.replaceAll("-", "_")] = values[name];
  if (values["ignore-geometry"]) p.ignore_geometry = true;
  Object.assign(p, before);
  for (const o of table) {
    if (o.isReading || o.isUnlisted || (o.modes && !(o.modes & mode))) continue;
    const name = o.name.replaceAll("-", "_"), value = values[o.name];
    if (name in instead) p[name] = instead[name];
    else if (o.unset !== undefined && !given.has(o.name)) p[name] = o.unset === "" ? null : o.unset;
    else p[name] = DESCRIBED[o.kind] ? DESCRIBED[o.kind](value) : value;
  }
  return p;
}
