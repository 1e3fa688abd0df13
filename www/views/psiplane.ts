// The plane of psi's answer. It is exact: softmax does not see what all logits have in common, so the logits of three layers are a point of a plane, and
// those of two a point of a line. Along the direction of a layer stands its logit above the mean. Psi is linear, so the point of a bag is P's arrow and C's
// arrow from its tip; psi's bias is in C's. Pure functions; y points down, as on screens.

import {nth} from '../dom/nth.js';
import type {Point} from './points.js';

/** Where the layers lie: two left and right, three at equal angles, the first one above. */
export const directionsOf = (n: number): Point[] => n === 2 ? [[-1, 0], [1, 0]]
  : Array.from({length: n}, (_, k) => [-Math.sin(2 * Math.PI * k / n), -Math.cos(2 * Math.PI * k / n)]);

/** The point of logits. */
export function placeOf(logits: number[]): Point {
  const n = logits.length, all = directionsOf(n), along = (axis: 0 | 1) => (n - 1) / n * logits.reduce((s, z, k) => s + z * nth(all, k)[axis], 0);
  return [along(0), along(1)];
}

/** The corners of a layer's sector, as far as `reach` from the middle each way, or farther. */
export function sectorOf(k: number, n: number, reach: number): Point[] {
  if (n === 2) return [[0, -reach], [0, reach], [2 * (k - 0.5) * reach, reach], [2 * (k - 0.5) * reach, -reach]];
  const far = 2 * Math.SQRT2 * reach, opposite = directionsOf(n).flatMap(([u, v], l): Point[] => l === k ? [] : [[-far * u, -far * v]]);
  return [[0, 0], ...opposite]; // borders lie opposite to the other layers
}

export const plus = ([a, b]: Point, [c, d]: Point): Point => [a + c, b + d];
