// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the rugose authors

// Writes rugose.d.ts, with the comments of the headers: node declare.mjs HEADERS RUGOSE_JS OUT. The texts of enums
// are those of the module.

import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { describe } from "./describe.mjs";

const ARRAYS = { u8: "Uint8Array", u32: "Uint32Array", i32: "Int32Array", u64: "Float64Array | BigUint64Array",
  i64: "BigInt64Array", f64: "Float64Array", f32: "Float32Array", dtype: "Pixels" };
const OPTIONAL = ["mask", "range", "opts", "maps"];
const GIVEN = { image: "Image", source: "Image", points: "Points", images: "Image | Image[]", text: "string" };

const short = (name) => name.replace(/^rug_/, "");

/** A comment of a header as one of JSDoc. */
function comment(doc, indent) {
  if (!doc) return "";
  const lines = doc.replaceAll("*/", "* /").replace(/\brug_(?=[a-z])/g, "").split("\n");
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}

/** What a comment of a function says of arguments that there are, and of failures. */
function functionDoc(doc, args, result) {
  const parts = doc.split(/\n(?=@)/).filter((part) => {
    const name = /^@param (\w+)/.exec(part)?.[1];
    return !name || args.includes(name);
  });
  if (result?.kind !== "status") return parts.join("\n");
  return parts.map((part) => part.replace(/^@return RUG_OK(?: \([^)]*\))?[,;]? ?(?:or )?/, "@throws RugoseError, of status ")).join("\n");
}

/** Of one interface of a build. */
class Declarations {
  constructor({ all, given }, texts) {
    Object.assign(this, { all, given, texts });
  }

  // ---- Types ----

  number(kind) {
    return kind === "u64" || kind === "i64" ? "number | bigint" : "number";
  }

  /** What is given, as an argument or a member of options. */
  taken(entry) {
    const { kind, of } = entry;
    if (GIVEN[kind]) return GIVEN[kind];
    if (kind === "handle" || kind === "enum") return short(of);
    if (kind === "callback") return this.callback(of);
    if (kind === "characters") return "string";
    if (kind === "borrowed") return this.taken_struct(of);
    if (entry.length) return "Numbers";
    if (kind === "array") return this.taken_array(entry);
    if (kind === "struct") return this.taken_struct(of);
    return `${this.number(kind)}${kind === "i32" ? " | boolean" : ""}`;
  }

  taken_struct(of) {
    if (of === "rug_foreground") return "Partial<foreground> | string";
    return of.endsWith("_options") ? short(of) : `Partial<${short(of)}>`;
  }

  taken_array({ of, width }) {
    if (this.given.enums[of]) return `${short(of)}[]`;
    if (this.given.structs[of]) return `Partial<${short(of)}>[]`;
    return width ? "Numbers[]" : "Numbers";
  }

  /** What comes out. */
  made(entry) {
    const { kind, of } = entry;
    if (kind === "text" || kind === "out_text") return kind === "text" ? "string | null" : "string";
    if (kind === "enum" || kind === "new") return short(of);
    if (kind === "characters") return "string";
    if (kind === "array" || kind === "out_array" || entry.length) return this.made_array(entry);
    if (kind === "struct") return short(of);
    if (kind === "out") return ARRAYS[of] ? this.number(of) : short(of);
    return this.number(kind);
  }

  made_array(entry) {
    const of = entry.length && !entry.of ? entry.kind : entry.of;
    if (this.given.structs[of]) return `${short(of)}[]${entry.rows ? "[]" : ""}`;
    return ARRAYS[of] ?? `${short(of)}[]`;
  }

  /** What a callback gets. A result is lent to it until it returns. */
  callback(of) {
    const types = this.given.callbacks[of].slice(1);
    const args = types.map((type) => `${short(type).replace(/_t$/, "")}: ${type === "uint32_t" ? "number" : short(type)}`);
    return `(${args.join(", ")}) => void`;
  }

  rows(of) {
    const types = this.given.callbacks[of].slice(1).map((type) => (type === "uint32_t" ? "number" : short(type)));
    return types.length === 1 ? `${types[0]}[]` : `[${types.join(", ")}][]`;
  }

  // ---- Declarations ----

  enums() {
    return Object.keys(this.given.enums).filter((name) => this.texts[name]?.length).map((name) =>
      `${comment(this.all.enums[name].doc, "")}export type ${short(name)} = ${this.texts[name].map((t) => JSON.stringify(t)).join(" | ")};\n`);
  }

  structs() {
    const known = Object.keys(this.given.structs).filter((name) => !["rug_image", "rug_source", "rug_points"].includes(name));
    return known.map((name) => {
      const options = name.endsWith("_options");
      const docs = Object.fromEntries(this.all.structs[name].members.map(({ name: member, doc }) => [member, doc]));
      const members = this.given.structs[name].members.map((member) => {
        const type = options ? this.taken(member) : this.made(member);
        const isPointer = ["array", "source", "text", "callback", "borrowed"].includes(member.kind);
        const orNull = isPointer && (options || member.kind === "array") ? " | null" : "";
        const shown = type.includes("=>") ? `(${type})` : type;
        return `${comment(docs[member.name], "  ")}  ${member.name}${options ? "?" : ""}: ${shown}${orNull};\n`;
      });
      return `${comment(this.all.structs[name].doc, "")}export interface ${short(name)} {\n${members.join("")}}\n`;
    });
  }

