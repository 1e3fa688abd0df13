// The three projections of a glass brain: where a region lies on the picture. Pure geometry, without a document.

import {nth} from '../dom/nth.js';
import {placeOf} from './points.js';
import type {Point} from './points.js';

/** `across` and `up` are the axes of a place (0 right, 1 front, 2 up); `ends` are written at the left and the right. */
export const VIEWS = [
  {name: 'axial', seen: 'from above', across: 0, up: 1, ends: ['L', 'R']},
  {name: 'coronal', seen: 'from behind', across: 0, up: 2, ends: ['L', 'R']},
  {name: 'sagittal', seen: 'from the right', across: 1, up: 2, ends: ['P', 'A']},
] as const;

const MARGIN = 14; // around the regions of a panel, for marks and outline

/**
 * Lays the projections of places (Float32Array of M x 3, mm) side by side on that width, all at one scale.
 * Gives {height, scale, panels: [{view, left, width, points, outline}]}: the place of every region, outline the corners of a
 * line around all of them.
 */
export function layout(places: Float32Array, width: number) {
  const all = Array.from({length: places.length / 3}, (_, i) => placeOf(places, i));
  const axis = (d: 0 | 1 | 2) => {
    const low = Math.min(...all.map(p => p[d])), high = Math.max(...all.map(p => p[d]));
    return {low, span: all.length ? high - low : 0};
  };
  const axes = [axis(0), axis(1), axis(2)] as const;
  const room = Math.max(width - 2 * MARGIN * VIEWS.length, 1);
  const scale = room / (VIEWS.reduce((sum, v) => sum + axes[v.across].span, 0) || 1);
  const height = Math.max(...VIEWS.map(v => axes[v.up].span)) * scale + 2 * MARGIN;
  let left = 0;
  const panels = VIEWS.map(view => {
    const across = axes[view.across], up = axes[view.up], middle = up.low + up.span / 2, from = left;
    const points = all.map((p): Point => [from + MARGIN + (p[view.across] - across.low) * scale, height / 2 - (p[view.up] - middle) * scale]);
    const panel = {view, left, width: across.span * scale + 2 * MARGIN, points, outline: widen(hull(points), MARGIN * 0.7)};
    left += panel.width;
    return panel;
  });
  return {height, scale, panels};
}

/** The corners of the smallest convex line around points, once around. */
export function hull(points: Point[]) {
  const order = points.toSorted(([a, b], [c, d]) => a - c || b - d);
  const half = (list: Point[]) => {
    const line: Point[] = [];
    for (const p of list) {
      for (let a, b; (a = line.at(-2)) && (b = line.at(-1)) && turn(a, b, p) <= 0;) line.pop();
      line.push(p);
    }
    return line.slice(0, -1);
  };
  const turn = ([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point) => (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  return [...half(order), ...half(order.toReversed())];
}

/** Moves corners away from their middle. */
function widen(corners: Point[], by: number) {
  const n = corners.length || 1, mx = corners.reduce((s, [x]) => s + x, 0) / n, my = corners.reduce((s, [, y]) => s + y, 0) / n;
  return corners.map(([x, y]): Point => {
    const r = Math.hypot(x - mx, y - my) || 1;
    return [x + (x - mx) / r * by, y + (y - my) / r * by];
  });
}

/** The region among `shown` nearest to a point in any panel, within reach; -1 if there is none. The first of equally near ones. */
export function nearest(panels: {points: Point[]}[], shown: Iterable<number>, px: number, py: number, reach: number) {
  let best = -1, least = reach * reach;
  for (const {points} of panels) {
    for (const i of shown) {
      const [x, y] = nth(points, i, 'regions'), d = (x - px) ** 2 + (y - py) ** 2;
      if (d < least) [best, least] = [i, d];
    }
  }
  return best;
}
