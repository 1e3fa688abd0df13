// Points on a picture: which is nearest, which comes next in a direction, which lie inside a line. Pure geometry, without a document.
import {sure} from '../dom/nth.js';

export type Point = [x: number, y: number];

/** Point i of coordinates in a row, two or three each. */
export const pointOf = (xy: ArrayLike<number>, i: number): Point => [sure(xy[2 * i]), sure(xy[2 * i + 1])];
export const placeOf = (xyz: ArrayLike<number>, i: number): [x: number, y: number, z: number] =>
  [sure(xyz[3 * i]), sure(xyz[3 * i + 1]), sure(xyz[3 * i + 2])];

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

/** Where arrow keys lead, down the screen as its coordinates. */
export const STEPS: Map<string, Point> = new Map(Object.entries({ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}));

/** The point of n that an arrow key leads to from one, y pointing down; from none, -1, that nearest to (middle, middle). Undefined for other keys. */
export function stepped(key: string, from: number, n: number, px: Coordinate, py: Coordinate, middle: number) {
  const step = n > 0 && STEPS.get(key);
  return step ? from < 0 ? nearest(n, px, py, middle, middle) : toward(n, px, py, from, ...step) : undefined;
}

/** The points inside a closed line. */
export function inside(n: number, px: Coordinate, py: Coordinate, path: Point[]) {
  const nodes = [], last = path.at(-1);
  for (let i = 0; i < n; i++) {
    const x = px(i), y = py(i);
    let within = false, [xb, yb] = last ?? [0, 0];
    for (const [xa, ya] of path) {
      if ((ya > y) !== (yb > y) && x < (xb - xa) * (y - ya) / (yb - ya) + xa) within = !within;
      [xb, yb] = [xa, ya];
    }
    if (within) nodes.push(i);
  }
  return nodes;
}
