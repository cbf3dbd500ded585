// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the rugose authors

// Values of JavaScript to and from the module's memory, as interface.js says where what lies. Addresses are
// numbers below 2^32; the buffer of the memory is another one after it has grown, so that views of it are made anew.

import { RugoseError, refuse, shown } from "./errors.js";

const ARRAYS = { i32: Int32Array, u32: Uint32Array, u64: BigUint64Array, i64: BigInt64Array, f64: Float64Array,
  f32: Float32Array, u8: Uint8Array, i8: Int8Array, u16: Uint16Array, i16: Int16Array, enum: Uint32Array };
const BOUNDS = { i32: [-(2 ** 31), 2 ** 31 - 1], u32: [0, 2 ** 32 - 1], u8: [0, 255],
  u64: [0n, (1n << 64n) - 1n], i64: [-(1n << 63n), (1n << 63n) - 1n] };

/** Bytes that an address can count to. */
const MOST_BYTES = 2 ** 32 - 2 ** 16;

/** A 64-bit number as it is handed out: a Number where that is exact. */
export const fromBig = (value) =>
  value <= 9007199254740992n && value >= -9007199254740992n ? Number(value) : value;

/** The constructor of arrays of a kind of numbers or a dtype. */
export const arrayOf = (kind) => ARRAYS[kind];

function wholeNumber(kind, value, where) {
  const [least, most] = BOUNDS[kind];
  if (typeof value === "boolean") value = Number(value);
  const isWhole = typeof value === "bigint" || Number.isInteger(value);
  if (!isWhole || value < least || value > most) {
    refuse(`${where}: ${shown(value)} given; a whole number of ${least} to ${most} expected`);
  }
  return typeof least === "bigint" ? BigInt(value) : Number(value);
}

function realNumber(value, where) {
  if (typeof value !== "number" && typeof value !== "bigint") refuse(`${where}: ${shown(value)} given; a number expected`);
  return Number(value);
}

/** A number of a kind for a call or for memory. */
export const numberOf = (kind, value, where) =>
  kind === "f64" || kind === "f32" ? realNumber(value, where) : wholeNumber(kind, value, where);

/** Reads and writes the memory of a module (calls.js). What is lent to a call is freed by free_all(). */
export class Marshal {
  constructor(module, described) {
    this.module = module;
    this.described = described;
    this.encoder = new TextEncoder();
    this.decoder = new TextDecoder();
    this.defaults = new Map();
    this.names = new Map(); // of enums: [number -> text]
  }

  /** Addresses of the defaults, and texts of the enums, of which only the module knows. */
  begin() {
    const table = this.module.exports.rugose_defaults() >>> 0;
    this.described.inits.forEach((name, i) => this.defaults.set(name, this.view().getUint32(table + 4 * i, true)));
    for (const [name, entry] of Object.entries(this.described.enums)) {
      const texts = new Map();
      if (entry.name) entry.values.forEach((value) => texts.set(value, this.text(this.module.exports[entry.name](value))));
      this.names.set(name, texts);
    }
  }

  view() {
    const { buffer } = this.module.memory();
    if (this.seen?.buffer !== buffer) this.seen = new DataView(buffer);
    return this.seen;
  }

  /** A view of numbers at an address. */
  numbers(kind, address, n) {
    return new ARRAYS[kind](this.module.memory().buffer, address, n);
  }

  // ---- Memory ----

  /** Memory of a number of bytes; "what" stands in the message when there is not enough. */
  allocate(n, what) {
    const address = n <= MOST_BYTES ? this.module.exports.malloc(Math.max(n, 8)) >>> 0 : 0;
    if (address === 0) {
      throw new RugoseError("RUG_E_NOMEM", `${what}: no memory for ${(n / 2 ** 20).toFixed(1)} MB beside the ` +
        `${(this.module.memory().buffer.byteLength / 2 ** 20).toFixed(0)} MB there are; all of it can be 4 GB at most`);
    }
    return address;
  }

  /** The same, zeroed, until the call ends whose list it is. */
  lend(lent, n, what) {
    const address = this.allocate(n, what);
    lent.push(address);
    this.numbers("u8", address, Math.max(n, 8)).fill(0);
    return address;
  }

  free_all(lent) {
    lent.forEach((address) => this.module.exports.free(address));
  }

  // ---- Texts ----

  /** The text at an address; null at 0. */
  text(address) {
    if (address === 0) return null;
    const bytes = this.numbers("u8", address >>> 0);
    return this.decoder.decode(bytes.slice(0, bytes.indexOf(0))); // a copy: shared memory cannot be decoded
  }

