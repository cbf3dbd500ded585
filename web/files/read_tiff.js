/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Opens a TIFF file: a page, a resolution level of it, or all pages as the slices of a volume. */

import { fail } from "./bytes.js";
import { checkCount } from "./bands.js";
import { checkPage, choosePixels, roomFor } from "./tiff_pixels.js";
import { locate, nodataOf, spacingOf } from "./tiff_place.js";
import { FORMAT, PHOTOMETRIC, TAG, levelsOf, listPages, listSeries, readChain, samePixels } from "./tiff_tags.js";
import { pageOf, parseText } from "./tiff_text.js";

/* ---- What the file holds ---- */

/* The bytes of a page whose rows stand in the file as they are, one after the other; 0 for others. */
function contiguousBytes(page) {
  const row = Math.ceil(page.bits * page.samples * page.width / 8), offsets = page.directory.naturals(TAG.offsets);
  const isPlain = page.compression === 1 && !page.isTiled && !page.isReversed && !(page.isPlanar && page.samples > 1);
  const each = page.blockHeight * row;
  return isPlain && each > 0 && offsets[0] > 0 && offsets.every((at, i) => at === offsets[0] + i * each)
    ? row * page.height : 0;
}

/* ImageJ writes stacks of more than 4 GiB so: the samples of all slices stand one after the other behind those of the
 * first, whose directory is the only one. */
function addHiddenSlices(chain, text, warn) {
  const [first] = chain, n = text.channels * text.slices * text.times;
  if (chain.length !== 1 || text.writer !== "ImageJ" || n === 1)
    return;
  const each = contiguousBytes(first), begin = first.directory.naturals(TAG.offsets)[0] ?? 0;
  if (each === 0 || n * each > first.directory.file.bytes.length - begin) {
    warn(`ImageJ says ${text.channels} channels x ${text.slices} slices x ${text.times} times, but the file holds ` +
      "one page");
    return;
  }
  for (let i = 1; i < n; i++)
    chain.push({ ...first, shift: i * each });
}

function openFile(bytes, asked, warn) {
  const chain = readChain(bytes);
  for (const page of chain)
    page.asIndices = asked.indices && page.photometric === PHOTOMETRIC.palette;
  const text = parseText(chain[0].directory.text(TAG.description));
  addHiddenSlices(chain, text, warn);
  const pages = listPages(chain);
  return { chain, text, pages, series: listSeries(pages), nBytes: bytes.length, warn };
}

/* The requested level of a page. */
function levelOf(job, page, asked) {
  const levels = levelsOf(job.chain, page);
  checkCount("level", asked.level, levels.length, "tiff");
  levels.forEach((level) => { level.asIndices = page.asIndices; });
  return { level: levels[asked.level], levels: levels.length };
}

/* ---- Volumes ---- */

/* Whether the pages of a file that nobody has asked about are slices. */
function areSlices({ text, pages, series }) {
  const isOne = text.channels === 1 && text.times === 1 && !text.hasOwnOrder;
  return series.length > 1 && isOne && series.every((i) => samePixels(pages[series[0]], pages[i]));
}

/* Checks what ImageJ or OME-XML say about the pages. @returns whether it can be used */
function checkText({ text, pages, series, warn }) {
  const { writer, channels, slices, times } = text, planes = channels * slices * times;
  const isBelieved = writer !== "plain" && planes === series.length;
  if (writer === "ImageJ" && !isBelieved && pages.length === 1)
    fail(`an ImageJ stack of ${planes} images, but the file holds one: cut off, or packed in a way that is not ` +
      "understood; save it as OME-TIFF or NIfTI");
  if (times > 1)
    fail(`${channels} channels x ${slices} slices x ${times} times (${writer}): pages of different times are not a ` +
      "volume; choose a page with --page");
  if (text.hasOwnOrder || (!isBelieved && channels > 1))
    fail(`${writer} assigns the ${series.length} pages to slices in a way that is not understood; choose a page with ` +
      "--page");
  if (writer !== "plain" && !isBelieved)
    warn(`${writer} says ${slices} slices, but there are ${series.length} pages; all are taken`);
  return isBelieved;
}

/* Which page is which slice. @returns {{slices, byPage: channels are pages}} */
function assignSlices(job, asked) {
  const { text, series } = job, byPage = checkText(job) && text.channels > 1;
  if (!byPage)
    return { slices: series, byPage };
  if (asked.channel < 0)
    fail(`${text.channels} channels x ${text.slices} slices: choose one with --channel 0..${text.channels - 1}`);
  checkCount("channel", asked.channel, text.channels, "tiff");
  return { slices: Array.from({ length: text.slices }, (_, z) => series[pageOf(text, z, asked.channel, 0)]), byPage };
}

