// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the rugose authors

// Reads the headers of librugose: node describe.mjs HEADERS OUT writes to OUT
//
//   interface.js   what rugose.js knows of structs, enums and functions
//   layout.c       asserts that the compiler sees the same, and the defaults of structs
//   exports.txt    what the module exports
//
// It fails where it does not understand something, so that nothing is left out in silence: what a header does
// not say stands in interface_notes.js.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { FREED, HEADERS, HEADERS_LEFT_OUT, LEFT_OUT, RESULTS, ROLES } from "./interface_notes.js";

// ---- Reading ----

/** The declarations of a header, with each comment as \u0001 N \u0002. */
function strip(text) {
  const comments = [];
  const code = text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => `\u0001${comments.push(comment) - 1}\u0002`)
    .replace(/^[ \t]*#(?:[^\n\\]|\\\n|\\)*/gm, (line) => (/#define\s+RUG_\w+_INIT\b/.test(line) ? `${line};` : ""));
  return { code, comments };
}

/** The text of comments, as paragraphs without stars. */
function words(comments, marks) {
  return [...(marks || "").matchAll(/\u0001(\d+)\u0002/g)]
    .map((found) => comments[Number(found[1])])
    .filter((comment) => comment.startsWith("/**"))
    .map((comment) => comment.replace(/^\/\*\*<?|\*\/$/g, "").replace(/\n[ \t]*\*?/g, "\n").replace(/[ \t]+/g, " "))
    .map((comment) => comment.split("\n").map((line) => line.trim()).join("\n").trim())
    .join("\n");
}

const bare = (text) => text.replace(/\u0001\d+\u0002/g, " ").replace(/\s+/g, " ").trim();

/** "const uint64_t *sizes[3]" as {type, pointers, name, count, is_const}. */
function declarator(text) {
  const found = /^(const )?([\w ]+?) ?((?:\*|\bconst\b|\s)*)(\(\*)?(\w+)\)?((?:\[\w+\])*)$/.exec(bare(text));
  if (!found) throw new Error(`cannot read the declaration '${bare(text)}'`);
  const pointers = (found[3].match(/\*/g) || []).length + (found[4] ? 1 : 0);
  return { type: found[2].trim(), pointers, name: found[5], count: found[6].slice(1, -1), is_const: Boolean(found[1]) };
}

/** The members of a struct: one entry for each name of "double a, b;". */
function membersOf(body, comments) {
  const members = [];
  let at = 0;
  for (let semi = body.indexOf(";"); semi >= 0; at = semi + 1, semi = body.indexOf(";", at)) {
    const before = body.slice(at, semi);
    const behind = /^[ \t]*(\u0001\d+\u0002)?/.exec(body.slice(semi + 1))[1] || "";
    const own = behind && comments[Number(behind.slice(1, -1))].startsWith("/**<") ? behind : "";
    const marks = (before.match(/\u0001\d+\u0002/g) || []).filter((m) => !comments[Number(m.slice(1, -1))].startsWith("/**<"));
    const doc = words(comments, marks.join("") + own);
    const names = bare(before).split(",").map((name) => name.trim());
    const first = declarator(names[0]);
    members.push({ ...first, doc });
    names.slice(1).forEach((name) => members.push({ ...first, name, doc }));
  }
  return members;
}

/** Everything that a header declares. */
function readHeader(path, all) {
  const { code, comments } = strip(readFileSync(path, "utf8"));
  for (const [, marks, name, body] of code.matchAll(/((?:\u0001\d+\u0002\s*)?)typedef struct (rug_\w+) \{([^}]*)\} \2;/g)) {
    if (name !== "rug_allocator") all.structs[name] = { doc: words(comments, marks), members: membersOf(body, comments) };
  }
  for (const [, marks, name, body] of code.matchAll(/((?:\u0001\d+\u0002\s*)?)typedef enum (rug_\w+) \{([^}]*)\} \2;/g)) {
    all.enums[name] = { doc: words(comments, marks), values: valuesOf(body) };
  }
  for (const [, marks, name] of code.matchAll(/((?:\u0001\d+\u0002\s*)?)typedef struct (rug_\w+) \2;/g)) {
    all.opaque[name] = { doc: words(comments, marks) };
  }
  for (const [, name, args] of code.matchAll(/typedef \w+ \(\*(rug_\w+)\)\(([^)]*)\);/g)) {
    all.callbacks[name] = bare(args).split(", ").map(declarator);
  }
  for (const [, name] of code.matchAll(/#define\s+(RUG_\w+_INIT)\b/g)) all.inits.add(name);
  for (const [, marks, result, name, args] of
    code.matchAll(/((?:\u0001\d+\u0002\s*)?)RUG_API\s+([\w\s*]*?)\b(rug_\w+)\(([^;]*?)\)\s*(?:RUG_PRINTF\([^)]*\))?;/g)) {
    all.functions[name] = { doc: words(comments, marks), result: bare(result), args: bare(args), header: path };
  }
}

