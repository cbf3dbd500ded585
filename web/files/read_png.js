/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* PNG (ISO 15948): samples of 1 to 16 bits, grey or of colours, as they are stored. A browser's own decoder
 * would make 8 bits of 16. */

import { ARRAYS, allocate, cutHead, fail, hasBytes, latin, swapNumbers, viewOf } from "./bytes.js";
import { checkFlat, chooseBand, takeBands } from "./bands.js";
import { DEFLATE_MAX, crc32, inflate } from "./inflate.js";
import { exifOrientation } from "./exif.js";

const GREY = 0, RGB = 2, PALETTE = 3, GREY_ALPHA = 4;
const SAMPLES = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }, DEPTHS = { 0: [1, 2, 4, 8, 16], 3: [1, 2, 4, 8] };
const SIZE_MAX = 2 ** 31 - 1;

/* Adam7: where the pixels of each pass begin, and how far apart they are: x, y, across, down. */
const PASSES = [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]];
const WHOLE = [[0, 0, 1, 1]];

export function claimsPng(head) {
  return hasBytes(head, 0, "\x89PNG");
}

/* ---- Chunks ---- */

/* The chunks of a file, the last of them perhaps cut off. Those that a picture cannot do without must be
 * undamaged. */
function listChunks(bytes) {
  const view = viewOf(bytes), chunks = [];
  for (let at = 8; at + 8 <= bytes.length;) {
    const n = view.getUint32(at), name = latin(bytes, at + 4, at + 8), end = at + 8 + n;
    const isWhole = end + 4 <= bytes.length;
    const isRight = isWhole && crc32(bytes, at + 4, end) === view.getUint32(end);
    if (isWhole && !isRight && name < "a")
      fail(chunks.length === 0 ? "the PNG header is damaged" : `damaged: the checksum of its chunk ${name} is wrong`);
    if (isWhole ? isRight : name === "IDAT")
      chunks.push({ name, data: bytes.subarray(at + 8, end) });
    at = end + 4;
  }
  return chunks;
}

function readHead(chunks, bytes) {
  const head = chunks[0];
  if (head === undefined)
    cutHead(bytes, "PNG header");
  if (head.name !== "IHDR" || head.data.length !== 13)
    fail("the PNG header is damaged: it begins with no IHDR of 13 bytes");
  const view = viewOf(head.data), [depth, colour, packing, filtering, interlacing] = head.data.subarray(8);
  const width = view.getUint32(0), height = view.getUint32(4);
  if (width < 1 || height < 1 || width > SIZE_MAX || height > SIZE_MAX)
    fail(`the PNG header is damaged: ${height}x${width} pixels, 1 to 2147483647 expected`);
  if (SAMPLES[colour] === undefined || !(DEPTHS[colour] ?? [8, 16]).includes(depth))
    fail(`the PNG header is damaged: ${depth} bits in colours of type ${colour}`);
  if (packing !== 0 || filtering !== 0 || interlacing > 1)
    fail("the PNG header is damaged: a way to pack pixels that PNG does not have");
  return { width, height, depth, colour, passes: interlacing ? PASSES : WHOLE };
}

function takePalette(head, chunk) {
  if (chunk === undefined || chunk.data.length % 3 !== 0 || chunk.data.length === 0 || chunk.data.length > 768)
    fail("the PNG header is damaged: its palette is missing or has a wrong length");
  const palette = new Uint8Array(768);
  palette.set(chunk.data);
  return palette;
}

/* Whether there is a chunk that says which pixels are transparent. */
function hasTransparency(head, before, palette) {
  const chunk = before.find((c) => c.name === "tRNS"), n = chunk?.data.length;
  if (chunk === undefined)
    return false;
  return head.colour === PALETTE ? n > 0 && n <= palette.data.length / 3
    : head.colour === GREY ? n === 2 : head.colour === RGB && n === 6;
}

function joinData(chunks) {
  const parts = chunks.filter((c) => c.name === "IDAT").map((c) => c.data);
  if (parts.length === 1)
    return parts[0];
  const all = allocate("u8", parts.reduce((n, part) => n + part.length, 0));
  parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
  return all;
}

/* ---- Rows ---- */

/* The pixels of each pass. */
function passesOf(head) {
  return head.passes.map(([x, y, across, down]) => {
    const width = Math.ceil((head.width - x) / across), height = Math.ceil((head.height - y) / down);
    const bits = width * head.depth * SAMPLES[head.colour];
    return { x, y, across, down, width, height, rowBytes: Math.ceil(bits / 8) };
  }).filter((pass) => pass.width > 0 && pass.height > 0);
}

function paeth(a, b, c) {
  const p = a + b - c, far = Math.abs(p - a), farB = Math.abs(p - b), farC = Math.abs(p - c);
  return far <= farB && far <= farC ? a : farB <= farC ? b : c;
}

/* What a filter adds to a byte: of those to the left, above, and above to the left. */
const FILTERS = [
  null,
  (row, above, i, left) => (i < left ? 0 : row[i - left]),
  (row, above, i) => above[i],
  (row, above, i, left) => ((i < left ? 0 : row[i - left]) + above[i]) >> 1,
  (row, above, i, left) => (i < left ? above[i] : paeth(row[i - left], above[i], above[i - left])),
];

