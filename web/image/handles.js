/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What is dragged from side to side over a chart: a line with a grip, a slider for keys and screen readers. */
"use strict";

rugose.handles = (function () {
  const GRIP = 30; /* pixels high */
  const STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };

  /** Sets attributes of an element. */
  function set(element, attributes) {
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  }

  /** Makes an element of SVG with attributes and children. */
  function svg(name, attributes, ...children) {
    const element = set(document.createElementNS("http://www.w3.org/2000/svg", name), attributes);
    element.append(...children);
    return element;
  }

  /** A handle, unseen until it is placed. @param name  for screen readers */
  function make(name, attributes) {
    return svg("g", { class: "handle", role: "slider", tabindex: 0, "aria-label": name, visibility: "hidden",
      ...attributes },
      svg("rect", { class: "reach", x: -16, width: 32 }), svg("line", { x1: 0, x2: 0 }),
      svg("rect", { class: "grip", x: -5, width: 10, height: GRIP, rx: 4 }),
      svg("path", { class: "ridges", d: "M-1.5,-6v12M1.5,-6v12" }));
  }

  /** Puts a handle at x, from top to bottom, with its grip around `middle`. */
  function place(handle, x, { top, bottom, middle }) {
    const [reach, line, grip, ridges] = handle.children;
    set(handle, { transform: "translate(" + x + ",0)", visibility: "visible" });
    set(reach, { y: top, height: bottom - top });
    set(line, { y1: top, y2: bottom });
    set(grip, { y: middle - GRIP / 2 });
    set(ridges, { transform: "translate(0," + middle + ")" });
  }

  /** How far a key moves a slider, in steps; 0: it is another key. */
  const steps = (key) => STEPS[key] || 0;

  return { set, svg, make, place, steps };
})();
