/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Which pixels are set, as the value of --foreground says: its text, what it means, and a test of values that is
 * fast enough to follow a slider. */
"use strict";

rugose.rules = (function () {
  const KINDS = ["auto", "otsu", "otsu-dark", "nonzero", "above", "below", "label"];
  const TITLES = {
    auto: "Automatic", otsu: "Bright (Otsu)", "otsu-dark": "Dark (Otsu)", nonzero: "All but 0", above: "This value and above",
    below: "Below this value", label: "This value only",
  };
  const HAS_VALUE = new Set(["above", "below", "label"]);

  /** "above=100" -> {kind: "above", value: 100}; a rule without a value has none. */
  function parse(text) {
    const [kind, value] = String(text || "auto").split("=");
    return KINDS.includes(kind) ? { kind, value: HAS_VALUE.has(kind) ? Number(value) : null } : { kind: "auto", value: null };
  }

  const text = ({ kind, value }) => (HAS_VALUE.has(kind) ? kind + "=" + value : kind);

  /** Whether a rule says by itself which pixels are set, without a look at all values. */
  const isPlain = (rule) => rule.kind === "nonzero" || HAS_VALUE.has(rule.kind);

  /** A test of one value; NaN is never set. null for a rule that is not plain. */
  function tester({ kind, value }) {
    const limit = Math.fround(value);
    switch (kind) {
      case "nonzero": return (v) => v !== 0 && v === v;
      case "above": return (v) => v >= limit;
      case "below": return (v) => v < limit;
      case "label": return (v) => v === limit;
      default: return null;
    }
  }

  /** "100 and above" of {kind: "above", value: 100}. */
  function words({ kind, value }) {
    switch (kind) {
      case "above": return rugose.show(value) + " and above";
      case "below": return "below " + rugose.show(value);
      case "label": return "only " + rugose.show(value);
      case "nonzero": return "all but 0";
      default: return TITLES[kind].toLowerCase();
    }
  }

  /** The rule by which an image's pixels are set now: the option, or what a result says it has chosen.
   *  @param row  of a result of the same option, or null; @return null where it is not known yet */
  function resolved(option, row) {
    const rule = parse(option);
    if (isPlain(rule)) return rule;
    const chosen = row && typeof row.foreground === "string" ? parse(row.foreground) : null;
    return chosen && isPlain(chosen) ? chosen : null;
  }

  return { KINDS, TITLES, parse, text, tester, words, resolved, hasValue: (kind) => HAS_VALUE.has(kind) };
})();