/** The names of an enum by their numbers; RUG_CPU_MAX and the like repeat one. */
function valuesOf(body) {
  const values = {};
  for (const [, name, value] of bare(body).matchAll(/(RUG_\w+) ?= ?(\d+)/g)) values[name] = Number(value);
  return values;
}

function readAll(folder) {
  const all = { structs: {}, enums: {}, opaque: {}, callbacks: {}, functions: {}, inits: new Set() };
  for (const header of HEADERS) readHeader(join(folder, `${header}.h`), all);
  return all;
}

// ---- Layout: 32-bit addresses, numbers aligned to their size ----

const SCALARS = { int: "i32", int32_t: "i32", uint32_t: "u32", size_t: "u32", ptrdiff_t: "i32", uint64_t: "u64", int64_t: "i64",
  double: "f64", float: "f32", uint8_t: "u8" };
const SIZES = { i32: 4, u32: 4, u64: 8, i64: 8, f64: 8, f32: 4, u8: 1 };
const COUNTS = { RUG_MAX_AXES: 3, RUG_POINTS_MAX_AXES: 10, RUG_FIT_MAX_SIZES: 1024, RUG_IFS_UNIT_MAX: 16 };

/** Kind, size and alignment of a member. */
function placeOf(member, all) {
  if (member.pointers > 0 || all.callbacks[member.type]) return { kind: "pointer", size: 4, align: 4 };
  if (member.type === "char") return { kind: "characters", size: 1, align: 1 };
  if (SCALARS[member.type]) {
    const kind = SCALARS[member.type];
    return { kind, size: SIZES[kind], align: SIZES[kind] };
  }
  if (all.enums[member.type]) return { kind: "enum", size: 4, align: 4 };
  if (all.structs[member.type]) {
    const inner = layoutOf(all.structs[member.type], all);
    return { kind: "struct", size: inner.size, align: inner.align };
  }
  throw new Error(`a member '${member.name}' of unknown type '${member.type}'`);
}

/** Gives members their offsets. */
function layoutOf(struct, all) {
  if (struct.size) return struct;
  let size = 0, align = 1;
  for (const member of struct.members) {
    const place = placeOf(member, all);
    const count = member.count === "" ? 1 : Number(COUNTS[member.count] ?? member.count);
    if (!Number.isInteger(count)) throw new Error(`'${member.name}[${member.count}]': the number is not known`);
    member.offset = Math.ceil(size / place.align) * place.align;
    Object.assign(member, { kind: place.kind, length: member.count === "" ? 0 : count });
    size = member.offset + place.size * count;
    align = Math.max(align, place.align);
  }
  struct.align = align;
  struct.size = Math.ceil(size / align) * align;
  return struct;
}

// ---- What members and arguments are for ----

const HIDDEN = /^(struct_size|unused(_too)?)$/;
const HANDLES = { rug_source: "source", rug_image: "image", rug_points: "points" };

/** A member as rugose.js needs it: [name, kind, offset, more]. */
function memberEntry(struct, member, all) {
  const entry = { name: member.name, kind: member.kind, at: member.offset };
  const siblings = all.structs[struct].members.map((other) => other.name);
  const role = ROLES[`${struct}.${member.name}`];
  if (HIDDEN.test(member.name)) return null;
  if (member.kind === "enum" || member.kind === "struct") entry.of = member.type;
  if (member.length) entry.length = member.length;
  if (member.kind !== "pointer") return Object.assign(entry, role);
  if (role) return Object.assign(entry, role);
  if (all.callbacks[member.type]) return Object.assign(entry, { kind: "callback", of: member.type });
  if (HANDLES[member.type]) return Object.assign(entry, { kind: HANDLES[member.type] });
  if (member.type === "char") return Object.assign(entry, { kind: "text" });
  if (siblings.includes(`n_${member.name}`)) {
    return Object.assign(entry, { kind: "array", of: SCALARS[member.type] || member.type, count: `n_${member.name}` });
  }
  if (all.structs[member.type] && member.is_const) return Object.assign(entry, { kind: "borrowed", of: member.type });
  throw new Error(`${struct}.${member.name}: say in interface_notes.js what the pointer is`);
}

