/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Deflate (RFC 1951) in zlib's form (RFC 1950) and that of gzip (RFC 1952). Much is unpacked by the browser,
 * which does not say where a stream ends, and loses what stands before a fault. So whatever it refuses, and
 * all that is short, is unpacked here: what is refused then does not depend on the browser. */

import { allocate, fail } from "./bytes.js";

/** How many bytes one byte of a deflate stream can stand for at most. */
export const DEFLATE_MAX = 1032;

/* Fewer bytes are unpacked sooner here. */
const NATIVE_LEAST = 1 << 18;

/* Pieces that are given to the browser's decoder. */
const PIECE = 1 << 20;

/* ---- Checksums ---- */

const crcTable = new Uint32Array(256).map((_, i) => {
  for (let k = 0; k < 8; k++)
    i = i & 1 ? 0xedb88320 ^ (i >>> 1) : i >>> 1;
  return i;
});

/** CRC-32 of bytes. */
export function crc32(bytes, begin = 0, end = bytes.length) {
  let crc = -1;
  for (let i = begin; i < end; i++)
    crc = crcTable[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}

function adler32(bytes, n) {
  let a = 1, b = 0;
  for (let i = 0; i < n;) {
    const end = Math.min(n, i + 3800);
    for (; i < end; i++) {
      a += bytes[i];
      b += a;
    }
    a %= 65521;
    b %= 65521;
  }
  return b * 65536 + a;
}

/* ---- Codes ---- */

const LENGTHS = [], DISTANCES = [];
for (let i = 0, at = 3; i < 28; at += 1 << Math.max(0, (i >> 2) - 1), i++)
  LENGTHS.push({ base: at, extra: Math.max(0, (i >> 2) - 1) });
LENGTHS.push({ base: 258, extra: 0 });
for (let i = 0, at = 1; i < 30; at += 1 << Math.max(0, (i >> 1) - 1), i++)
  DISTANCES.push({ base: at, extra: Math.max(0, (i >> 1) - 1) });
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

function reversed(code, n) {
  let out = 0;
  for (let i = 0; i < n; i++)
    out |= ((code >> i) & 1) << (n - 1 - i);
  return out;
}

/* A table of all bits that a symbol may begin with: 16 * symbol + its length; 0: no symbol.
 * @returns null where lengths make no code */
function makeTable(lengths) {
  const counts = new Uint16Array(16), next = new Uint16Array(17);
  let most = 0, left = 1;
  for (const n of lengths)
    counts[n]++;
  counts[0] = 0;
  for (let n = 1; n < 16; n++) {
    left = 2 * left - counts[n];
    if (left < 0)
      return null;
    next[n + 1] = (next[n] + counts[n]) << 1;
    most = counts[n] > 0 ? n : most;
  }
  const bits = Math.max(most, 1), table = new Uint16Array(1 << bits);
  lengths.forEach((n, symbol) => {
    if (n === 0)
      return;
    for (let i = reversed(next[n]++, n); i < table.length; i += 1 << n)
      table[i] = symbol * 16 + n;
  });
  return { table, bits };
}

let fixed = null;

function fixedTables() {
  const lengths = new Uint8Array(288).fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280);
  fixed = fixed ?? { symbols: makeTable(lengths), distances: makeTable(new Uint8Array(30).fill(5)) };
  return fixed;
}

/* ---- A stream ---- */

/** What stops a stream. */
const CUT = "cut off", DAMAGED = "damaged", FULL = "full";

class Inflater {
  constructor(input, at, output) {
    Object.assign(this, { input, at, output, n: 0, hold: 0, held: 0 });
  }

  /* Makes n bits ready, zeros behind the end. */
  need(n) {
    while (this.held < n) {
      this.hold |= (this.at < this.input.length ? this.input[this.at] : 0) << this.held;
      this.at++;
      this.held += 8;
    }
  }

  take(n) {
    this.need(n);
    const value = this.hold & ((1 << n) - 1);
    this.hold >>>= n;
    this.held -= n;
    return value;
  }

