/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What works behind the page: it reads files, keeps the pixels of those that are open, and runs commands on
 * them. A message {name, args} asks; {value} or {error: {name, message, status}, isBroken} answers. Between
 * them come {progress: share}. After isBroken nothing but an end is left. */

import { load } from "rugose-module";
import { read } from "../files/read.js";
import { parametersOf, prepare, run } from "../commands/run.js";
import { toCsv, toJson } from "../commands/tables.js";
import { commandLine } from "../commands/words.js";
import { histogram, picture } from "./samples.js";
import { decode as decodeStream } from "../commands/cmd_compress.js";
import { colours, keepsColours } from "./colours.js";
import { decode } from "./decode.js";

const open = new Map(); /* id -> {image and twin of prepare(), planes and source of colours.js} */
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

/* A mask or label image, of which the indices of a palette count, not its luma. */
async function twinOf(id) {
  if (id === null || id === undefined) return undefined;
  const entry = entryOf(id);
  if (!entry.source) return entry.image;
  const { name, file, options } = entry.source;
  entry.twin = entry.twin || await prepare(rugose, await read(name, file, { ...options, indices: true, decode }), file);
  return entry.twin;
}

/* What the page knows of an image. */
function factsOf({ name, kind, n_bytes }, image) {
  const common = { name, kind, n_bytes, read: image.facts };
  if (kind === "points") {
    const [n, ndim] = image.points.shape;
    const { dtype } = image.facts;
    return { ...common, shape: [n, ndim], n_points: n, n_axes: ndim, dtype, spacing: null, spacing_unit: null, range: null };
  }
  const { spacing_unit, range } = image, dtype = image.facts.dtype || image.dtype;
  const [shape, spacing] = [image.shape, image.spacing].map((list) => Array.from(list));
  return { ...common, shape, dtype, spacing, spacing_unit, range };
}

/* Whether a text is made, and is another one. */
function isSame(make, other) {
  try {
    return make() === other;
  } catch (e) {
    return false;
  }
}

const inOrder = (options, kept) => Object.fromEntries(Object.entries(options).filter(([name]) => name in kept));

const jobs = {
  /** Makes the module ready. @param wasm  its bytes */
  async start(wasm) {
    rugose = await load({ wasm });
    rugose.onprogress = tell;
    return { version: rugose.version, threads: rugose.threads() };
  },

  /** Reads a file and measures its range. @return its facts */
  async open(id, name, bytes, options) {
    jobs.close(id);
    const file = new Uint8Array(bytes), input = await read(name, file, { ...options, decode });
    const image = await prepare(rugose, input, file);
    const isLuma = image.facts.channel === -1;
    open.set(id, { image, planes: null, source: isLuma ? { name, file, options } : null });
    return factsOf(input, image);
  },

  close(id) {
    const entry = open.get(id);
    for (const image of entry ? [entry.image, entry.twin, ...entry.planes || []] : []) if (image) image.free();
    open.delete(id);
  },

  picture: (id, options) => picture(entryOf(id).image, options || {}),

  histogram(id, nBins, others) {
    const mask = others && others.mask !== undefined && others.mask !== null ? entryOf(others.mask).image : null;
    return histogram(entryOf(id).image, nBins, mask);
  },

  /** Runs a command. @param isBare  leaves out what only the page of the current image shows */
  async measure(id, command, options, others, isBare) {
    const entry = entryOf(id), given = { labels: await twinOf(others.labels), mask: await twinOf(others.mask) };
    if (entry.source && keepsColours(command, entry.image, options))
      given.planes = entry.planes = entry.planes || await colours(rugose, entry.source);
    const result = await run(rugose, entry.image, command, options, given);
    if (isBare) result.extra = null;
    return result;
  },

  /** The table of many results, as the program writes it. */
  text(kind, results, command, options) {
    return kind === "csv" ? toCsv(results) : toJson(results, { command, options });
  },

  /** A part of a stream, decoded larger: see decode() of cmd_compress.js. */
  decode: (stream, part) => decodeStream(rugose, stream, part),

  /** The command line, without options that have their defaults. A page is never left out: without one, pages may be
   *  slices of a volume. */
  words(command, options, names, others) {
    const given = { ...options }, meaning = () => JSON.stringify(parametersOf(command, given, others, rugose));
    const whole = meaning();
    for (const [name, value] of Object.entries(options)) {
      delete given[name];
      if (name === "page" || !isSame(meaning, whole)) given[name] = value;
    }
    return commandLine(command, inOrder(options, given), names, others);
  },

  memory: () => ({ module: rugose.memory(), open: open.size }),
};

/* Whether the module has stopped for good. */
function isBroken() {
  try {
    if (rugose) rugose.set_threads(rugose.threads());
    return !rugose;
  } catch (e) {
    return true;
  }
}

async function answer({ name, args }) {
  try {
    const value = await jobs[name](...args);
    postMessage({ value }, name === "picture" ? [value.values.buffer] : []);
  } catch (e) {
    postMessage({ error: { name: e.name, message: e.message, status: e.status }, isBroken: isBroken() });
  }
}

let last = Promise.resolve();
onmessage = ({ data }) => { last = last.then(() => answer(data)); };
