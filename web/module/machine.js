// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the rugose authors

// The module of WebAssembly: its functions, its memory, and its threads, which are workers that run the same
// module in the same memory. There is no code of Emscripten beside it.

import { RugoseError } from "./errors.js";

/** What the C library asks its system for: the time; files, of which there are none. */
function systemOf(memory) {
  const bad = () => 8; // not an open file
  return {
    clock_time_get: (id, precision, at) => {
      new DataView(memory().buffer).setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    fd_write: bad, fd_read: bad, fd_close: bad, fd_seek: bad, fd_fdstat_get: bad,
    proc_exit: (code) => { throw new RugoseError("RUG_E_DEVICE", `the module ended with ${code}`); },
  };
}

/** What a module wants, of what there is. */
function importsOf(module, given) {
  const imports = {};
  for (const { module: room, name } of WebAssembly.Module.imports(module)) {
    if (!given[room]?.[name]) throw new RugoseError("RUG_E_FORMAT", `a module that needs ${room}.${name} given; one of this version expected`);
    (imports[room] ??= {})[name] = given[room][name];
  }
  return imports;
}

/** Makes a module run. "calls" is what it calls of rugose.js: call, progress, cancel, warn. */
export async function startMachine(wasm, calls) {
  const machine = { broken: null };
  const module = wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(wasm);
  const given = { rugose: calls, wasi_snapshot_preview1: systemOf(() => machine.memory),
    env: { emscripten_notify_memory_growth: () => {}, __call_sighandler: () => {} } };
  const instance = await WebAssembly.instantiate(module, importsOf(module, given));
  machine.exports = instance.exports;
  machine.memory = instance.exports.memory;
  instance.exports._initialize?.();
  machine.end = () => {};
  return machine;
}
