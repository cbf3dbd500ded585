// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the rugose authors

// The module of WebAssembly: its functions, its memory, and its threads, which are workers that run the same
// module in the same memory. There is no code of Emscripten beside it.

import { RugoseError } from "./errors.js";

const MOST_PAGES = 65536;

/** What the C library and its threads ask of the system. Its text is also that of the workers, so it uses nothing
 *  from outside.
 *  @param memory   gives the memory
 *  @param threads  {start(thread, run, argument) -> 0 or an errno, processors} */
function systemOf(memory, threads) {
  const view = () => new DataView(memory().buffer);
  const bad = () => 8; // not an open file
  const end = () => { throw new Error("a thread ended"); };
  const wasi = {
    clock_time_get: (id, precision, at) => {
      view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    fd_write: bad, fd_read: bad, fd_close: bad, fd_seek: bad,
  };
  const env = {
    __call_sighandler() {}, emscripten_notify_memory_growth() {}, emscripten_check_blocking_allowed() {},
    __emscripten_thread_cleanup() {}, _emscripten_notify_thread_queue() {}, emscripten_receive_on_main_thread_js() {},
    emscripten_webgl_create_context: () => 0, emscripten_set_canvas_element_size: () => 0,
    __syscall_open: () => -8, __syscall_fcntl64: () => -8, __syscall_ioctl: () => -8,
    exit: end, emscripten_unwind_to_js_event_loop: end,
    clock_gettime: (id, at) => {
      const now = performance.now();
      view().setInt32(at, Math.floor(now / 1000), true);
      view().setInt32(at + 4, Math.floor((now % 1000) * 1e6), true);
      return 0;
    },
    emscripten_get_now: () => performance.now(),
    emscripten_num_logical_cores: () => threads.processors,
    _emscripten_default_pthread_stack_size: () => 1 << 20,
    emscripten_memcpy_big: (to, from, n) => { new Uint8Array(memory().buffer).copyWithin(to >>> 0, from >>> 0, (from >>> 0) + (n >>> 0)); },
    emscripten_get_heap_max: () => 65535 * 65536,
    emscripten_resize_heap: (n) => {
      const has = memory().buffer.byteLength, wanted = Math.ceil((n >>> 0) / 65536) * 65536;
      for (const size of [Math.max(wanted, has + Math.min(has / 4, 96 << 20)), wanted]) {
        try {
          if (size > has && size <= 65535 * 65536) memory().grow(Math.ceil((size - has) / 65536));
          if (memory().buffer.byteLength >= wanted) return 1;
        } catch { /* less, or none */ }
      }
      return 0;
    },
    __pthread_create_js: (thread, attributes, run, argument) => threads.start(thread, run, argument),
  };
  return { env, wasi_snapshot_preview1: wasi };
}

/** What a worker does: it makes the module run in the memory of others, and runs a thread when it is told to. Its
 *  text, with that of systemOf(), is all of the worker. */
function workerOf(port, makeSystem) {
  let exports;
  port.onmessage = async ({ data }) => {
    if (data.module) {
      const imports = { ...makeSystem(() => data.memory, { start: () => 6, processors: 1 }),
        rugose: { call: () => 7, progress() {}, cancel: () => 0, warn() {} } };
      imports.env.memory = data.memory;
      imports.env.__emscripten_init_main_thread_js = () => {};
      exports = (await WebAssembly.instantiate(data.module, imports)).exports;
      port.postMessage("ready");
      return;
    }
    exports.stackRestore(data.stack); // before anything of C, which would use the stack of the first thread
    exports._emscripten_thread_init(data.thread, 0, 0, 1, 0);
    exports.emscripten_tls_init();
    exports.__indirect_function_table.get(data.run)(data.argument);
  };
}

const workerText = (port) => `(${workerOf})(${port}, ${systemOf});`;

/** A worker of a browser or of Node, as one that has postMessage(), onmessage and terminate(). */
async function makeWorker() {
  if (!globalThis.process?.versions?.node) {
    const url = URL.createObjectURL(new Blob([workerText("self")], { type: "text/javascript" }));
    const worker = new Worker(url);
    worker.release = () => URL.revokeObjectURL(url);
    return worker;
  }
  const node = "node:worker_threads"; // a variable, so that bundlers for pages leave it alone
  const { Worker: NodeWorker } = await import(node);
  const port = "(() => { const { parentPort } = require('node:worker_threads');"
    + " const port = { postMessage: (m) => parentPort.postMessage(m) };"
    + " parentPort.on('message', (data) => port.onmessage({ data })); return port; })()";
  const worker = new NodeWorker(workerText(port), { eval: true });
  worker.on("message", (data) => worker.onmessage?.({ data }));
  worker.release = () => worker.unref(); // a program may end while threads sleep
  return worker;
}

async function startWorker(module, memory) {
  const worker = await makeWorker();
  await new Promise((resolve, reject) => {
    worker.onmessage = resolve;
    worker.onerror = (event) => reject(new RugoseError("RUG_E_DEVICE", `a thread did not start: ${event.message ?? event}`));
    worker.postMessage({ module, memory });
  });
  worker.release();
  return worker;
}

/** Whether there can be threads here: memory that workers share, and a thread that may wait. */
export function canShare() {
  if (globalThis.process?.versions?.node) return true;
  return globalThis.crossOriginIsolated === true && typeof globalThis.document === "undefined" && typeof Worker !== "undefined";
}

/** How many processors there are. */
export const processors = () => globalThis.navigator?.hardwareConcurrency || globalThis.process?.availableParallelism?.() || 1;

/** What a module wants, of what there is. */
function importsOf(module, given) {
  const imports = {};
  for (const { module: room, name } of WebAssembly.Module.imports(module)) {
    if (!given[room]?.[name]) throw new RugoseError("RUG_E_FORMAT", `a module that needs ${room}.${name} given; one of this version expected`);
    (imports[room] ??= {})[name] = given[room][name];
  }
  return imports;
}

/** Makes a module run.
 *  @param wasm     its bytes, or a WebAssembly.Module
 *  @param calls    what it calls of rugose.js: call, progress, cancel, warn
 *  @param threads  as many as there may be, if it is the module that has them */
export async function startMachine(wasm, calls, threads) {
  const module = wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(wasm);
  const isShared = WebAssembly.Module.imports(module).some(({ kind }) => kind === "memory");
  const n_workers = isShared ? Math.max(threads, 1) - 1 : 0;
  const machine = { broken: null, threads: n_workers + 1 };
  const idle = [], workers = [];
  const start = (thread, run, argument) => {
    const worker = idle.pop();
    if (!worker) return 6; // no more of them
    worker.postMessage({ thread, run, argument, stack: machine.exports.rugose_stack(thread) });
    return 0;
  };
  const given = { rugose: calls, ...systemOf(() => machine.memory, { start, processors: n_workers + 1 }) };
  if (isShared) machine.memory = given.env.memory = new WebAssembly.Memory({ initial: 64, maximum: MOST_PAGES, shared: true });
  given.env.__emscripten_init_main_thread_js = (thread) => {
    machine.exports._emscripten_thread_init(thread, 0, 0, 1, 0);
    machine.exports.emscripten_tls_init();
  };
  machine.exports = (await WebAssembly.instantiate(module, importsOf(module, given))).exports;
  machine.memory ??= machine.exports.memory;
  (machine.exports._initialize ?? machine.exports.__wasm_call_ctors)();
  for (let i = 0; i < n_workers; i++) workers.push(startWorker(module, machine.memory));
  idle.push(...(await Promise.all(workers)));
  const all = [...idle];
  machine.end = () => all.forEach((worker) => worker.terminate());
  return machine;
}
