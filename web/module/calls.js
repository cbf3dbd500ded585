// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the rugose authors

// Calls of the C interface: arguments into the module's memory, results out of it, failures as errors.

import { RugoseError, refuse, shown } from "./errors.js";
import { startMachine } from "./machine.js";
import { Marshal, fromBig, numberOf } from "./marshal.js";
import { makeImage, makePoints } from "./pixels.js";
import described from "rugose-interface";

/** Where an object keeps what the module has of it. */
export const OWN = Symbol("of the module");

const STATUSES = described.enums.rug_status.constants;
const OPTIONAL = ["mask", "range", "opts", "maps"];
const OUTS = ["new", "out", "out_array", "out_text", "out_count"];
const MOST_BYTES = 2 ** 32;

/** A context of a running module. */
export class Calls {
  constructor(owner) {
    this.owner = owner; // of onwarn, onprogress and oncancel
    this.marshal = new Marshal(this, described);
    this.callbacks = new Map();
    this.last = 0;
    this.registry = new FinalizationRegistry(({ free }) => free());
  }

  async start(wasm, n_threads) {
    this.machine = await startMachine(wasm, {
      call: (id, first, second) => this.call_back(id, first >>> 0, second >>> 0),
      progress: (share) => this.guard(() => this.owner.onprogress?.(share)),
      cancel: () => (this.thrown || this.guard(() => this.owner.oncancel?.()) ? 1 : 0),
      warn: (text) => this.guard(() => this.owner.onwarn?.(this.marshal.text(text >>> 0))),
    }, n_threads);
    this.exports = this.machine.exports;
    this.marshal.begin();
    const lent = [], at = this.marshal.lend(lent, 8, "a context");
    this.check(this.exports.rug_context_new(at));
    this.ctx = this.marshal.view().getUint32(at, true);
    this.marshal.free_all(lent);
  }

  memory() {
    return this.machine.memory;
  }

  close() {
    this.machine.end();
    this.machine.broken = "it was closed";
    this.machine.memory = { buffer: new ArrayBuffer(0) };
    this.machine.exports = this.exports = {};
  }

  set_threads(n) {
    const wanted = numberOf("i32", n, "threads");
    const most = this.machine.threads;
    const given = wanted > most && wanted <= 4096 ? most : wanted;
    this.enter(() => this.check(this.exports.rug_context_set_threads(this.ctx, given)));
  }

  // ---- Into the module and back ----

  /** Runs the module. What it cannot go on from ends it. */
  enter(run) {
    if (this.machine.broken) {
      throw new RugoseError("RUG_E_DEVICE", `the module cannot be used: ${this.machine.broken}; load() makes another one`);
    }
    try {
      return run();
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error;
      this.machine.broken = `it stopped (${error.message})`;
      const isFull = this.memory().buffer.byteLength > 0.9 * MOST_BYTES;
      throw new RugoseError(isFull ? "RUG_E_NOMEM" : "RUG_E_DEVICE", isFull
        ? "this needs more than the 4 GB that a browser's page can have; load() makes another module"
        : `the module stopped: ${error.message}; load() makes another one`);
    }
  }

  /** Runs a function of the caller's; what it throws is thrown when the call has ended, which it does soon. */
  guard(run) {
    try {
      return run();
    } catch (error) {
      this.thrown ??= error;
      return undefined;
    }
  }

  check(status) {
    if (status === 0) return;
    throw new RugoseError(STATUSES[status] ?? `RUG_E_${status}`, this.marshal.text(this.exports.rug_context_error(this.ctx)) ?? "");
  }

  /** Callbacks cost something: they are set where somebody listens. */
  listen() {
    const progress = this.owner.onprogress ? 1 : 0, cancel = progress || this.owner.oncancel ? 1 : 0;
    const wanted = 2 * cancel + progress;
    if (wanted !== this.listening) this.exports.rugose_listen(this.ctx, progress, cancel);
    this.listening = wanted;
  }

