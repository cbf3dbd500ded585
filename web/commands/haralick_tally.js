/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A summary of the rows of `rugose haralick` of one image, for its warnings. */

/** A region with fewer grey levels than this is warned about. */
export const FEW = 4;

/** An empty summary. */
export function beginTally() {
  return {
    nRegions: 0, nFew: 0, nFlat: 0, nLeftOut: 0, nPixels: 0, nNan: 0, nClamped: 0, nOutside: 0, binOrigin: 0,
    binWidth: 0, leastLevels: 0, mostLevels: 0,
    /* Regions by the place of the distance: without pairs, without some, no larger than it. */
    nEmpty: [], nPartly: [], nSmall: [],
    now: null, /* the region in work */
  };
}

const add = (counts, place, n) => {
  counts[place] = (counts[place] || 0) + n;
};

/* The rows of one region at one distance are complete. */
function endDistance(tally) {
  const { now } = tally;
  if (now.n === 0) return;
  if (now.nBare === now.n) {
    add(tally.nEmpty, now.place, 1);
    add(tally.nSmall, now.place, now.isSmall ? 1 : 0);
  } else if (now.nBare > 0) add(tally.nPartly, now.place, 1);
  now.n = now.nBare = 0;
  now.place++;
}

/** The rows are complete. */
export function endTally(tally) {
  if (!tally.now) return;
  endDistance(tally);
  if (tally.now.isFlat) tally.nFlat++;
}

function beginRegion(tally, row) {
  const area = Number(row.area), nOutside = Number(row.n_outside);
  if (tally.nRegions === 0 || row.levels < tally.leastLevels) tally.leastLevels = row.levels;
  tally.mostLevels = Math.max(tally.mostLevels, row.levels);
  if (area > 0 && row.levels < FEW) tally.nFew++;
  if (area === 0 && nOutside > 0) tally.nLeftOut++;
  tally.nPixels += area + Number(row.n_nan) + nOutside;
  tally.nOutside += nOutside;
  tally.nNan += Number(row.n_nan);
  tally.nClamped += Number(row.n_clamped);
  tally.nRegions++;
  if (area > 0) Object.assign(tally, { binOrigin: row.bin_origin, binWidth: row.bin_width });
  tally.now = { label: row.label, distance: row.distance, place: 0, n: 0, nBare: 0, isFlat: false, isSmall: false };
}

/** Takes one more row, in their order. */
export function countRow(tally, row) {
  if (!tally.now || row.label !== tally.now.label) {
    endTally(tally);
    beginRegion(tally, row);
  } else if (row.distance !== tally.now.distance) {
    endDistance(tally);
    tally.now.distance = row.distance;
  }
  const { now } = tally;
  now.n++;
  if (row.pairs == 0) now.nBare++;
  now.isFlat ||= row.status === "flat";
  now.isSmall = Array.from(row.shape).every((side) => side <= row.distance);
}
