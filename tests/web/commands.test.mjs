// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the rugose authors

// The page's commands beside the program: numbers, options, boxcount. node --test

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { exact, fixed, formatReal, formatShort, general, parseReal, parseWhole } from "../../web/commands/number.js";
import { parametersOf, run } from "../../web/commands/run.js";
import { toCsv, toJson } from "../../web/commands/tables.js";
import { commandLine } from "../../web/commands/words.js";
import { compare, filesOf, inputOf, program, rugose, twinOf, wordsOf } from "./twins.mjs";

/* ---- Numbers ---- */

/* As src/core/image/number.c and printf() of glibc write them. */
const NUMBERS = [
  [formatReal, [[0, "0"], [-0, "0"], [0.1, "0.1"], [1 / 3, "0.3333333333333333"], [1e15, "1000000000000000"],
    [9999999999999998, "9999999999999998"], [1e16, "1e+16"], [1e-5, "0.00001"], [9.9e-6, "9.9e-6"], [5e-324, "5e-324"],
    [2 ** -140, "7.174648137343064e-43"], [1.7976931348623157e308, "1.7976931348623157e+308"], [NaN, "nan"],
    [-Infinity, "-inf"], [2n ** 64n - 1n, "18446744073709551615"], [-1.5, "-1.5"]]],
  [formatShort, [[0, "0"], [-3.577432008, "-3.57743"], [123456.5, "123456"], [1234567.5, "1234568"], [0.0000123456789,
    "0.0000123457"], [1e16, "1e+16"], [0.5, "0.5"]]],
  [(v) => fixed(v, 1), [[0.25, "0.2"], [0.35, "0.3"], [0.05, "0.1"], [0.04, "0.0"], [99.95, "100.0"], [9.96, "10.0"],
    [0, "0.0"], [-2.25, "-2.2"], [2.35, "2.4"], [1e20, "100000000000000000000.0"], [NaN, "nan"]]],
  [(v) => fixed(v, 0), [[0.5, "0"], [1.5, "2"], [2.5, "2"], [0.51, "1"], [99.5, "100"]]],
  [general, [[100000, "100000"], [1000000, "1e+06"], [0.0001, "0.0001"], [0.00001, "1e-05"], [0.5, "0.5"],
    [1 / 3, "0.333333"], [1234567, "1.23457e+06"], [0, "0"], [-Infinity, "-inf"]]],
  [(v) => general(v, 4), [[12.345, "12.35"], [0.0620551, "0.06206"], [99999, "1e+05"]]],
];

test("numbers are written as the program writes them", () => {
  for (const [write, pairs] of NUMBERS) for (const [value, text] of pairs) assert.equal(write(value), text);
});

/* The same numbers as those of the C functions, by their hash: xorshift64 as bits, quotients, halves of the
 * last digit, and powers of two. */
function* randomNumbers(n) {
  const view = new DataView(new ArrayBuffer(8)), most = 2n ** 64n - 1n;
  let state = 88172645463325252n;
  const next = () => {
    state ^= (state << 13n) & most;
    state ^= state >> 7n;
    state ^= (state << 17n) & most;
    return state;
  };
  for (let i = 0; i < n; i++) {
    const bits = next();
    view.setBigUint64(0, bits);
    if (i % 4 === 0) yield view.getFloat64(0);
    else if (i % 4 === 1) yield Number(bits % 100000n) / Number(1n + (next() % 1000n));
    else if (i % 4 === 2) yield Number((bits % 2000001n) - 1000000n) / 16;
    else yield 2 ** (Number(bits % 2098n) - 1074);
  }
}

test("10,000 random numbers are written as C writes them, and read back", () => {
  const hash = createHash("sha256");
  for (const value of randomNumbers(10000)) {
    const shown = Math.abs(value) < 1e15 ? value : 0;
    hash.update([formatReal(value), formatShort(value), general(value), general(value, 4), fixed(shown, 1),
      fixed(shown, 3)].join("\t") + "\n");
    if (Number.isFinite(value)) assert.equal(parseReal(formatReal(value)), value + 0);
  }
  assert.equal(hash.digest("hex"), "c8078a6fdc5bb29ab90dce0b0bcc6d4c79124414d87d6acbca41f93058605244");
});