  isBehind() {
    return this.at - (this.held >> 3) > this.input.length;
  }

  symbol({ table, bits }) {
    this.need(bits);
    const entry = table[this.hold & ((1 << bits) - 1)];
    this.hold >>>= entry & 15;
    this.held -= entry & 15;
    return entry === 0 ? -1 : entry >> 4;
  }

  stored() {
    this.at -= this.held >> 3;
    this.hold = this.held = 0;
    if (this.at + 4 > this.input.length)
      return CUT;
    const [a, b, c, d] = this.input.subarray(this.at, this.at + 4), n = a | (b << 8);
    if (n !== (~(c | (d << 8)) & 0xffff))
      return DAMAGED;
    this.at += 4;
    const there = Math.min(n, this.input.length - this.at, this.output.length - this.n);
    this.output.set(this.input.subarray(this.at, this.at + there), this.n);
    this.at += there;
    this.n += there;
    return there === n ? null : this.n === this.output.length ? FULL : CUT;
  }

  readTables() {
    const n = this.take(5) + 257, m = this.take(5) + 1, k = this.take(4) + 4, code = new Uint8Array(19);
    for (let i = 0; i < k; i++)
      code[ORDER[i]] = this.take(3);
    const table = makeTable(code), lengths = new Uint8Array(n + m);
    for (let i = 0; i < n + m;) {
      const symbol = table === null ? -1 : this.symbol(table);
      if (symbol < 0 || this.isBehind() || (symbol === 16 && i === 0))
        return null;
      const [value, times] = symbol < 16 ? [symbol, 1] : symbol === 16 ? [lengths[i - 1], 3 + this.take(2)]
        : [0, symbol === 17 ? 3 + this.take(3) : 11 + this.take(7)];
      if (i + times > n + m)
        return null;
      lengths.fill(value, i, i + times);
      i += times;
    }
    const symbols = makeTable(lengths.subarray(0, n)), distances = makeTable(lengths.subarray(n));
    return symbols === null || distances === null ? null : { symbols, distances };
  }

  /* Copies what stands that far before. */
  copy(length, distance) {
    const { output } = this, end = Math.min(this.n + length, output.length);
    for (let from = this.n - distance; this.n < end;)
      output[this.n++] = output[from++];
  }

  block({ symbols, distances }) {
    const { output } = this;
    for (;;) {
      const symbol = this.symbol(symbols);
      if (symbol < 0 || this.isBehind())
        return this.isBehind() ? CUT : DAMAGED;
      if (symbol === 256)
        return null;
      if (this.n === output.length)
        return FULL;
      if (symbol < 256) {
        output[this.n++] = symbol;
        continue;
      }
      const length = LENGTHS[symbol - 257];
      const n = length === undefined ? 0 : length.base + this.take(length.extra);
      const far = DISTANCES[this.symbol(distances)];
      const distance = far === undefined ? Infinity : far.base + this.take(far.extra);
      if (n === 0 || distance > this.n)
        return this.isBehind() ? CUT : DAMAGED;
      const isClipped = n > output.length - this.n;
      this.copy(n, distance);
      if (isClipped)
        return FULL;
    }
  }

  nextBlock() {
    const kind = this.take(2);
    const tables = kind === 1 ? fixedTables() : kind === 2 ? this.readTables() : null;
    if (this.isBehind())
      return CUT;
    return kind === 0 ? this.stored() : tables === null ? DAMAGED : this.block(tables);
  }

  /** @returns null at the end of the stream, or what stopped it */
  run() {
    for (;;) {
      const isLast = this.take(1), why = this.nextBlock();
      if (why !== null || isLast)
        return why;
    }
  }

  /** Where the bytes begin that stand behind the stream. */
  behind() {
    return this.at - (this.held >> 3);
  }
}

/* ---- Forms ---- */

function number32(bytes, at, isBig) {
  const [a, b, c, d] = bytes.subarray(at, at + 4);
  return (isBig ? (a << 24) | (b << 16) | (c << 8) | d : (d << 24) | (c << 16) | (b << 8) | a) >>> 0;
}

