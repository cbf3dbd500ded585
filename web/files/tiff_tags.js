/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* TIFF 6.0 and BigTIFF: directories with their tags, and which of them are pages, copies of a pyramid, or masks. */

import { fail, hasBytes, viewOf } from "./bytes.js";

/** Tags by name. */
export const TAG = {
  subfile: 254, width: 256, height: 257, bits: 258, compression: 259, photometric: 262, order: 266, description: 270,
  offsets: 273, orientation: 274, samples: 277, rows: 278, counts: 279, xResolution: 282, yResolution: 283, planar: 284,
  unit: 296, predictor: 317, colours: 320, tileWidth: 322, tileHeight: 323, tileOffsets: 324, tileCounts: 325,
  subs: 330, extra: 338, format: 339, scale: 33550, points: 33922, matrix: 34264, keys: 34735, numbers: 34736,
  nodata: 42113,
};

/** Values of tags. */
export const PHOTOMETRIC = {
  white: 0, black: 1, rgb: 2, palette: 3, mask: 4, separated: 5, ycbcr: 6, lab: 8, iccLab: 9, ituLab: 10, cfa: 32803,
  logL: 32844, logLuv: 32845,
};
export const FORMAT = { unsigned: 1, signed: 2, real: 3, none: 4 };

/* Bytes of the types of values, from 0. */
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];
const ASCII = 2;

/* More would be a file made to keep its reader busy. */
const DIRECTORIES_MAX = 1048576;

export function claimsTiff(head) {
  return ["II*\0", "MM\0*", "II+\0", "MM\0+"].some((magic) => hasBytes(head, 0, magic));
}

/* ---- Numbers ---- */

/** A file whose numbers are read in its order. */
class TiffBytes {
  constructor(bytes) {
    this.bytes = bytes;
    this.view = viewOf(bytes);
    this.isBig = bytes[0] === 0x4d;
    this.isWide = bytes[2] === 0x2b || bytes[3] === 0x2b;
  }

  /* A whole number of 1, 2, 4 or 8 bytes. */
  natural(at, size) {
    if (!(at >= 0 && at + size <= this.bytes.length))
      fail("a TIFF directory is damaged, or the file is cut off");
    const { view } = this, isLittle = !this.isBig;
    return size === 1 ? view.getUint8(at) : size === 2 ? view.getUint16(at, isLittle)
      : size === 4 ? view.getUint32(at, isLittle) : Number(view.getBigUint64(at, isLittle));
  }

  /* A value of a type. */
  value(at, type) {
    const { view } = this, isLittle = !this.isBig;
    switch (type) {
      case 5: return ratio(view.getUint32(at, isLittle), view.getUint32(at + 4, isLittle));
      case 6: return view.getInt8(at);
      case 8: return view.getInt16(at, isLittle);
      case 9: return view.getInt32(at, isLittle);
      case 10: return ratio(view.getInt32(at, isLittle), view.getInt32(at + 4, isLittle));
      case 11: return view.getFloat32(at, isLittle);
      case 12: return view.getFloat64(at, isLittle);
      case 17: return Number(view.getBigInt64(at, isLittle));
      default: return this.natural(at, TYPE_BYTES[type]);
    }
  }
}

/* Of fractions libtiff makes floats of 32 bits. */
function ratio(a, b) {
  return b === 0 ? 0 : Math.fround(a / b);
}

/* ---- Directories ---- */

/** The tags of a directory. */
class TiffDirectory {
  constructor(file, offset) {
    const [nSize, entrySize, wide] = file.isWide ? [8, 20, 8] : [2, 12, 4], n = file.natural(offset, nSize);
    if (n === 0 || n > file.bytes.length / entrySize)
      fail("a TIFF directory is damaged, or the file is cut off");
    this.file = file;
    this.offset = offset;
    this.entries = new Map();
    for (let i = 0, at = offset + nSize; i < n; i++, at += entrySize)
      this.addEntry(at, wide);
    this.next = file.natural(offset + nSize + n * entrySize, wide);
  }