  /** Calls a function of interface.js. */
  call(name, given) {
    const { args, result } = described.functions[name];
    const call = { name, lent: [], said: {}, outs: [], ids: [], rows: null, owner: null, raw: new Map() };
    const outer = this.thrown;
    this.thrown = null;
    try {
      this.enter(() => this.listen());
      const raw = this.take(call, args, given);
      const answer = this.enter(() => this.exports[name](...raw));
      if (this.thrown) throw this.thrown;
      return this.answer(call, result, answer);
    } finally {
      this.thrown = outer;
      if (!this.machine.broken) this.marshal.free_all(call.lent);
      call.ids.forEach((id) => this.callbacks.delete(id));
    }
  }

  // ---- Arguments ----

  /** Arguments as the module takes them: first those that are given, since others depend on them. */
  take(call, args, given) {
    const wanted = args.filter((arg) => !OUTS.includes(arg.kind) && arg.kind !== "context" && arg.kind !== "said");
    if (given.length > wanted.length) {
      refuse(`${call.name.slice(4)}: ${given.length} arguments given; ${wanted.map((arg) => arg.name).join(", ")} expected`);
    }
    const hasOuts = args.some((arg) => arg.kind === "new" || arg.kind === "out");
    wanted.forEach((arg, i) => call.raw.set(arg, this.argument(call, arg, given[i], hasOuts)));
    args.filter((arg) => OUTS.includes(arg.kind)).forEach((arg) => call.raw.set(arg, this.out(call, arg, args)));
    return args.map((arg) => (arg.kind === "context" ? this.ctx : arg.kind === "said" ? call.said[arg.name] ?? 0 : call.raw.get(arg)));
  }

  argument(call, arg, value, hasOuts) {
    const where = `${call.name.slice(4)}: ${arg.name}`, { marshal } = this;
    const isMissing = value === null || value === undefined;
    if (arg.kind === "callback") return this.rows_of(call, arg, value, hasOuts, where);
    if (isMissing && OPTIONAL.includes(arg.name)) return 0;
    if (isMissing) refuse(`${where}: nothing given; ${arg.name} expected`);
    switch (arg.kind) {
      case "handle": return this.handle(call, arg.of, value, where);
      case "image": return this.pixels(call, "image", value, where).image;
      case "source": return this.pixels(call, "image", value, where).source;
      case "points": return this.pixels(call, "points", value, where).points;
      case "images": return this.images(call, arg, value, where);
      case "struct": return marshal.put_struct(call.lent, arg.of, value, where);
      case "text": return marshal.put_text(call.lent, value, where);
      case "enum": return marshal.enum_number(arg.of, value, where);
      case "array": return this.numbers(call, arg, value, where);
      default: return this.scalar(call, arg, value, where);
    }
  }

  scalar(call, arg, value, where) {
    const number = numberOf(arg.kind, value, where);
    call.said[arg.name] = number;
    return number;
  }

  handle(call, of, value, where) {
    const own = value?.[OWN];
    if (own?.of !== of || own.calls !== this) refuse(`${where}: ${shown(value)} given; what a call returned as ${of.slice(4)} expected`);
    if (own.address === 0) refuse(`${where}: it was freed, or was lent until a callback returned`);
    call.owner ??= value;
    return own.address;
  }

  pixels(call, kind, value, where) {
    const own = value?.[OWN];
    if (own?.of !== kind || own.calls !== this) {
      refuse(`${where}: ${shown(value)} given; what rugose.${kind}() returned expected`);
    }
    if (own.address === 0) refuse(`${where}: it was freed`);
    if (kind === "image") call.pixels ??= own.n_pixels;
    return own;
  }