  results() {
    return Object.entries(this.given.results).map(([name, { free, ...holds }]) => {
      const members = Object.entries(holds).map(([member, [call, count]]) => {
        const of = this.given.functions[call].result.of;
        return `  readonly ${member}: ${short(of)}${count ? "[]" : ""}${member === "positions" ? " | null" : ""};\n`;
      });
      return `${comment(this.all.opaque[name].doc, "")}export interface ${short(name)} {\n${members.join("")}` +
        `  readonly [owned]: "${short(name)}";\n  /** Frees it, which its end does too, but later. */\n  free(): void;\n}\n`;
    });
  }

  functions() {
    return Object.entries(this.given.functions).map(([name, { args, result }]) => {
      const outs = args.filter((arg) => ["new", "out", "out_array", "out_text"].includes(arg.kind));
      const hidden = outs.map((arg) => arg.used);
      const given = args.filter((arg) => !["new", "out", "out_array", "out_text", "out_count", "context", "said"].includes(arg.kind));
      const callback = given.find((arg) => arg.kind === "callback");
      const list = given.map((arg, i) => {
        const isOptional = given.slice(i).every((other) => other.kind === "callback" || OPTIONAL.includes(other.name));
        const orNull = OPTIONAL.includes(arg.name) ? " | null" : "";
        const type = arg.kind === "callback" && orNull ? `(${this.taken(arg)})` : this.taken(arg);
        return `${arg.name}${isOptional ? "?" : ""}: ${type}${orNull}`;
      });
      const type = this.returned(outs.filter((arg) => !hidden.includes(arg.name)), result, callback);
      return `${comment(functionDoc(this.all.functions[name].doc, given.map((arg) => arg.name), result), "  ")}` +
        `  ${short(name)}(${list.join(", ")}): ${type};\n`;
    });
  }

  returned(outs, result, callback) {
    if (outs.length === 1) return this.made(outs[0]);
    if (outs.length > 1) return `{ ${outs.map((arg) => `${arg.name}: ${this.made(arg)}`).join("; ")} }`;
    if (callback) return this.rows(callback.of);
    if (!result || result.kind === "status") return "void";
    return `${this.made(result)}${["struct", "array"].includes(result.kind) ? " | null" : ""}`;
  }
}

const HEAD = `// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the rugose authors

// The C interface of rugose for JavaScript. Made of the headers by web/module/declare.mjs, whose comments these are:
// functions are those of C without rug_, and so are the names of members; docs/web.md says what differs.

/** Numbers for a call: an array, plain or typed. */
export type Numbers = ArrayLike<number | bigint>;

/** Pixels and coordinates. 64-bit numbers of results are Float64Array where that is exact. */
export type Pixels = Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array | BigUint64Array
  | BigInt64Array | Float32Array | Float64Array;

/** Thrown by every call that fails. */
export class RugoseError extends Error {
  constructor(status: string, message: string);
  /** The name of C's status, such as "RUG_E_ARG". */
  status: string;
}

/** Pixels in the module's memory. */
export interface Image {
  readonly dtype: dtype;
  /** Slowest axis first. */
  readonly shape: number[];
  readonly spacing: number[];
  readonly spacing_unit: string | null;
  /** A view of the pixels where they lie, until the next call, which may move the memory. */
  data(): Pixels;
  free(): void;
}

/** Points in the module's memory. */
export interface Points {
  readonly dtype: dtype;
  readonly shape: number[];
  data(): Pixels;
  free(): void;
}

/** Tells results of different calls apart; it is not there at run time. */
declare const owned: unique symbol;

/** Loads the module and makes a context.
 *  @param options.wasm     bytes of rugose.wasm or rugose-threads.wasm, or a WebAssembly.Module of one; default:
 *                          the one beside this file that fits
 *  @param options.threads  1..4096, or 0 (default) for all processors. More than one only where memory can be
 *                          shared: in Node, and in workers of pages that are isolated */
export function load(options?: { wasm?: BufferSource | WebAssembly.Module; threads?: number }): Promise<Rugose>;

`;

const METHODS = `  /** Called with each warning, a line of text; null: nobody listens. */
  onwarn: ((text: string) => void) | null;
  /** Called now and then with the share of a call that is done, 0..1. */
  onprogress: ((share: number) => void) | null;
  /** Called now and then; true makes the call throw RUG_E_CANCELLED. */
  oncancel: (() => boolean) | null;
  /** The version of the library, such as "0.2.0". */
  readonly version: string;
  /** An image [ny, nx] or a volume [nz, ny, nx], copied once. With dtype "bit" rows of 8 pixels in a byte. */
  image(pixels: Pixels | Uint8ClampedArray, shape: number[], options?: { dtype?: dtype; spacing?: number[]; spacing_unit?: string }): Image;
  /** Points [n, axes], copied once. */
  points(coordinates: Pixels, shape: [number, number], options?: { dtype?: dtype }): Points;
  /** What ran in the last call that measured something. */
  engine(): string;
  /** How many threads a call may use. */
  threads(): number;
  /** @param n  1..4096, or 0 for all that load() was asked for */
  set_threads(n: number): void;
  /** Bytes of the module's memory, which grows when it must and never shrinks. */
  memory(): number;
  /** Ends the context: its memory is given back, and nothing of it can be used any more. */
  close(): void;
`;

const [folder, script, out] = process.argv.slice(2);
const { load } = await import(pathToFileURL(script).href);
const described = describe(folder);
const rugose = await load({ threads: 1 });
const texts = Object.fromEntries(Object.entries(described.given.enums).map(([name, { values, name: call }]) =>
  [name, call ? [...new Set(values.map((value) => rugose[short(call)](value)))] : null]));
const made = new Declarations(described, texts);
rugose.close();
writeFileSync(out, [HEAD, ...made.enums(), ...made.structs(), ...made.results(),
  "/** A context of a running module. */\nexport interface Rugose {\n", METHODS, ...made.functions(), "}\n"].join(""));
