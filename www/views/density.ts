// Draws many points as density: a place is the stronger the more points it holds, in the mean of their colours. As marks they would hide each other, and
// the last class that is drawn would seem the largest.
import {nth, sure} from '../dom/nth.js';
import {mix} from './blit.js';
import type {Coordinate} from './points.js';

const LEAST = 0.3; // strength of a place with one point
const WIDE = 2; // of a point, in pixels

/**
 * Puts n points into a square of pixels.
 * @param x, y their places there
 * @param of the place of a point's colour among colours
 * @param weight how much of a point is drawn, 1 is usual
 */
export function paintPoints({data, side}: {data: Uint8ClampedArray; side: number}, n: number, x: Coordinate, y: Coordinate,
  {colours, of, weight}: {colours: [number, number, number][]; of: (i: number) => number; weight: (i: number) => number}) {
  const held = new Float32Array(side * side), sums = new Float32Array(3 * side * side);
  for (let i = 0; i < n; i++) {
    const px = Math.round(x(i)) - 1, py = Math.round(y(i)) - 1, [r, g, b] = nth(colours, of(i), 'colours'), w = weight(i);
    if (!(px >= 0 && py >= 0 && px + WIDE <= side && py + WIDE <= side)) continue;
    for (let row = py; row < py + WIDE; row++) {
      for (let p = row * side + px, end = p + WIDE; p < end; p++) {
        held[p] = sure(held[p]) + w;
        sums[3 * p] = sure(sums[3 * p]) + w * r;
        sums[3 * p + 1] = sure(sums[3 * p + 1]) + w * g;
        sums[3 * p + 2] = sure(sums[3 * p + 2]) + w * b;
      }
    }
  }
  let most = 0;
  for (const h of held) most = Math.max(most, h);
  const full = Math.log1p(most);
  for (const [p, h] of held.entries()) {
    if (h === 0) continue;
    const a = Math.min(1, h) * (LEAST + (1 - LEAST) * Math.log1p(h) / full);
    const mean = (c: number) => sure(sums[3 * p + c]) / h;
    mix(data, 4 * p, [mean(0), mean(1), mean(2)], a);
  }
}
