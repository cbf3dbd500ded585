/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* NumPy's .npy files, versions 1 to 3: arrays of 2 or 3 axes as images. Three planes are a volume, never colour. */

import { allocate, cutHead, decodePixels, fail, hasBytes, latin, product, sizeOf } from "./bytes.js";
import { checkCount } from "./bands.js";

const AXES_MAX = 32, HEAD_MAX = 65536;

const KINDS = {
  b1: "u8", "?": "u8", u1: "u8", i1: "i8", u2: "u16", i2: "i16", u4: "u32", i4: "i32", u8: "u64", i8: "i64",
  f2: "f32", f4: "f32", f8: "f64",
};

const REFUSALS = {
  "": "a structured type has no single value per pixel",
  c: "complex values have no order; store a magnitude or one part",
  O: "Python objects are not numbers",
  S: "texts and raw bytes are not numbers", U: "texts and raw bytes are not numbers",
  a: "texts and raw bytes are not numbers", V: "texts and raw bytes are not numbers",
  M: "dates and times are not plain numbers", m: "dates and times are not plain numbers",
};

export function claimsNpy(head) {
  return hasBytes(head, 0, "\x93NUMPY");
}

/* ---- The header: a Python dictionary ---- */

function parseShape(text) {
  const inside = /^\(\s*((?:\d+L?\s*,\s*)*(?:\d+L?)?)\s*\)/.exec(text);
  if (inside === null)
    fail("the npy header is invalid: shape is not a tuple of sizes");
  const sizes = inside[1].match(/\d+/g) ?? [];
  if (sizes.length === 1 && !inside[1].includes(","))
    fail("the npy header is invalid: shape is not a tuple");
  if (sizes.length > AXES_MAX)
    fail("the npy header is invalid: shape has more than 32 axes");
  return { value: sizes.map(Number), length: inside[0].length };
}

/* A type is a text; a list of fields is passed over to its closing bracket. */
function parseDescr(text) {
  const quoted = /^(['"])([^'"\\\0]{0,15})\1/.exec(text);
  if (quoted !== null)
    return { value: quoted[2], length: quoted[0].length };
  if (text[0] !== "[")
    fail("the npy header is invalid: descr is neither a text nor a list");
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    depth += text[i] === "[" ? 1 : text[i] === "]" ? -1 : 0;
    if (depth === 0)
      return { value: "", length: i + 1 };
  }
  return fail("the npy header is invalid: descr is a list without an end");
}

function parseOrder(text) {
  const word = /^(True|False)/.exec(text);
  return word !== null ? { value: word[1] === "True", length: word[1].length }
    : fail("the npy header is invalid: fortran_order is neither True nor False");
}

const PARSERS = { descr: parseDescr, fortran_order: parseOrder, shape: parseShape };

function parseHead(text) {
  const found = {};
  let rest = text.replace(/^[ \n\t]*\{[ \n\t]*/, "");
  if (rest === text)
    fail("the npy header is invalid: there is no dictionary");
  while (rest[0] !== "}") {
    const key = /^(['"])([a-z_]+)\1[ \n\t]*:[ \n\t]*/.exec(rest), parse = PARSERS[key?.[2]];
    if (parse === undefined || key[2] in found)
      fail("the npy header is invalid: the keys descr, fortran_order and shape expected, each once");
    const { value, length } = parse(rest.slice(key[0].length));
    found[key[2]] = value;
    const next = /^[ \n\t]*(,[ \n\t]*|(?=\}))/.exec(rest.slice(key[0].length + length));
    if (next === null)
      fail("the npy header is invalid: the dictionary has no end");
    rest = rest.slice(key[0].length + length + next[0].length);
  }
  if (!/^\}[ \n\t]*$/.test(rest))
    fail("the npy header is invalid: there is text after the dictionary");
  if (Object.keys(found).length < 3)
    fail("the npy header is invalid: descr, fortran_order or shape is missing");
  return found;
}

function codingOf(descr) {
  const [, order, kind] = /^([<>|=]?)([^]*)$/.exec(descr), stored = KINDS[kind];
  if (stored === undefined)
    fail(`npy type '${descr || "[...]"}' is not supported: ` + (REFUSALS[kind[0] ?? ""] ??
      "integers of 1 to 8 bytes, booleans and floats of 2 to 8 bytes are read"));
  return { stored, isHalf: kind === "f2", isBig: order === ">" };
}

/** The header of an array.
 *  @returns {{shape, isFortran, coding, begin}} */
export function openNpy(bytes) {
  if (bytes.length < 12)
    cutHead(bytes, "npy header");
  const [version, minor] = bytes.subarray(6, 8), begin = version === 1 ? 10 : 12;
  if (version < 1 || version > 3)
    fail(`npy version ${version}.${minor}; versions 1 to 3 are known`);
  let n = bytes[8] | (bytes[9] << 8);
  if (version > 1)
    n += bytes[10] * 65536 + bytes[11] * 16777216;
  if (n > HEAD_MAX)
    fail(`the npy header says it has ${n} bytes, at most ${HEAD_MAX} expected`);
  if (begin + n > bytes.length)
    cutHead(bytes, "npy header");
  const head = parseHead(latin(bytes, begin, begin + n));
  return { shape: head.shape, isFortran: head.fortran_order, coding: codingOf(head.descr), begin: begin + n };
}

/** The numbers of an opened array, in the order of the file. */
export function numbersOfNpy(bytes, array) {
  array.shape.forEach((size, i) => size === 0 && fail(`axis ${i} of the npy array is 0; at least 1 expected`));
  const n = product(array.shape, "npy header"), each = array.coding.isHalf ? 2 : sizeOf(array.coding.stored);
  const there = bytes.length - array.begin;
  if (n * each > there)
    fail(`cut off: ${there} of ${n * each} bytes of pixels are there`);
  return decodePixels(bytes.subarray(array.begin, array.begin + n * each), array.coding);
}

/* ---- Images ---- */

/** Numbers whose first axis is the fastest, as those whose last one is. */
export function fromFortran(from, shape, dtype) {
  const to = allocate(dtype, from.length), [nz, ny, nx] = shape.length === 3 ? shape : [1, ...shape];
  for (let z = 0, i = 0; z < nz; z++)
    for (let y = 0; y < ny; y++)
      for (let x = 0, at = z + nz * y; x < nx; x++, at += nz * ny)
        to[i++] = from[at];
  return to;
}

export function readNpy(bytes, asked) {
  const array = openNpy(bytes), { shape } = array;
  if (shape.length !== 2 && shape.length !== 3)
    fail(`the npy array has ${shape.length} axes; 2 (image) or 3 (volume) expected` +
      (shape.length === 1 ? "; --points reads numbers on a line as points" : ""));
  for (const what of ["page", "level", "channel"])
    checkCount(what, asked[what], 1, "npy");
  if (asked.volume && shape.length === 2)
    fail("a volume is requested, but the npy array has 2 axes; 3 expected");
  const { dtype, data } = numbersOfNpy(bytes, array);
  return { format: "npy", dtype, shape, data: array.isFortran ? fromFortran(data, shape, dtype) : data };
}