/** Members that say how long an array is, or what is handed to a callback, are set with it. */
function structEntry(name, all) {
  const members = layoutOf(all.structs[name], all).members.map((member) => memberEntry(name, member, all)).filter(Boolean);
  const set = new Set(members.filter((member) => typeof member.count === "string").map((member) => member.count));
  members.filter((member) => member.kind === "callback").forEach((member) => set.add(member.user || "user"));
  const sized = all.structs[name].members[0].name === "struct_size";
  return { size: all.structs[name].size, sized, members: members.filter((member) => !set.has(member.name)),
    set: members.filter((member) => set.has(member.name)) };
}

/** An argument of a function as rugose.js needs it. */
function argument(name, arg, next, all) {
  const role = ROLES[`${name}(${arg.name})`] || ROLES[`(${arg.name})`];
  const entry = { name: arg.name };
  if (arg.type === "rug_context") return Object.assign(entry, { kind: "context" });
  if (role) return Object.assign(entry, role);
  if (all.callbacks[arg.type]) return Object.assign(entry, { kind: "callback", of: arg.type });
  if (arg.pointers === 2 && all.opaque[arg.type]) return Object.assign(entry, { kind: "new", of: arg.type });
  if (arg.pointers === 2 && arg.type === "uint8_t") return Object.assign(entry, { kind: "new_bytes" });
  if (arg.pointers === 1) return Object.assign(entry, pointed(name, arg, next, all));
  if (arg.pointers === 0 && all.enums[arg.type]) return Object.assign(entry, { kind: "enum", of: arg.type });
  if (arg.pointers === 0 && all.structs[arg.type]) return Object.assign(entry, { kind: "struct", of: arg.type });
  if (arg.pointers === 0 && SCALARS[arg.type]) return Object.assign(entry, { kind: SCALARS[arg.type] });
  throw new Error(`${name}(${arg.name}): say in interface_notes.js what it is`);
}

/** Of an argument with one star. */
function pointed(name, arg, next, all) {
  if (all.opaque[arg.type]) return { kind: "handle", of: arg.type };
  if (HANDLES[arg.type] && arg.is_const) return { kind: HANDLES[arg.type] };
  if (arg.type === "char" && arg.is_const) return { kind: "text" };
  const counted = next && (next.name === `n_${arg.name}` || (arg.name === "bytes" && /^(n|size)$/.test(next.name)));
  if (arg.is_const && counted) return { kind: "array", of: SCALARS[arg.type] || arg.type, count: next.name };
  if (all.structs[arg.type]) return { kind: arg.is_const ? "struct" : "out", of: arg.type };
  if (!arg.is_const && all.enums[arg.type]) return { kind: "out", of: arg.type };
  if (!arg.is_const && SCALARS[arg.type]) return { kind: "out", of: SCALARS[arg.type] };
  throw new Error(`${name}(${arg.name}): say in interface_notes.js what the pointer is`);
}

/** Arguments that another one says: its length, or what is handed to a callback. */
function isSaid(args, arg) {
  return args.some((other) => other.count === arg.name || (other.kind === "callback" && arg.name === (other.user || "user")) ||
    (other.kind === "new_bytes" && arg.name === "n") || (other.axes === arg.name));
}

function functionEntry(name, all) {
  const text = all.functions[name].args;
  const declared = text === "void" ? [] : text.split(/, (?![^(]*\))/).map(declarator);
  const args = declared.map((arg, i) => argumentOf(name, arg, declared[i + 1], all));
  args.forEach((arg) => { if (isSaid(args, arg)) arg.kind = "said"; });
  const result = resultOf(name, all.functions[name].result, all);
  return { args, result };
}

/** "void *user" has no type that anything could be said of. */
function argumentOf(name, arg, next, all) {
  return arg.type === "void" ? { name: arg.name, kind: "said" } : argument(name, arg, next, all);
}

