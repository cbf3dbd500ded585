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
import { toJson } from "../../web/commands/tables.js";
import { parametersOf, prepare, run } from "../../web/commands/run.js";
import { commandLine } from "../../web/commands/words.js";
import { read } from "../../web/files/read.js";
import { compare, filesOf, inputOf, program, rugose, wordsOf } from "./twins.mjs";

const folder = mkdtempSync(join(tmpdir(), "rugose-"));
after(() => rmSync(folder, { recursive: true }));

/* What takes seconds in WebAssembly. */
const LARGE = /_2048\.png$|retina|hubble|colin27_gm|menger_243|mni152/;

const ALL = filesOf(".png", ".tif", ".npy", ".nii.gz").filter((name) => !LARGE.test(name));
const SOME = [
  "bin_sierpinski_256.png", "bin_full_256.png", "cascade_1234_k7.png", "mri_t1_axial.png", "nodata_surface.tif",
  "nodata_binary.tif", "textures/train/brick/00.png", "tiff/gdal_u12.tif", "tiff/tifffile_f16.tif",
  "tiff/tifffile_f64.tif", "tiff/tifffile_i64.tif", "dicom/signed.npy", "dicom/ct.npy",
  "volumes/simpleitk_mask.nii.gz",
];
const POINTS = ["gb_coast_xy.tsv"];

function compareAll(command, sets) {
  for (const [options, names = SOME, others = {}] of sets)
    test(`${command} ${wordsOf({ ...options, ...others }).join(" ")}`, () =>
      compare(command, names, options, others, { near: NEAR[command] }));
}

/* Where libraries of C differ in the last digit: musl's pow() and log10() are not those of the program's C library. */
const LAST = 4.5e-16;
const NEAR = { multifractal: { Z: LAST }, compress: { psnr: LAST } };

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
  [{ q: "0..2:1", resolution: "64" }, [...POINTS, "camera.png"]],
  [{ foreground: "auto", spacing: "2" }, [...POINTS, "camera.png"]],
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
  [{ levels: "16", angles: "0,z+1,y-1,x-1", features: "contrast" }, [...NUCLEI, "camera.png"]],
  [{ levels: "32", range: "0..300", distances: "1,200", features: "correlation,contrast" }],
]);

/* ---- Options ---- */

const REFUSED = [
  ["multifractal", { q: "1,x" }], ["multifractal", { q: "0..9" }], ["multifractal", { q: "0..2000:1" }],
  ["multifractal", { q: "0..9:1e-3" }], ["multifractal", { q: "1e9" }], ["multifractal", { measure: "sum" }],
  ["multifractal", { method: "alpha", q: "1" }], ["multifractal", { method: "alpha", fit: "auto" }],
  ["multifractal", { method: "alpha", "iso-tolerance": "2" }],
  ["multifractal", { method: "alpha", "alpha-range": "2..1" }], ["multifractal", { method: "alpha", windows: "1" }],
  ["multifractal", { resolution: "5", spacing: "1" }], ["lacunarity", { gray: true, foreground: "auto" }],
  ["lacunarity", { boxes: "sliding" }], ["lbp", { lbp: "8" }], ["lbp", { lbp: ["8,1", "8,1.0"] }],
  ["lbp", { lbp: "33,1" }], ["lbp", { lbp: "8,1", points: "8" }], ["lbp", { cuts: "1,x" }],
  ["lbp", { method: "var" }], ["lbp", { method: "default", points: "24" }], ["lbp", { method: "ror", points: "24" }],
  ["lbp", { method: "var", exact: "float", cuts: "1" }], ["lbp", { points: "0" }],
  ["haralick", { distances: "1,0" }], ["haralick", { angles: "0,30" }], ["haralick", { angles: "z+1,y-1" }],
  ["haralick", { frame: "3" }], ["haralick", { frame: "1", pairs: "frame", distances: "1,2" }],
  ["haralick", { levels: "1" }], ["haralick", { range: "image" }], ["haralick", { range: "2..1", levels: "8" }],
  ["haralick", { range: "roi", levels: "exact" }], ["haralick", { "bin-width": "0" }],
  ["haralick", { "bin-width": "1", levels: "8" }], ["haralick", { "bin-origin": "1" }],
  ["haralick", { "bin-origin": "x", "bin-width": "2" }], ["haralick", { resegment: ".." }],
  ["haralick", { window: "4" }], ["haralick", { window: "5" }], ["haralick", { features: "contrst" }],
  ["haralick", { features: "quux" }], ["haralick", { slices: "mean", angles: "z+1,y-1,x-1" }],
  ["haralick", { window: "5", map: "a.tif", features: "max_correlation_coefficient" }],
  ["multifractal", { threshold: "5" }], ["multifractal", { "skip-rows": "x" }], ["lacunarity", { cutoff: "1" }],
  ["haralick", { bins: "8" }], ["haralick", { "weighting-norm": "1" }], ["lbp", { interpolation: "hardware" }],
  ["compress", { quality: "0" }], ["compress", { quality: "5", bpp: "1" }],
  ["compress", { quality: "5", partition: "fixed" }], ["compress", { "range-size": "8" }],
  ["compress", { "domain-step": "3" }], ["compress", { "shadow-limit": "1" }], ["compress", { "domain-wrap": true }],
  ["compress", { partition: "overlap", "range-size": "5" }], ["compress", { partition: "fixed", residual: "on" }],
  ["compress", { partition: "fixed", search: "fast" }], ["compress", { output: "a.png" }],
  ["compress", { volume: true }], ["compress", { bpp: "0" }], ["compress", { lossless: true, quality: "9" }],
  ["compress", { lossless: true, "stream-version": "1" }], ["compress", { "stream-version": "1", effort: "9" }],
  ["compress", { residual: "off", tune: "psnr" }], ["compress", { partition: "overlap", tile: "256" }],
  ["compress", { "stream-version": "3", residual: "off" }], ["compress", { tile: "288" }], ["compress", { "domain-step": "8" }],
  ["compress", { channel: "0", chroma: "420" }], ["compress", { bpp: "1", output: "{quality}.rfi" }],
  ["compress", { lossless: true, output: "{quality}.rfi" }],
];

