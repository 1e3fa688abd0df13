// The three projections of a glass brain: where a region lies on the picture. Pure geometry, without a document.

/** `across` and `up` are the axes of a place (0 right, 1 front, 2 up); `ends` are written at the left and the right. */
export const VIEWS = [
  {name: 'axial', seen: 'from above', across: 0, up: 1, ends: ['L', 'R']},
  {name: 'coronal', seen: 'from behind', across: 0, up: 2, ends: ['L', 'R']},
  {name: 'sagittal', seen: 'from the right', across: 1, up: 2, ends: ['P', 'A']},
];

const MARGIN = 14; // around the regions of a panel, for marks and outline

/**
 * Lays the projections of places (Float32Array of M x 3, mm) side by side on that width, all at one scale.
 * Gives {height, scale, panels: [{view, left, width, x, y, outline}]}: x and y of every region, outline the corners of a
 * line around all of them.
 */
export function layout(places: Float32Array, width: number) {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  places.forEach((v: number, k: number) => {
    low[k % 3] = Math.min(low[k % 3], v);
    high[k % 3] = Math.max(high[k % 3], v);
  });
  const span = low.map((v, d) => Math.max(high[d] - v, 0));
  const room = Math.max(width - 2 * MARGIN * VIEWS.length, 1);
  const scale = room / (VIEWS.reduce((sum, v) => sum + span[v.across], 0) || 1);
  const height = Math.max(...VIEWS.map(v => span[v.up])) * scale + 2 * MARGIN;
  let left = 0;
  const panels = VIEWS.map(view => {
    const m = places.length / 3, x = new Float64Array(m), y = new Float64Array(m);
    const middle = (low[view.up] + high[view.up]) / 2;
    for (let i = 0; i < m; i++) {
      x[i] = left + MARGIN + (places[3 * i + view.across] - low[view.across]) * scale;
      y[i] = height / 2 - (places[3 * i + view.up] - middle) * scale;
    }
    const panel = {view, left, width: span[view.across] * scale + 2 * MARGIN, x, y, outline: widen(hull(x, y), MARGIN * 0.7)};
    left += panel.width;
    return panel;
  });
  return {height, scale, panels};
}

/** The corners of the smallest convex line around points, once around. */
export function hull(x: Float64Array, y: Float64Array) {
  const order = Array.from(x.keys()).sort((a, b) => x[a] - x[b] || y[a] - y[b]);
  const half = (list: number[]) => {
    const line = [];
    for (const i of list) {
      while (line.length > 1 && turn(line[line.length - 2], line[line.length - 1], i) <= 0) line.pop();
      line.push(i);
    }
    return line.slice(0, -1);
  };
  const turn = (a: number, b: number, c: number) => (x[b] - x[a]) * (y[c] - y[a]) - (y[b] - y[a]) * (x[c] - x[a]);
  return [...half(order), ...half(order.reverse())].map(i => [x[i], y[i]] as [number, number]);
}

/** Moves corners away from their middle. */
function widen(corners: [number, number][], by: number) {
  const n = corners.length || 1;
  const mx = corners.reduce((s, c) => s + c[0], 0) / n,
    my = corners.reduce((s, c) => s + c[1], 0) / n;
  return corners.map(([x, y]) => {
    const r = Math.hypot(x - mx, y - my) || 1;
    return [x + (x - mx) / r * by, y + (y - my) / r * by] as [number, number];
  });
}

/** The region among `shown` nearest to a point in any panel, within reach; -1 if there is none. The first of equally near ones. */
export function nearest(panels: {x: ArrayLike<number>, y: ArrayLike<number>}[], shown: Iterable<number>, px: number, py: number, reach: number) {
  let best = -1, least = reach * reach;
  for (const {x, y} of panels) {
    for (const i of shown) {
      const d = (x[i] - px) ** 2 + (y[i] - py) ** 2;
      if (d < least) [best, least] = [i, d];
    }
  }
  return best;
}