  /** Planes are copies of views, one after the other. */
  images(call, arg, value, where) {
    if (!Array.isArray(value)) value = [value];
    if (call.said[arg.count] !== undefined && call.said[arg.count] !== value.length) {
      refuse(`${where}: ${value.length} planes given; ${call.said[arg.count]} expected, as of the other image`);
    }
    const { size } = described.structs.rug_image;
    const address = this.marshal.lend(call.lent, value.length * size, where);
    value.forEach((one, i) => {
      const { image } = this.pixels(call, "image", one, `${where}[${i}]`);
      this.marshal.numbers("u8", address + i * size, size).set(this.marshal.numbers("u8", image, size));
    });
    call.said[arg.count] = value.length;
    return address;
  }

  numbers(call, arg, value, where) {
    if (arg.width) value = value.flatMap?.((row) => Array.from(row)) ?? value;
    const address = this.marshal.put_array(call.lent, arg.of, value, where);
    let n = value.length / (arg.width || 1);
    if (arg.square) n = Math.sqrt(n);
    if (!Number.isInteger(n)) refuse(`${where}: ${value.length} numbers given; ${arg.square ? "a square" : `rows of ${arg.width}`} expected`);
    if (arg.length_of && n !== this.length_of(arg.length_of, call.owner)) {
      refuse(`${where}: ${n} numbers given; ${this.length_of(arg.length_of, call.owner)} expected`);
    }
    if (arg.count) call.said[arg.count] = n;
    return address;
  }

  length_of(name, owner) {
    return this.exports[name](owner[OWN].address) >>> 0;
  }

  // ---- What a call fills ----

  out(call, arg, args) {
    const room = this.room(call, arg, args);
    call.outs.push({ arg, ...room });
    if (arg.count) call.said[arg.count] = room.n;
    return room.address;
  }

  /** Memory for what comes out. */
  room(call, arg, args) {
    const { marshal } = this;
    if (arg.kind === "out" && described.structs[arg.of]) return { address: marshal.empty_struct(call.lent, arg.of, arg.name) };
    if (arg.kind !== "out_array" && arg.kind !== "out_text") return { address: marshal.lend(call.lent, 8, arg.name) };
    let n = arg.length ?? call.pixels;
    if (arg.room) n = call.said[arg.room];
    if (arg.rows) n = call.said[args.find((other) => other.name === arg.rows).count] * call.owner.facts.n_sizes;
    return { address: marshal.lend(call.lent, n * (arg.kind === "out_text" ? 1 : marshal.size_of(arg.of)), `${call.name}: ${arg.name}`), n };
  }

  /** What a call returns: what it filled, its rows, or its own value. */
  answer(call, result, raw) {
    if (result?.kind === "status") this.check(raw);
    else if (result) return this.value(call, result, raw);
    const hidden = call.outs.map(({ arg }) => arg.used);
    const visible = call.outs.filter(({ arg }) => !hidden.includes(arg.name));
    if (visible.length === 0) return call.rows ?? undefined;
    const values = visible.map((out) => [out.arg.name, this.filled(call, out)]);
    return values.length === 1 ? values[0][1] : Object.fromEntries(values);
  }

  filled(call, { arg, address, n }) {
    const { marshal } = this;
    if (arg.kind === "new") return this.own(arg.of, marshal.view().getUint32(address, true));
    if (arg.kind === "out_text") return marshal.text(address);
    if (arg.kind === "out_array") return this.filled_array(call, arg, address, n);
    if (described.enums[arg.of]) return marshal.enum_text(arg.of, marshal.view().getUint32(address, true));
    if (!described.structs[arg.of]) return marshal.number(arg.of, address);
    const value = marshal.struct(arg.of, address, call.owner);
    const free = described.freed[arg.of];
    if (free) this.exports[free](this.ctx, address);
    return value;
  }

  filled_array(call, arg, address, n) {
    const used = call.outs.find((out) => out.arg.name === arg.used);
    const values = this.marshal.array(arg.of, address, used ? this.marshal.number("u32", used.address) : n);
    if (!arg.rows) return values;
    const width = call.owner.facts.n_sizes;
    return Array.from({ length: n / width }, (_, i) => values.slice(i * width, (i + 1) * width));
  }

