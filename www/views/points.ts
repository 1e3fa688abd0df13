// Points on a picture: which is nearest, which comes next in a direction, which lie inside a line. Pure geometry, without a document.

export type Coordinate = (i: number) => number;

/** The point of n nearest to (x, y), if it is nearer than reach; -1 if there is none. */
export function nearest(n: number, px: Coordinate, py: Coordinate, x: number, y: number, reach = Infinity) {
  let best = -1, least = reach * reach;
  for (let i = 0; i < n; i++) {
    const d = (px(i) - x) ** 2 + (py(i) - y) ** 2;
    if (d < least) [best, least] = [i, d];
  }
  return best;
}

/** The next point from one in a direction, nearest first, straying sideways counted double; the same if there is none. */
export function toward(n: number, px: Coordinate, py: Coordinate, from: number, dx: number, dy: number) {
  let best = from, least = Infinity;
  for (let i = 0; i < n; i++) {
    const x = px(i) - px(from), y = py(i) - py(from);
    const along = x * dx + y * dy, aside = Math.abs(x * dy) + Math.abs(y * dx);
    if (i === from || along <= 0 || aside > 2 * along) continue;
    if (along + 2 * aside < least) [best, least] = [i, along + 2 * aside];
  }
  return best;
}

/** The points inside a closed line. */
export function inside(n: number, px: Coordinate, py: Coordinate, path: [number, number][]) {
  const nodes = [];
  for (let i = 0; i < n; i++) {
    const x = px(i), y = py(i);
    let within = false;
    for (let a = 0, b = path.length - 1; a < path.length; b = a++) {
      const [xa, ya] = path[a], [xb, yb] = path[b];
      if ((ya > y) !== (yb > y) && x < (xb - xa) * (y - ya) / (yb - ya) + xa) within = !within;
    }
    if (within) nodes.push(i);
  }
  return nodes;
}
