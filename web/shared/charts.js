/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Charts as SVG, by d3. Colours are classes of style.css, so that they follow light, dark and print. Each
 * has a sentence for those who do not see it. */
"use strict";

rugose.charts = (function () {
  const WIDTH = 460; /* where a chart is not told how wide it will be */
  const isNumber = (x) => typeof x === "number" && Number.isFinite(x);

  const MOST_TICKS = 400; /* of a strip that are drawn */
  const MOST_NAMES = 12;  /* that are written beside points */
  const FEW = 6;     /* curves that have a colour of their own */
  const linear = (domain) => d3.scaleLinear().domain(domain);
  const log = (domain) => d3.scaleLog().domain(domain);

  /* Sets attributes of a selection. */
  function set(selection, attributes) {
    for (const [name, value] of Object.entries(attributes)) selection.attr(name, value);
    return selection;
  }

  /* Appends an element with attributes. */
  const put = (parent, name, attributes) => set(parent.append(name), attributes);

  /* Appends an element for each of some data. */
  const each = (parent, name, data, attributes) =>
    set(parent.append("g").selectAll(name).data(data).join(name), attributes);

  function canvas(o, height) {
    const width = o.width || WIDTH;
    return set(d3.create("svg"), { viewBox: "0 0 " + width + " " + height, role: "img", "aria-label": o.sentence, width, height })
      .style("width", "100%");
  }

  /* Where the axes of a chart lie. */
  const box = (o, top, bottom) => ({ left: 48, right: (o.width || WIDTH) - 10, top, bottom });

  /** Scales of a range of values, with a little room; a range of one value gets some. */
  function extent(values, room = 0.04) {
    const [a, b] = d3.extent(values.filter(isNumber));
    if (a === undefined) return [0, 1];
    if (a === b) return a === 0 ? [-1, 1] : [a - Math.abs(a) * 0.1, a + Math.abs(a) * 0.1];
    return [a - (b - a) * room, b + (b - a) * room];
  }

  function logExtent(values) {
    const [a, b] = d3.extent(values.filter((x) => isNumber(x) && x > 0));
    if (a === undefined) return [1, 10];
    const room = a === b ? 2 : Math.pow(b / a, 0.04);
    return [a / room, b * room];
  }

  const scaleOf = (values, isLog, room) => (isLog ? log(logExtent(values)) : linear(extent(values, room)));

  function tidy(x) {
    const size = Math.abs(x);
    return size >= 1e4 || (size !== 0 && size < 1e-3) ? d3.format(".3~s")(x) : String(Number(x.toPrecision(4)));
  }

  /* Ticks of a logarithmic axis: the values themselves where they are few, else powers of ten, else some. */
  function logTicks(scale, values, most) {
    const own = [...new Set(values)].sort((a, b) => a - b), [a, b] = scale.domain();
    if (own.length && own.length <= most) return own;
    const thin = (ticks) => ticks.filter((_, i) => i % Math.ceil(ticks.length / most) === 0);
    const powers = d3.range(Math.ceil(Math.log10(a)), Math.floor(Math.log10(b)) + 1).map((e) => Math.pow(10, e));
    if (powers.length >= 2) return thin(powers);
    const ticks = thin(scale.ticks(4));
    return ticks.length >= 2 ? ticks : d3.ticks(a, b, 4);
  }

  /* Ticks of an axis of some pixels, at most one for `wide` of them. */
  function ticksOf(scale, values, pixels, wide, least) {
    return scale.base ? logTicks(scale, values || [], Math.floor(pixels / wide))
      : scale.ticks(Math.max(least, Math.round(pixels / (2 * wide))));
  }

  /* A label; the q of D_q stands low. */
  function label(g, text, attributes) {
    const [first, low] = text === "D_q" ? ["D", "q"] : [text, null];
    const element = put(g, "text", { class: "note", ...attributes }).text(first);
    if (low) put(element, "tspan", { dy: 3, "font-size": "80%" }).text(low);
  }

  /* The frame of a chart: axes, grid and labels. @return {g, x, y} */
  function frame(svg, at, x, y, o) {
    const g = svg.append("g"), { left, right, top, bottom } = at;
    x.range([left, right]);
    y.range([bottom, top]);
    const xTicks = o.xTicks || ticksOf(x, o.xValues, right - left, 34, 2);
    const yTicks = o.yTicks || ticksOf(y, [], bottom - top, 20, 3);
    set(each(g, "line", yTicks, { x1: left, x2: right, y1: y, y2: y }), { class: "grid" });
    const below = d3.axisBottom(x).tickValues(xTicks).tickFormat(o.xFormat || tidy).tickSizeOuter(0).tickSize(4);
    const beside = d3.axisLeft(y).tickValues(yTicks).tickFormat(o.yFormat || tidy).tickSize(0).tickPadding(6);
    const axis = put(g, "g", { class: "axis", transform: "translate(0," + bottom + ")" }).call(below);
    if (o.noXText) axis.selectAll("text").remove();
    put(g, "g", { class: "axis", transform: "translate(" + left + ",0)" }).call(beside).select(".domain").remove();
    if (o.xLabel) label(g, o.xLabel, { x: right, y: bottom + 30, "text-anchor": "end" });
    if (o.yLabel) label(g, o.yLabel, { x: 4, y: top - 8 });
    return { g, x, y };
  }

  function dots(plot, points, r = 3.6) {
    const place = { cx: (p) => plot.x(p.x), cy: (p) => plot.y(p.y), r };
    each(plot.g, "circle", points, { class: (p) => p.kind || "used", ...place }).append("title").text((p) => p.title || "");
  }

  function errors(plot, points) {
    const at = (sign) => (p) => plot.y(p.y + sign * p.error), x = (p) => plot.x(p.x);
    each(plot.g, "line", points.filter((p) => isNumber(p.error) && p.error > 0),
      { class: "error", x1: x, x2: x, y1: at(-1), y2: at(1) });
  }

  function path(plot, points, name) {
    const line = d3.line().defined((p) => isNumber(p.x) && isNumber(p.y)).x((p) => plot.x(p.x)).y((p) => plot.y(p.y));
    return put(plot.g, "path", { class: name, d: line(points) });
  }

  /* A line from top to bottom at the median. */
  function median(plot, values, y1, y2) {
    const m = d3.median(values);
    if (isNumber(m)) put(plot.g, "line", { class: "median", x1: plot.x(m), x2: plot.x(m), y1, y2 });
  }

  /* A horizontal line with its band of error. */
  function level(plot, value, error) {
    const [x, end] = plot.x.range(), [low, high] = plot.y.domain();
    const at = (v) => plot.y(Math.min(Math.max(v, low), high));
    if (isNumber(error)) {
      const y = at(value + error);
      put(plot.g, "rect", { class: "band", x, width: end - x, y, height: Math.max(0, at(value - error) - y) });
    }
    put(plot.g, "line", { class: "fit", x1: x, x2: end, y1: at(value), y2: at(value) });
  }

  /* The slope from each size to the next, where it lies on a logarithmic axis. */
  function slopesOf(points) {
    const found = points.slice(0, -1).map((p, i) => ({ p, next: points[i + 1] })).filter(({ p }) => isNumber(p.slope));
    return found.map(({ p, next }) => ({
      x: Math.sqrt(p.size * next.size), y: p.slope, kind: p.used && next.used ? "used" : "unused",
      title: "local slope " + rugose.show(p.slope, 4) + " from size " + rugose.show(p.size) + " to " + rugose.show(next.size),
    }));
  }

  /* The range of local slopes: around those that there are, in whole steps where it is to stay as they move. */
  function slopeRange(slopes, o) {
    const around = isNumber(o.dimension) ? [o.dimension - 0.1, o.dimension + 0.1] : [];
    const range = extent([...slopes.map((p) => p.y), ...around], 0.12), step = o.slopeStep;
    return step ? [Math.floor(range[0] / step) * step, Math.ceil(range[1] / step) * step] : range;
  }

  /* Dashed lines across a chart, each with a word. */
  function references(plot, list) {
    const [low, high] = plot.y.domain(), [left, right] = plot.x.range();
    for (const { y, text } of list.filter((r) => r.y >= low && r.y <= high)) {
      put(plot.g, "line", { class: "guide", x1: left, x2: right, y1: plot.y(y), y2: plot.y(y) });
      label(plot.g, text, { x: right, y: plot.y(y) - 3, "text-anchor": "end" });
    }
  }

  /** Counts against size, both logarithmic, with the fitted line; below it the local slopes.
   *  @param o.points  [{size, count, slope, used}]; @param o.dimension, o.error, o.intercept of the fit
   *  @param o.height, o.lower  of all and of the local slopes (330, 68); @param o.counts  [least, most] of the upper
   *    axis (those that there are); @param o.slopeStep  ends of the lower axis are its multiples;
   *  @param o.references  [{y, text}] of local slopes. @return the chart; its `place` {x, left, right, top, bottom}
   *    says where sizes lie */
  function scaling(o) {
    const height = o.height || 330, bottom = height - 38, middle = bottom - (o.lower || 68);
    const shown = o.points.filter((p) => isNumber(p.count) && p.count > 0), sizes = shown.map((p) => p.size);
    const svg = canvas(o, height), x = log(logExtent(sizes)), y = log(logExtent(o.counts || shown.map((p) => p.count)));
    const above = frame(svg, box(o, 22, middle - 28), x, y,
      { xValues: sizes, yLabel: o.yLabel, noXText: true, yFormat: d3.format("~s") });
    const hasFit = isNumber(o.dimension) && isNumber(o.intercept), ends = d3.extent(shown.filter((p) => p.used), (p) => p.size);
    const fitted = (size) => ({ x: size, y: Math.exp(o.intercept - o.dimension * Math.log(size)) });
    if (hasFit && ends[0] !== undefined) path(above, ends.map(fitted), "fit");
    dots(above, shown.map((p) => ({ x: p.size, y: p.count, kind: p.used ? "used" : "unused",
      title: "size " + rugose.show(p.size) + ": " + rugose.show(p.count) })));
    const slopes = slopesOf(shown), range = linear(slopeRange(slopes, o));
    const below = frame(svg, box(o, middle, bottom), x.copy(), range, { xValues: sizes, yLabel: "local slope", xLabel: o.xLabel });
    references(below, o.references || []);
    if (isNumber(o.dimension)) level(below, o.dimension, o.error);
    dots(below, slopes, 3);
    return Object.assign(svg.node(), { place: { x, left: x.range()[0], right: x.range()[1], top: 22, bottom } });
  }

  /* Whether an axis can show a point. */
  const fits = (o) => (p) => isNumber(p.x) && isNumber(p.y) && (!o.logX || p.x > 0) && (!o.logY || p.y > 0);

  /** Points with a line through them. @param o.points  [{x, y, error, kind, title}]; @param o.guides  values of y */
  function curve(o) {
    const height = o.height || 220, svg = canvas(o, height), points = o.points.filter(fits(o)), guides = o.guides || [];
    const xs = points.map((p) => p.x), error = (p) => (o.logY ? 0 : p.error || 0);
    const ys = points.flatMap((p) => [p.y - error(p), p.y + error(p)]);
    const plot = frame(svg, box(o, 22, height - 38), scaleOf(xs, o.logX), scaleOf([...ys, ...guides], o.logY),
      { xValues: xs, xLabel: o.xLabel, yLabel: o.yLabel });
    for (const y of guides) path(plot, plot.x.domain().map((x) => ({ x, y })), "guide");
    path(plot, o.points, "fit");
    if (!o.logY) errors(plot, points);
    dots(plot, points, 3);
    return svg.node();
  }

  /** Many curves in one frame. @param o.curves  [{title, points: [{x, y}]}] */
  function curves(o) {
    const svg = canvas(o, 300), lists = o.curves.map((c) => c.points.filter(fits(o))), all = lists.flat();
    const xs = all.map((p) => p.x), ys = all.map((p) => p.y);
    const plot = frame(svg, box(o, 22, 262), scaleOf(xs, o.logX), scaleOf(ys, o.logY),
      { xValues: xs, xLabel: o.xLabel, yLabel: o.yLabel });
    const isFew = lists.length <= FEW, opacity = isFew ? 1 : Math.max(0.12, Math.min(0.6, 20 / lists.length));
    lists.forEach((points, i) => path(plot, points, isFew ? "many curve" + i : "many").style("opacity", opacity)
      .append("title").text(o.curves[i].title));
    return svg.node();
  }

  /** Bars from 0. @param o.values  numbers */
  function bars(o) {
    const svg = canvas(o, 200), at = box(o, 22, 162), n = o.values.length, pixels = at.right - at.left;
    const xTicks = d3.range(0, n, Math.ceil(n / (pixels / 22))), width = Math.max(0.4, pixels / n - (n > 60 ? 0 : 2));
    const plot = frame(svg, at, linear([-0.5, n - 0.5]), linear([0, d3.max(o.values) || 1]).nice(),
      { xTicks, xFormat: String, xLabel: o.xLabel, yLabel: o.yLabel });
    each(plot.g, "rect", o.values, { class: "bar", x: (_, i) => plot.x(i) - width / 2, width, y: (v) => plot.y(v),
      height: (v) => plot.y(0) - plot.y(v) }).append("title").text((v, i) => i + ": " + rugose.show(v));
    return svg.node();
  }

  /** How values are spread, with their median. */
  function histogram(o) {
    const values = o.values.filter(isNumber), svg = canvas(o, 230);
    const n = Math.min(30, Math.max(6, Math.ceil(Math.sqrt(values.length) * 1.5)));
    const x = linear(extent(values, 0)).nice(n), bins = d3.histogram().domain(x.domain()).thresholds(x.ticks(n))(values);
    const y = linear([0, d3.max(bins, (b) => b.length) || 1]).nice(), whole = (v) => (Number.isInteger(v) ? String(v) : "");
    const plot = frame(svg, box(o, 14, 200), x, y, { yFormat: whole });
    each(plot.g, "rect", bins, { class: "bar", x: (b) => x(b.x0) + 0.5, width: (b) => Math.max(0.5, x(b.x1) - x(b.x0) - 1),
      y: (b) => y(b.length), height: (b) => y(0) - y(b.length) })
      .append("title").text((b) => tidy(b.x0) + " to " + tidy(b.x1) + ": " + b.length);
    median(plot, values, 14, 200);
    return svg.node();
  }

  /** A row of ticks for each group, with its median. @param o.groups  [{name, values}]; a name may be "" */
  function strips(o) {
    const step = 36, height = 30 + o.groups.length * step, svg = canvas(o, height);
    const range = extent(o.groups.flatMap((group) => group.values));
    const plot = frame(svg, { ...box(o, 2, height - 26), left: 10 }, linear(range), linear([1, 0]), { yTicks: [] });
    o.groups.forEach((group, i) => {
      const values = group.values.filter(isNumber), middle = 2 + i * step + 24, every = Math.ceil(values.length / MOST_TICKS);
      if (group.name) label(plot.g, group.name + " (" + values.length + ")", { x: 10, y: middle - 13 });
      each(plot.g, "line", values.filter((_, k) => k % every === 0),
        { class: "mark", x1: plot.x, x2: plot.x, y1: middle - 7, y2: middle + 7 });
      median(plot, values, middle - 11, middle + 11);
    });
    return svg.node();
  }

  /** Points with names, as far as there is room. @param o.points  [{x, y, name}] */
  function scatter(o) {
    const svg = canvas(o, 320), { points } = o, at = box(o, 22, 282);
    const plot = frame(svg, at, scaleOf(points.map((p) => p.x), false, 0.08), scaleOf(points.map((p) => p.y), false, 0.08),
      { xLabel: o.xLabel, yLabel: o.yLabel });
    const titled = points.map((p) => ({ ...p, title: p.name + ": " + rugose.show(p.x, 4) + ", " + rugose.show(p.y, 4) }));
    dots(plot, titled, points.length > 60 ? 2.6 : 4);
    const anchor = (p) => (plot.x(p.x) > 0.7 * at.right ? "end" : "start");
    if (points.length <= MOST_NAMES)
      each(plot.g, "text", points, { class: "note", x: (p) => plot.x(p.x), y: (p) => plot.y(p.y) - 8, "text-anchor": anchor })
        .text((p) => p.name);
    return svg.node();
  }

  return { FEW, scaling, curve, curves, bars, histogram, strips, scatter };
})();
