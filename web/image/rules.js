/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Which pixels are set, as the value of --foreground says: its text, what it means, and a test of values that is
 * fast enough to follow a slider. The values of a picture are floats, so that a rule for larger numbers is
 * shown, not measured, with seven digits. */
"use strict";

rugose.rules = (function () {
  const KINDS = ["auto", "otsu", "otsu-dark", "nonzero", "above", "below", "label"];
  const TITLES = {
    auto: "Automatic", otsu: "Bright (Otsu)", "otsu-dark": "Dark (Otsu)", nonzero: "All but 0",
    above: "Values from", below: "Values below", label: "Only the value",
  };
  const HAS_VALUE = new Set(["above", "below", "label"]);

  /** "above=100" -> {kind: "above", value: 100}; a rule without a value has none. */
  function parse(text) {
    const [kind, value] = String(text || "auto").split("=");
    return KINDS.includes(kind) ? { kind, value: HAS_VALUE.has(kind) ? Number(value) : null }
      : { kind: "auto", value: null };
  }

  const text = ({ kind, value }) => (HAS_VALUE.has(kind) ? kind + "=" + value : kind);

  /** Whether a rule says by itself which pixels are set, without a look at all values. */
  const isPlain = (rule) => rule.kind === "nonzero" || HAS_VALUE.has(rule.kind);

  /** Marks which values of a picture, which are floats, are set: 1, else 0; NaN is never set.
   *  @param out  Uint8Array; @param rule  a plain one */
  function mark(out, values, rule) {
    const { kind } = rule, n = values.length, value = Math.fround(rule.value);
    if (kind === "above") for (let i = 0; i < n; i++) out[i] = values[i] >= value ? 1 : 0;
    else if (kind === "below") for (let i = 0; i < n; i++) out[i] = values[i] < value ? 1 : 0;
    else if (kind === "label") for (let i = 0; i < n; i++) out[i] = values[i] === value ? 1 : 0;
    else for (let i = 0; i < n; i++) out[i] = values[i] < 0 || values[i] > 0 ? 1 : 0;
    return out;
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
   *  @param row  of a result of the same option, or null: its foreground, or what has mass
   *  @return null where it is not known yet */
  function resolved(option, row) {
    const rule = parse(option);
    if (isPlain(rule)) return rule;
    const { mass, foreground = mass } = { ...(row && row.summary), ...row };
    const chosen = typeof foreground === "string" ? parse(foreground) : null;
    return chosen && isPlain(chosen) ? chosen : null;
  }

  return { KINDS, TITLES, parse, text, mark, words, resolved, hasValue: (kind) => HAS_VALUE.has(kind) };
})();