  value(call, result, raw) {
    const { marshal } = this;
    switch (result.kind) {
      case "text": return marshal.text(raw >>> 0);
      case "enum": return marshal.enum_text(result.of, raw);
      case "struct": return raw === 0 ? null : marshal.struct(result.of, raw >>> 0, call.owner);
      case "array": {
        if (raw === 0) return null;
        const count = call.outs.find(({ arg }) => arg.name === result.count);
        return marshal.array(result.of, raw >>> 0, marshal.view().getUint32(count.address, true));
      }
      case "u32": return raw >>> 0;
      case "u64": return fromBig(BigInt.asUintN(64, raw));
      default: return raw;
    }
  }

  // ---- Results that the library owns ----

  /** An object with all that a result holds, which later calls take. "lent": the library frees it. */
  own(of, address, lent = false) {
    const object = {};
    const { free, ...holds } = described.results[of];
    const own = { of, calls: this, address, free: () => this.release(own, free) };
    Object.defineProperty(object, OWN, { value: own });
    if (!lent) {
      Object.defineProperty(object, "free", { value: own.free });
      this.registry.register(object, own);
    }
    for (const [member, [name, count]] of Object.entries(holds)) object[member] = this.held(object, name, count);
    return object;
  }

  held(object, name, count) {
    if (!count) return this.call(name, [object]);
    const n = count.startsWith("rug_") ? this.call(count, [object]) : object.facts[count];
    const items = Array.from({ length: n }, (_, i) => this.call(name, [object, i]));
    return items[0] === null ? null : items;
  }

  release(own, free) {
    if (own.address !== 0 && !this.machine.broken) this.exports[free](own.address);
    own.address = 0;
  }

  image(pixels, shape, options) {
    return this.enter(() => makeImage(this, pixels, shape, options));
  }

  points(coordinates, shape, options) {
    return this.enter(() => makePoints(this, coordinates, shape, options));
  }

  /** The source of an image that stands in options. */
  source(lent, value, where) {
    return this.pixels({}, "image", value, where).source;
  }

  foreground_of(text) {
    return this.call("rug_foreground_parse", [text]);
  }

  // ---- Callbacks ----

  /** A callback for a call: that of the caller's, or one that keeps rows; none where the call has other results. */
  rows_of(call, arg, value, hasOuts, where) {
    if (value !== null && value !== undefined && typeof value !== "function") refuse(`${where}: ${shown(value)} given; a function expected`);
    if (!value && hasOuts) return 0;
    const rows = [];
    if (!value) call.rows = rows;
    const keep = (...given) => rows.push(given.length === 1 ? given[0] : given);
    const { pointer, id } = this.callback(call.lent, arg.of, value || keep);
    call.ids.push(id);
    call.said[arg.user || "user"] = id;
    return pointer;
  }

  /** @return the address and the user of a callback, until its call has ended */
  callback(lent, of, run) {
    const types = described.callbacks[of].slice(1);
    this.callbacks.set(++this.last, { types, run });
    return { pointer: this.exports.rugose_callback(types.length), id: this.last };
  }

  call_back(id, ...addresses) {
    const { types, run } = this.callbacks.get(id);
    const results = [];
    const given = types.map((type, i) => this.given_back(type, addresses[i], results));
    const before = this.thrown;
    this.guard(() => run(...given));
    results.forEach((result) => { result[OWN].address = 0; });
    return this.thrown && this.thrown !== before ? STATUSES.indexOf("RUG_E_CANCELLED") : 0;
  }

  given_back(type, address, results) {
    if (described.structs[type]) return this.marshal.struct(type, address);
    if (!described.results[type]) return address;
    results.push(this.own(type, address, true));
    return results.at(-1);
  }
}
