/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* How the bytes of a strip or tile are packed: LZW, PackBits, deflate, and differences (TIFF 6.0, sections 9, 13, 14;
 * Adobe's Technical Notes 1 to 3). */

import { fail, swapNumbers } from "./bytes.js";
import { DEFLATE_MAX, inflate } from "./inflate.js";

const NONE = 1, LZW = 5, ADOBE_DEFLATE = 8, DEFLATE = 32946, PACKBITS = 32773;

/** How many bytes one byte of a file can stand for, by compression. */
export const LARGEST_RATIO = {
  [NONE]: 1, [PACKBITS]: 64, [LZW]: 4096, [DEFLATE]: DEFLATE_MAX, [ADOBE_DEFLATE]: DEFLATE_MAX,
};

const OTHERS = {
  2: "a fax code", 3: "a fax code", 4: "a fax code", 32771: "a fax code", 6: "JPEG", 7: "JPEG", 34712: "JPEG 2000",
  33003: "JPEG 2000", 33004: "JPEG 2000", 33005: "JPEG 2000", 22610: "JPEG XR", 34934: "JPEG XR", 34887: "LERC",
  50000: "ZSTD", 50001: "WebP", 50002: "JPEG XL", 52546: "JPEG XL", 34925: "LZMA", 34661: "JBIG",
  34676: "SGI's logarithms",
  34677: "SGI's logarithms", 34892: "lossy JPEG of DNG", 34713: "Nikon's NEF", 32767: "Sony's ARW", 34933: "PNG",
};

/** Fails where strips are packed in a way that is not read here. */
export function checkCodec(compression) {
  if (LARGEST_RATIO[compression] === undefined)
    fail(`the TIFF page is compressed with ${OTHERS[compression] ?? "a method without a name here"} ` +
      `(${compression}), which is not read in a browser; the program reads what libtiff decodes: use it, or write ` +
      "the file with LZW or deflate");
}

/* ---- LZW ---- */

const CLEAR = 256, END = 257, CODES = 4096;

/* Codes from the highest bit down, which grow one code early. */
class LzwReader {
  constructor(bytes) {
    Object.assign(this, { bytes, at: 0, hold: 0, held: 0, bits: 9 });
  }

  next() {
    while (this.held < this.bits) {
      if (this.at === this.bytes.length)
        return END;
      this.hold = ((this.hold & 0xffff) << 8) | this.bytes[this.at++];
      this.held += 8;
    }
    this.held -= this.bits;
    return (this.hold >> this.held) & ((1 << this.bits) - 1);
  }
}

/* What codes stand for: that of `prefix`, then the byte `suffix`. */
const prefix = new Uint16Array(CODES), suffix = new Uint8Array(CODES), first = new Uint8Array(CODES);
const lengths = new Uint16Array(CODES);
for (let i = 0; i < 256; i++) {
  suffix[i] = first[i] = i;
  lengths[i] = 1;
}

/* Adds what stands for `last` and the first byte of `code`, which may be the new code itself. */
function addCode(free, last, code) {
  prefix[free] = last;
  suffix[free] = first[code === free ? last : code];
  first[free] = first[last];
  lengths[free] = lengths[last] + 1;
}

/* Writes what a code stands for, from its end. @returns where it ends */
function putCode(output, begin, code) {
  const end = begin + lengths[code];
  for (let at = end, i = code; at > begin; i = prefix[i])
    if (--at < output.length)
      output[at] = suffix[i];
  return end;
}

function unpackLzw(bytes, output) {
  if (bytes[0] === 0 && bytes[1] & 1)
    fail("the TIFF page is compressed with LZW in an order of bits that was used before 1992; save it anew");
  const reader = new LzwReader(bytes);
  let n = 0, free = END + 1, last = -1;
  while (n < output.length) {
    const code = reader.next();
    if (code === END)
      break;
    if (code === CLEAR) {
      reader.bits = 9;
      free = END + 1;
      last = -1;
      continue;
    }
    if (last >= 0 && free < CODES) {
      addCode(free, last, code);
      free++;
    }
    if (code >= free || (last < 0 && code > 255))
      fail("a strip of the TIFF page is damaged: an LZW code that stands for nothing");
    n = putCode(output, n, code);
    reader.bits = free < 511 ? 9 : free < 1023 ? 10 : free < 2047 ? 11 : 12;
    last = code;
  }
  return Math.min(n, output.length);
}

/* ---- PackBits ---- */

function unpackBits(bytes, output) {
  let n = 0;
  for (let at = 0; at < bytes.length && n < output.length;) {
    const code = bytes[at++];
    if (code === 128)
      continue;
    if (code < 128) {
      const end = Math.min(at + code + 1, at + output.length - n, bytes.length);
      output.set(bytes.subarray(at, end), n);
      n += end - at;
      at = end;
    } else if (at < bytes.length) {
      const end = Math.min(n + 257 - code, output.length);
      output.fill(bytes[at++], n, end);
      n = end;
    }
  }
  return n;
}

/* ---- Differences ---- */

/** Fails where samples are stored as differences in a way that is not read. */
export function checkPredictor(page) {
  const { predictor, bits } = page, isPacked = ![LZW, DEFLATE, ADOBE_DEFLATE].includes(page.compression);
  if (isPacked || predictor === 1)
    return;
  const isRight = predictor === 2 ? [8, 16, 32, 64].includes(bits)
    : predictor === 3 && page.format === 3 && [16, 24, 32, 64].includes(bits);
  if (!isRight)
    fail(`the TIFF page has predictor ${predictor} for samples of ${bits} bits; 1, 2 for 8 to 64 bits or 3 for ` +
      "floats expected");
}

/* Adds each number to that which stands `step` of them before. */
function addUp(numbers, step) {
  for (let i = step; i < numbers.length; i++)
    numbers[i] += numbers[i - step];
}

/* Bytes of floats that stand apart, those of the highest order first. */
function joinFloats(row, size, step) {
  addUp(row, step);
  const n = row.length / size, apart = row.slice();
  for (let i = 0; i < n; i++)
    for (let k = 0; k < size; k++)
      row[i * size + k] = apart[(size - 1 - k) * n + i];
}

const WORDS = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: BigUint64Array };

