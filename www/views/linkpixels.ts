// Draws links as density: every line is added to how often it covers each pixel, and pixels become the darker the more lines cross
// them. As strokes of a canvas tens of thousands of links take seconds, and hide each other.

import type {Coordinate} from './points.js';

/** How many links of a layer are drawn; of more, one in so many, which looks the same. */
export const MOST_LINES = 20_000;

const MEAN = 0.25;       // how strongly the picture as a whole is covered, where there are many links
const STRONGEST = 0.55;  // of a single link
const DASHES = [[1, 0], [5, 3], [2, 2], [8, 2], [3, 5], [1, 3]]; // pixels drawn and left out, of layer after layer

/** Adds a smooth line to what covers each pixel of a square; parts of it outside are left out. */
export function addLine(cover: Float32Array, side: number, x0: number, y0: number, x1: number, y1: number, [on, off]: number[]) {
  const steep = Math.abs(y1 - y0) > Math.abs(x1 - x0);
  if (steep) [x0, y0, x1, y1] = [y0, x0, y1, x1];
  if (x0 > x1) [x0, y0, x1, y1] = [x1, y1, x0, y0];
  const slope = x1 > x0 ? (y1 - y0) / (x1 - x0) : 0, along = steep ? side : 1, across = steep ? 1 : side;
  const first = Math.max(0, Math.round(x0)), last = Math.min(side - 1, Math.round(x1));
  for (let x = first; x <= last; x++) {
    if (off && (x - first) % (on + off) >= on) continue;
    const y = y0 + slope * (x - x0), low = Math.floor(y), part = y - low;
    if (low < 0 || low + 1 >= side) continue;
    cover[x * along + low * across] += 1 - part;
    cover[x * along + (low + 1) * across] += part;
  }
}

/**
 * Puts the links of one layer into a square of pixels. x(i) and y(i) are the places of nodes there, `pairs` their links; the layer's number
 * decides how lines are dashed.
 */
export function paintLinks({data, side}: {
  data: Uint8ClampedArray; side: number;
}, pairs: Int32Array, x: Coordinate, y: Coordinate, colour: [number, number, number], layer: number) {
  const cover = new Float32Array(side * side), dash = DASHES[layer % DASHES.length];
  const stride = 2 * Math.ceil(pairs.length / 2 / MOST_LINES);
  for (let k = 0; k < pairs.length; k += stride) addLine(cover, side, x(pairs[k]), y(pairs[k]), x(pairs[k + 1]), y(pairs[k + 1]), dash);
  let sum = 0;
  for (const c of cover) sum += c;
  const rest = Math.log(1 - Math.min(STRONGEST, MEAN * side * side / Math.max(1, sum)));
  for (let p = 0; p < cover.length; p++) {
    if (cover[p] === 0) continue;
    const a = 1 - Math.exp(rest * cover[p]);
    for (let c = 0; c < 3; c++) data[4 * p + c] += (colour[c] - data[4 * p + c]) * a;
  }
}
