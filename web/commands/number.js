/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Numbers as the program prints and reads them (src/core/image/number.c), and as C's printf() rounds
 * them in its messages: of two decimals that are equally near the even one, where JavaScript takes the
 * larger. A whole number that no double holds is a BigInt. */

const PLAIN_MIN = -5;
const PLAIN_MAX = 15;
const SHORT_DIGITS = 6;
const PARSE_MAX = 400;

/* ---- Digits: {digits, exponent} stands for d.ddd * 10^exponent ---- */

function split(text) {
  const [head, exponent] = text.split("e");
  return { digits: head.replace(".", ""), exponent: Number(exponent) };
}

function dropZeros({ digits, exponent }) {
  return { digits: digits.replace(/0+$/, "") || "0", exponent };
}

/* Rounds a value above 0 to n digits, half to even; n may be 0 or less where only the place counts. */
function roundTo(value, n) {
  const { digits, exponent } = split(value.toExponential(100));
  if (n < 0) return { digits: "", exponent };
  const kept = digits.slice(0, n), rest = digits.slice(n), half = "5".padEnd(rest.length, "0");
  const isUp = rest > half || (rest === half && Number(kept.slice(-1) || 0) % 2 === 1);
  if (!isUp) return { digits: kept, exponent };
  const up = (BigInt(kept || 0) + 1n).toString();
  if (up.length <= n) return { digits: up, exponent };
  return { digits: up.slice(0, Math.max(n, 1)), exponent: exponent + 1 };
}

function plain({ digits, exponent }) {
  const nWhole = exponent + 1;
  if (nWhole <= 0) return "0." + "0".repeat(-nWhole) + digits;
  if (nWhole >= digits.length) return digits + "0".repeat(nWhole - digits.length);
  return digits.slice(0, nWhole) + "." + digits.slice(nWhole);
}

function write(number, isNegative) {
  const { digits, exponent } = number, sign = isNegative ? "-" : "";
  if (exponent >= PLAIN_MIN && exponent <= PLAIN_MAX) return sign + plain(number);
  const mantissa = digits.length > 1 ? digits[0] + "." + digits.slice(1) : digits;
  return sign + mantissa + "e" + (exponent < 0 ? "-" : "+") + Math.abs(exponent);
}

const special = (value) => (Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf");

/* ---- As the program writes them ---- */

/** The shortest text that reads back to the same double; all digits of a BigInt. */
export function formatReal(value) {
  if (typeof value === "bigint") return value.toString();
  if (!Number.isFinite(value)) return special(value);
  return write(split(Math.abs(value).toExponential()), value < 0);
}

/** For people: six digits, but all before the decimal point. */
export function formatShort(value) {
  if (typeof value === "bigint") return value.toString();
  if (!Number.isFinite(value)) return special(value);
  if (value === 0) return "0";
  const size = Math.abs(value);
  let number = roundTo(size, SHORT_DIGITS);
  if (number.exponent >= SHORT_DIGITS && number.exponent <= PLAIN_MAX) number = roundTo(size, number.exponent + 1);
  return write(dropZeros(number), value < 0);
}

/** value + rest, as the library holds whole numbers: a Number, or a BigInt where no double holds it. */
export function exact(value, rest) {
  return !rest || !Number.isInteger(value) ? value : BigInt(value) + BigInt(rest);
}

/* ---- As printf() writes them ---- */

/** "%.{decimals}f" */
export function fixed(value, decimals) {
  if (typeof value === "bigint") return value.toString() + (decimals > 0 ? "." + "0".repeat(decimals) : "");
  if (!Number.isFinite(value)) return special(value);
  const size = Math.abs(value), sign = value < 0 || Object.is(value, -0) ? "-" : "";
  if (size === 0) return sign + (0).toFixed(decimals);
  const { exponent } = split(size.toExponential(100)), n = exponent + 1 + decimals, rounded = roundTo(size, n);
  const isCarried = n > 0 && rounded.exponent > exponent;
  const whole = (rounded.digits + (isCarried ? "0" : "")).padStart(decimals + 1, "0");
  return sign + whole.slice(0, whole.length - decimals) + (decimals > 0 ? "." + whole.slice(-decimals) : "");
}

/** "%.{precision}g" */
export function general(value, precision = 6) {
  if (!Number.isFinite(Number(value))) return special(value);
  const real = Number(value), sign = real < 0 || Object.is(real, -0) ? "-" : "";
  if (real === 0) return sign + "0";
  const number = dropZeros(roundTo(Math.abs(real), precision));
  if (number.exponent >= -4 && number.exponent < precision) return sign + plain(number);
  const { digits, exponent } = number, mantissa = digits.length > 1 ? digits[0] + "." + digits.slice(1) : digits;
  return sign + mantissa + "e" + (exponent < 0 ? "-" : "+") + String(Math.abs(exponent)).padStart(2, "0");
}

/* ---- Reading ---- */

/** One finite number with a decimal point. @return null when the text is anything else */
export function parseReal(text) {
  const found = text.length <= PARSE_MAX && /^[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE]([-+]?[0-9]+))?$/.exec(text);
  if (!found || Math.abs(Number(found[1] || 0)) >= 100000) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

/** Digits alone that make a whole number of 64 bits, signed or unsigned: a Number where a double holds
 *  it, else a BigInt. @return null when the text is anything else */
export function parseWhole(text) {
  if (!/^[-+]?[0-9]+$/.test(text)) return null;
  const whole = BigInt(text.replace("+", ""));
  if (whole > 0xFFFFFFFFFFFFFFFFn || whole < -0x8000000000000000n) return null;
  return BigInt(Number(whole)) === whole ? Number(whole) : whole;
}
