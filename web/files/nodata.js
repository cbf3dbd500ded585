/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pixels that have the value which a file names for those without data, or that of --nodata: they are NaN. */

import { allocate, fail, isReal, sizeOf } from "./bytes.js";

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/* The number of a text: a BigInt where it is whole and beyond what doubles hold exactly. @returns null for others */
function parseValue(text) {
  if (/^-?nan$/i.test(text))
    return NaN;
  if (/^[+-]?inf(inity)?$/i.test(text))
    return text[0] === "-" ? -Infinity : Infinity;
  if (!NUMBER.test(text))
    return null;
  const value = Number(text), isLong = /^[+-]?\d+$/.test(text) && !Number.isSafeInteger(value);
  return isLong ? BigInt(text.replace(/^\+/, "")) : Number.isFinite(value) ? value : null;
}

/* The value as integers of a type have it; null where they cannot. */
function asInteger(value, dtype) {
  const bits = BigInt(8 * sizeOf(dtype)), isSigned = dtype[0] === "i";
  if (typeof value === "number" && !Number.isInteger(value))
    return null;
  const whole = BigInt(value), most = (1n << (isSigned ? bits - 1n : bits)) - 1n, least = isSigned ? -most - 1n : 0n;
  if (whole < least || whole > most)
    return null;
  return bits === 64n ? whole : Number(whole);
}

/* Whether a double holds a 64-bit integer. */
function isExact(value) {
  return BigInt(Number(value)) === value;
}

/* Integers beside which others are NaN become floats. */
function markIntegers(image, value) {
  const { dtype, data } = image, isLong = sizeOf(dtype) === 8;
  const to = allocate(sizeOf(dtype) <= 2 ? "f32" : "f64", data.length);
  let n = 0;
  for (let i = 0; i < data.length; i++) {
    if (data[i] === value) {
      to[i] = NaN;
      n++;
      continue;
    }
    if (isLong && !isExact(data[i]))
      fail("has integers that no double holds, beside pixels that hold no data and become NaN; read them with " +
        "--nodata none, and leave them out by a mask");
    to[i] = Number(data[i]);
  }
  return { data: to, dtype: sizeOf(dtype) <= 2 ? "f32" : "f64", n, nNan: 0 };
}

/* A value of f32 counts as it is among such floats. */
function markReals(image, value) {
  const { dtype, data } = image, isNan = Number.isNaN(value), number = Number(value);
  const rounded = dtype === "f32" ? Math.fround(number) : number;
  const sought = Number.isFinite(number) && !Number.isFinite(rounded) ? NaN : rounded;
  let n = 0, nNan = 0;
  for (let i = 0; i < data.length; i++)
    if (data[i] === sought) {
      data[i] = NaN;
      n++;
    } else if (data[i] !== data[i])
      nNan++;
  return { data, dtype, n: isNan ? nNan : n, nNan: isNan ? 0 : nNan };
}

/** Makes NaN of the pixels that hold no data.
 *  @param image  {data, dtype, nodata: the text of the file, or ""}
 *  @param asked  "none", a number as text, or null: what the file says
 *  @returns {{data, dtype, value, n, nNan: others that are NaN}}; value null: there is none */
export function markNodata(image, asked, warn) {
  const none = { data: image.data, dtype: image.dtype, value: null, n: 0, nNan: 0 }, text = asked ?? image.nodata ?? "";
  const value = text === "" || text === "none" ? null : parseValue(text);
  if (text === "" || asked === "none")
    return none;
  if (value === null && asked !== null)
    fail(`--nodata '${asked}' given; a number or none expected`);
  if (value === null) {
    warn(`says that '${text}' stands for no data, which is no number; all pixels are read as they are`);
    return none;
  }
  const integer = isReal(image.dtype) ? null : asInteger(value, image.dtype);
  if (isReal(image.dtype))
    return { ...markReals(image, value), value };
  return integer === null ? { ...none, value } : { ...markIntegers(image, integer), value };
}
