/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Strips and tiles of a TIFF page to pixels: which type samples become, and how. */

import { ARRAYS, allocate, fail, fromHalves, sizeOf } from "./bytes.js";
import { LUMA, chooseBand, takeBands } from "./bands.js";
import { LARGEST_RATIO, checkCodec, checkPredictor, unpackBlock } from "./tiff_codecs.js";
import { FORMAT, PHOTOMETRIC, TAG } from "./tiff_tags.js";

const COLOURS = [PHOTOMETRIC.rgb, PHOTOMETRIC.palette];
const PLAIN = [PHOTOMETRIC.white, PHOTOMETRIC.black, PHOTOMETRIC.separated, PHOTOMETRIC.rgb];
const OTHERS = {
  [PHOTOMETRIC.mask]: "a transparency mask, no image",
  [PHOTOMETRIC.cfa]: "a camera's mosaic of red, green and blue pixels",
  [PHOTOMETRIC.ycbcr]: "YCbCr", [PHOTOMETRIC.lab]: "CIELAB", [PHOTOMETRIC.iccLab]: "CIELAB",
  [PHOTOMETRIC.ituLab]: "CIELAB", [PHOTOMETRIC.logL]: "logarithms of luminance",
  [PHOTOMETRIC.logLuv]: "logarithms of luminance",
};

/* ---- What is read ---- */

/* The type that samples become; null for others. Of those of 24 bits programs disagree whether their bytes have the
 * order of the file (libtiff) or never (GDAL). */
function dtypeOf(page) {
  const { bits, format } = page, size = bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : 64;
  if (format === FORMAT.real)
    return [16, 24, 32, 64].includes(bits) ? (bits === 64 ? "f64" : "f32") : null;
  const isInteger = format === FORMAT.unsigned || format === FORMAT.signed;
  const isKnown = bits >= 1 && (bits <= 32 || bits === 64) && bits !== 24;
  return isInteger && isKnown ? (format === FORMAT.unsigned ? "u" : "i") + size : null;
}

function checkMeaning(page) {
  const formats = ["?", "unsigned", "signed", "float", "?", "complex", "complex"];
  const isPalette = page.photometric === PHOTOMETRIC.palette;
  if (OTHERS[page.photometric] !== undefined)
    fail(`the TIFF page holds ${OTHERS[page.photometric]}, which is not read in a browser; the program reads YCbCr, ` +
      "CIELAB and logarithms: use it, or convert the file to RGB or grey");
  if (!PLAIN.includes(page.photometric) && !isPalette)
    fail(`the TIFF page has colours of a kind (${page.photometric}) that is not known; save it as grey values or RGB`);
  const isIndexed = page.samples === 1 && page.format === FORMAT.unsigned && page.bits <= 8;
  if (dtypeOf(page) === null || (isPalette && !isIndexed && !page.asIndices))
    fail(`TIFF samples of ${page.bits} bits (${formats[page.format] ?? "?"}${isPalette ? ", a palette" : ""}) are ` +
      "not supported; integers of 1 to 32 bits (but 24, whose byte order is not agreed on) and of 64 are, floats of " +
      "16, 24, 32 and 64, and palettes of 1 to 8: save it as one of these");
}

/** Fails when a page is not read, or when a file of so many bytes cannot hold so many of them. */
export function checkPage(page, nPages, nBytes) {
  checkMeaning(page);
  checkCodec(page.compression);
  checkPredictor(page);
  if (page.width === 0 || page.height === 0 || page.samples < 1 || page.samples > 65535)
    fail(`a TIFF page of ${page.height}x${page.width} pixels of ${page.samples} samples; at least 1x1 and 1 expected`);
  if (!(page.blockHeight >= 1 && page.blockWidth >= 1))
    fail(`a TIFF page in strips or tiles of ${page.blockHeight}x${page.blockWidth} pixels; at least 1x1 expected`);
  const n = nPages * page.height * page.width * page.samples * page.bits / 8;
  if (n > LARGEST_RATIO[page.compression] * nBytes + nPages * page.height)
    fail(`cut off: ${nPages} x ${page.height}x${page.width} pixels are more than a TIFF file of ${nBytes} bytes can ` +
      "hold");
}

/* ---- Samples ---- */

/* The colours of a palette, or the greys of few bits. Old colour maps have 8 bits. @returns three tables */
function tablesOf(page) {
  const n = 1 << page.bits, maps = page.directory.naturals(TAG.colours);
  if (page.photometric !== PHOTOMETRIC.palette || page.asIndices)
    return [0, 1, 2].map(() => Uint8Array.from({ length: n }, (_, i) => {
      const light = page.asIndices ? i : Math.floor(i * 255 / (n - 1));
      return page.photometric === PHOTOMETRIC.white ? 255 - light : light;
    }));
  if (maps.length < 3 * n)
    fail("the colour map of a TIFF page is missing");
  const shift = maps.some((value) => value >= 256) ? 8 : 0;
  return [0, 1, 2].map((c) => Uint8Array.from(maps.slice(c * n, (c + 1) * n), (value) => value >> shift));
}

