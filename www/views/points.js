// @ts-check
// Points on a picture: which is nearest, which comes next in a direction, which lie inside a line. Pure geometry, without a document.

/** @typedef {(i: number) => number} Coordinate */

/** The point of n nearest to (x, y), if it is nearer than reach; -1 if there is none.
 * @param {number} n
 * @param {Coordinate} px
 * @param {Coordinate} py
 * @param {number} x
 * @param {number} y
 */
export function nearest(n, px, py, x, y, reach = Infinity) {
  let best = -1, least = reach * reach;
  for (let i = 0; i < n; i++) {
    const d = (px(i) - x) ** 2 + (py(i) - y) ** 2;
    if (d < least) [best, least] = [i, d];
  }
  return best;
}

/** The next point from one in a direction, nearest first, straying sideways counted double; the same where there is none.
 * @param {number} n
 * @param {Coordinate} px
 * @param {Coordinate} py
 * @param {number} from
 * @param {number} dx
 * @param {number} dy
 */
export function toward(n, px, py, from, dx, dy) {
  let best = from, least = Infinity;
  for (let i = 0; i < n; i++) {
    const x = px(i) - px(from), y = py(i) - py(from);
    const along = x * dx + y * dy, aside = Math.abs(x * dy) + Math.abs(y * dx);
    if (i === from || along <= 0 || aside > 2 * along) continue;
    if (along + 2 * aside < least) [best, least] = [i, along + 2 * aside];
  }
  return best;
}

/** The points inside a closed line.
 * @param {number} n
 * @param {Coordinate} px
 * @param {Coordinate} py
 * @param {[number, number][]} path
 */
export function inside(n, px, py, path) {
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