function resultOf(name, text, all) {
  if (text === "void") return null;
  if (text === "rug_status") return { kind: "status" };
  const { type, pointers } = declarator(`${text}${text.endsWith("*") ? "" : " "}x`);
  const role = ROLES[`${name}()`];
  if (role) return role;
  if (pointers === 1 && type === "char") return { kind: "text" };
  if (pointers === 1 && all.structs[type]) return { kind: "struct", of: type };
  if (pointers === 0 && all.enums[type]) return { kind: "enum", of: type };
  if (pointers === 0 && SCALARS[type]) return { kind: SCALARS[type] };
  throw new Error(`${name}(): say in interface_notes.js what it returns`);
}

// ---- Writing ----

/** The names of an enum's numbers: those of its _name() function, which rugose.js asks the module for. */
function enumEntry(name, all) {
  const values = all.enums[name].values;
  return { values: [...new Set(Object.values(values))], name: all.functions[`${name}_name`] && !LEFT_OUT[`${name}_name`] ? `${name}_name` : null,
    constants: Object.keys(values) };
}

/** What stands in interface_notes.js is what there is. */
function refuseOthers(what, there, said) {
  const missing = there.filter((name) => !said.includes(name));
  const unknown = said.filter((name) => !there.includes(name));
  if (missing.length || unknown.length) {
    throw new Error(`interface_notes.js, ${what}: it lacks ${missing.join(", ") || "none"}, and has ${unknown.join(", ") || "none"}` +
      " that are not there");
  }
}

function describe(folder) {
  const headers = readdirSync(folder).map((name) => name.replace(/\.h$/, ""));
  refuseOthers("the headers", headers, [...HEADERS, ...Object.keys(HEADERS_LEFT_OUT)]);
  const all = readAll(folder);
  for (const name of Object.keys(LEFT_OUT)) {
    if (!all.functions[name]) throw new Error(`interface_notes.js leaves out ${name}, which no header has`);
  }
  const functions = Object.keys(all.functions).filter((name) => !LEFT_OUT[name]);
  const given = {
    structs: Object.fromEntries(Object.keys(all.structs).map((name) => [name, structEntry(name, all)])),
    enums: Object.fromEntries(Object.keys(all.enums).map((name) => [name, enumEntry(name, all)])),
    results: RESULTS, freed: FREED,
    callbacks: Object.fromEntries(Object.entries(all.callbacks).map(([name, args]) => [name, args.map((a) => a.type)])),
    inits: [...all.inits].filter((name) => all.structs[structOfInit(name)]).map(structOfInit),
    functions: Object.fromEntries(functions.map((name) => [name, functionEntry(name, all)])),
  };
  refuseOthers("what the library owns", Object.keys(all.opaque), [...Object.keys(RESULTS), "rug_context"]);
  return { all, given };
}

const structOfInit = (name) => name.replace(/_INIT$/, "").toLowerCase();

function layoutText(all, given) {
  const lines = ["/* Made of the headers by web/module/describe.mjs. */", "#include <rugose/rugose.h>", "#include <stddef.h>",
    "const void *const *rugose_defaults(void);", ""];
  for (const [name, struct] of Object.entries(all.structs)) {
    lines.push(`_Static_assert(sizeof(${name}) == ${struct.size}, "${name}");`);
    struct.members.forEach((member) => lines.push(
      `_Static_assert(offsetof(${name}, ${member.name}) == ${member.offset}, "${name}.${member.name}");`));
  }
  given.inits.forEach((name) => lines.push(`static const ${name} ${name}_default = ${name.toUpperCase()}_INIT;`));
  lines.push("static const void *const defaults[] = {", ...given.inits.map((name) => `    &${name}_default,`), "};",
    "/** The structs as their INIT macros make them, in the order of interface.js. */",
    "const void *const *rugose_defaults(void)", "{", "    return defaults;", "}", "");
  return lines.join("\n");
}

const [folder, out] = process.argv.slice(2);
if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { all, given } = describe(folder);
  writeFileSync(join(out, "interface.js"), `export default ${JSON.stringify(given)};\n`);
  writeFileSync(join(out, "layout.c"), layoutText(all, given));
  const own = ["malloc", "free", "rugose_defaults", "rugose_callback", "rugose_listen", "rugose_stack"];
  const lent = ["rug_context_new", "rug_context_free", "rug_context_error", "rug_context_release", "rug_context_set_threads",
    "rug_context_threads", "rug_context_engine", "rug_version", "rug_source_of_image"];
  const names = [...new Set([...own, ...lent, ...Object.keys(given.functions)])];
  writeFileSync(join(out, "exports.txt"), names.map((name) => `_${name}`).join("\n"));
}

export { describe };
