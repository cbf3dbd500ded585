/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The commands multifractal, lacunarity, lbp, haralick and compress of the page against the program: the bytes of
 * CSV and JSON, read lines, warnings and failures, over the files of tests/data; maps and streams byte for byte.
 *
 *   RUGOSE=build/release/cli/rugose RUGOSE_WEB=build/web node --test tests/web/measures.test.mjs */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

import { read } from "../../web/files/read.js";
import { decode } from "../../web/commands/cmd_compress.js";
import { prepare, run } from "../../web/commands/run.js";
import { toCsv, toJson } from "../../web/commands/tables.js";

const ROOT = resolve(import.meta.dirname, "../.."), DATA = join(ROOT, "tests/data");
const PROGRAM = resolve(process.env.RUGOSE || join(ROOT, "build/release/cli/rugose"));
const WEB = resolve(process.env.RUGOSE_WEB || join(ROOT, "build/web"));

let rugose, folder;
const images = new Map();

before(async () => {
  const { load } = await import(pathToFileURL(join(WEB, "rugose.js")));
  rugose = await load({ threads: 1 });
  folder = mkdtempSync(join(tmpdir(), "rugose-"));
});

after(() => {
  for (const image of images.values()) image.free();
  rugose.close();
  rmSync(folder, { recursive: true });
});

/* ---- Files ---- */

const SMALL = ["bin_sierpinski_256.png", "bin_horse.png", "bin_full_256.png", "cascade_1234_k7.png", "bbbc022_ch0.png",
  "mri_t1_axial.png", "nodata_surface.tif", "nodata_binary.tif", "textures/train/brick/00.png", "tiff/gdal_u12.tif",
  "tiff/tifffile_f16.tif", "tiff/tifffile_f64.tif", "tiff/tifffile_i64.tif", "tiff/tifffile_u64_planes.tif",
  "dicom/signed.npy", "menger_81.nii.gz", "volumes/simpleitk_mask.nii.gz"];

/* All that web/files reads, but for what takes long in WebAssembly. */
const FILES = [...readdirSync(DATA).filter((name) => /\.(png|tif)$/.test(name) && !/_2048\.png$|retina/.test(name)),
  ...SMALL.filter((name) => !/^[^/]*\.(png|tif)$/.test(name)), "dicom/ct.npy", "dicom/grey.npy", "nuclei3d_labels.nii.gz"];
const POINTS = ["gb_coast_xy.tsv"];

async function open(name, options = {}) {
  const key = JSON.stringify([name, options]);
  if (!images.has(key)) {
    const bytes = new Uint8Array(readFileSync(resolve(DATA, name)));
    images.set(key, await prepare(rugose, await read(name, bytes, options), bytes));
  }
  return images.get(key);
}

/* ---- The program ---- */

const wordsOf = (options) => Object.entries(options).flatMap(([name, value]) =>
  [value].flat().flatMap((one) => (one === true ? ["--" + name] : ["--" + name, one])));

function program(command, options, names, format) {
  const words = [command, "-f", format, "--threads", "1", ...wordsOf(options), ...names];
  return spawnSync(PROGRAM, words, { cwd: DATA, encoding: "utf8", maxBuffer: 1 << 28 });
}

/* What differs from machine to machine. */
const APART = /"(engine|slices_engine|seconds)": [^,\n]*/g;

/* CSV without columns that differ. */
function table(text) {
  const lines = text.split("\n"), columns = lines[0].split(","), apart = ["engine", "seconds"].map((name) => columns.indexOf(name));
  return lines.map((line) => line.split(",").map((cell, i) => (apart.includes(i) ? "" : cell)).join(","));
}

/* The lines on stderr by the name of their file. */
function said(stderr) {
  const lines = { read: new Map(), failed: new Map() };
  for (const line of stderr.split("\n")) {
    const [, kind, name, text] = /^(read|rugose:)(?! warning) ([^:]+): (.*)$/.exec(line) || [];
    if (kind === "read") lines.read.set(name, text);
    else if (kind && !lines.failed.has(name)) lines.failed.set(name, text);
  }
  return lines;
}

/* ---- Comparing ---- */

async function measure(command, options, names, others) {
  const results = [], failed = new Map();
  for (const name of names)
    try {
      results.push(await run(rugose, await open(name), command, options, others));
    } catch (error) {
      if (!["UsageError", "RugoseError"].includes(error.constructor.name)) throw error;
      failed.set(name, error.message);
    }
  return { results, failed };
}

/* @param others  {mask, labels} by name */
async function compare(command, options, names, others = {}) {
  const csv = program(command, { ...options, ...others }, names, "csv");
  const json = program(command, { ...options, ...others }, names, "json");
  const lines = said(csv.stderr), given = {};
  for (const [kind, name] of Object.entries(others)) given[kind] = await open(name);
  const { results, failed } = await measure(command, options, names, given);
  for (const name of names) assert.equal(failed.get(name), lines.failed.get(name), name);
  for (const { read: text, rows } of results) assert.equal(text, lines.read.get(rows[0].row.image));
  assert.deepEqual(table(toCsv(results)), table(csv.stdout));
  assert.deepEqual(toJson(results).replace(APART, "").split("\n"), json.stdout.replace(APART, "").split("\n"));
  return results;
}