function describe(page) {
  return `${page.height}x${page.width}, ${page.samples} samples of ${page.bits} bits, orientation ${page.orientation}`;
}

function checkSlices(job, slices, levels) {
  const [first] = levels, full = job.pages[slices[0]];
  levels.forEach((level, z) => {
    if (!samePixels(first, level) || !samePixels(full, job.pages[slices[z]]))
      fail(`page ${slices[z]} (${describe(level)}) differs from page ${slices[0]} (${describe(first)}): not a ` +
        "volume; choose one with --page");
  });
  checkPage(first, levels.length, job.nBytes);
  levels.slice(1).forEach((level) => checkPage(level, 1, job.nBytes));
}

async function readVolume(job, asked) {
  if (asked.page >= 0)
    fail(`page ${asked.page} and a volume of all pages requested; one of them expected`);
  const { slices, byPage } = assignSlices(job, asked), found = slices.map((i) => levelOf(job, job.pages[i], asked));
  const levels = found.map((f) => f.level), [first] = levels, n = first.height * first.width;
  checkSlices(job, slices, levels);
  const { dtype, band, take } = choosePixels(first, byPage ? { ...asked, channel: -1 } : asked);
  const data = roomFor(first, levels.length, dtype);
  let differ = false;
  for (let z = 0; z < levels.length; z++)
    differ = await take(levels[z], data, z * n) || differ;
  const own = byPage ? { channels: job.text.channels, channel: asked.channel } : {};
  return {
    ...factsOf(job, job.pages[slices[0]], first), ...band, ...own, data, dtype, differ, page: -1,
    shape: [levels.length, first.height, first.width], levels: found[0].levels, place: null,
  };
}

/* ---- Pages ---- */

async function readPage(job, asked) {
  const i = asked.page >= 0 ? asked.page : job.series[0];
  checkCount("page", asked.page, job.pages.length, "tiff");
  const { level, levels } = levelOf(job, job.pages[i], asked);
  checkPage(level, 1, job.nBytes);
  const { dtype, band, take } = choosePixels(level, asked), data = roomFor(level, 1, dtype);
  const differ = await take(level, data, 0), facts = factsOf(job, job.pages[i], level);
  return {
    ...facts, ...band, data, dtype, differ, page: i, levels, shape: [level.height, level.width],
    spacing: facts.spacing.slice(1),
  };
}

/* ---- Both ---- */

/* Unsigned values are inverted; in others "white is zero" has no agreed meaning. */
function isWhiteZero(page, warn) {
  if (page.photometric !== PHOTOMETRIC.white)
    return false;
  if (page.format !== FORMAT.unsigned)
    warn("says that white is 0, but its values are " +
      `${page.format === FORMAT.signed ? "signed" : "floating point"}; they are kept`);
  return page.format === FORMAT.unsigned;
}

function factsOf(job, full, level) {
  const place = locate(full, level), { spacing, unit } = spacingOf(job.text, full, level, place);
  return {
    format: "tiff", pages: job.pages.length, spacing, spacing_unit: unit === "" ? null : unit,
    nodata: nodataOf(full, job.warn), white_is_zero: isWhiteZero(level, job.warn),
    orientation: level.orientation >= 1 && level.orientation <= 8 ? level.orientation : 1,
    meaning: level.asIndices ? "palette indices" : null,
    place: place.affine === null ? null : { by: "GeoTIFF", unit: null, affine: place.affine },
  };
}

/* Says when pages are left out since those of another size have more pixels. */
function warnOfOthers(job, isVolume) {
  const { pages, series } = job, first = pages[series[0]];
  if (pages.length === series.length || (series[0] === 0 && !isVolume))
    return;
  const what = isVolume ? "they are the slices" : series.length > 1 ? "the first of them is read" : "it is read";
  job.warn(`${series.length} of its ${pages.length} pages have ${first.height}x${first.width} pixels: ${what}; other ` +
    "sizes are left out, --page takes one");
}

/** @param asked  {page, level, channel, volume, indices}; volume null: where the pages are slices */
export async function readTiff(bytes, asked, warn) {
  const job = openFile(bytes, asked, warn), isVolume = asked.volume ?? (asked.page < 0 && areSlices(job));
  if (asked.page < 0)
    warnOfOthers(job, isVolume);
  return isVolume ? readVolume(job, { ...asked, volume: true }) : readPage(job, asked);
}
