/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What is shown of an image's results, for each command:
 *
 *   headline(data, rows)         texts and elements: the number that was asked for
 *   show(data, rows, image, width)  figures, and details that open; null is left out
 *   facts(row, data, cells, isPart) [[name, text], ...]; isPart: one of several results of the image
 *   isWhole, partName            all rows of an image (and of a value of that column) are one result */
"use strict";

rugose.kinds = (function () {
  const { h, show, plusMinus, charts } = rugose;
  const MOST_FACTS = 40;
  const SHOWN = new Set(["image", "shape", "engine", "label", "distance", "angle"]); /* elsewhere on the card */

  /* ---- Pieces ---- */

  const strong = (text) => h("strong", {}, text);
  const because = (row) => (rugose.reason(row) ? " (" + rugose.reason(row) + ")" : "");
  const undefinedFor = (row) => "undefined" + because(row);
  const orNull = (value, text) => (value === null || value === undefined ? null : text());

  /* A value with its error; why, where there is none. */
  const valueOf = (value, error, row) => (value === null ? undefinedFor(row) : plusMinus(value, error));

  function spreadOf(values) {
    const found = values.filter((v) => v !== null && v !== undefined);
    if (!found.length) return [strong("undefined")];
    return ["median ", strong(show(d3.median(found), 4)), ", " + show(d3.min(found), 4) + " to " + show(d3.max(found), 4)];
  }

  function keys(...list) {
    return h("p", { class: "keys small soft" },
      list.filter(Boolean).map(([name, text]) => h("span", {}, h("span", { class: name }), text)));
  }

  function tableOf(title, names, rows) {
    const cell = (text, i) => h(i ? "td" : "th", { class: "number", scope: i ? null : "row" }, text);
    return h("div", { class: "plain", tabindex: 0, role: "region", "aria-label": title },
      h("table", {}, h("caption", { class: "unseen" }, title),
        h("thead", {}, h("tr", {}, names.map((name) => h("th", { scope: "col", class: "number" }, name)))),
        h("tbody", {}, rows.map((cells) => h("tr", {}, cells.map(cell))))));
  }

  const opening = (title, make) => rugose.details(title, make, { class: "wide" });

  /* The same part of two pictures, one over the other; a slider moves the edge between them. */
  function crops(image, left, right) {
    const before = rugose.picture(image, ["original"]), after = rugose.picture(image, ["decoded"], { class: "over" });
    if (!before || !after) return null;
    const where = (image.pictures.decoded.alt || "").replace(/^decoded:? */, "");
    const frames = h("div", { class: "frames" }, before, after, h("span", { class: "edge", "aria-hidden": "true" }));
    const slider = h("input", {
      type: "range", min: 0, max: 100, value: 50, "aria-label": "Edge between both, in percent from the left",
      oninput: () => frames.style.setProperty("--cut", slider.value + "%"),
    });
    const caption = "Left " + left + ", right " + right + (where ? ": " + where : "") + ".";
    return h("figure", { class: "compare" }, frames, slider, h("figcaption", {}, caption));
  }

  /* ---- Box counts ---- */

  /** The boxes of a size that the dimension is fitted to. */
  function countOf(data, c) {
    if (c.boxes_by_area !== undefined) return c.boxes_by_area;
    const of = (data.head.parameters || {}).of;
    return c[of] !== undefined ? c[of] : c.nonempty;
  }

  function scalingOf(data, row, image, width) {
    const unit = row.size_unit || (row.foreground === "points" ? "lattice cells" : "pixels");
    const points = (row.counts || []).map((c) =>
      ({ size: c.size, count: countOf(data, c), slope: c.local_slope, used: c.used }));
    return charts.scaling({
      width, points, dimension: row.dimension, error: row.std_error, intercept: row.intercept,
      xLabel: "box size (" + unit + ")", yLabel: "boxes",
      sentence: image.short + ": boxes against size, both logarithmic, and local slopes; dimension " +
        plusMinus(row.dimension, row.std_error) + " over sizes " + row.size_min + " to " + row.size_max,
    });
  }

  const COUNTS = "Counts at each size";

  /** The counts of a row in a table. */
  function countsTable(row) {
    const counts = row.counts || [];
    const names = Object.keys(counts[0] || {}).filter((name) => name !== "used" && name !== "size_unit");
    const text = (value) => (value === null ? "–" : typeof value === "number" ? show(value) : String(value));
    return tableOf(COUNTS, [...names, "in the fit"],
      counts.map((c) => [...names.map((name) => text(c[name])), c.used ? "yes" : "no"]));
  }

  const boxcount = {
    headline(data, rows) {
      const row = rows[0].row;
      if (rows.length > 1)
        return ["D: ", spreadOf(rows.map((r) => r.row.dimension)), ", " + rugose.plural(rows.length, "result")];
      const doubt = row.dimension !== null && rugose.reason(row) ? " — " + rugose.reason(row) : "";
      return ["D\u00a0=\u00a0", strong(valueOf(row.dimension, row.std_error, row)), doubt];
    },
    show: (data, rows, image, width) => [
      h("figure", {}, scalingOf(data, rows[0].row, image, width), keys(["key", "in the fit"], ["key hollow", "left out"])),
      opening(COUNTS, () => countsTable(rows[0].row)),
    ],
    facts: (row, data, cells, isPart) => [
      ["dimension", isPart ? valueOf(row.dimension, row.std_error, row) : null],
      ["r²", show(row.r_squared)],
      ["sizes", orNull(row.size_min, () => show(row.size_min) + " to " + show(row.size_max) +
        (row.size_unit ? " " + row.size_unit : "") + " (" + row.n_sizes + ")")],
      ["foreground", orNull(row.foreground, () => row.foreground +
        (row.foreground_share === null ? "" : ", " + show(100 * row.foreground_share, 4) + " %"))],
      ["levels", row.foreground === undefined ? orNull(row.levels, () => show(row.levels)) : null],
    ],
  };

  /* ---- Multifractals ---- */

  /* Whether an order cannot be one of a spectrum: f lies outside 0 to D0 by more than its error. */
  function isOutside(row, d0) {
    const slack = (row.f_error || 0) + 1e-9;
    return row.f !== null && (row.f < -slack || (d0 !== undefined && row.f > d0 + slack));
  }

  function spectrum(rows, image, width) {
    const d0 = (rows[0].row.summary || {}).D0;
    const points = rows.map(({ row }) => ({
      x: row.alpha, y: row.f, error: row.f_error, kind: isOutside(row, d0) || row.status !== "ok" ? "bad" : "used",
      title: "q = " + show(row.q) + ": α " + show(row.alpha, 5) + ", f " + plusMinus(row.f, row.f_error),
    }));
    const n = points.filter((p) => p.kind === "bad").length;
    const sentence = image.short + ": f against alpha, " + rugose.plural(rows.length, "order") +
      (n ? ", of which " + n + " are in doubt" : "");
    const guides = [0, d0].filter((v) => v !== undefined && v !== null);
    return h("figure", {}, charts.curve({ width, points, guides, xLabel: "α", yLabel: "f(α)", sentence }),
      keys(["key", "with standard errors"], n ? ["key wrong", "below 0, above D₀, or in doubt (" + n + ")"] : null));
  }

  function dimensions(rows, image, width) {
    const points = rows.map(({ row }) => ({
      x: row.q, y: row.D, error: row.D_error, title: "q = " + show(row.q) + ": D " + plusMinus(row.D, row.D_error),
    }));
    const sentence = image.short + ": generalised dimensions against the order";
    return h("figure", {}, charts.curve({ width, points, xLabel: "order q", yLabel: "D_q", sentence }));
  }

  const moments = {
    isWhole: true,
    headline(data, rows) {
      const s = rows[0].row.summary;
      return s ? ["₀", "₁", "₂"].map((low, i) => [i ? ", " : "", "D" + low + "\u00a0=\u00a0",
        strong(valueOf(s["D" + i], s["D" + i + "_error"], s))]) : [];
    },
    show: (data, rows, image, width) => [spectrum(rows, image, width), dimensions(rows, image, width)],
    facts(row) {
      const s = row.summary || {};
      return [
        ["α", orNull(s.alpha_min, () => show(s.alpha_min, 5) + " to " + show(s.alpha_max, 5))],
        ["mass", s.mass],
        ["sizes", orNull(s.size_min, () => show(s.size_min) + " to " + show(s.size_max))],
      ];
    },
  };

  const alpha = {
    isWhole: true,
    headline(data, rows) {
      const best = rows.reduce((a, b) => ((b.row.f || -1) > (a.row.f || -1) ? b : a)).row;
      return ["largest f ", strong(valueOf(best.f, best.f_error, best)),
        " at α " + show(best.alpha_min, 4) + " to " + show(best.alpha_max, 4)];
    },
    show(data, rows, image, width) {
      const points = rows.map(({ row }) => ({
        x: (row.alpha_min + row.alpha_max) / 2, y: row.f, error: row.f_error, kind: row.status === "ok" ? "used" : "bad",
        title: plusMinus(row.f, row.f_error) + ", " + show(row.pixels) + " pixels",
      }));
      const values = rows.map(({ row }) => row.pixels || 0);
      const [sentence, second] = [": f of the slices of alpha", ": pixels of each slice of alpha"].map((t) => image.short + t);
      return [
        h("figure", {}, charts.curve({ width, points, xLabel: "α", yLabel: "f", sentence }),
          keys(["key", "with standard errors"], ["key wrong", "in doubt"])),
        h("figure", {}, charts.bars({ width, values, xLabel: "slice", yLabel: "pixels", sentence: second })),
      ];
    },
    facts: (row) => [
      ["α", show(row.range_min, 5) + " to " + show(row.range_max, 5)],
      ["without α", show(row.undefined) + " of " + show(row.pixels_of_image) + " pixels"],
    ],
  };

  /* ---- Lacunarity, textures ---- */

  const lacunarity = {
    isWhole: true,
    partName: "label",
    headline(data, rows) {
      const n = new Set(rows.map((r) => r.row.label)).size, at = rows.map((r) => r.row).filter((r) => r.lacunarity !== null);
      if (n > 1) return [strong(rugose.count(n)), " labels"];
      if (!at.length) return [strong(undefinedFor(rows[0].row))];
      const first = at[0], last = at[at.length - 1];
      return ["Λ\u00a0=\u00a0", strong(show(first.lacunarity, 4)), " at size " + show(first.size) + ", ",
        strong(show(last.lacunarity, 4)), " at " + show(last.size)];
    },
    show(data, rows, image, width) {
      const points = rows.map(({ row }) =>
        ({ x: row.size, y: row.lacunarity, title: "size " + show(row.size) + ": " + show(row.lacunarity) }));
      const sentence = image.short + ": lacunarity against box size, both logarithmic";
      return [
        h("figure", {}, charts.curve({ width, points, logX: true, logY: true, guides: [1], height: 260,
          xLabel: "box size (pixels)", yLabel: "Λ", sentence })),
        opening("Lacunarity at each size", () => tableOf("Lacunarity at each size", ["size", "lacunarity", "boxes"],
          rows.map(({ row }) =>
            [show(row.size), row.lacunarity === null ? undefinedFor(row) : show(row.lacunarity), show(row.positions)]))),
      ];
    },
    facts: (row) => [
      ["mass", row.mass],
      ["pixels with mass", orNull(row.pixels_with_mass, () => show(row.pixels_with_mass) + " of " + show(row.pixels))],
    ],
  };

  const mostFrequent = (row) => row.bins.indexOf(d3.max(row.bins));

  const lbp = {
    headline(data, rows) {
      if (rows.length > 1) return [rugose.plural(rows.length, "histogram")];
      const row = rows[0].row;
      return row.n_bins ? [strong(show(row.n_bins)), " bins of ", strong(show(row.pixels)), " pixels"] : ["no histogram"];
    },
    show(data, rows, image, width) {
      const row = rows[0].row;
      if (!row.n_bins) return [];
      const total = d3.sum(row.bins) || 1, values = row.bins.map((b) => b / total);
      const sentence = image.short + ": histogram of patterns; the most frequent code is " + mostFrequent(row);
      return [h("figure", {}, charts.bars({ width, values, xLabel: "code", yLabel: "share of pixels", sentence }))];
    },
    facts: (row) => [
      ["operator", "P = " + row.points + ", R = " + row.radius],
      ["method", row.method],
      ["pixels", row.n_bins ? show(row.pixels) : null],
      ["most frequent code", row.n_bins ? String(mostFrequent(row)) : null],
    ],
  };

  const classify = {
    headline(data, rows) {
      const row = rows[0].row;
      if (row.predicted === null) return [strong("no prediction"), because(row)];
      if (row.true === null) return [strong(row.predicted)];
      return [strong(row.predicted), row.true === row.predicted ? ", right" : [" ", rugose.wrong(row)]];
    },
    show: () => [],
    facts: (row) => [
      ["second", row.second],
      ["margin", orNull(row.margin, () => show(row.margin, 5))],
      ["score", orNull(row.score, () => show(row.score))],
      ["nearest sample", row.nearest],
    ],
  };

  /* ---- Coding, and the rest ---- */

  const compress = {
    headline(data, rows) {
      const row = rows[0].row;
      if (rows.length > 1) return [rugose.plural(rows.length, "stream")];
      const psnr = row.psnr === null ? "PSNR " + undefinedFor(row) : show(row.psnr, 4) + " dB";
      return [strong(show(row.bpp, 3)), " bits per pixel, ", strong(psnr)];
    },
    show: (data, rows, image) => [crops(image, "the original", "what was decoded")],
    facts: (row) => [
      ["bytes", show(row.bytes)],
      ["ratio", show(row.ratio, 4)],
      ["SSIM", show(row.ssim, 4)],
      ["shape", row.shape],
      ["stream", row.output],
      ["time", orNull(row.seconds, () => rugose.seconds(row.seconds))],
    ],
  };

  const TEXTURE = ["contrast", "Contrast", "entropy", "joint_entropy", "JointEntropy"];

  /* Commands whose columns are all that there is to show. */
  const other = {
    headline(data, rows) {
      const row = rows[0].row, texture = TEXTURE.filter((name) => typeof row[name] === "number");
      if (rows.length > 1) return [rugose.plural(rows.length, "result")];
      if (texture.length) return texture.map((name, i) => [i ? ", " : "", name + " ", strong(show(row[name], 4))]);
      return [strong(typeof row.psnr === "number" ? show(row.psnr, 4) + " dB" : row.shape || "")];
    },
    show: (data, rows, image) => [crops(image, image.short, rows[0].row.other || "the other")],
    facts: (row, data, cells) => data.columns.map((name, c) => [name, cells[c]])
      .filter(([name, text]) => text !== "nan" && text !== "" && !SHOWN.has(name) && !(name === "status" && text === "ok"))
      .slice(0, MOST_FACTS).map(([name, text]) => [name, rugose.short(text)]),
  };

  /** What is shown of the images of a page. */
  function of(data) {
    const known = { boxcount, multifractal: moments, lacunarity, lbp, classify, compress };
    return rugose.variant(data) === "alpha" ? alpha : known[data.head.command] || other;
  }

  return { of, countOf, countsTable };
})();