  /* Of a tag that is there twice the first one counts. */
  addEntry(at, wide) {
    const { file } = this, tag = file.natural(at, 2), type = file.natural(at + 2, 2);
    const count = file.natural(at + 4, wide), n = (TYPE_BYTES[type] ?? 0) * count;
    const place = n <= wide ? at + 4 + wide : file.natural(at + 4 + wide, wide);
    if (n > 0 && !this.entries.has(tag))
      this.entries.set(tag, { type, count, place, isThere: place + n <= file.bytes.length });
  }

  /** All values of a tag; none where it is not there. */
  values(tag) {
    const entry = this.entries.get(tag);
    if (entry === undefined)
      return [];
    if (!entry.isThere)
      fail("a TIFF directory is damaged, or the file is cut off: a tag lies behind its end");
    const values = new Array(entry.count), step = TYPE_BYTES[entry.type];
    for (let i = 0; i < entry.count; i++)
      values[i] = this.file.value(entry.place + i * step, entry.type);
    return values;
  }

  value(tag, otherwise) {
    const entry = this.entries.get(tag);
    return entry?.isThere ? this.file.value(entry.place, entry.type) : otherwise;
  }

  /** The same of a tag whose values are whole numbers from 0. */
  naturals(tag) {
    const values = this.values(tag);
    if (!values.every((value) => Number.isSafeInteger(value) && value >= 0))
      fail(`a TIFF directory is damaged: tag ${tag} has other values than whole numbers`);
    return values;
  }

  natural(tag, otherwise) {
    const value = this.value(tag, otherwise);
    return Number.isSafeInteger(value) && value >= 0 ? value
      : fail(`a TIFF directory is damaged: tag ${tag} is ${value}, a whole number expected`);
  }

  has(tag) {
    return this.entries.has(tag);
  }

  /** A text in UTF-8, or in Latin-1 where it is none; up to its first zero. */
  text(tag) {
    const entry = this.entries.get(tag);
    if (entry === undefined || entry.type !== ASCII || !entry.isThere)
      return "";
    const bytes = this.file.bytes.subarray(entry.place, entry.place + entry.count), end = bytes.indexOf(0);
    const text = end < 0 ? bytes : bytes.subarray(0, end);
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(text);
    } catch (error) {
      return new TextDecoder("latin1").decode(text);
    }
  }
}

/* The value that all samples of a pixel share. */
function common(directory, tag, otherwise, name) {
  const values = directory.naturals(tag).slice(0, 65536);
  if (values.some((value) => value !== values[0]))
    fail(`samples of a TIFF page differ in ${name} (${values.slice(0, 4).join(", ")}); equal ones expected`);
  return values[0] ?? otherwise;
}

/* How many samples at the end are alpha; those of unknown meaning are data. */
function countAlpha(directory) {
  const extra = directory.naturals(TAG.extra).slice(0, 65536), last = extra.lastIndexOf(0);
  return extra.length - 1 - last;
}

function layoutOf(directory) {
  const isTiled = directory.has(TAG.tileWidth), height = directory.natural(TAG.height, 0);
  return {
    isTiled,
    blockHeight: isTiled ? directory.natural(TAG.tileHeight, 0) : Math.min(directory.natural(TAG.rows, height), height),
    blockWidth: isTiled ? directory.natural(TAG.tileWidth, 0) : directory.natural(TAG.width, 0),
    isPlanar: directory.natural(TAG.planar, 1) === 2,
    isReversed: directory.natural(TAG.order, 1) === 2,
  };
}

