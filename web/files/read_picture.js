/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* JPEG, GIF and WebP by the browser's decoder: what their heads say of channels and turning is found here. */

import { allocate, fail, hasBytes, latin, viewOf } from "./bytes.js";
import { LUMA, checkFlat, chooseBand, takeBands } from "./bands.js";
import { exifOrientation, findOrientation } from "./exif.js";

const MIME = { jpeg: "image/jpeg", gif: "image/gif", webp: "image/webp" };

export const claimsJpeg = (head) => hasBytes(head, 0, "\xff\xd8\xff");
export const claimsGif = (head) => hasBytes(head, 0, "GIF87a") || hasBytes(head, 0, "GIF89a");
export const claimsWebp = (head) => hasBytes(head, 0, "RIFF") && hasBytes(head, 8, "WEBP");

/* ---- What the browser is not told ----
 *
 * Browsers do not agree whether they turn a picture, and colours that went through a canvas with their alpha are no
 * longer those of the file. So the decoder gets a copy that says nothing of both. */

/* Notes that a byte is another one in the copy. @param data  a part of the file */
function change(facts, data, i, value) {
  facts.changes.push({ at: data.byteOffset + i, value });
}

function noteExif(facts, exif) {
  const found = findOrientation(exif);
  facts.orientation = exifOrientation(exif);
  if (found !== null)
    [0, 1].forEach((i) => change(facts, exif, found.at + i, 0));
}

function changed(bytes, changes) {
  const copy = changes.length > 0 ? bytes.slice() : bytes;
  for (const { at, value } of changes)
    copy[at - bytes.byteOffset] = value;
  return copy;
}

/* ---- JPEG (ITU T.81, annex B) ---- */

const isFrame = (marker) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function jpegFacts(bytes) {
  const view = viewOf(bytes), facts = { n: 0, nAlpha: 0, orientation: 1, changes: [], pages: 1, lossy: "JPEG" };
  for (let at = 2; at + 4 <= bytes.length && facts.n === 0;) {
    const marker = bytes[at + 1], n = view.getUint16(at + 2), end = at + 2 + n;
    if (bytes[at] !== 0xff)
      break;
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (isFrame(marker) && at + 10 <= bytes.length)
      Object.assign(facts, { depth: bytes[at + 4], n: bytes[at + 9] });
    if (marker === 0xe1 && hasBytes(bytes, at + 4, "Exif\0\0"))
      noteExif(facts, bytes.subarray(at + 10, end));
    at = end;
  }
  if (facts.n === 0 || facts.depth !== 8)
    fail(facts.n === 0 ? "cut off within the JPEG header" : `a JPEG file of ${facts.depth} bits; 8 expected`);
  if (facts.n === 4)
    fail("4 channels that are not red, green and blue, which a browser does not keep apart; the program reads them " +
      "with --channel 0..3");
  return facts;
}

/* ---- GIF89a ---- */

/* Where blocks of data end. */
function behindBlocks(bytes, at) {
  while (at < bytes.length && bytes[at] !== 0)
    at += 1 + bytes[at];
  return at + 1;
}

/* Transparent where a frame is. */
function gifFacts(bytes) {
  const facts = { n: 3, nAlpha: 0, orientation: 1, changes: [], pages: 0, lossy: null };
  const behindMap = (flags, at) => at + (flags & 128 ? 3 * (2 << (flags & 7)) : 0);
  if (bytes.length < 13)
    fail("cut off within the GIF header");
  for (let at = behindMap(bytes[10], 13); at < bytes.length && bytes[at] !== 0x3b;)
    if (bytes[at] === 0x2c) {
      facts.pages++;
      at = behindBlocks(bytes, behindMap(bytes[at + 9], at + 10) + 1);
    } else if (bytes[at] === 0x21) {
      facts.nAlpha = bytes[at + 1] === 0xf9 && bytes[at + 3] & 1 ? 1 : facts.nAlpha;
      at = behindBlocks(bytes, at + 2);
    } else
      break;
  if (facts.pages === 0)
    fail("cut off: the GIF file has no whole image");
  return { ...facts, n: 3 + facts.nAlpha };
}

