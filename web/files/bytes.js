/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What readers share: failures, types of pixels, numbers in bytes. */

/** A file that is not read: what it holds, what was expected, what to do. The message begins without its name. */
export class FileError extends Error {
  constructor(text) {
    super(text);
    this.name = "FileError";
  }
}

export function fail(text) {
  throw new FileError(text);
}

/** The arrays that hold pixels, by the names that the program has for their types. */
export const ARRAYS = {
  u8: Uint8Array, i8: Int8Array, u16: Uint16Array, i16: Int16Array, u32: Uint32Array, i32: Int32Array,
  u64: BigUint64Array, i64: BigInt64Array, f32: Float32Array, f64: Float64Array,
};

/** Bytes of a pixel. */
export function sizeOf(dtype) {
  return ARRAYS[dtype].BYTES_PER_ELEMENT;
}

export function isReal(dtype) {
  return dtype[0] === "f";
}

/** Memory for n pixels, after it was found that the file can hold as many. */
export function allocate(dtype, n) {
  try {
    return new ARRAYS[dtype](n);
  } catch (error) {
    return fail(`${n} pixels of ${dtype} take ${n * sizeOf(dtype)} bytes, more than a page in a browser gets; ` +
      "the program reads such files");
  }
}

/** The product of sizes; fails where it is no number of pixels. */
export function product(sizes, what) {
  const n = sizes.reduce((all, size) => all * size, 1);
  return Number.isSafeInteger(n) ? n : fail(`the ${what} promises more pixels than an address can count`);
}

/** Fails since a file ends within its head. */
export function cutHead(bytes, what) {
  return fail(`cut off within the ${what} (${bytes.length} bytes)`);
}

/** A view for numbers of any order. */
export function viewOf(bytes) {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Text of bytes that are ASCII, a character each. */
export function latin(bytes, begin, end) {
  let text = "";
  for (let i = begin; i < Math.min(end, bytes.length); i++)
    text += String.fromCharCode(bytes[i]);
  return text;
}

/** Whether bytes stand at a place; a text has a byte for each character. */
export function hasBytes(bytes, at, text) {
  if (at + text.length > bytes.length)
    return false;
  for (let i = 0; i < text.length; i++)
    if (bytes[at + i] !== text.charCodeAt(i))
      return false;
  return true;
}

/** Reverses the bytes of each number of an array, where it is. */
export function swapNumbers(bytes, size) {
  for (let at = 0; at + size <= bytes.length; at += size)
    for (let i = at, j = at + size - 1; i < j; i++, j--) {
      const byte = bytes[i];
      bytes[i] = bytes[j];
      bytes[j] = byte;
    }
}

/** A copy of bytes as numbers of a type. */
export function numbersOf(bytes, dtype, isBig) {
  const size = sizeOf(dtype), n = Math.floor(bytes.length / size), numbers = allocate(dtype, n);
  const copy = new Uint8Array(numbers.buffer);
  copy.set(bytes.subarray(0, n * size));
  if (isBig && size > 1)
    swapNumbers(copy, size);
  return numbers;
}

/* The 65536 floats of 16 bits (IEEE 754-2008 binary16), made when they are needed. */
let halves = null;

function makeHalves() {
  halves = new Float32Array(65536);
  const bits = new Uint32Array(halves.buffer);
  for (let i = 0; i < 32768; i++) {
    const exponent = i >> 10, fraction = i & 1023;
    if (exponent === 31)
      halves[i] = fraction === 0 ? Infinity : NaN;
    else
      halves[i] = exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25);
    bits[i + 32768] = bits[i] | 0x80000000;
  }
}

/** Floats of 16 bits as those of 32. @param {Uint16Array} from */
export function fromHalves(from) {
  if (halves === null)
    makeHalves();
  const to = allocate("f32", from.length);
  for (let i = 0; i < from.length; i++)
    to[i] = halves[from[i]];
  return to;
}

/** Pixels as they are stored, from bytes of a file.
 *  @param coding  {stored: dtype, isHalf, isBig, slope, intercept}; slope 1 and intercept 0: nothing is done
 *  @returns {{dtype, data}} */
export function decodePixels(bytes, coding) {
  if (coding.isHalf)
    return { dtype: "f32", data: fromHalves(numbersOf(bytes, "u16", coding.isBig)) };
  const data = numbersOf(bytes, coding.stored, coding.isBig), { slope = 1, intercept = 0 } = coding;
  return slope === 1 && intercept === 0 ? { dtype: coding.stored, data } : scalePixels(data, coding);
}

/* The result is f32 for integers of 8 and 16 bits and f32, else f64. */
function scalePixels(data, { stored, slope, intercept }) {
  const dtype = sizeOf(stored) <= 2 || stored === "f32" ? "f32" : "f64", to = allocate(dtype, data.length);
  const isLong = stored === "u64" || stored === "i64";
  for (let i = 0; i < data.length; i++)
    to[i] = slope * (isLong ? Number(data[i]) : data[i]) + intercept;
  return { dtype, data: to };
}

/** The number of a text in digits. @returns -1 for any other text */
export function wholeOf(text) {
  return /^[0-9]{1,10}$/.test(text) ? Number(text) : -1;
}