test("numbers are read as the program reads them", () => {
  for (const text of ["", "nan", "inf", "0x10", " 1", "1 ", "1e", "e5", ".", "1,5", "1e400", "1e999999", "--1"])
    assert.equal(parseReal(text), null, text);
  assert.deepEqual(["1.", ".5", "+1e2", "-0.5E-1"].map(parseReal), [1, 0.5, 100, -0.05]);
  assert.equal(parseWhole("18446744073709551615"), 2n ** 64n - 1n);
  assert.equal(parseWhole("18446744073709551616"), null);
  assert.equal(parseWhole("-9223372036854775808"), -(2 ** 63));
  assert.equal(exact(2 ** 64, -1), 2n ** 64n - 1n);
});

/* ---- Options ---- */

const REFUSED = [
  { sizes: "3,x" }, { sizes: "9..3" }, { sizes: "1..5000" }, { sizes: "0,1" }, { sizes: "1.5" }, { sizes: "1..9:0" },
  { fit: "3.." }, { fit: "0..3" }, { fit: "1.5..3" }, { grid: "mi" }, { of: "grey" }, { foreground: "above=" },
  { foreground: "brighter" }, { levels: "-3" }, { levels: "0", gray: true }, { resolution: "0" }, { resolution: "1.5" },
  { spacing: "0" }, { spacing: "x" }, { channel: "-1" }, { channel: "x" }, { page: "x" }, { page: "-2" },
  { page: "all", volume: true }, { nodata: "x" }, { "skip-rows": "x" }, { treshold: "3" }, { size: "3" }, { fitt: "3" },
  { quux: "1" }, { levels: "8" }, { anchor: "min" }, { gray: true, of: "black" }, { gray: true, sizes: "1,2" },
  { resolution: "5", spacing: "1" }, { "mask-value": "1" }, { "ignore-geometry": true }, { anchor: "zer" },
  { "mask-above": "1", "mask-below": "2" }, { "box-unit": "um", sizes: "1,x" }, { "box-unit": "um", fit: "5..1" },
  { "box-unit": "", sizes: "1" },
];

test("options are refused with the program's words", () => {
  for (const given of REFUSED) {
    const [line] = program("boxcount", ...wordsOf(given), "camera.png").lines;
    const message = line.replace(/^rugose: |; see 'rugose help.*$/g, "");
    assert.throws(() => parametersOf("boxcount", given), { message }, line);
  }
});

test("options that are no texts, and files that are not there, are refused", () => {
  assert.throws(() => parametersOf("boxcount", { gray: "yes" }), /--gray takes no value, 'yes' given/);
  assert.throws(() => parametersOf("boxcount", { fit: true }), /--fit needs a value: A\.\.B\|auto/);
  assert.throws(() => parametersOf("boxcount", { mask: "m.png" }), /the file m.png is not there/);
  assert.throws(() => parametersOf("boxcounts", {}), /'boxcounts' is no command/);
  assert.throws(() => parametersOf("constructor", {}), /is no command/);
  assert.equal(parametersOf("boxcount", { fit: null, gray: false }).fit, "default");
});

test("command lines are quoted for a shell", () => {
  const line = commandLine("boxcount", { foreground: "above=100", gray: true, fit: null, levels: "-1" },
    ["my cell's.png", "-x.png"], { mask: { name: "m.png" } });
  assert.equal(line, "rugose boxcount --foreground above=100 --gray --levels=-1 --mask m.png " +
    "'my cell'\\''s.png' ./-x.png");
  assert.equal(commandLine("haralick", { levels: "16" }, ["a.png", "b.png"], { labels: { name: "cells.png" } }),
    "rugose haralick --levels 16 --labels cells.png a.png\nrugose haralick --levels 16 --labels cells.png b.png");
});

/* ---- Tables ---- */

test("tables without a row are those of the program", () => {
  assert.equal(toCsv([]), "");
  assert.match(toJson([], { command: "boxcount", parameters: {}, version: "1" }), /"results": \[\n {2}\]\n}\n$/);
});

