/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A card for each image: its picture, its number, its charts and its facts. The frames of cards come a hundred
 * at a time, what is in them when they come into view. */
"use strict";

rugose.cards = (function () {
  const { h } = rugose;
  const CHUNK = 100;
  const WIDE = 1.7; /* width over height of a picture beside which there is no room */

  function frame(data, image, rows) {
    const kind = rugose.kinds.of(data);
    const card = h("article", { class: "card", id: "image-" + image.index, tabindex: -1, "aria-label": image.short },
      h("h3", { title: image.name }, image.short), h("p", { class: "headline" }, kind.headline(data, rows)));
    card.image = image;
    return card;
  }

  /* What is drawn at once: the rows of a spectrum together, other rows one by one. */
  function partsOf(data, kind, rows) {
    if (!kind.isWhole)
      return rows.map((r) => ({ name: rugose.partOf(data, r) || "result " + (r.index + 1), rows: [r], isPart: rows.length > 1 }));
    const parts = new Map();
    for (const r of rows) {
      const value = kind.partName ? r.row[kind.partName] : null;
      if (!parts.has(value)) parts.set(value, []);
      parts.get(value).push(r);
    }
    return [...parts].map(([value, list]) => ({ name: kind.partName + " " + value, rows: list, isPart: false }));
  }

  /* The choice of a part, where an image has several. */
  function chooser(parts, draw) {
    const nameOf = (part) => part.name + (rugose.reason(part.rows[0].row) ? " (" + rugose.reason(part.rows[0].row) + ")" : "");
    const select = h("select", { onchange: () => draw(parts[select.selectedIndex]) },
      parts.map((part) => h("option", {}, nameOf(part))));
    return h("div", { class: "controls wide" }, h("label", { class: "field" }, "Result ", select));
  }

  function pictureOf(image) {
    const hasCrops = image.pictures.original && image.pictures.decoded;
    const img = rugose.picture(image, hasCrops ? ["overlay"] : ["overlay", "original", "decoded"]);
    const isWide = img && img.width > WIDE * img.height;
    return img && h("figure", { class: isWide ? "picture wide" : "picture" }, img,
      h("figcaption", {}, (image.pictures.overlay || {}).alt || ""));
  }

  /* The width of a chart in a card, in which a picture stands beside it where there is room. */
  function chartWidth(card, hasPicture) {
    const inside = card.clientWidth - 32;
    return Math.max(240, Math.round(hasPicture && innerWidth > 640 ? (inside - 16) * 0.6 : inside));
  }

  function fill(data, card, rows) {
    const image = card.image, kind = rugose.kinds.of(data), parts = partsOf(data, kind, rows);
    const picture = pictureOf(image), isBeside = picture && !picture.classList.contains("wide");
    const width = chartWidth(card, isBeside), figures = h("div"), facts = h("div");
    const draw = (part) => {
      const shown = kind.show(data, part.rows, image, width).filter(Boolean), isTable = (e) => e.tagName === "DETAILS";
      const { row, cells } = part.rows[0];
      figures.replaceChildren(...shown.filter((e) => !isTable(e)));
      facts.replaceChildren(rugose.facts(kind.facts(row, data, cells, part.isPart)), ...shown.filter(isTable));
    };
    draw(parts[0]);
    const hasFigures = figures.children.length > 0;
    facts.classList.toggle("wide", !isBeside || hasFigures);
    card.append(h("div", { class: isBeside ? "body" : "body bare" },
      parts.length > 1 ? chooser(parts, draw) : null, picture, hasFigures ? figures : null, facts));
    const notes = [...new Set(rows.flatMap((r) => r.row.warnings || []))];
    if (notes.length) card.append(h("ul", { class: "notes" }, notes.map((note) => h("li", {}, note))));
    card.classList.add("filled");
  }

  /** The cards of a page: {element, show(rows), open(image), all()}. */
  function make(data) {
    const grid = h("div", { class: "cards" }), more = h("p", { class: "more soft" });
    let images = [], made = 0, rowsOf = new Map();

    function fillOnce(card) {
      if (!card.classList.contains("filled")) fill(data, card, rowsOf.get(card.image));
    }

    const inView = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        inView.unobserve(target);
        fillOnce(target);
      }
    }, { rootMargin: "600px" });

    function grow(n) {
      const cards = images.slice(made, n).map((image) => frame(data, image, rowsOf.get(image)));
      made += cards.length;
      cards.forEach((card) => inView.observe(card));
      grid.append(...cards);
      more.textContent = made < images.length ? rugose.plural(images.length - made, "more image") + " below" : "";
    }

    const nearEnd = new IntersectionObserver((entries) => {
      if (entries.some((e) => e.isIntersecting)) grow(made + CHUNK);
    }, { rootMargin: "900px" });
    nearEnd.observe(more);

    return {
      element: h("div", {}, grid, more),
      /** Shows the images of some rows, in their order. */
      show(rows) {
        rowsOf = new Map();
        for (const row of rows.filter((r) => r.image)) {
          if (!rowsOf.has(row.image)) rowsOf.set(row.image, []);
          rowsOf.get(row.image).push(row);
        }
        images = [...rowsOf.keys()];
        inView.disconnect();
        grid.replaceChildren();
        made = 0;
        grow(CHUNK);
      },
      /** Goes to the card of an image, if it is shown. */
      open(image) {
        const at = images.indexOf(image);
        if (at < 0) return;
        if (at >= made) grow(at + 1);
        const card = grid.children[at];
        fillOnce(card);
        card.scrollIntoView({ block: "start" });
        card.focus({ preventScroll: true });
      },
      /** Makes all that is left, for printing. */
      all() {
        grow(images.length);
        for (const card of grid.children) fillOnce(card);
      },
    };
  }

  return { make };
})();
