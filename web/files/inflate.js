/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/*! Contains pako, https://github.com/nodeca/pako, a port of zlib:
 *  (C) 1995-2013 Jean-loup Gailly and Mark Adler
 *  (C) 2014-2017 Vitaly Puzrin and Andrey Tupitsin
 *  MIT and Zlib licences, https://spdx.org/licenses/MIT.html, https://spdx.org/licenses/Zlib.html */

/* Deflate in zlib's form (RFC 1950) and that of gzip (RFC 1952), by pako's port of zlib, which unpacks into the memory
 * that is given. Much is unpacked by the browser, up to four times as fast; it neither says where a stream ends nor
 * keeps what stands before a fault. So what it refuses is left to pako: verdicts do not depend on the browser. */

import zlib from "/usr/share/nodejs/pako/lib/zlib/inflate.js";
import checksum from "/usr/share/nodejs/pako/lib/zlib/crc32.js";
import constants from "/usr/share/nodejs/pako/lib/zlib/constants.js";
import Stream from "/usr/share/nodejs/pako/lib/zlib/zstream.js";
import { allocate, fail } from "./bytes.js";

const { Z_BUF_ERROR, Z_FINISH, Z_STREAM_END } = constants;

/** How many bytes one byte of a deflate stream can stand for at most. */
export const DEFLATE_MAX = 1032;

/* Bits of the window, and what zlib adds to them for gzip. */
const WINDOW = { deflate: 15, gzip: 15 + 16 };

/* Fewer bytes are left to pako at once. */
const NATIVE_LEAST = 1 << 18;

/* Pieces that are given to the browser's decoder. */
const PIECE = 1 << 20;

/* The least bytes of a member of a gzip file. */
const MEMBER_BYTES = 18;

/** CRC-32 of bytes. */
export function crc32(bytes, begin = 0, end = bytes.length) {
  return checksum(0, bytes, end - begin, begin) >>> 0;
}

export function isGzip(bytes, at = 0) {
  return bytes[at] === 0x1f && bytes[at + 1] === 0x8b;
}

/* Members of a gzip file follow each other; anything else behind a stream is not looked at. */
function hasMember(input, at) {
  return input.length - at >= MEMBER_BYTES && isGzip(input, at);
}

/* Unpacks until the output is full. @returns {n: bytes that are there, status: zlib's, left: bytes of input} */
function unpack(input, output, format) {
  const stream = new Stream();
  zlib.inflateInit2(stream, WINDOW[format]);
  Object.assign(stream, { input, avail_in: input.length, output, avail_out: output.length });
  let status = zlib.inflate(stream, Z_FINISH);
  while (status === Z_STREAM_END && format === "gzip" && hasMember(input, stream.next_in)) {
    zlib.inflateReset(stream);
    status = zlib.inflate(stream, Z_FINISH);
  }
  return { n: stream.next_out, status, left: stream.avail_in };
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
  if (output.length < NATIVE_LEAST || !await unpackNatively(input, output, format))
    inflateHere(input, output, format, what, isChecked);
}

/** The same without the browser. */
export function inflateHere(input, output, format, what, isChecked = false) {
  const { n, status, left } = unpack(input, output, format), isCut = status === Z_BUF_ERROR;
  const isWhole = status === Z_STREAM_END || (isCut && (format === "deflate" || left > 0));
  if (n === output.length && (isWhole || isChecked))
    return;
  if (status !== Z_STREAM_END && !isCut)
    fail(`${what} cannot be unpacked: damaged behind ${n} of ${output.length} bytes`);
  fail(`cut off: ${n} of ${output.length} bytes of ${what} are there`);
}

/** The first bytes of a gzip stream, as many as there are. */
export function gunzipHead(input, most) {
  const output = allocate("u8", most);
  return output.subarray(0, unpack(input, output, "gzip").n);
}