/* ---- boxcount ---- */

const PICTURES = filesOf(".png");
const VOLUMES = filesOf(".nii.gz").filter((name) => !name.includes("/"));
const OTHERS = filesOf(".tif", ".npy");
const POINTS = filesOf(".tsv").filter((name) => !name.includes("/"));

const titleOf = (given) => wordsOf(given).join(" ") || "defaults";

const SETS = [
  {}, { foreground: "above=100", grid: "min", sizes: "3,9,27" }, { foreground: "otsu-dark", fit: "auto", of: "gray" },
  { grid: "mean", sizes: "2..10:4", of: "white" }, { gray: true },
  { gray: true, levels: "64", anchor: "min", fit: "4..64" },
  { foreground: "nonzero", method: "hou", fit: "2..16" }, { foreground: "below=50", of: "black" },
];

for (const given of SETS)
  test(`boxcount, pictures: ${titleOf(given)}`, () => compare("boxcount", [...PICTURES, ...OTHERS], given));

const VOLUME_SETS = [
  {}, { foreground: "above=1", fit: "auto", of: "gray" }, { gray: true },
  { "box-unit": "mm", sizes: "1,2,4.5", fit: "1..4.5" },
];

for (const given of VOLUME_SETS)
  test(`boxcount, volumes: ${titleOf(given)}`, () => compare("boxcount", VOLUMES, given));

const POINT_SETS = [
  {}, { resolution: "256", fit: "auto" }, { spacing: "0.05", sizes: "1,3,5", grid: "min" }, { gray: true },
  { "box-unit": "mm" }, { foreground: "otsu" }, { resolution: "65536", sizes: "1..5" },
];

for (const given of POINT_SETS)
  test(`boxcount, points: ${titleOf(given)}`, () => compare("boxcount", POINTS, given));

test("boxcount, labels and masks", async () => {
  await compare("boxcount", ["ht29_dna.png"], {}, { labels: "ht29_labels.png" });
  await compare("boxcount", ["bbbc022_ch0.png"], { foreground: "otsu-dark", sizes: "1..9:2", grid: "min" },
    { labels: "bbbc022_labels.png" });
  const mask = "ht29_labels.png", labels = "nuclei3d_labels.nii.gz";
  await compare("boxcount", ["ht29_dna.png", "ht29_labels.png"], {}, { mask });
  await compare("boxcount", ["ht29_dna.png"], { "mask-value": "1,2,3", foreground: "above=40" }, { mask });
  await compare("boxcount", ["ht29_dna.png"], { "mask-above": "100", gray: true }, { mask });
  await compare("boxcount", ["ht29_dna.png"], { "mask-below": "0" }, { mask });
  await compare("boxcount", ["nuclei3d.nii.gz"], {}, { labels, mask: labels });
  await compare("boxcount", ["camera.png"], {}, { labels: "camera.png" });
  await compare("boxcount", ["camera.png"], {}, { mask: "brick.png" });
  await compare("boxcount", ["camera.png"], {}, { mask: "bbbc022_ch0.png" });
});

/* A TIFF file of 16 x 8 indices of a palette, whose luma is another. */
function writePalette(path) {
  const tags = [[256, 16], [257, 8], [258, 8], [259, 1], [262, 3], [273, 8], [277, 1], [278, 8], [279, 128], [320, 0]];
  const file = Buffer.alloc(136 + 6 + 12 * tags.length + 1536), at = file.length - 1536;
  file.write("II*\0", "latin1");
  file.writeUInt32LE(136, 4);
  for (let i = 0; i < 128; i++) file[8 + i] = (i * 5) % 3;
  file.writeUInt16LE(tags.length, 136);
  tags.forEach(([tag, value], i) => {
    file.writeUInt16LE(tag, 138 + 12 * i);
    file.writeUInt16LE(3, 140 + 12 * i);
    file.writeUInt32LE(tag === 320 ? 768 : 1, 142 + 12 * i);
    file.writeUInt32LE(tag === 320 ? at : value, 146 + 12 * i);
  });
  for (let i = 0; i < 768; i++) file.writeUInt16LE((257 * (i * 91)) % 65536, at + 2 * i);
  writeFileSync(path, file);
}

