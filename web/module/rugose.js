// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the rugose authors

// The public C interface for JavaScript. Functions are those of the headers, without rug_: interface.js, which is
// made of them, says what they take and give. docs/web.md says how to call them.

import { Calls, OWN } from "./calls.js";
import { RugoseError } from "./errors.js";
import { canShare, processors } from "./machine.js";
import described from "rugose-interface";

export { RugoseError };

/** More would take more memory than time. */
const MOST_WORKERS = 64;

/** The module of WebAssembly beside this file. */
async function ownBytes(name) {
  const url = new URL(name, import.meta.url);
  if (url.protocol === "file:" && globalThis.process?.versions?.node) {
    const node = "node:fs/promises"; // a variable, so that bundlers for pages leave it alone
    return (await import(node)).readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) throw new RugoseError("RUG_E_IO", `${url}: the server says ${response.status}; a file of WebAssembly expected`);
  return response.arrayBuffer();
}

/** Loads the module and makes a context.
 *  @param wasm     bytes of rugose.wasm or rugose-threads.wasm, or a WebAssembly.Module of one; default: the one
 *                  beside this file that fits
 *  @param threads  1..4096, or 0 (default) for all processors. More than one only where memory can be shared: in
 *                  Node, and in workers of pages that are isolated */
export async function load({ wasm, threads = 0 } = {}) {
  const most = canShare() ? Math.min(threads === 0 ? processors() : threads, MOST_WORKERS) : 1;
  const rugose = new Rugose();
  await rugose[OWN].start(wasm ?? (await ownBytes(most > 1 ? "rugose-threads.wasm" : "rugose.wasm")), most);
  rugose.set_threads(threads);
  return rugose;
}

/** What a context has beside the functions of the interface, which stand below under their names. */
class Rugose {
  constructor() {
    Object.defineProperty(this, OWN, { value: new Calls(this) });
    this.onwarn = null;
    this.onprogress = null;
    this.oncancel = null;
  }

  /** An image or a volume: pixels, slowest axis first, copied once. */
  image(pixels, shape, options) {
    return this[OWN].image(pixels, shape, options);
  }

  /** Points: coordinates of one after the other, shape [n, axes]. */
  points(coordinates, shape, options) {
    return this[OWN].points(coordinates, shape, options);
  }

  get version() {
    return this[OWN].marshal.text(this[OWN].exports.rug_version());
  }

  /** What ran in the last call that measured something. */
  engine() {
    return this[OWN].marshal.text(this[OWN].exports.rug_context_engine(this[OWN].ctx));
  }

  /** How many threads a call may use, and so uses where there are that many. */
  threads() {
    return this[OWN].exports.rug_context_threads(this[OWN].ctx);
  }

  /** @param n  1..4096, or 0 for all that load() was asked for */
  set_threads(n) {
    this[OWN].set_threads(n);
  }

  /** Bytes of the module's memory, which grows when it must and never shrinks. */
  memory() {
    return this[OWN].memory().buffer.byteLength;
  }

  /** Ends the context: its memory is given back, and nothing of it can be used any more. */
  close() {
    this[OWN].close();
  }
}

for (const name of Object.keys(described.functions)) {
  const method = name.replace(/^rug_/, "");
  Rugose.prototype[method] = { [method](...given) { return this[OWN].call(name, given); } }[method];
}