  /** The bytes of a text, without a zero behind them. */
  encode(value, where) {
    if (typeof value !== "string") refuse(`${where}: ${shown(value)} given; a text expected`);
    if (value.includes("\0")) refuse(`${where}: a text with a zero character given; one without expected`);
    return this.encoder.encode(value);
  }

  put_text(lent, value, where) {
    if (value === null || value === undefined) return 0;
    const bytes = this.encode(value, where);
    const address = this.lend(lent, bytes.length + 1, where);
    this.numbers("u8", address, bytes.length).set(bytes);
    return address;
  }

  // ---- Enums ----

  /** The number of an enum's text, of C's constant, or of a number. */
  enum_number(of, value, where) {
    if (typeof value === "number") return wholeNumber("u32", value, where);
    const { values, constants } = this.described.enums[of];
    const texts = this.names.get(of);
    const found = values.find((number) => texts.get(number) === value);
    if (found !== undefined) return found;
    const i = constants.indexOf(value);
    if (i >= 0) return values[i];
    return refuse(`${where}: ${shown(value)} given; ${[...texts.values()].map((text) => `"${text}"`).join(", ")} expected`);
  }

  enum_text(of, number) {
    return this.names.get(of).get(number) ?? number;
  }

  // ---- Arrays ----

  /** Copies an array of numbers, texts of enums or objects. @return its address, 0 for null */
  put_array(lent, of, values, where) {
    if (values === null || values === undefined) return 0;
    if (!Array.isArray(values) && !ArrayBuffer.isView(values)) refuse(`${where}: ${shown(values)} given; an array expected`);
    const size = this.size_of(of);
    const address = this.lend(lent, values.length * size, where);
    if (values.constructor === ARRAYS[of]) this.numbers(of, address, values.length).set(values);
    else for (let i = 0; i < values.length; i++) this.put_item(lent, of, address + i * size, values[i], `${where}[${i}]`);
    return address;
  }

  size_of(of) {
    if (this.described.structs[of]) return this.described.structs[of].size;
    return this.described.enums[of] ? 4 : ARRAYS[of].BYTES_PER_ELEMENT;
  }

  put_item(lent, of, address, value, where) {
    if (this.described.structs[of]) this.fill_struct(lent, of, address, value, where);
    else if (this.described.enums[of]) this.view().setUint32(address, this.enum_number(of, value, where), true);
    else this.put_number(of, address, value, where);
  }

  put_number(kind, address, value, where) {
    const number = numberOf(kind, value, where);
    this.numbers(kind, address, 1)[0] = number;
  }

  /** A copy of an array: typed for numbers, where 64-bit ones are all exact as doubles of these, else of objects. */
  array(of, address, n) {
    if (this.described.structs[of]) {
      const { size } = this.described.structs[of];
      return Array.from({ length: n }, (_, i) => this.struct(of, address + i * size));
    }
    if (this.described.enums[of]) return Array.from(this.numbers("u32", address, n), (value) => this.enum_text(of, value));
    const copy = this.numbers(of, address, n).slice();
    return of === "u64" && copy.every((value) => value <= 9007199254740992n) ? Float64Array.from(copy, Number) : copy;
  }

  // ---- Structs ----

  /** A struct with its defaults and what an object has of it; null or undefined: an address of 0. */
  put_struct(lent, of, value, where) {
    if (value === null || value === undefined) return 0;
    const address = this.lend(lent, this.described.structs[of].size, where);
    this.fill_struct(lent, of, address, value, where);
    return address;
  }

  /** An empty struct of its kind, for the library to fill. */
  empty_struct(lent, of, where) {
    const address = this.lend(lent, this.described.structs[of].size, where);
    this.begin_struct(of, address);
    return address;
  }

  begin_struct(of, address) {
    const bytes = this.numbers("u8", address, this.described.structs[of].size);
    const init = this.defaults.get(of);
    if (init !== undefined) bytes.set(this.numbers("u8", init, bytes.length));
    else bytes.fill(0);
  }

  fill_struct(lent, of, address, value, where) {
    if (of === "rug_foreground" && typeof value === "string") value = this.module.foreground_of(value);
    if (typeof value !== "object" || Array.isArray(value) || value === null) {
      refuse(`${where}: ${shown(value)} given; an object expected`);
    }
    this.begin_struct(of, address);
    const { members } = this.described.structs[of];
    for (const [name, given] of Object.entries(value)) {
      const member = members.find((one) => one.name === name);
      if (!member) refuse(`${where}: it has no '${name}'; ${members.map((one) => one.name).join(", ")} expected`);
      if (given !== undefined && given !== null) this.put_member(lent, of, address, member, given, `${where}.${name}`);
    }
  }