/* Gives files a folder for themselves. */
async function inFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), "rugose-"));
  try {
    await use((name) => join(folder, name));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("boxcount, masks and labels: indices of palettes, pixels without data", () => inFolder(async (path) => {
  writePalette(path("palette.tif"));
  const palette = path("palette.tif"), nodata = "nodata_binary.tif";
  for (const what of ["mask", "labels"]) {
    await compare("boxcount", [palette], { foreground: "above=100" }, { [what]: palette });
    await compare("boxcount", ["nodata_surface.tif"], {}, { [what]: nodata });
    await compare("boxcount", [nodata], {}, { [what]: nodata });
  }
  const { notes } = await run(rugose, await inputOf(palette), "boxcount", {}, { mask: await twinOf(palette) });
  assert.match(notes[0], /palette indices/);
}));

/* A NIfTI volume of bytes. @param rows  of the affine: to x, y and z */
function writeNifti(path, [nx, ny, nz], pixels, rows) {
  const file = Buffer.alloc(352 + pixels.length);
  file.writeInt32LE(348, 0);
  [3, nx, ny, nz, 1, 1, 1, 1].forEach((n, i) => file.writeInt16LE(n, 40 + 2 * i));
  file.writeInt16LE(2, 70);
  file.writeInt16LE(8, 72);
  [1, 1, 2, 3].forEach((d, i) => file.writeFloatLE(d, 76 + 4 * i));
  file.writeFloatLE(352, 108);
  file[123] = 2;
  file.writeInt16LE(1, 254);
  rows.flat().forEach((value, i) => file.writeFloatLE(value, 280 + 4 * i));
  file.write("n+1\0", 344, "latin1");
  file.set(pixels, 352);
  writeFileSync(path, file);
}

test("boxcount, masks and labels that lie turned or elsewhere", () => inFolder(async (path) => {
  const pixels = Uint8Array.from({ length: 4 * 4 * 5 }, (_, i) => (i * 37) % 11), shape = [4, 4, 5];
  const masks = {
    "flipped.nii": [[-1, 0, 0, 3], [0, 2, 0, 5], [0, 0, -3, 12]],
    "exchanged.nii": [[0, 1, 0, 0], [2, 0, 0, 5], [0, 0, 3, 0]],
    "shifted.nii": [[1, 0, 0, 1], [0, 2, 0, 5], [0, 0, 3, 0]],
    "oblique.nii": [[1, 0.5, 0, 0], [0, 2, 0, 5], [0, 0, 3, 0]],
  };
  writeNifti(path("image.nii"), shape, pixels.slice().reverse(), [[1, 0, 0, 0], [0, 2, 0, 5], [0, 0, 3, 0]]);
  for (const [name, rows] of Object.entries(masks)) {
    writeNifti(path(name), shape, pixels.map((v) => v % 4), rows);
    await compare("boxcount", [path("image.nii")], {}, { mask: path(name) });
    await compare("boxcount", [path("image.nii")], { sizes: "1,2,3" }, { labels: path(name) });
    await compare("boxcount", [path("image.nii")], { "ignore-geometry": true }, { mask: path(name) });
  }
  const [image, mask] = [await inputOf(path("image.nii")), await inputOf(path("flipped.nii"))];
  assert.match((await run(rugose, image, "boxcount", {}, { mask })).notes[0], /turned: z and x flipped$/);
}));

test("a range of the fit counts nothing again", async () => {
  const image = await inputOf("bin_retina_vessels.png");
  const first = await run(rugose, image, "boxcount", { fit: "1..64" }), count = rugose.boxcount;
  rugose.boxcount = () => assert.fail("counted again");
  try {
    const again = await run(rugose, image, "boxcount", { fit: "4..64" });
    assert.equal(again.rows[0].row.size_min, 4);
    assert.deepEqual(again.rows[0].row.counts.map((c) => c.nonempty), first.rows[0].row.counts.map((c) => c.nonempty));
  } finally {
    rugose.boxcount = count;
  }
});