/* ---- WebP ---- */

/* The flag of alpha is the same bit of a byte in both heads. */
function noteAlpha(facts, data, i) {
  if ((data[i] & 16) === 0)
    return;
  facts.nAlpha = 1;
  change(facts, data, i, data[i] & ~16);
}

function noteChunk(facts, name, data, head) {
  if (name === "VP8X" && data.length >= 10)
    noteAlpha(facts, data, 0);
  else if (name === "VP8L" && data.length >= 5)
    noteAlpha(facts, data, 4);
  else if (name === "ALPH")
    change(facts, head, 0, 0x5a); /* a chunk of an unknown name is passed over */
  else if (name === "EXIF")
    noteExif(facts, hasBytes(data, 0, "Exif\0\0") ? data.subarray(6) : data);
  else if (name === "ANMF")
    facts.pages++;
  if (name === "VP8 " || (name === "ANMF" && hasBytes(data, 16, "VP8 ")))
    facts.lossy = "WebP";
}

function webpFacts(bytes) {
  const facts = { nAlpha: 0, orientation: 1, changes: [], pages: 0, lossy: null }, view = viewOf(bytes);
  for (let at = 12; at + 8 <= bytes.length;) {
    const n = view.getUint32(at + 4, true), data = bytes.subarray(at + 8, at + 8 + n);
    noteChunk(facts, latin(bytes, at, at + 4), data, bytes.subarray(at, at + 8));
    at += 8 + n + (n & 1);
  }
  if (facts.pages > 0)
    facts.changes = []; /* frames lie over each other by their alpha */
  return { ...facts, n: 3 + facts.nAlpha, pages: Math.max(1, facts.pages) };
}

/* ---- All of them ---- */

const FACTS = { jpeg: jpegFacts, gif: gifFacts, webp: webpFacts };

async function decodeBy(decode, bytes, format) {
  if (decode === undefined)
    fail(`${format} files are decoded by the browser, and there is none`);
  try {
    return await decode(bytes, MIME[format]);
  } catch (error) {
    return fail(`the browser cannot decode the ${format} file: damaged, or cut off`);
  }
}

/* Colours that came through with their alpha are rounded, or black. */
function warnOfAlpha(rgba, warn) {
  for (let i = 3; i < rgba.length; i += 4)
    if (rgba[i] < 255)
      return warn("is transparent in places, where a browser does not keep the colours; the program does");
  return undefined;
}

/** @param asked   {page, level, channel, volume}
 *  @param decode  (bytes, mime) -> {width, height, rgba}: colours and alpha as stored;
 *                 fails where the file is damaged */
export async function readPicture(bytes, asked, format, warn, decode) {
  const facts = FACTS[format](bytes);
  checkFlat(asked, format, facts.pages);
  const band = chooseBand({ n: facts.n, nAlpha: facts.nAlpha, isColour: true }, asked, format);
  if (asked.page > 0)
    fail(`page ${asked.page} of a ${format} file requested, of which a browser decodes the first; use the program`);
  const own = changed(bytes, facts.changes);
  const { width, height, rgba } = await decodeBy(decode, own, format), n = width * height;
  if (!(n >= 1) || rgba.length !== 4 * n)
    fail(`the browser cannot decode the ${format} file: damaged, or cut off`);
  if (format === "webp")
    warnOfAlpha(rgba, warn);
  const data = allocate("u8", n), isGrey = facts.n - facts.nAlpha === 1;
  const differ = takeBands(data, 0, rgba, 0, n, 4, isGrey ? 0 : band.chosen, "u8");
  return {
    format, data, dtype: "u8", shape: [height, width], ...band, differ: differ && band.chosen === LUMA,
    pages: facts.pages, lossy: facts.lossy, orientation: facts.orientation,
  };
}
