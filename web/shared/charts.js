/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Charts as SVG, by d3. Colours are classes of style.css, so that they follow light, dark and print. Each
 * has a sentence for those who do not see it. */
"use strict";

rugose.charts = (function () {
  const WIDTH = 460; /* where a chart is not told how wide it will be */
  const isNumber = (x) => typeof x === "number" && Number.isFinite(x);

  const FEW = 6;       /* curves that have a colour of their own */
  const linear = (domain) => d3.scaleLinear().domain(domain);
  const log = (domain) => d3.scaleLog().domain(domain);

  function canvas(o, height) {
    const width = o.width || WIDTH;
    return d3.create("svg").attr("viewBox", "0 0 " + width + " " + height).attr("role", "img").attr("aria-label", o.sentence)
      .attr("width", width).attr("height", height).style("width", "100%");
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
    return a === undefined ? [1, 10] : a === b ? [a / 2, b * 2] : [a / Math.pow(b / a, 0.04), b * Math.pow(b / a, 0.04)];
  }

  const tidy = (x) => (Math.abs(x) >= 1e4 || (x !== 0 && Math.abs(x) < 1e-3) ? d3.format(".3~s")(x) : String(Number(x.toPrecision(4))));

  /* Ticks of a logarithmic axis: the values themselves where they are few, else powers of ten, else some. */
  function logTicks(scale, values, room) {
    const own = [...new Set(values)].sort((a, b) => a - b);
    if (own.length && own.length <= room) return own;
    const [a, b] = scale.domain(), powers = d3.range(Math.ceil(Math.log10(a)), Math.floor(Math.log10(b)) + 1).map((e) => Math.pow(10, e));
    if (powers.length >= 2) return powers.filter((_, i) => i % Math.ceil(powers.length / room) === 0);
    const ticks = scale.ticks(4).filter((_, i, list) => i % Math.ceil(list.length / room) === 0);
    return ticks.length >= 2 ? ticks : d3.ticks(a, b, 4);
  }

  /* A label; what follows an underscore stands low: D_q. */
  function label(g, text) {
    const [first, low] = text.split("_"), element = g.append("text").attr("class", "note").text(first);
    if (low) element.append("tspan").attr("dy", 3).attr("font-size", "80%").text(low);
    return element;
  }

  /* The frame of a chart: axes, grid and labels. @return {g, x, y} */
  function frame(svg, at, x, y, o) {
    const g = svg.append("g");
    x.range([at.left, at.right]);
    y.range([at.bottom, at.top]);
    const xTicks = o.xTicks || (x.base ? logTicks(x, o.xValues || [], Math.floor((at.right - at.left) / 34)) : x.ticks(Math.max(2, Math.round((at.right - at.left) / 70))));
    const yTicks = o.yTicks || (y.base ? logTicks(y, [], 6) : y.ticks(Math.max(3, Math.round((at.bottom - at.top) / 40))));
    g.append("g").attr("class", "grid").selectAll("line").data(yTicks).join("line")
      .attr("x1", at.left).attr("x2", at.right).attr("y1", y).attr("y2", y);
    const bottom = d3.axisBottom(x).tickValues(xTicks).tickFormat(o.xFormat || tidy).tickSizeOuter(0).tickSize(4);
    const left = d3.axisLeft(y).tickValues(yTicks).tickFormat(o.yFormat || tidy).tickSizeOuter(0).tickSize(0).tickPadding(6);
    const axis = g.append("g").attr("class", "axis").attr("transform", "translate(0," + at.bottom + ")").call(bottom);
    if (o.noXText) axis.selectAll("text").remove();
    g.append("g").attr("class", "axis").attr("transform", "translate(" + at.left + ",0)").call(left).select(".domain").remove();
    if (o.xLabel) label(g, o.xLabel).attr("x", at.right).attr("y", at.bottom + 30).attr("text-anchor", "end");
    if (o.yLabel) label(g, o.yLabel).attr("x", 4).attr("y", at.top - 8);
    return { g, x, y };
  }

  function dots(plot, points, radius = 3.6) {
    plot.g.append("g").selectAll("circle").data(points).join("circle").attr("class", (p) => p.kind || "used")
      .attr("cx", (p) => plot.x(p.x)).attr("cy", (p) => plot.y(p.y)).attr("r", radius).append("title").text((p) => p.title || "");
  }

  function errors(plot, points) {
    plot.g.append("g").selectAll("line").data(points.filter((p) => isNumber(p.error) && p.error > 0)).join("line").attr("class", "error")
      .attr("x1", (p) => plot.x(p.x)).attr("x2", (p) => plot.x(p.x)).attr("y1", (p) => plot.y(p.y - p.error)).attr("y2", (p) => plot.y(p.y + p.error));
  }

  function path(plot, points, name) {
    const line = d3.line().defined((p) => isNumber(p.x) && isNumber(p.y)).x((p) => plot.x(p.x)).y((p) => plot.y(p.y));
    return plot.g.append("path").attr("class", name).attr("d", line(points));
  }

  /** Counts against size, both logarithmic, with the fitted line; below it the local slopes.
   *  @param o.points  [{size, count, slope, used}]; @param o.dimension, o.error, o.intercept of the fit */
  function scaling(o) {
    const shown = o.points.filter((p) => isNumber(p.count) && p.count > 0), sizes = shown.map((p) => p.size);
    const svg = canvas(o, 330), x = log(logExtent(sizes)), y = log(logExtent(shown.map((p) => p.count)));
    const slopes = shown.map((p, i) => i + 1 < shown.length && isNumber(p.slope) &&
      { x: Math.sqrt(p.size * shown[i + 1].size), y: p.slope, kind: p.used && shown[i + 1].used ? "used" : "unused",
        title: "local slope " + rugose.show(p.slope, 4) + " from size " + rugose.show(p.size) + " to " + rugose.show(shown[i + 1].size) }).filter(Boolean);
    const top = frame(svg, box(o, 22, 196), x, y,
      { xValues: sizes, yLabel: o.yLabel, noXText: true, yFormat: d3.format("~s") });
    if (isNumber(o.dimension) && isNumber(o.intercept)) {
      const ends = d3.extent(shown.filter((p) => p.used).map((p) => p.size));
      if (ends[0] !== undefined) path(top, ends.map((s) => ({ x: s, y: Math.exp(o.intercept - o.dimension * Math.log(s)) })), "fit");
    }
    dots(top, shown.map((p) => ({ x: p.size, y: p.count, kind: p.used ? "used" : "unused", title: "size " + rugose.show(p.size) + ": " + rugose.show(p.count) })));
    const around = isNumber(o.dimension) ? [o.dimension - 0.1, o.dimension + 0.1] : [];
    const range = extent([...slopes.map((p) => p.y), ...around], 0.12);
    const low = frame(svg, box(o, 224, 292), x.copy(), linear(range),
      { xValues: sizes, yLabel: "local slope", xLabel: o.xLabel });
    if (isNumber(o.dimension)) level(low, o.dimension, o.error);
    dots(low, slopes, 3);
    return svg.node();
  }

  /* A horizontal line with its band of error. */
  function level(plot, value, error) {
    const [a, b] = plot.x.range();
    if (isNumber(error)) {
      const [low, high] = [value - error, value + error].map((v) => plot.y(Math.min(Math.max(v, plot.y.domain()[0]), plot.y.domain()[1])));
      plot.g.append("rect").attr("class", "band").attr("x", a).attr("width", b - a).attr("y", high).attr("height", Math.max(0, low - high));
    }
    plot.g.append("line").attr("class", "fit").attr("x1", a).attr("x2", b).attr("y1", plot.y(value)).attr("y2", plot.y(value));
  }

  /** Points with a line through them. @param o.points [{x, y, error, kind, title}]; @param o.guides values of y */
  function curve(o) {
    const svg = canvas(o, o.height || 220), points = o.points.filter((p) => isNumber(p.x) && isNumber(p.y) && (!o.logX || p.x > 0) && (!o.logY || p.y > 0));
    const ys = o.logY ? points.map((p) => p.y) : points.flatMap((p) => [p.y - (p.error || 0), p.y + (p.error || 0)]);
    const x = o.logX ? log(logExtent(points.map((p) => p.x))) : linear(extent(points.map((p) => p.x)));
    const y = o.logY ? log(logExtent([...ys, ...(o.guides || [])])) : linear(extent([...ys, ...(o.guides || [])]));
    const plot = frame(svg, box(o, 22, (o.height || 220) - 38), x, y,
      { xValues: points.map((p) => p.x), xLabel: o.xLabel, yLabel: o.yLabel });
    for (const v of o.guides || []) path(plot, x.domain().map((at) => ({ x: at, y: v })), "guide");
    path(plot, o.points, "fit");
    if (!o.logY) errors(plot, points);
    dots(plot, points, 3);
    return svg.node();
  }

  /** Many curves in one frame. @param o.curves [{title, points: [{x, y}]}] */
  function curves(o) {
    const svg = canvas(o, 300), all = o.curves.flatMap((c) => c.points);
    const x = o.logX ? log(logExtent(all.map((p) => p.x))) : linear(extent(all.map((p) => p.x)));
    const y = o.logY ? log(logExtent(all.map((p) => p.y))) : linear(extent(all.map((p) => p.y)));
    const plot = frame(svg, box(o, 22, 262), x, y, { xValues: all.map((p) => p.x), xLabel: o.xLabel, yLabel: o.yLabel });
    const isFew = o.curves.length <= FEW, opacity = isFew ? 1 : Math.max(0.12, Math.min(0.6, 20 / o.curves.length));
    o.curves.forEach((c, i) => {
      const points = c.points.filter((p) => (!o.logX || p.x > 0) && (!o.logY || p.y > 0));
      path(plot, points, isFew ? "many curve" + i : "many").style("opacity", opacity).append("title").text(c.title);
    });
    return svg.node();
  }

  /** Bars from 0. @param o.values numbers; @param o.names of the bars, few enough to be written */
  function bars(o) {
    const svg = canvas(o, 200), n = o.values.length;
    const x = linear([-0.5, n - 0.5]), y = linear([0, d3.max(o.values) || 1]).nice();
    const step = Math.ceil(n / (((o.width || WIDTH) - 58) / 22)), xTicks = d3.range(0, n, step);
    const plot = frame(svg, box(o, 22, 162), x, y, { xTicks, xFormat: String, xLabel: o.xLabel, yLabel: o.yLabel });
    const width = Math.max(0.4, ((o.width || WIDTH) - 58) / n - (n > 60 ? 0 : 2));
    plot.g.append("g").selectAll("rect").data(o.values).join("rect").attr("class", "bar").attr("x", (_, i) => plot.x(i) - width / 2).attr("width", width)
      .attr("y", (v) => plot.y(v)).attr("height", (v) => plot.y(0) - plot.y(v)).append("title").text((v, i) => i + ": " + rugose.show(v));
    return svg.node();
  }

  /** How values are spread, with their median. */
  function histogram(o) {
    const values = o.values.filter(isNumber), svg = canvas(o, 230), n = Math.min(30, Math.max(6, Math.ceil(Math.sqrt(values.length) * 1.5)));
    const x = linear(extent(values, 0)).nice(n), bins = d3.histogram().domain(x.domain()).thresholds(x.ticks(n))(values);
    const y = linear([0, d3.max(bins, (b) => b.length) || 1]).nice(), whole = (v) => (Number.isInteger(v) ? String(v) : "");
    const plot = frame(svg, box(o, 14, 200), x, y, { yFormat: whole });
    plot.g.append("g").selectAll("rect").data(bins).join("rect").attr("class", "bar").attr("x", (b) => x(b.x0) + 0.5).attr("width", (b) => Math.max(0.5, x(b.x1) - x(b.x0) - 1))
      .attr("y", (b) => y(b.length)).attr("height", (b) => y(0) - y(b.length)).append("title").text((b) => tidy(b.x0) + " to " + tidy(b.x1) + ": " + b.length);
    median(plot, values, 14, 200);
    return svg.node();
  }

  function median(plot, values, top, bottom) {
    const m = d3.median(values);
    if (isNumber(m)) plot.g.append("line").attr("class", "median").attr("x1", plot.x(m)).attr("x2", plot.x(m)).attr("y1", top).attr("y2", bottom);
  }

  /** A row of ticks for each group, with its median. @param o.groups [{name, values}]; a name may be "" */
  function strips(o) {
    const step = 36, height = 30 + o.groups.length * step, svg = canvas(o, height), all = o.groups.flatMap((g) => g.values).filter(isNumber);
    const plot = frame(svg, { ...box(o, 2, height - 26), left: 10 }, linear(extent(all)), linear([1, 0]), { yTicks: [] });
    o.groups.forEach((group, i) => {
      const values = group.values.filter(isNumber), middle = 2 + i * step + 24, every = Math.ceil(values.length / 400);
      if (group.name) plot.g.append("text").attr("class", "note").attr("x", 10).attr("y", 2 + i * step + 11).text(group.name + " (" + values.length + ")");
      plot.g.append("g").selectAll("line").data(values.filter((_, k) => k % every === 0)).join("line").attr("class", "mark")
        .attr("x1", plot.x).attr("x2", plot.x).attr("y1", middle - 7).attr("y2", middle + 7);
      median(plot, values, middle - 11, middle + 11);
    });
    return svg.node();
  }

  /** Points with names, as far as there is room. @param o.points [{x, y, name}] */
  function scatter(o) {
    const svg = canvas(o, 320), x = linear(extent(o.points.map((p) => p.x), 0.08)), y = linear(extent(o.points.map((p) => p.y), 0.08));
    const plot = frame(svg, box(o, 22, 282), x, y, { xLabel: o.xLabel, yLabel: o.yLabel });
    dots(plot, o.points.map((p) => ({ ...p, title: p.name + ": " + rugose.show(p.x, 4) + ", " + rugose.show(p.y, 4) })), o.points.length > 60 ? 2.6 : 4);
    if (o.points.length <= 12)
      plot.g.append("g").selectAll("text").data(o.points).join("text").attr("class", "note").attr("y", (p) => y(p.y) - 8)
        .attr("x", (p) => x(p.x)).attr("text-anchor", (p) => (x(p.x) > (o.width || WIDTH) * 0.7 ? "end" : "start")).text((p) => p.name);
    return svg.node();
  }

  return { FEW, scaling, curve, curves, bars, histogram, strips, scatter };
})();
