/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What works behind the page: it reads files, keeps the pixels of those that are open, and runs commands on
 * them. A message {job, name, args} asks; {job, value} or {job, error: {name, message}} answers. Between
 * them come {progress: share} and, once at the start, {engine: {...}}. */

import { load } from "rugose-module";
import { read } from "../files/read.js";
import { prepare, run } from "../commands/run.js";
import { toCsv, toJson } from "../commands/tables.js";
import { commandLine } from "../commands/words.js";
import { histogram, picture } from "./samples.js";
import { decode } from "./decode.js";

const open = new Map(); /* id -> {input, image} */
let rugose = null;

const PROGRESS_MS = 60;
let told = 0;

/* Tells the page how far a job is, not too often. */
function tell(share) {
  const now = performance.now();
  if (now - told < PROGRESS_MS) return;
  told = now;
  postMessage({ progress: share });
}

function entryOf(id) {
  const entry = open.get(id);
  if (!entry) throw new Error("image " + id + " is not open");
  return entry;
}

const imageOf = (id) => (id === null || id === undefined ? undefined : entryOf(id).image);

/* What the page knows of an image. */
function factsOf(input, image) {
  const { name, kind, dtype, shape, spacing, spacing_unit, n_points, n_axes, axes_names, n_bytes, nodata } = input;
  const facts = { name, kind, dtype, shape: Array.from(shape || [n_points, n_axes]), n_bytes, n_points, n_axes, axes_names };
  facts.spacing = spacing ? Array.from(spacing) : null;
  return { ...facts, spacing_unit: spacing_unit || null, nodata, range: image.range || null, read: image.read || input.facts };
}

const jobs = {
  /** Makes the module ready. @param wasm  its bytes */
  async start(wasm, threads) {
    rugose = await load({ wasm, threads });
    rugose.onprogress = tell;
    return { engine: rugose.engine(), version: rugose.version };
  },

  /** Reads a file and measures its range. @return its facts */
  async open(id, name, bytes, options) {
    jobs.close(id);
    const input = await read(name, new Uint8Array(bytes), { ...options, decode });
    const image = await prepare(rugose, input);
    open.set(id, { input, image });
    return factsOf(input, image);
  },

  close(id) {
    const entry = open.get(id);
    if (entry) entry.image.free();
    open.delete(id);
  },

  picture: (id, options) => picture(entryOf(id).input, options || {}),

  histogram(id, nBins, others) {
    const mask = others && others.mask !== undefined && others.mask !== null ? entryOf(others.mask).input : null;
    return histogram(entryOf(id), nBins, mask);
  },

  /** Runs a command. @param isBare  leaves out what only the page of the current image shows */
  async measure(id, command, options, others, isBare) {
    const given = { labels: imageOf(others.labels), mask: imageOf(others.mask) };
    const result = await run(rugose, entryOf(id).image, command, options, given);
    if (isBare) result.extra = null;
    return result;
  },

  /** The table of many results, as the program writes it. */
  text(kind, results, command, options) {
    return kind === "csv" ? toCsv(results) : toJson(results, { command, options });
  },

  words: (command, options, names, others) => commandLine(command, options, names, others),
  memory: () => ({ module: rugose.memory(), open: open.size }),
};

async function answer({ job, name, args }) {
  try {
    const value = await jobs[name](...args);
    postMessage({ job, value }, name === "picture" ? [value.values.buffer] : []);
  } catch (e) {
    postMessage({ job, error: { name: e.name, message: e.message, status: e.status } });
  }
}

let last = Promise.resolve();
onmessage = ({ data }) => { last = last.then(() => answer(data)); };
