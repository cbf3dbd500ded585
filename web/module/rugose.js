// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the rugose authors

// The public C interface for JavaScript. Functions are those of the headers, without rug_: interface.js, which is
// made of them, says what they take and give. docs/web.md says how to call them.

import { Calls, OWN } from "./calls.js";
import { RugoseError } from "./errors.js";
import described from "rugose-interface";

export { RugoseError };

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
 *  @param wasm     its bytes, or a WebAssembly.Module; default: rugose.wasm beside this file
 *  @param threads  as for set_threads(); more than one only where there is shared memory */
export async function load({ wasm, threads = 0 } = {}) {
  const rugose = new Rugose();
  await rugose[OWN].start(wasm ?? (await ownBytes("rugose.wasm")));
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

  /** @param n  1..4096, or 0 for all */
  set_threads(n) {
    this[OWN].set_threads(n);
  }

  /** Bytes of the module's memory, which grows when it must and never shrinks. */
  memory() {
    return this[OWN].memory().buffer.byteLength;
  }

  /** Ends it: its memory goes back, and nothing of it can be used any more. */
  close() {
    this[OWN].close();
  }
}

for (const name of Object.keys(described.functions)) {
  const method = name.replace(/^rug_/, "");
  Rugose.prototype[method] = { [method](...given) { return this[OWN].call(name, given); } }[method];
}