/* Undoes differences in rows whose numbers have the machine's order.
 *  @param step  samples from one pixel to the next */
function undoDifferences(block, rowBytes, page, step) {
  const size = page.bits / 8;
  for (let at = 0; at + rowBytes <= block.length; at += rowBytes)
    if (page.predictor === 3)
      joinFloats(block.subarray(at, at + rowBytes), size, step);
    else
      addUp(new WORDS[size](block.buffer, at, rowBytes / size), step);
}

/* ---- Blocks ---- */

const mirrored = new Uint8Array(256).map((_, i) => {
  for (let k = 0; k < 4; k++)
    i = (i & ~((1 << k) | (128 >> k))) | ((i >> (7 - 2 * k)) & (1 << k)) | ((i << (7 - 2 * k)) & (128 >> k));
  return i;
});

/** Unpacks a strip or a tile.
 *  @param stored    its bytes in the file
 *  @param n         bytes that it has
 *  @param rowBytes  bytes of a row in it
 *  @param step      samples from one pixel to the next in it
 *  @returns {Promise<Uint8Array>} with memory of its own, numbers in the machine's order */
export async function unpackBlock(stored, n, rowBytes, page, step, isBig) {
  const bytes = page.isReversed ? stored.map((byte) => mirrored[byte]) : stored, block = new Uint8Array(n);
  const isDeflate = [DEFLATE, ADOBE_DEFLATE].includes(page.compression), isLzw = page.compression === LZW;
  let there = n;
  if (isDeflate)
    await inflate(bytes, block, "deflate", "a strip of the TIFF page");
  else if (isLzw)
    there = unpackLzw(bytes, block);
  else if (page.compression === PACKBITS)
    there = unpackBits(bytes, block);
  else
    block.set(bytes.subarray(0, there = Math.min(n, bytes.length)));
  if (there < n)
    fail(`cut off: ${there} of ${n} bytes of a strip of the TIFF page are there`);
  const differs = (isDeflate || isLzw) && page.predictor !== 1, hasWords = [16, 24, 32, 64].includes(page.bits);
  if (isBig && hasWords && !(differs && page.predictor === 3))
    swapNumbers(block, page.bits / 8);
  if (differs)
    undoDifferences(block, rowBytes, page, step);
  return block;
}
