/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The order of names that people expect, as the program has it for folders. */
"use strict";

/** Compares names: 2 stands before 10. What differs in zeros before numbers alone is in the order of characters. */
rugose.compareNaturally = (function () {
  const encoder = new TextEncoder();
  const isDigit = (byte) => byte >= 48 && byte <= 57;

  /* The order of bytes; what goes on stands behind. */
  function compareBytes(a, b) {
    const n = Math.min(a.length, b.length);
    for (let i = 0; i < n; i++) if (a[i] !== b[i]) return a[i] - b[i];
    return a.length - b.length;
  }

  /* The digits at a place, without the zeros before them, and where they end. */
  function digitsAt(bytes, at) {
    let begin = at, end;
    while (bytes[begin] === 48) begin++;
    for (end = begin; isDigit(bytes[end]);) end++;
    return { digits: bytes.subarray(begin, end), end };
  }

  function compareBegins(p, q) {
    let i = 0, j = 0;
    while (i < p.length && j < q.length)
      if (isDigit(p[i]) && isDigit(q[j])) {
        const a = digitsAt(p, i), b = digitsAt(q, j);
        const order = a.digits.length - b.digits.length || compareBytes(a.digits, b.digits);
        if (order !== 0) return order;
        i = a.end;
        j = b.end;
      } else if (p[i] !== q[j]) return p[i] - q[j];
      else {
        i++;
        j++;
      }
    return i === p.length && j === q.length ? 0 : i === p.length ? -1 : 1;
  }

  return function (a, b) {
    const p = encoder.encode(a), q = encoder.encode(b);
    return compareBegins(p, q) || compareBytes(p, q);
  };
})();