/* The simple filters in loops of their own, as most rows have them. */
function unfilterRow(filter, row, above, left) {
  const n = row.length;
  if (filter === 0)
    return;
  if (filter === 1)
    for (let i = left; i < n; i++)
      row[i] += row[i - left];
  else if (filter === 2)
    for (let i = 0; i < n; i++)
      row[i] += above[i];
  else
    for (let i = 0, add = FILTERS[filter]; i < n; i++)
      row[i] += add(row, above, i, left);
}

/* Undoes the filters of a pass, where its bytes are. @returns where the bytes of the next pass begin */
function unfilter(bytes, begin, pass, head) {
  const left = Math.max(1, (head.depth * SAMPLES[head.colour]) >> 3);
  let above = new Uint8Array(pass.rowBytes), at = begin;
  for (let y = 0; y < pass.height; y++, at += pass.rowBytes + 1) {
    const row = bytes.subarray(at + 1, at + 1 + pass.rowBytes);
    if (bytes[at] >= FILTERS.length)
      fail(`damaged after ${y} of ${pass.height} rows: filter ${bytes[at]}, 0 to 4 expected`);
    unfilterRow(bytes[at], row, above, left);
    above = row;
  }
  return at;
}

/* The bands of a row's pixels as numbers: spread over 0 to 255 where they have fewer than 8 bits. */
function unpackRow(row, width, head, palette, asIndices) {
  const { depth, colour } = head;
  if (depth === 16) {
    const copy = row.slice();
    swapNumbers(copy, 2);
    return new Uint16Array(copy.buffer);
  }
  let samples = row;
  if (depth < 8) {
    const most = (1 << depth) - 1, factor = colour === PALETTE ? 1 : 255 / most, each = 8 / depth;
    samples = new Uint8Array(width);
    for (let x = 0; x < width; x++)
      samples[x] = ((row[(x / each) | 0] >> (8 - depth * (1 + (x % each)))) & most) * factor;
  }
  if (colour !== PALETTE || asIndices)
    return samples;
  const colours = new Uint8Array(3 * width);
  for (let x = 0; x < width; x++)
    for (let c = 0; c < 3; c++)
      colours[3 * x + c] = palette[3 * samples[x] + c];
  return colours;
}

/* Makes pixels of all passes. @returns whether colours differ */
function takePasses(bytes, passes, job) {
  const { head, out, dtype, chosen, nBands } = job, isWhole = head.passes === WHOLE;
  let differ = false, begin = 0;
  for (const pass of passes) {
    const end = unfilter(bytes, begin, pass, head), some = isWhole ? out : new ARRAYS[dtype](pass.width);
    for (let y = 0; y < pass.height; y++) {
      const at = begin + y * (pass.rowBytes + 1) + 1, row = bytes.subarray(at, at + pass.rowBytes);
      const bands = unpackRow(row, pass.width, head, job.palette, job.asIndices);
      const to = isWhole ? y * pass.width : 0;
      differ = takeBands(some, to, bands, 0, pass.width, nBands, chosen, dtype) || differ;
      if (isWhole)
        continue;
      const line = (pass.y + y * pass.down) * head.width + pass.x;
      for (let x = 0; x < pass.width; x++)
        out[line + x * pass.across] = some[x];
    }
    begin = end;
  }
  return differ;
}

/* ---- The file ---- */

/** @param asked  {page, level, channel, volume, indices} */
export async function readPng(bytes, asked) {
  const chunks = listChunks(bytes), head = readHead(chunks, bytes), first = chunks.findIndex((c) => c.name === "IDAT");
  if (first < 0)
    cutHead(bytes, "PNG header");
  const before = chunks.slice(0, first), palette = before.find((c) => c.name === "PLTE");
  const colours = head.colour === PALETTE ? takePalette(head, palette) : null;
  const asIndices = asked.indices && head.colour === PALETTE;
  const hasAlpha = head.colour >= GREY_ALPHA, isTransparent = hasAlpha || hasTransparency(head, before, palette);
  const nBands = head.colour === PALETTE && !asIndices ? 3 : SAMPLES[head.colour];
  checkFlat(asked, "png");
  const band = chooseBand({ n: nBands, nAlpha: hasAlpha ? 1 : 0, isColour: true }, asked, "png");
  const passes = passesOf(head), n = passes.reduce((all, p) => all + p.height * (p.rowBytes + 1), 0);
  if (n / DEFLATE_MAX > bytes.length)
    fail(`cut off: ${head.height}x${head.width} pixels are more than a PNG file of ${bytes.length} bytes can hold`);
  const dtype = head.depth === 16 ? "u16" : "u8", rows = allocate("u8", n);
  await inflate(joinData(chunks), rows, "deflate", "its pixels", true);
  const data = allocate(dtype, head.height * head.width);
  const job = { head, out: data, dtype, chosen: band.chosen, nBands, palette: colours, asIndices };
  const differ = takePasses(rows, passes, job);
  const exif = chunks.find((c) => c.name === "eXIf");
  return {
    format: "png", data, dtype, shape: [head.height, head.width], ...band,
    dropped_alpha: isTransparent && !asIndices, differ,
    orientation: exif === undefined ? 1 : exifOrientation(exif.data),
    meaning: asIndices ? "palette indices" : null,
  };
}
