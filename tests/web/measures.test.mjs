/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The commands multifractal, lacunarity, lbp, haralick and compress of the page against the program: the bytes of
 * CSV and JSON, read lines, warnings and failures, over the files of tests/data; maps and streams byte for byte.
 *
 *   RUGOSE=build/release/cli/rugose RUGOSE_WEB=build/web node --test tests/web/measures.test.mjs */

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { decode } from "../../web/commands/cmd_compress.js";
import { run } from "../../web/commands/run.js";
import { read } from "../../web/files/read.js";
import { compare, filesOf, inputOf, program, rugose, wordsOf } from "./twins.mjs";

const folder = mkdtempSync(join(tmpdir(), "rugose-"));
after(() => rmSync(folder, { recursive: true }));

/* What takes seconds in WebAssembly. */
const LARGE = /_2048\.png$|retina|hubble|colin27_gm|menger_243|mni152/;

const ALL = filesOf(".png", ".tif", ".npy", ".nii.gz").filter((name) => !LARGE.test(name));
const SOME = ["bin_sierpinski_256.png", "bin_full_256.png", "cascade_1234_k7.png", "mri_t1_axial.png", "nodata_surface.tif",
  "nodata_binary.tif", "textures/train/brick/00.png", "tiff/gdal_u12.tif", "tiff/tifffile_f16.tif", "tiff/tifffile_f64.tif",
  "tiff/tifffile_i64.tif", "dicom/signed.npy", "dicom/ct.npy", "volumes/simpleitk_mask.nii.gz"];
const POINTS = ["gb_coast_xy.tsv"];

function compareAll(command, sets) {
  for (const [options, names = SOME, others = {}] of sets)
    test(`${command} ${wordsOf({ ...options, ...others }).join(" ")}`, () => compare(command, names, options, others));
}

const NUCLEI = ["nuclei3d.nii.gz"], CELLS = ["ht29_dna.png"];
const CELL_LABELS = { labels: "ht29_labels.png" };

compareAll("multifractal", [
  [{ q: "-2..4:0.5" }, ALL],
  [{ foreground: "auto", q: "0,1,2" }],
  [{ foreground: "otsu-dark", fit: "auto", q: "-1,1" }],
  [{ fit: "2..16", q: "-10..10:4" }, ["cascade_0113_k8.png", "nodata_surface.tif"], { mask: "bin_sierpinski_256.png" }],
  [{ method: "alpha", slices: "5" }],
  [{ method: "alpha", measure: "iso", "iso-tolerance": "2", windows: "3", "alpha-range": "0..2", slices: "3" }],
  [{ q: "0..2:1" }, POINTS],
  [{ q: "0..2:1", resolution: "64" }, POINTS],
]);

compareAll("lacunarity", [
  [{}, ALL],
  [{ gray: true, sizes: "1..9:2", boxes: "fixed" }],
  [{ foreground: "nonzero", sizes: "2,300" }],
  [{}, CELLS, CELL_LABELS],
  [{ gray: true, sizes: "2,4,8" }, CELLS, { ...CELL_LABELS, mask: "bin_camera_otsu.png" }],
]);

compareAll("lbp", [
  [{}, ALL],
  [{ planes: "all" }, ["menger_81.nii.gz", "camera.png"]],
  [{ lbp: ["8,1", "16,2"], normalize: true }],
  [{ method: "nri_uniform", border: "skip", exact: "decimal" }],
  [{ method: "ror", interpolation: "nearest", points: "6", radius: "1.5" }],
  [{ method: "var", cuts: "10,50,200" }],
  [{ cuts: "100" }, CELLS, CELL_LABELS],
]);

compareAll("haralick", [
  [{ features: "13" }, ALL],
  [{ levels: "16", distances: "1,3", aggregate: "none", features: "contrast,entropy" }],
  [{ levels: "8", range: "type", names: "ibsi", features: "all", asymmetric: true }],
  [{ "bin-width": "25", resegment: "50..200", log: "e", aggregate: "range" }],
  [{ levels: "32", pairs: "frame", aggregate: "merged" }, CELLS, CELL_LABELS],
  [{ levels: "16", slices: "mean" }, NUCLEI, { labels: "nuclei3d_labels.nii.gz" }],
]);

/* ---- Maps ---- */

/* Pixels of a TIFF that the program wrote. */
const pixelsOf = async (path) => (await read(path, new Uint8Array(readFileSync(path)), {})).data;

async function compareMap(command, options, name) {
  const map = join(folder, command + ".tif"), given = { ...options, map };
  program(command, ...wordsOf(given), name);
  const { extra } = await run(rugose, await inputOf(name), command, given);
  assert.deepEqual(extra.map.data, await pixelsOf(map));
}

test("maps are those of the program", async () => {
  await compareMap("multifractal", { method: "alpha" }, "mri_t1_axial.png");
  await compareMap("lbp", { method: "default" }, "mri_t1_axial.png");
  await compareMap("haralick", { window: "5", levels: "16", features: "contrast" }, "mri_t1_axial.png");
});

/* ---- Compression ---- */

const PICTURES = ["mri_t1_axial.png", "bin_sierpinski_256.png", "cascade_1234_k7.png", "textures/train/brick/00.png",
  "nodata_surface.tif", "dicom/ct.npy"];

const withoutSeconds = (text) => text.replace(/"seconds": .*/g, "").replace(/,[^,]*,([^,]*)$/gm, ",$1");

for (const options of [{}, { quality: "80", residual: "off" }, { bpp: "0.5" }, { partition: "overlap", "range-size": "4" }])
  test(`compress ${wordsOf(options).join(" ")}`, async () => {
    const given = { ...options, output: join(folder, "{}.rfi") };
    const results = await compare("compress", PICTURES, given, {}, { tables: withoutSeconds });
    assert.ok(results.length > 0);
    for (const { rows, extra } of results) assert.deepEqual(Buffer.from(extra.stream), readFileSync(rows[0].row.output));
  });

test("a stream is decoded four times as large, also a part of it", async () => {
  const large = join(folder, "large.tif"), stream = join(folder, "brick.rfi");
  const { extra } = await run(rugose, await inputOf("textures/train/brick/00.png"), "compress", { quality: "30" });
  writeFileSync(stream, extra.stream);
  program("decompress", "--scale=4", stream, "-o", large);
  const whole = decode(rugose, extra.stream, { scale: 4 });
  assert.deepEqual(whole.shape, [512, 512]);
  assert.deepEqual(whole.data, await pixelsOf(large));
  const part = decode(rugose, extra.stream, { scale: 4, first: [10, 20], shape: [5, 6] });
  assert.deepEqual(part.shape, [20, 24]);
  assert.deepEqual(part.data.subarray(24, 48), whole.data.subarray(41 * 512 + 80, 41 * 512 + 104));
});