/* The value of a float of 24 bits: a sign, 7 bits of exponent with bias 63, 16 of fraction. */
function tripleValue(low, middle, high) {
  const exponent = high & 127, fraction = middle * 256 + low, sign = high & 128 ? -1 : 1;
  if (exponent === 127)
    return fraction === 0 ? sign * Infinity : NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -78 : (65536 + fraction) * 2 ** (exponent - 79));
}

function unpackTriples(block) {
  const to = new Float32Array(block.length / 3);
  for (let i = 0; i < to.length; i++)
    to[i] = tripleValue(block[3 * i], block[3 * i + 1], block[3 * i + 2]);
  return to;
}

/* Samples of any number of bits, one after the other; each row begins with a byte.
 *  @param valueOf  what they stand for */
function unpackSamples(block, rowBytes, perRow, bits, to, valueOf) {
  const rows = Math.floor(block.length / rowBytes);
  for (let y = 0, i = 0; y < rows; y++)
    for (let k = 0, at = y * rowBytes, hold = 0, held = 0; k < perRow; k++) {
      let value = 0;
      for (let left = bits; left > 0;) {
        if (held === 0) {
          hold = block[at++];
          held = 8;
        }
        const n = Math.min(left, held);
        held -= n;
        value = value * (1 << n) + ((hold >> held) & ((1 << n) - 1));
        left -= n;
      }
      to[i++] = valueOf(value);
    }
  return to;
}

/* What packed integers stand for: fewer than 8 bits are spread over 0 to 255, white-is-zero is inverted. */
function meaningOf(page, isInverted) {
  const most = 2 ** page.bits - 1, isUnsigned = page.format === FORMAT.unsigned;
  const isSpread = isUnsigned && page.bits < 8 && !page.asIndices, top = isSpread ? 255 : most;
  if (!isUnsigned)
    return (value) => (value > most / 2 ? value - most - 1 : value);
  return (value) => {
    const spread = isSpread ? Math.floor(value * 255 / most) : value;
    return isInverted ? top - spread : spread;
  };
}

/* ---- A reader of pages that are alike ---- */

/** How pages become pixels; those that are read must have the same pixels as the first one.
 *  @returns {{dtype, band, take}}  take(page, out, at): makes the pixels of a page; whether colours differ */
export function choosePixels(page, asked) {
  const isIndexed = page.samples === 1 && page.format === FORMAT.unsigned && page.bits <= 8 &&
    (page.bits < 8 || (page.photometric === PHOTOMETRIC.palette && !page.asIndices));
  const tables = isIndexed ? tablesOf(page) : null;
  const isGrey = !isIndexed || isGreyTable(tables), n = isGrey ? page.samples : 3;
  const isColour = n >= 3 && COLOURS.includes(page.photometric);
  const band = chooseBand({ n, nAlpha: page.nAlpha, isColour }, asked, "tiff");
  const dtype = isIndexed ? "u8" : dtypeOf(page), isApart = page.isPlanar && page.samples > 1;
  const job = { dtype, isIndexed, isGrey, isApart, band, chosen: band.chosen, mixed: isApart ? 1 : page.samples };
  return { dtype, band, take: (each, out, at) => takePage(each, job, out, at) };
}

function isGreyTable(tables) {
  return tables[0].every((value, i) => value === tables[1][i] && value === tables[2][i]);
}

/* Where the strips or tiles of a page are. */
function blocksOf(page, job) {
  const { directory } = page, bits = page.bits * job.mixed;
  const offsets = directory.naturals(page.isTiled ? TAG.tileOffsets : TAG.offsets);
  const counts = directory.naturals(page.isTiled ? TAG.tileCounts : TAG.counts);
  const across = Math.ceil(page.width / page.blockWidth), down = Math.ceil(page.height / page.blockHeight);
  const planes = job.isApart ? page.samples : 1, rowBytes = Math.ceil(page.blockWidth * bits / 8);
  const most = LARGEST_RATIO[page.compression] * directory.file.bytes.length;
  if (offsets.length < across * down * planes || counts.length < across * down * planes)
    fail(`a TIFF page of ${across * down * planes} strips or tiles, of which ` +
      `${Math.min(offsets.length, counts.length)} are named`);
  const rows = page.isTiled ? down * page.blockHeight : page.height;
  if (across * rows * planes * rowBytes > most)
    fail(`cut off: tiles of ${page.blockHeight}x${page.blockWidth} pixels are more than the TIFF file can hold`);
  return { offsets, counts, across, down, rowBytes };
}