function compareAll(command, sets) {
  for (const [options, names = SMALL, others] of sets)
    test(`${command} ${wordsOf({ ...options, ...others }).join(" ")}`, () => compare(command, options, names, others));
}

const NUCLEI = ["nuclei3d.nii.gz"], CELLS = ["ht29_dna.png"];
const CELL_LABELS = { labels: "ht29_labels.png" };

compareAll("multifractal", [
  [{ q: "-2..4:0.5" }, FILES],
  [{ foreground: "auto", q: "0,1,2" }],
  [{ foreground: "otsu-dark", fit: "auto", q: "-1,1" }],
  [{ fit: "2..16", q: "-10..10:4" }, ["cascade_0113_k8.png", "nodata_surface.tif"], { mask: "bin_sierpinski_256.png" }],
  [{ method: "alpha", slices: "5" }],
  [{ method: "alpha", measure: "iso", "iso-tolerance": "2", windows: "3", "alpha-range": "0..2", slices: "3" }],
  [{ q: "0..2:1" }, POINTS],
  [{ q: "0..2:1", resolution: "64" }, POINTS],
]);

compareAll("lacunarity", [
  [{}, FILES],
  [{ gray: true, sizes: "1..9:2", boxes: "fixed" }],
  [{ foreground: "nonzero", sizes: "2,300" }],
  [{}, CELLS, CELL_LABELS],
  [{ gray: true, sizes: "2,4,8" }, CELLS, { ...CELL_LABELS, mask: "bin_camera_otsu.png" }],
]);

compareAll("lbp", [
  [{}, FILES],
  [{ planes: "all" }, ["menger_81.nii.gz", "camera.png"]],
  [{ lbp: ["8,1", "16,2"], normalize: true }],
  [{ method: "nri_uniform", border: "skip", exact: "decimal" }],
  [{ method: "ror", interpolation: "nearest", points: "6", radius: "1.5" }],
  [{ method: "var", cuts: "10,50,200" }],
  [{ cuts: "100" }, CELLS, CELL_LABELS],
]);

compareAll("haralick", [
  [{ features: "13" }, FILES],
  [{ levels: "16", distances: "1,3", aggregate: "none", features: "contrast,entropy" }],
  [{ levels: "8", range: "type", names: "ibsi", features: "all", asymmetric: true }],
  [{ "bin-width": "25", resegment: "50..200", log: "e", aggregate: "range" }],
  [{ levels: "32", pairs: "frame", aggregate: "merged" }, CELLS, CELL_LABELS],
  [{ levels: "16", slices: "mean" }, [...NUCLEI, "camera.png"], { labels: "nuclei3d_labels.nii.gz" }],
]);

/* ---- Maps ---- */

/* Pixels of a TIFF that the program wrote. */
async function pixelsOf(path) {
  return (await read(path, new Uint8Array(readFileSync(path)), {})).data;
}

async function compareMap(command, options, name) {
  const path = join(folder, command + ".tif"), done = program(command, { ...options, map: path }, [name], "csv");
  assert.equal(done.status, 0, done.stderr);
  const { extra } = await run(rugose, await open(name), command, { ...options, map: path });
  assert.deepEqual(extra.map.data, await pixelsOf(path));
}

test("maps", async () => {
  await compareMap("multifractal", { method: "alpha" }, "mri_t1_axial.png");
  await compareMap("lbp", { method: "default" }, "camera.png");
  await compareMap("haralick", { window: "5", levels: "16", features: "contrast" }, "mri_t1_axial.png");
});

/* ---- Compression ---- */

async function compareStream(options, names) {
  const output = join(folder, "{}.rfi");
  const results = await compare("compress", { ...options, output }, names);
  for (const { rows, extra } of results) assert.deepEqual(Buffer.from(extra.stream), readFileSync(rows[0].row.output));
  return results;
}

for (const options of [{}, { quality: "80", residual: "off" }, { bpp: "0.5" }, { partition: "overlap", "range-size": "4" }])
  test(`compress ${wordsOf(options).join(" ")}`, () =>
    compareStream(options, ["mri_t1_axial.png", "bin_sierpinski_256.png", "cascade_1234_k7.png", "textures/train/brick/00.png",
      "nodata_surface.tif", "menger_81.nii.gz"]));

test("a stream is decoded four times as large", async () => {
  const name = "textures/train/brick/00.png", large = join(folder, "large.tif"), stream = join(folder, "00.rfi");
  const { extra } = await run(rugose, await open(name), "compress", { quality: "30" });
  writeFileSync(stream, extra.stream);
  const done = spawnSync(PROGRAM, ["decompress", "--scale", "4", stream, "-o", large]);
  assert.equal(done.status, 0);
  const whole = decode(rugose, extra.stream, { scale: 4 });
  assert.deepEqual(whole.data, await pixelsOf(large));
  const part = decode(rugose, extra.stream, { scale: 4, first: [10, 20], shape: [5, 6] });
  assert.deepEqual(part.shape, [20, 24]);
  assert.deepEqual(part.data.subarray(24, 48), whole.data.subarray(41 * 512 + 80, 41 * 512 + 104));
});
