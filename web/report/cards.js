/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A card for each image: its picture, its number, its charts and its facts. The frames of cards come a hundred
 * at a time, what is in them when they come into view. */
"use strict";

rugose.cards = (function () {
  const { h, show, plusMinus, charts } = rugose;
  const CHUNK = 100;
  const MOST_FACTS = 40;
  const SHOWN = new Set(["image", "shape", "engine", "label", "distance", "angle"]); /* elsewhere */

  const doubts = (row) => (rugose.reason(row) ? " \u2014 " + rugose.reason(row) : "");
  const strong = (text) => h("strong", {}, text);
  const undefinedFor = (row) => "undefined" + (rugose.reason(row) ? " (" + rugose.reason(row) + ")" : "");

  /* ---- Box counts ---- */

  function countOf(data, c) {
    const of = (data.head.parameters || {}).of || "nonempty";
    return c.boxes_by_area !== undefined ? c.boxes_by_area : c[of] !== undefined ? c[of] : c.nonempty;
  }

  function scalingOf(data, row, name, width) {
    const unit = row.size_unit || (row.foreground === "points" ? "lattice cells" : "pixels"), d = plusMinus(row.dimension, row.std_error);
    return charts.scaling({
      width,
      points: (row.counts || []).map((c) => ({ size: c.size, count: countOf(data, c), slope: c.local_slope, used: c.used })),
      dimension: row.dimension, error: row.std_error, intercept: row.intercept,
      xLabel: "box size (" + unit + ")", yLabel: "boxes",
      sentence: name + ": boxes against size, both logarithmic, and local slopes; dimension " + d + " over sizes " + row.size_min + " to " + row.size_max,
    });
  }

  function countsTable(data, row) {
    const counts = row.counts || [], names = Object.keys(counts[0] || {}).filter((n) => n !== "used" && n !== "size_unit");
    return numbers("Counts at each size", [...names, "in the fit"], counts.map((c) => [...names.map((n) => (c[n] === null ? "\u2013" : typeof c[n] === "number" ? show(c[n]) : String(c[n]))), c.used ? "yes" : "no"]));
  }

  const fitKeys = () => h("p", { class: "keys small soft" }, h("span", {}, h("span", { class: "key" }), "in the fit"),
    h("span", {}, h("span", { class: "key hollow" }), "left out"));

  const boxcount = {
    headline: (data, rows) => (rows.length === 1 ? ["D\u00a0=\u00a0", strong(rows[0].row.dimension === null ? undefinedFor(rows[0].row) : plusMinus(rows[0].row.dimension, rows[0].row.std_error)), rows[0].row.dimension === null ? "" : doubts(rows[0].row)]
      : ["D: ", spreadOf(rows.map((r) => r.row.dimension)), ", " + rugose.plural(rows.length, "result")]),
    show: (data, row, image, width) => [h("figure", {}, scalingOf(data, row, image.short, width), fitKeys()), countsTable(data, row)],
    facts: (row, data, cells, isPart) => [["dimension", !isPart ? null : row.dimension === null ? undefinedFor(row) : plusMinus(row.dimension, row.std_error)], ["r\u00b2", show(row.r_squared)],
      ["sizes", row.size_min === null ? null : show(row.size_min) + " to " + show(row.size_max) + (row.size_unit ? " " + row.size_unit : "") + " (" + row.n_sizes + ")"],
      ["foreground", row.foreground === undefined ? null : row.foreground + (row.foreground_share === null ? "" : ", " + show(100 * row.foreground_share, 4) + " %")],
      ["levels", row.levels === undefined || row.foreground !== undefined ? null : show(row.levels)]],
  };

  /* ---- Multifractals ---- */

  function spectrumPoints(rows) {
    const d0 = rows[0].row.summary && rows[0].row.summary.D0;
    return rows.map(({ row }) => {
      const slack = row.f_error || 0, isBad = row.f !== null && (row.f < -slack - 1e-9 || (d0 !== undefined && row.f > d0 + slack + 1e-9)) || row.status !== "ok";
      return { x: row.alpha, y: row.f, error: row.f_error, kind: isBad ? "bad" : "used", isBad, title: "q = " + show(row.q) + ": \u03b1 " + show(row.alpha, 5) + ", f " + plusMinus(row.f, row.f_error) };
    });
  }

  function momentCharts(data, rows, image, width) {
    const d0 = (rows[0].row.summary || {}).D0, points = spectrumPoints(rows), bad = points.filter((p) => p.isBad).length;
    return [
      h("figure", {}, charts.curve({ width, points, guides: [0, d0].filter((v) => v !== undefined && v !== null), xLabel: "\u03b1", yLabel: "f(\u03b1)",
        sentence: image.short + ": f against alpha, " + rugose.plural(rows.length, "order") + (bad ? ", of which " + bad + " are in doubt" : "") }),
      h("p", { class: "keys small soft" }, h("span", {}, h("span", { class: "key" }), "with standard errors"),
        bad ? h("span", {}, h("span", { class: "key wrong" }), "below 0, above D\u2080, or in doubt (" + bad + ")") : null)),
      h("figure", {}, charts.curve({ width, points: rows.map(({ row }) => ({ x: row.q, y: row.D, error: row.D_error, title: "q = " + show(row.q) + ": D " + plusMinus(row.D, row.D_error) })),
        xLabel: "order q", yLabel: "D_q", sentence: image.short + ": generalised dimensions against the order" })),
    ];
  }

  const moments = {
    isWhole: true,
    headline: (data, rows) => {
      const s = rows[0].row.summary;
      return s ? ["D\u2080\u00a0=\u00a0", strong(plusMinus(s.D0, s.D0_error)), ", D\u2081\u00a0=\u00a0", strong(plusMinus(s.D1, s.D1_error)), ", D\u2082\u00a0=\u00a0", strong(plusMinus(s.D2, s.D2_error))] : [];
    },
    show: momentCharts,
    facts: (row) => {
      const s = row.summary || {};
      return [["\u03b1", s.alpha_min === undefined ? null : show(s.alpha_min, 5) + " to " + show(s.alpha_max, 5)], ["mass", s.mass], ["sizes", show(s.size_min) + " to " + show(s.size_max)]];
    },
  };

  const alpha = {
    isWhole: true,
    headline: (data, rows) => {
      const best = rows.reduce((a, b) => ((b.row.f || -1) > (a.row.f || -1) ? b : a)).row;
      return ["largest f ", strong(plusMinus(best.f, best.f_error)), " at \u03b1 " + show(best.alpha_min, 4) + " to " + show(best.alpha_max, 4)];
    },
    show: (data, rows, image, width) => [h("figure", {}, charts.curve({ width, xLabel: "\u03b1", yLabel: "f", sentence: image.short + ": f of the slices of alpha",
      points: rows.map(({ row }) => ({ x: (row.alpha_min + row.alpha_max) / 2, y: row.f, error: row.f_error, kind: row.status === "ok" ? "used" : "bad", title: plusMinus(row.f, row.f_error) + ", " + show(row.pixels) + " pixels" })) })),
    h("figure", {}, charts.bars({ width, values: rows.map(({ row }) => row.pixels || 0), xLabel: "slice", yLabel: "pixels", sentence: image.short + ": pixels in each slice of alpha" }))],
    facts: (row) => [["\u03b1", show(row.range_min, 5) + " to " + show(row.range_max, 5)], ["without \u03b1", show(row.undefined) + " of " + show(row.pixels_of_image) + " pixels"]],
  };

  /* ---- Other methods ---- */

  const lacunarity = {
    isWhole: true,
    partName: "label",
    headline: (data, rows) => {
      const n = new Set(rows.map((r) => r.row.label)).size, at = rows.filter((r) => r.row.lacunarity !== null);
      if (n > 1) return [strong(rugose.count(n)), " labels"];
      return at.length ? ["\u039b = ", strong(show(at[0].row.lacunarity, 4)), " at size " + show(at[0].row.size) + ", ", strong(show(at[at.length - 1].row.lacunarity, 4)), " at " + show(at[at.length - 1].row.size)] : [strong(undefinedFor(rows[0].row))];
    },
    show: (data, rows, image, width) => [h("figure", {}, charts.curve({ width, logX: true, logY: true, guides: [1], height: 260, xLabel: "box size (pixels)", yLabel: "\u039b",
      points: rows.map(({ row }) => ({ x: row.size, y: row.lacunarity, title: "size " + show(row.size) + ": " + show(row.lacunarity) })), sentence: image.short + ": lacunarity against box size, both logarithmic" })),
    numbers("Lacunarity at each size", ["size", "lacunarity", "boxes"], rows.map(({ row }) => [show(row.size), row.lacunarity === null ? undefinedFor(row) : show(row.lacunarity), show(row.positions)]))],
    facts: (row) => [["mass", row.mass], ["pixels with mass", row.pixels_with_mass === undefined ? null : show(row.pixels_with_mass) + " of " + show(row.pixels)]],
  };

  const lbp = {
    headline: (data, rows) => (rows.length === 1 && !rows[0].row.n_bins ? ["no histogram"] : rows.length === 1 ? [strong(show(rows[0].row.n_bins)), " bins of ", strong(show(rows[0].row.pixels)), " pixels"] : [rugose.plural(rows.length, "histogram")]),
    show: (data, row, image, width) => {
      const total = d3.sum(row.bins || []);
      return row.n_bins ? [h("figure", {}, charts.bars({ width, values: row.bins.map((b) => b / (total || 1)), xLabel: "code", yLabel: "share of pixels",
        sentence: image.short + ": histogram of patterns; the most frequent code is " + row.bins.indexOf(d3.max(row.bins)) }))] : [];
    },
    facts: (row) => [["operator", "P = " + row.points + ", R = " + row.radius], ["method", row.method], ["pixels", row.n_bins ? show(row.pixels) : null], ["most frequent code", row.n_bins ? String(row.bins.indexOf(d3.max(row.bins))) : null]],
  };

  const classify = {
    headline: (data, rows) => {
      const r = rows[0].row, isWrong = r.true !== null && r.true !== r.predicted;
      return r.predicted === null ? [strong("no prediction"), doubts(r)] : [strong(r.predicted), r.true === null ? "" : isWrong ? h("span", { class: "doubtful" }, " wrong: it is " + r.true) : ", right"];
    },
    show: () => [],
    facts: (row) => [["second", row.second], ["margin", show(row.margin, 5)], ["score", show(row.score)], ["nearest sample", row.nearest]],
  };

  const compress = {
    headline: (data, rows) => [strong(show(rows[0].row.bpp, 3)), " bits per pixel, ", strong(rows[0].row.psnr === null ? "PSNR undefined" : show(rows[0].row.psnr, 4) + " dB"), doubts(rows[0].row)],
    show: (data, row, image) => [crops(image, "the original", "what was decoded")],
    facts: (row) => [["bytes", show(row.bytes)], ["ratio", show(row.ratio, 4)], ["SSIM", show(row.ssim, 4)], ["shape", row.shape], ["stream", row.output], ["time", row.seconds ? rugose.seconds(row.seconds) : null]],
  };

  /* Commands whose rows are all that there is to show. */
  const other = {
    headline: (data, rows) => {
      const row = rows[0].row, texture = ["contrast", "Contrast", "entropy", "joint_entropy", "JointEntropy"].filter((name) => typeof row[name] === "number");
      if (rows.length > 1) return [rugose.plural(rows.length, "result")];
      if (texture.length) return texture.map((name, i) => [i ? ", " : "", name + " ", strong(show(row[name], 4))]);
      return [strong(typeof row.psnr === "number" ? show(row.psnr, 4) + " dB" : row.shape || "")];
    },
    show: (data, row, image) => [crops(image, image.short, row.other || "the other")],
    facts: (row, data, cells) => data.columns.map((name, c) => [name, cells[c]])
      .filter(([name, text]) => text !== "nan" && text !== "" && !SHOWN.has(name) && !(name === "status" && text === "ok"))
      .slice(0, MOST_FACTS).map(([name, text]) => [name, rugose.short(text)]),
  };

  function kindOf(data) {
    const row = data.rows.length ? data.rows[0].row : {};
    switch (data.head.command) {
      case "boxcount": return boxcount;
      case "multifractal": return row.slice !== undefined ? alpha : moments;
      case "lacunarity": return lacunarity;
      case "lbp": return lbp;
      case "classify": return classify;
      case "compress": return compress;
      default: return other;
    }
  }

  /* ---- Pieces ---- */

  function spreadOf(values) {
    const found = values.filter((v) => v !== null && v !== undefined);
    return found.length ? ["median ", strong(show(d3.median(found), 4)), ", " + show(d3.min(found), 4) + " to " + show(d3.max(found), 4)] : [strong("undefined")];
  }

  function numbers(title, names, rows) {
    const make = () => h("div", { class: "plain", tabindex: 0, role: "region", "aria-label": title }, h("table", {}, h("caption", { class: "unseen" }, title),
      h("thead", {}, h("tr", {}, names.map((n) => h("th", { scope: "col", class: "number" }, n)))),
      h("tbody", {}, rows.map((cells) => h("tr", {}, cells.map((t, i) => h(i ? "td" : "th", { class: "number", scope: i ? null : "row" }, t)))))));
    return rugose.details(title, make, { class: "wide" });
  }

  /* The same part of two pictures, one over the other; a slider moves the edge between them. */
  function crops(image, left, right) {
    const before = rugose.picture(image, ["original"]), after = rugose.picture(image, ["decoded"], { class: "over" });
    if (!before || !after) return null;
    const where = (image.pictures.decoded.alt || "").replace(/^decoded:? */, "");
    const frames = h("div", { class: "frames" }, before, after, h("span", { class: "edge", "aria-hidden": "true" }));
    const slider = h("input", { type: "range", min: 0, max: 100, value: 50, "aria-label": "Edge between both, in percent from the left",
      oninput: () => frames.style.setProperty("--cut", slider.value + "%") });
    return h("figure", { class: "compare" }, frames, slider, h("figcaption", {}, "Left " + left + ", right " + right + (where ? ": " + where : "") + "."));
  }

  /* ---- Cards ---- */

  function frame(data, image, rows) {
    const kind = kindOf(data);
    return h("article", { class: "card", id: "image-" + image.index, tabindex: -1, "aria-label": image.short }, h("h3", { title: image.name }, image.short),
      rows.length ? h("p", { class: "headline" }, kind.headline(data, rows)) : null);
  }

  /* The choice of a part, where an image has many results. */
  function chooser(data, image, parts, draw) {
    const select = h("select", { onchange: () => draw(parts[select.selectedIndex]) },
      parts.map((part, i) => h("option", {}, part.name + (rugose.reason(part.rows[0].row) ? " (" + rugose.reason(part.rows[0].row) + ")" : ""))));
    return h("div", { class: "controls wide" }, h("label", { class: "field" }, "Result ", select));
  }

  /* What is drawn at once: the rows of a spectrum together, other rows one by one. */
  function partsOf(data, kind, rows) {
    if (!kind.isWhole) return rows.map((r) => ({ name: rugose.partOf(data, r) || "result " + (r.index + 1), rows: [r], isPart: rows.length > 1 }));
    const parts = new Map();
    for (const r of rows) {
      const value = kind.partName ? r.row[kind.partName] : null;
      if (!parts.has(value)) parts.set(value, []);
      parts.get(value).push(r);
    }
    return [...parts].map(([value, list]) => ({ name: kind.partName + " " + value, rows: list }));
  }

  function drawPart(data, kind, image, part, width) {
    const row = part.rows[0].row, shown = kind.show(data, kind.isWhole ? part.rows : row, image, width);
    return { charts: shown.filter(Boolean), facts: rugose.facts(kind.facts(row, data, part.rows[0].cells, part.isPart)) };
  }

  /* The width of a chart in a card, in which a picture stands beside it where there is room. */
  function chartWidth(card, hasPicture) {
    const inside = card.clientWidth - 32;
    return Math.max(240, Math.round(hasPicture && innerWidth > 640 ? (inside - 16) * 0.6 : inside));
  }

  function pictureOf(image) {
    const img = rugose.picture(image, image.pictures.original && image.pictures.decoded ? ["overlay"] : ["overlay", "original", "decoded"]);
    const isWide = img && img.width > 1.7 * img.height;
    return img && h("figure", { class: isWide ? "picture wide" : "picture" }, img, h("figcaption", {}, (image.pictures.overlay || {}).alt || ""));
  }

  /** Fills a card. */
  function fill(data, card, image, rows) {
    const kind = kindOf(data), parts = partsOf(data, kind, rows), picture = pictureOf(image), isBeside = picture && !picture.classList.contains("wide");
    const width = chartWidth(card, isBeside);
    const right = h("div", {}), facts = h("div");
    const draw = (part) => {
      const drawn = drawPart(data, kind, image, part, width), isTable = (c) => c.tagName === "DETAILS";
      right.replaceChildren(...drawn.charts.filter((c) => !isTable(c)));
      facts.replaceChildren(drawn.facts, ...drawn.charts.filter(isTable));
    };
    if (parts.length) draw(parts[0]);
    const hasCharts = right.children.length > 0;
    facts.classList.toggle("wide", !isBeside || hasCharts);
    card.append(h("div", { class: isBeside ? "body" : "body bare" },
      parts.length > 1 ? chooser(data, image, parts, draw) : null, picture, hasCharts ? right : null, facts));
    const notes = [...new Set(rows.flatMap((r) => r.row.warnings || []))];
    if (notes.length) card.append(h("ul", { class: "notes" }, notes.map((n) => h("li", {}, n))));
    card.classList.add("filled");
  }

  /** The cards of a page: {element, show(rows), open(image), all()}. */
  function make(data) {
    const grid = h("div", { class: "cards" }), more = h("div", { class: "more" }), element = h("div", {}, grid, more);
    let images = [], made = 0, rowsOf = new Map();
    const inView = new IntersectionObserver((entries) => {
      for (const entry of entries) if (entry.isIntersecting) { inView.unobserve(entry.target); fillOnce(entry.target); }
    }, { rootMargin: "600px" });
    const nearEnd = new IntersectionObserver((entries) => { if (entries.some((e) => e.isIntersecting)) grow(made + CHUNK); }, { rootMargin: "900px" });
    nearEnd.observe(more);

    function fillOnce(card) {
      if (!card.classList.contains("filled")) fill(data, card, card.image, rowsOf.get(card.image));
    }

    function grow(n) {
      const end = Math.min(n, images.length), cards = [];
      for (; made < end; made++) {
        const card = frame(data, images[made], rowsOf.get(images[made]));
        card.image = images[made];
        cards.push(card);
        inView.observe(card);
      }
      grid.append(...cards);
      more.textContent = made < images.length ? rugose.plural(images.length - made, "more image") + " below" : "";
    }

    return {
      element,
      show(rows) {
        rowsOf = new Map();
        for (const row of rows) if (row.image) rowsOf.has(row.image) ? rowsOf.get(row.image).push(row) : rowsOf.set(row.image, [row]);
        images = [...rowsOf.keys()];
        inView.disconnect();
        grid.replaceChildren();
        made = 0;
        grow(CHUNK);
      },
      open(image) {
        const at = images.indexOf(image);
        if (at < 0) return;
        grow(at + 1);
        const card = grid.children[at];
        fillOnce(card);
        card.scrollIntoView({ block: "start" });
        card.focus({ preventScroll: true });
      },
      all() {
        grow(images.length);
        for (const card of grid.children) fillOnce(card);
      },
    };
  }

  return { make, kindOf };
})();