/* The samples of a strip or tile. @param part  its plane, where planes stand apart */
async function takeBlock(page, job, blocks, index, part, rows) {
  const { bytes, isBig } = page.directory.file, i = part * blocks.across * blocks.down + index;
  const begin = blocks.offsets[i] + page.shift, n = rows * blocks.rowBytes, end = begin + blocks.counts[i];
  const isPlain = page.compression === 1;
  if (isPlain && blocks.counts[i] < n)
    fail(`a strip of ${blocks.counts[i]} bytes; ${n} expected`);
  if (blocks.counts[i] === 0 || begin === 0 || (isPlain ? begin + n : end) > bytes.length)
    fail(`cut off: a strip at byte ${begin} lies behind the end of the TIFF file, or is empty`);
  const stored = bytes.subarray(begin, isPlain ? begin + n : end);
  const block = await unpackBlock(stored, n, blocks.rowBytes, page, job.mixed, isBig);
  return samplesOf(block, page, job, blocks);
}

/* Bytes of a block as numbers. */
function samplesOf(block, page, job, blocks) {
  const { bits } = page, perRow = page.blockWidth * job.mixed, rows = block.length / blocks.rowBytes;
  const isInverted = page.photometric === PHOTOMETRIC.white && page.format === FORMAT.unsigned && job.chosen === 0;
  if (job.isIndexed)
    return unpackSamples(block, blocks.rowBytes, perRow, bits, new Uint8Array(rows * perRow), (value) => value);
  if (page.format === FORMAT.real && bits < 32)
    return bits === 16 ? fromHalves(new Uint16Array(block.buffer)) : unpackTriples(block);
  if (bits !== 8 * sizeOf(job.dtype))
    return unpackSamples(block, blocks.rowBytes, perRow, bits, new ARRAYS[job.dtype](rows * perRow),
      meaningOf(page, isInverted));
  const numbers = new ARRAYS[job.dtype](block.buffer);
  if (isInverted)
    invert(numbers, bits);
  return numbers;
}

function invert(numbers, bits) {
  const most = bits === 64 ? 2n ** 64n - 1n : 2 ** bits - 1;
  for (let i = 0; i < numbers.length; i++)
    numbers[i] = most - numbers[i];
}

/* Colours of indices, three bands beside each other; of greys one. */
function lookUp(indices, tables, isGrey) {
  const n = isGrey ? 1 : 3, to = new Uint8Array(n * indices.length);
  for (let c = 0; c < n; c++)
    for (let i = 0, at = c; i < indices.length; i++, at += n)
      to[at] = tables[c][indices[i]];
  return to;
}

function mixParts(parts) {
  const to = new parts[0].constructor(3 * parts[0].length);
  parts.forEach((part, c) => {
    for (let i = 0, at = c; i < part.length; i++, at += 3)
      to[at] = part[i];
  });
  return to;
}

/* The bands of a block's pixels. @returns {{bands, step, chosen}} */
async function bandsOf(page, job, blocks, index, rows, tables) {
  const { chosen } = job;
  if (job.isApart && chosen === LUMA) {
    const parts = [];
    for (let c = 0; c < 3; c++)
      parts.push(await takeBlock(page, job, blocks, index, c, rows));
    return { bands: mixParts(parts), step: 3, chosen };
  }
  const samples = await takeBlock(page, job, blocks, index, job.isApart ? chosen : 0, rows);
  if (job.isIndexed)
    return { bands: lookUp(samples, tables, job.isGrey), step: job.isGrey ? 1 : 3, chosen };
  return { bands: samples, step: job.mixed, chosen: job.mixed === 1 ? 0 : chosen };
}

/* Makes the pixels of a page. @returns whether colours differ */
async function takePage(page, job, out, begin) {
  const tables = job.isIndexed ? tablesOf(page) : null, blocks = blocksOf(page, job);
  let differ = false;
  if (job.isIndexed && job.isGrey && !isGreyTable(tables))
    fail("this page has colours, the first one has none");
  for (let index = 0; index < blocks.across * blocks.down; index++) {
    const top = Math.floor(index / blocks.across) * page.blockHeight, left = index % blocks.across * page.blockWidth;
    const height = Math.min(page.blockHeight, page.height - top), width = Math.min(page.blockWidth, page.width - left);
    const decoded = page.isTiled ? page.blockHeight : height;
    const { bands, step, chosen } = await bandsOf(page, job, blocks, index, decoded, tables);
    for (let y = 0; y < height; y++) {
      const from = y * page.blockWidth * step, to = begin + (top + y) * page.width + left;
      differ = takeBands(out, to, bands, from, width, step, chosen, job.dtype) || differ;
    }
  }
  return differ;
}

/** Memory for the pixels of some pages. */
export function roomFor(page, nPages, dtype) {
  return allocate(dtype, nPages * page.height * page.width);
}
