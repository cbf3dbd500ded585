/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The worker from the page's side: a queue of jobs, of which it does one after the other. What it has open
 * of files is given back when others need it, and read again from the file. */
"use strict";

rugose.engine = (function () {
  const MOST_OPEN = 3;          /* images whose pixels are kept, besides those that a job needs */
  const MOST_BYTES = 256 << 20; /* of their pixels */
  const LARGE = 512 << 20;      /* pixels whose memory is given back, with the worker, once they are gone */
  const MOST_FILE = 2e9;        /* bytes of a file, from which on a browser may refuse it */
  const PATIENCE_MS = 400;      /* after which what is no longer wanted is given up, with the worker */

  const files = new Map(); /* id -> {file, options, facts, isOpen, used} */
  const jobs = [];         /* that have not begun: {name, args, uses, key, rank, done, fail} */
  let worker = null, waiting = null, isBusy = false, nextId = 1, clock = 0, most = 0;

  const stopped = () => Object.assign(new Error("stopped"), { name: "Stopped" });

  /* ---- The worker ---- */

  /* Inflates a text of the page: gzip in base64. */
  async function inflate(id) {
    const packed = Uint8Array.from(atob(document.getElementById(id).textContent), (c) => c.charCodeAt(0));
    return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  }

  let parts = null;
  const inflated = () => parts || (parts = Promise.all([inflate("rugose-worker"),
    inflate(window.crossOriginIsolated ? "rugose-threads" : "rugose-module")]));

  function fail(message) {
    if (waiting) waiting.fail(new Error(message));
    end();
  }

  function listen({ data }) {
    if (data.progress !== undefined) return engine.onprogress && engine.onprogress(data.progress);
    const { done, fail: failed } = waiting;
    waiting = null;
    if (data.isBroken) end();
    if (!data.error) return done(data.value);
    const { name, message, status } = data.error;
    return failed(Object.assign(new Error(message), { name, status }));
  }

  async function begin() {
    try {
      const [script, wasm] = await inflated();
      const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
      worker = new Worker(url);
      worker.onmessage = listen;
      worker.onerror = ({ message }) => fail("the measurement broke off: " + (message || "no reason is known"));
      engine.about = await send("start", [wasm]);
      URL.revokeObjectURL(url);
    } catch (e) {
      if (!engine.about && e.name !== "Stopped") engine.failure = e.message;
      end();
      throw e;
    }
  }

  /* One job of the worker; only one at a time is under way. */
  function send(name, args) {
    return new Promise((done, failed) => {
      if (!worker) return failed(stopped());
      waiting = { name, began: performance.now(), done, fail: failed };
      return worker.postMessage({ name, args });
    });
  }

  /* Ends the worker with all that it holds. */
  function end() {
    if (worker) worker.terminate();
    [worker, waiting, most] = [null, null, 0];
    files.forEach((f) => { f.isOpen = false; });
  }

  /* ---- What is open ---- */

  async function bytesOf(file) {
    try {
      return await file.arrayBuffer();
    } catch (e) {
      if (file.size > MOST_FILE)
        throw new Error("has " + rugose.show(file.size / 1e9, 3) + " GB; this browser reads files of up to 2 GB, the " +
          "program rugose any");
      throw new Error("it can no longer be read (" + e.message + "); open it again if it has changed or moved");
    }
  }

  async function ensure(id) {
    const entry = files.get(id);
    if (!entry) throw new Error("image " + id + " has been removed");
    entry.used = ++clock;
    if (entry.isOpen) return entry;
    const { options } = entry, facts = await send("open", [id, entry.name, await bytesOf(entry.file), options]);
    if (!files.has(id)) await send("close", [id]);
    else if (entry.options === options) return Object.assign(entry, { isOpen: true, facts: { ...facts, id } });
    return ensure(id);
  }

  /* How much memory the pixels of an image take. */
  function bytesOfPixels({ facts }) {
    const bits = Number((/\d+$/.exec(facts.dtype || "") || [8])[0]);
    return (facts.shape.reduce((a, b) => a * b, 1) * bits) / 8;
  }

  const openBytes = () => [...files.values()].filter((f) => f.isOpen).reduce((sum, f) => sum + bytesOfPixels(f), 0);

  /* Gives back what was used longest ago, but for what is needed. */
  async function trim(needed) {
    const list = [...files].filter(([id, f]) => f.isOpen && !needed.includes(id)).sort((a, b) => b[1].used - a[1].used);
    let bytes = 0;
    for (const [i, [id, entry]] of list.entries()) {
      bytes += bytesOfPixels(entry);
      if (i + needed.length < MOST_OPEN && bytes <= MOST_BYTES) continue;
      entry.isOpen = false;
      await send("close", [id]);
    }
    if (most > LARGE && openBytes() < most / 4) end();
  }

  /* ---- Jobs ---- */

  /* The next job: of the highest rank the first. */
  function take() {
    const best = jobs.reduce((a, b) => (b.rank > a.rank ? b : a));
    jobs.splice(jobs.indexOf(best), 1);
    return best;
  }

  async function work(job) {
    const needed = job.uses.filter((id) => id !== null && id !== undefined);
    const unread = needed.filter((id) => !(files.get(id) || {}).isOpen);
    if (unread.length && worker) await trim(needed);
    if (!worker) await begin();
    for (const id of needed) await ensure(id);
    most = Math.max(most, openBytes());
    return job.name ? send(job.name, job.args) : files.get(needed[0]).facts;
  }

  async function pump() {
    if (isBusy) return;
    isBusy = true;
    while (jobs.length) {
      const job = take();
      try {
        job.done(await work(job));
      } catch (e) {
        job.fail(e);
      }
    }
    isBusy = false;
  }

  /* Puts a job into the queue; one with a key takes the place of an older one with it, whose answer is null. */
  function ask(name, args, uses, { key = null, rank = 1 } = {}) {
    const old = key === null ? -1 : jobs.findIndex((job) => job.key === key);
    if (old >= 0) jobs.splice(old, 1)[0].done(null);
    return new Promise((done, failed) => {
      jobs.push({ name, args, uses, key, rank, done, fail: failed });
      pump();
    });
  }

  const engine = {
    onprogress: null,
    /** {version, threads} of the module, once it has started. */
    about: null,
    /** Why it cannot start in this browser. */
    failure: null,

    /** Takes a file in and gives it an id, without reading it. */
    add(file, name, options) {
      const id = nextId++;
      files.set(id, { file, name, options: options || {}, facts: null, isOpen: false, used: 0 });
      return id;
    },

    /** Reads a file that was taken in. @return its facts */
    facts: (id, o) => ask(null, [], [id], o),

    /** Has a file read in another way, once it is needed. */
    reread(id, options) {
      if (files.has(id)) Object.assign(files.get(id), { options, isOpen: false });
    },

    /** Values of pixels, of points where those are measured: samples.js says of what form. */
    picture: (id, size, o) => ask("picture", [id, size], [id], { rank: 2, ...o }),
    histogram: (id, nBins, others = {}, o = {}) =>
      ask("histogram", [id, nBins, others], [id, others.mask], { rank: 2, ...o }),

    /** Runs a command. @param o  {labels, mask: ids, key, rank, isBare: without `extra`} @return the result of run();
     *  null where a newer call with the same key has come before it began */
    measure: (id, command, options, { labels = null, mask = null, isBare = false, ...o } = {}) =>
      ask("measure", [id, command, options, { labels, mask }, isBare], [id, labels, mask], o),

    /** A part of a stream of `compress`, decoded larger.
     *  @param part  {scale, first: [row, column], shape: [rows, columns]}, in pixels of the image that was coded
     *  @return {data, dtype, planes, shape: [rows, columns]} */
    decode: (stream, part, o) => ask("decode", [stream, part], [], { rank: 2, ...o }),

    /** The table of results as the program writes it: "csv" or "json". */
    text: (kind, results, command, options) => ask("text", [kind, results, command, options], [], { rank: 3 }),

    /** The command line that gives the same results. */
    words: (command, options, names, others) => ask("words", [command, options, names, others], [], { rank: 3 }),

    /** Bytes of the module's memory, and the number of images that are open. */
    memory: () => ask("memory", [], [], { rank: 3 }),

    /** Forgets an image. */
    async close(id) {
      const entry = files.get(id);
      files.delete(id);
      if (entry && entry.isOpen && worker) await ask("close", [id], []).catch(() => {});
    },

    /** Gives up a measurement that takes long; its answer is null. */
    giveUp() {
      if (!waiting || waiting.name !== "measure" || performance.now() - waiting.began < PATIENCE_MS) return;
      const { done } = waiting;
      end();
      done(null);
    },

    /** Stops what is being done, and forgets what was to be done. */
    stop() {
      jobs.splice(0).forEach((job) => job.fail(stopped()));
      if (waiting) waiting.fail(stopped());
      end();
    },

    /** The file behind an image. */
    file: (id) => (files.get(id) || {}).file,
  };
  return engine;
})();