/** What a directory says of its pixels. */
function readPage(directory) {
  const kind = directory.natural(TAG.subfile, 0), format = common(directory, TAG.format, FORMAT.unsigned, "format");
  const page = {
    directory, shift: 0,
    width: directory.natural(TAG.width, 0), height: directory.natural(TAG.height, 0),
    bits: common(directory, TAG.bits, 1, "bits"), samples: directory.natural(TAG.samples, 1),
    format: format === FORMAT.none ? FORMAT.unsigned : format,
    photometric: directory.natural(TAG.photometric, PHOTOMETRIC.black),
    compression: directory.natural(TAG.compression, 1), predictor: directory.natural(TAG.predictor, 1),
    nAlpha: countAlpha(directory),
    isReduced: (kind & 1) !== 0, isMask: (kind & 4) !== 0, hasSubs: directory.has(TAG.subs),
    orientation: directory.natural(TAG.orientation, 1),
    perUnit: [directory.value(TAG.yResolution, 0), directory.value(TAG.xResolution, 0)],
    unit: directory.natural(TAG.unit, 2),
    ...layoutOf(directory),
  };
  if (!directory.has(TAG.width) || !directory.has(TAG.height))
    fail("is no readable TIFF file: a directory names no width or no height");
  return page;
}

/** Whether two pages have the same size, type and orientation. */
export function samePixels(a, b) {
  const members = ["width", "height", "bits", "samples", "format", "photometric", "nAlpha", "isReduced", "orientation"];
  return members.every((name) => a[name] === b[name]);
}

/* ---- The chain ---- */

/** The pages of the main chain, copies and masks among them. */
export function readChain(bytes) {
  const file = new TiffBytes(bytes), seen = new Set(), pages = [];
  let offset = file.isWide ? file.natural(8, 8) : file.natural(4, 4);
  if (offset === 0)
    fail("is no readable TIFF file: it has no directory");
  while (offset !== 0) {
    if (seen.has(offset) || seen.size === DIRECTORIES_MAX)
      fail("a TIFF directory is damaged: " +
        (seen.has(offset) ? "it leads back to one before it" : `there are more than ${DIRECTORIES_MAX} of them`));
    seen.add(offset);
    const directory = new TiffDirectory(file, offset);
    pages.push(readPage(directory));
    offset = directory.next;
  }
  return pages;
}

/* The reduced sub-directories of a page. */
function subLevels(page) {
  const levels = [];
  for (const offset of page.directory.naturals(TAG.subs))
    try {
      levels.push(readPage(new TiffDirectory(page.directory.file, offset)));
    } catch (error) {
      continue;
    }
  return levels.filter((level) => level.isReduced && !level.isMask);
}

/** The resolution levels of a page: itself, its reduced sub-directories, then those that follow it in the chain. */
export function levelsOf(chain, page) {
  const levels = [page, ...subLevels(page)];
  for (const next of chain.slice(chain.indexOf(page) + 1)) {
    if (next.isMask)
      continue;
    if (!next.isReduced)
      break;
    levels.push(next);
  }
  return levels;
}

/** Those of a chain that are pages. When all are copies or masks, the first is one, unless it is the small picture of
 *  an image that is not in the chain. */
export function listPages(chain) {
  const pages = chain.filter((page) => !page.isReduced && !page.isMask);
  if (pages.length === 0 && chain[0].hasSubs)
    fail(`holds a preview of ${chain[0].height}x${chain[0].width} pixels, and an image that is not read, such as ` +
      "that of a camera's raw file; convert it to TIFF");
  return pages.length > 0 ? pages : [chain[0]];
}

/** The pages of the size that has the most pixels in all, by their numbers; of equals the first. Pages of that size and
 *  another type are left in: they are no preview, and no volume. */
export function listSeries(pages) {
  const kinds = [];
  for (const page of pages) {
    const kind = kinds.find((k) => samePixels(k.first, page));
    if (kind !== undefined)
      kind.n += page.width * page.height;
    else if (kinds.length < 64)
      kinds.push({ first: page, n: page.width * page.height });
  }
  const { first } = kinds.reduce((best, kind) => (kind.n > best.n ? kind : best));
  return pages.map((_, i) => i).filter((i) => pages[i].width === first.width && pages[i].height === first.height);
}
