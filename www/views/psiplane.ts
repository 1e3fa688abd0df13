// The plane of psi's answer. It is exact: softmax does not see what all logits have in common, so the logits of three layers are a point of a plane, and
// those of two a point of a line. Along the direction of a layer stands its logit above the mean. Psi is linear, so the point of a bag is P's arrow and C's
// arrow from its tip; psi's bias is in C's. Pure functions; y points down, as on screens.

export type Point = [number, number];

/** Most layers of a plane. */
export const MOST = 3;

/** Where the layers lie: two left and right, three at equal angles, the first one above. */
export const directionsOf = (n: number): Point[] => n === 2 ? [[-1, 0], [1, 0]]
  : Array.from({length: n}, (_, k) => [-Math.sin(2 * Math.PI * k / n), -Math.cos(2 * Math.PI * k / n)]);

/** The point of logits. */
export function placeOf(logits: number[]): Point {
  const n = logits.length, all = directionsOf(n), along = (axis: 0 | 1) => (n - 1) / n * logits.reduce((s, z, k) => s + z * all[k][axis], 0);
  return [along(0), along(1)];
}

/** The corners of a layer's sector, as far as `reach` from the middle each way, or farther. */
export function sectorOf(k: number, n: number, reach: number): Point[] {
  if (n === 2) return [[0, -reach], [0, reach], [2 * (k - 0.5) * reach, reach], [2 * (k - 0.5) * reach, -reach]];
  const far = 2 * Math.SQRT2 * reach, opposite = directionsOf(n).flatMap(([u, v], l): Point[] => l === k ? [] : [[-far * u, -far * v]]);
  return [[0, 0], ...opposite]; // borders lie opposite to the other layers
}

/** Answers about some of the layers, by the bags of these. */
export function among(e: Exchange, layers: number[]): Exchange {
  const bags = e.layer.flatMap((l, i) => layers.includes(l) ? [i] : []);
  const of = (rows: number[][], picked: number[]) => picked.map(i => layers.map(l => rows[i][l]));
  return {...e, observed: of(e.observed, layers), do: of(e.do, layers), layer: bags.map(i => layers.indexOf(e.layer[i])),
    private: of(e.private, bags), common: of(e.common, bags)};
}

/** The tip of P's arrow of every bag, C's arrows, and how far any of the ends lies from the middle. */
export interface Plane { n: number; tips: Point[]; steps: Point[]; reach: number }

export const plus = ([a, b]: Point, [c, d]: Point): Point => [a + c, b + d];

export function planeOf(e: Exchange): Plane {
  const tips = e.private.map(placeOf), steps = e.common.map(placeOf);
  const reach = Math.max(...tips.flatMap(p => [p, ...steps.map(c => plus(p, c))]).map(p => Math.hypot(...p)));
  return {n: e.observed.length, tips, steps, reach: reach || 1};
}
