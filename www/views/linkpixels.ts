// Draws links as density: every line is added to how often it covers each pixel, and pixels become the darker the more lines cross
// them. As strokes of a canvas tens of thousands of links take seconds, and hide each other.

import {nth, sure} from '../dom/nth.js';
import {mix} from './blit.js';
import type {Coordinate} from './points.js';

/** The number of links of a layer that are drawn; more are sampled regularly, which looks the same. */
export const MOST_LINES = 20_000;

const MEAN = 0.25;       // mean cover of the picture if there are many links
const STRONGEST = 0.55;  // of a single link

/** A line without gaps. */
type Dash = [on: number, off: number];
const SOLID: Dash = [1, 0];

/**
 * Adds a smooth line to what covers each pixel of a square; parts of it outside are left out.
 * @param dash pixels drawn and left out
 * @param last which line each pixel was covered by last, and which this one is
 */
export function addLine(cover: Float32Array, side: number, x0: number, y0: number, x1: number, y1: number, [on, off]: Dash, last?: Uint8Array, own = 0) {
  const steep = Math.abs(y1 - y0) > Math.abs(x1 - x0);
  if (steep) [x0, y0, x1, y1] = [y0, x0, y1, x1];
  if (x0 > x1) [x0, y0, x1, y1] = [x1, y1, x0, y0];
  const slope = x1 > x0 ? (y1 - y0) / (x1 - x0) : 0, along = steep ? side : 1, across = steep ? 1 : side;
  const first = Math.max(0, Math.round(x0)), end = Math.min(side - 1, Math.round(x1));
  for (let x = first; x <= end; x++) {
    if (off && (x - first) % (on + off) >= on) continue;
    const y = y0 + slope * (x - x0), low = Math.floor(y), part = y - low;
    if (low < 0 || low + 1 >= side) continue;
    const p = x * along + low * across;
    cover[p] = sure(cover[p]) + 1 - part;
    cover[p + across] = sure(cover[p + across]) + part;
    if (last) last[p] = last[p + across] = own;
  }
}

/**
 * Puts links into a square of pixels. x(i) and y(i) are the places of nodes there, `pairs` the links.
 * @param colours those that links can have
 * @param of the colour of the link at a place of pairs; -1 leaves it out
 * @param dash pixels drawn and left out
 * @param strength of all of them, 1 is usual
 */
export function paintLinks({data, side}: {data: Uint8ClampedArray; side: number}, pairs: Int32Array, x: Coordinate, y: Coordinate,
  {colours, of = () => 0, dash = SOLID, strength = 1}: {
    colours: [number, number, number][], of?: (k: number) => number, dash?: Dash, strength?: number,
  }) {
  const cover = new Float32Array(side * side), last = new Uint8Array(side * side);
  const stride = 2 * Math.ceil(pairs.length / 2 / MOST_LINES);
  for (let k = 0; k < pairs.length; k += stride) {
    const own = of(k);
    const i = sure(pairs[k]), j = sure(pairs[k + 1]);
    if (own >= 0) addLine(cover, side, x(i), y(i), x(j), y(j), dash, last, own);
  }
  let sum = 0;
  for (const c of cover) sum += c;
  const rest = Math.log(1 - Math.min(STRONGEST, MEAN * side * side / Math.max(1, sum)));
  for (const [p, c] of cover.entries()) if (c > 0) mix(data, 4 * p, nth(colours, sure(last[p]), 'colours'), strength * (1 - Math.exp(rest * c)));
}