/* @returns why not all of the output is there, or null */
function unpackZlib(input, output) {
  if (input.length < 2)
    return { why: CUT, n: 0 };
  if ((input[0] & 15) !== 8 || ((input[0] << 8) | input[1]) % 31 !== 0 || input[1] & 32)
    return { why: DAMAGED, n: 0 };
  const stream = new Inflater(input, 2, output), why = stream.run(), at = stream.behind();
  const isWrong = why === null && at + 4 <= input.length && number32(input, at, true) !== adler32(output, stream.n);
  return { why: isWrong ? DAMAGED : why, n: stream.n };
}

/* Where the deflated bytes of a member begin; -1: it has no head. */
function memberBegin(input, at) {
  const flags = input[at + 3];
  if (at + 18 > input.length || !isGzip(input, at) || input[at + 2] !== 8)
    return -1;
  let begin = at + 10;
  if (flags & 4)
    begin += 2 + (input[begin] | (input[begin + 1] << 8));
  for (const bit of [8, 16])
    if (flags & bit)
      begin = input.indexOf(0, begin) + 1 || input.length;
  return begin + (flags & 2 ? 2 : 0);
}

export function isGzip(bytes, at = 0) {
  return bytes[at] === 0x1f && bytes[at + 1] === 0x8b;
}

/* Members follow each other; anything else behind them is not looked at. */
function unpackGzip(input, output) {
  let n = 0, at = 0;
  for (let begin; (begin = memberBegin(input, at)) >= 0;) {
    const stream = new Inflater(input, begin, output.subarray(n)), why = stream.run();
    at = stream.behind();
    if (why !== null)
      return { why, n: n + stream.n };
    if (at + 8 > input.length)
      return { why: CUT, n: n + stream.n };
    if (number32(input, at, false) !== crc32(output, n, n + stream.n))
      return { why: DAMAGED, n };
    n += stream.n;
    at += 8;
  }
  return { why: at === 0 ? CUT : null, n };
}

/* Has the browser unpack all. @returns whether it did, with exactly as many bytes as there is room for */
async function unpackNatively(input, output, format) {
  let n = 0;
  try {
    const stream = new DecompressionStream(format), writer = stream.writable.getWriter();
    const written = (async () => {
      for (let at = 0; at < input.length; at += PIECE)
        await writer.write(input.subarray(at, at + PIECE));
      await writer.close();
    })().catch(() => {});
    const reader = stream.readable.getReader();
    for (let piece; !(piece = await reader.read()).done; n += piece.value.length) {
      if (n + piece.value.length > output.length) {
        await reader.cancel();
        return false;
      }
      output.set(piece.value, n);
    }
    await written;
  } catch (error) {
    return false;
  }
  return n === output.length;
}

/** Unpacks as many bytes as there is room for; more may follow. A checksum counts where the stream ends.
 *  @param format  "deflate" (zlib's form) or "gzip"
 *  @param what    what they are, for the message
 *  @param isChecked  nothing but missing bytes is damage, since another checksum was right */
export async function inflate(input, output, format, what, isChecked = false) {
  const isLong = output.length >= NATIVE_LEAST && typeof DecompressionStream === "function";
  if (isLong && await unpackNatively(input, output, format))
    return;
  inflateHere(input, output, format, what, isChecked);
}

/** The same without the browser. */
export function inflateHere(input, output, format, what, isChecked = false) {
  const { why, n } = format === "gzip" ? unpackGzip(input, output) : unpackZlib(input, output);
  if (n === output.length && (why === null || why === FULL || isChecked))
    return;
  if (why === DAMAGED)
    fail(`${what} cannot be unpacked: damaged behind ${n} of ${output.length} bytes`);
  fail(`cut off: ${n} of ${output.length} bytes of ${what} are there`);
}

/** The first bytes of a gzip stream, as many as there are. */
export function gunzipHead(input, most) {
  const output = allocate("u8", most);
  return output.subarray(0, unpackGzip(input, output).n);
}