  put_member(lent, of, address, member, value, where) {
    const at = address + member.at;
    if (member.kind === "characters") this.put_characters(member, at, value, where);
    else if (member.length) this.put_fixed(member, at, value, where);
    else if (member.kind === "struct") this.fill_struct(lent, member.of, at, value, where);
    else if (member.kind === "enum") this.view().setUint32(at, this.enum_number(member.of, value, where), true);
    else if (member.kind === "text") this.put_address(at, this.put_text(lent, value, where));
    else if (member.kind === "borrowed") this.put_address(at, this.put_struct(lent, member.of, value, where));
    else if (member.kind === "source") this.put_address(at, this.module.source(lent, value, where));
    else if (member.kind === "array") this.put_counted(lent, of, address, member, value, where);
    else if (member.kind === "callback") this.put_callback(lent, of, address, member, value, where);
    else this.put_number(member.kind, at, value, where);
  }

  put_address(at, address) {
    this.view().setUint32(at, address, true);
  }

  /** An array inside of a struct: all of it, or as much as there is. */
  put_fixed(member, at, value, where) {
    if ((!Array.isArray(value) && !ArrayBuffer.isView(value)) || value.length > member.length) {
      refuse(`${where}: ${shown(value)} given; an array of at most ${member.length} numbers expected`);
    }
    const size = this.size_of(member.kind);
    Array.from(value).forEach((item, i) => this.put_number(member.kind, at + i * size, item, `${where}[${i}]`));
  }

  /** A text inside of a struct, with a zero behind it. */
  put_characters(member, at, value, where) {
    const bytes = this.encode(value, where);
    if (bytes.length >= member.length) {
      refuse(`${where}: ${shown(value)} given; a text of at most ${member.length - 1} bytes expected`);
    }
    this.numbers("u8", at, member.length).fill(0).set(bytes);
  }

  other(of, name) {
    const { members, set } = this.described.structs[of];
    return [...members, ...set].find((member) => member.name === name);
  }

  put_counted(lent, of, address, member, value, where) {
    if (typeof member.count !== "string") refuse(`${where}: cannot be given`);
    this.put_address(address + member.at, this.put_array(lent, member.of, value, where));
    this.put_address(address + this.other(of, member.count).at, value.length);
  }

  put_callback(lent, of, address, member, value, where) {
    if (typeof value !== "function") refuse(`${where}: ${shown(value)} given; a function expected`);
    const { pointer, id } = this.module.callback(lent, member.of, value);
    this.put_address(address + member.at, pointer);
    this.put_address(address + this.other(of, member.user || "user").at, id);
  }

  /** A struct as an object. "owner" is the result that it belongs to, which may say how long arrays are. */
  struct(of, address, owner) {
    const { members } = this.described.structs[of];
    const object = {};
    for (const member of members) {
      const value = this.member(of, address, member, owner);
      if (value !== undefined) object[member.name] = value;
    }
    return this.trim(of, object, owner);
  }

  member(of, address, member, owner) {
    const at = address + member.at;
    if (member.kind === "characters") return this.text(at);
    if (member.length) return this.array(member.kind, at, member.length);
    if (member.kind === "struct") return this.struct(member.of, at);
    if (member.kind === "enum") return this.enum_text(member.of, this.view().getUint32(at, true));
    if (member.kind === "text") return this.text(this.view().getUint32(at, true));
    if (member.kind === "array") return this.lent_array(of, address, member, owner);
    if (["source", "callback", "said", "borrowed"].includes(member.kind)) return undefined;
    return this.number(member.kind, at);
  }

  number(kind, at) {
    const value = this.numbers(kind, at, 1)[0];
    return typeof value === "bigint" ? fromBig(value) : value;
  }

  lent_array(of, address, member, owner) {
    const start = this.view().getUint32(address + member.at, true);
    const valueOf = (name) => this.view().getUint32(address + this.other(of, name).at, true);
    let kind = member.of;
    if (kind === "dtype") kind = this.enum_text("rug_dtype", valueOf("dtype"));
    if (start === 0) return null;
    if (member.length_of) return this.array(kind, start, this.module.length_of(member.length_of, owner));
    const counts = member.counts || [member.count];
    return this.array(kind, start, counts.reduce((n, name) => n * valueOf(name), 1));
  }

  /** Arrays that have room for more than there is: by the axes of the image, or by the sizes of the result. */
  trim(of, object, owner) {
    const cut = (name, n) => {
      if (object[name]?.length > n) object[name] = object[name].slice(0, n);
    };
    if (object.ndim) ["shape", "pixel_size", "least", "most"].forEach((name) => cut(name, object.ndim));
    if (of === "rug_box_positions" && owner?.facts) cut("shift", owner.facts.ndim);
    if (of === "rug_fit" && owner?.facts) ["used", "local_slope"].forEach((name) => cut(name, owner.facts.n_sizes));
    return object;
  }
}