test("options are refused with the program's words", () => {
  for (const [command, given] of REFUSED) {
    const output = command === "compress" && !given.output ? { output: "a.rfi" } : {};
    const [line] = program(command, ...wordsOf({ ...given, ...output }), "camera.png").lines;
    const message = line.replace(/^rugose: |; see 'rugose help.*$/g, "");
    assert.throws(() => parametersOf(command, given, {}, rugose), { message }, line);
  }
});

test("points have no pixels", async () => {
  const points = await inputOf(POINTS[0]);
  for (const [command, given] of [["lacunarity"], ["lbp"], ["haralick"], ["compress"],
    ["multifractal", { method: "alpha" }]])
    await assert.rejects(run(rugose, points, command, given), /takes images, and these are points/);
});

test("a command line has what the program asks for, and lists as options that are given again", () => {
  assert.equal(commandLine("compress", { quality: "50" }, ["a.png"]),
    "rugose compress --output '{}.rfi' --strip --no-alpha --quality 50 a.png");
  for (const earlier of [{ residual: "off" }, { "stream-version": "1" }, { partition: "fixed" }])
    assert.equal(commandLine("compress", earlier, ["a.png"]),
      `rugose compress --output '{}.rfi' ${wordsOf(earlier).join(" ")} a.png`);
  assert.equal(commandLine("lbp", { lbp: ["8,1", "16,2"] }, ["a.png"]), "rugose lbp --lbp 8,1 --lbp 16,2 a.png");
});

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
  "nodata_surface.tif", "nodata_binary.tif", "tiff/tifffile_u64_planes.tif", "dicom/ct.npy"];

const withoutSeconds = (text) => text.replace(/"seconds": .*/g, "").replace(/,[^,]*,([^,]*)$/gm, ",$1");

/* The page codes pixels alone. */
const PIXELS = { strip: true, "no-alpha": true };

const CODINGS = [
  [PIXELS], [{ ...PIXELS, effort: "2", tune: "psnr", progressive: true, quality: "70" }],
  [{ ...PIXELS, lossless: true }], [{ ...PIXELS, tile: "256", bpp: "1.5" }, ["mri_t1_axial.png"]],
  [{ "stream-version": "1", search: "fast" }], [{ quality: "80", residual: "off" }], [{ partition: "overlap", "range-size": "4" }],
  [{ ...PIXELS, psnr: "30", effort: "9" }, ["textures/train/brick/00.png"]],
];

for (const [options, names = PICTURES] of CODINGS)
  test(`compress ${wordsOf(options).join(" ")}`, async () => {
    const given = { ...options, output: join(folder, "{}.rfi") };
    const results = await compare("compress", names, given, {}, { tables: withoutSeconds, near: NEAR.compress });
    for (const { rows: [{ row }], extra } of results)
      assert.deepEqual(Buffer.from(extra.stream), readFileSync(row.output));
  });

/* A TIFF of red, green and blue without compression. */
function writeColours(path, pixels, ny, nx) {
  const tags = [[256, nx], [257, ny], [258, 8], [259, 1], [262, 2], [273, 134], [277, 3], [278, ny],
    [279, pixels.length]];
  const head = new DataView(new ArrayBuffer(134));
  head.setUint32(0, 0x49492a00);
  head.setUint32(4, 8, true);
  head.setUint16(8, tags.length, true);
  tags.forEach(([tag, value], i) => {
    head.setUint16(10 + 12 * i, tag, true);
    head.setUint16(12 + 12 * i, 4, true);
    head.setUint32(14 + 12 * i, 1, true);
    head.setUint32(18 + 12 * i, value, true);
  });
  writeFileSync(path, Buffer.concat([Buffer.from(head.buffer), pixels]));
}

test("an image in colour is coded with its planes", async () => {
  const path = join(folder, "colour.tif"), output = join(folder, "{}.rfi"), n = 32;
  writeColours(path, Uint8Array.from({ length: 3 * n * n }, (_, i) => (i * i >> 3) % 256), n, n);
  const bytes = new Uint8Array(readFileSync(path));
  const of = async (how) => prepare(rugose, await read(path, bytes, how), bytes);
  const image = await of({}), planes = await Promise.all(["0", "1", "2"].map((channel) => of({ channel })));
  for (const own of [{}, { chroma: "420", "chroma-quality": "30" }, { lossless: true }]) {
    const given = { ...PIXELS, ...own, output };
    const result = await run(rugose, image, "compress", given, { planes });
    const json = program("compress", ...wordsOf(given), "-f", "json", path);
    assert.equal(withoutSeconds(toJson([result])), withoutSeconds(json.out));
    assert.ok(json.lines.includes(`read ${path}: ${result.read}`));
    assert.deepEqual(Buffer.from(result.extra.stream), readFileSync(join(folder, "colour.rfi")));
  }
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
