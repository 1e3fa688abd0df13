// Groups of nodes as discs, and the links between them as bands. Pure geometry, without a document.
import {sure} from '../dom/nth.js';
import {pointOf} from './points.js';
import type {Point} from './points.js';

/** Discs in the square from -1 to 1, their rings included. */
export type Discs = {x: number, y: number, r: number}[];

/** The links between two groups, and where their discs are; its width is in the units of these. */
export interface Band { a: number; b: number; ends: [Point, Point]; n: number; width: number }

const COVERAGE = 0.14; // of the square, that discs of all nodes have before they are moved apart
const SMALLEST = 0.02; // radius
const APART = 1.6; // least distance of two discs, as a part of the sum of their radii
export const RING = 1.35; // radius of the ring around a disc, whose own is 1
const WIDEST = 0.09; // of a band
const INK = 0.2; // of the square, that all bands have at most
export const REACH = 0.025; // how far from a band a pointer still means it

/** Discs whose areas are in proportion to the nodes of groups, at their places or as near as they are apart. */
export function discsOf(nodes: ArrayLike<number>, places: ArrayLike<number>): Discs {
  const all = Array.from(nodes).reduce((sum, n) => sum + n, 0);
  const discs = Array.from(nodes, (n, c) => {
    const [x, y] = pointOf(places, c);
    return {x, y, r: Math.max(SMALLEST, Math.sqrt(4 * COVERAGE * n / (all * Math.PI)))};
  });
  for (let moved = true; moved;) { // it ends: each move spreads them farther around their middle
    moved = false;
    for (const [k, c] of discs.entries()) {
      for (const d of discs.slice(0, k)) {
        let dx = c.x - d.x;
        const dy = c.y - d.y, least = APART * (c.r + d.r);
        if (Math.hypot(dx, dy) >= least) continue;
        if (Math.hypot(dx, dy) === 0) dx = 1e-9;
        const by = (1.01 * least / Math.hypot(dx, dy) - 1) / 2; // a little more than they lack
        [c.x, c.y, d.x, d.y] = [c.x + by * dx, c.y + by * dy, d.x - by * dx, d.y - by * dy];
        moved = true;
      }
    }
  }
  const edges = (of: 'x' | 'y') => {
    const low = Math.min(...discs.map(d => d[of] - RING * d.r)), high = Math.max(...discs.map(d => d[of] + RING * d.r));
    return {middle: (low + high) / 2, half: (high - low) / 2};
  };
  const wide = edges('x'), high = edges('y'), most = Math.max(wide.half, high.half);
  return discs.map(({x, y, r}) => ({x: (x - wide.middle) / most, y: (y - high.middle) / most, r: r / most}));
}

/** The bands of a picture, the weakest first; links is K x K, and widths are in proportion to it. */
export function bandsOf(links: ArrayLike<number>, discs: Discs): Band[] {
  const list: Band[] = [];
  let most = 0, ink = 0;
  for (const [a, p] of discs.entries()) {
    for (const [b, q] of discs.entries()) {
      const n = b > a ? sure(links[a * discs.length + b]) : 0;
      if (n === 0) continue;
      list.push({a, b, ends: [[p.x, p.y], [q.x, q.y]], n, width: 0});
      most = Math.max(most, n);
      ink += n * Math.hypot(p.x - q.x, p.y - q.y);
    }
  }
  const each = Math.min(WIDEST / most, 4 * INK / ink);
  for (const band of list) band.width = each * band.n;
  return list.sort((p, q) => p.n - q.n);
}

/** The distance of a point from the middle of a band. */
function distance({ends: [[ax, ay], [bx, by]]}: Band, px: number, py: number) {
  const [dx, dy] = [bx - ax, by - ay], along = ((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy), at = Math.min(1, Math.max(0, along));
  return Math.hypot(px - ax - at * dx, py - ay - at * dy);
}

/** What is at a point: a disc, or else the band that is drawn over others there, or the nearest within reach; null for nothing. */
export function hit(discs: Discs, bands: Band[], px: number, py: number): {disc: number} | {band: Band} | null {
  const disc = discs.findIndex(({x, y, r}) => Math.hypot(px - x, py - y) <= RING * r);
  if (disc >= 0) return {disc};
  let found: Band | null = null, least = REACH;
  for (const band of bands) {
    const beyond = Math.max(0, distance(band, px, py) - band.width / 2);
    if (beyond <= least) [found, least] = [band, beyond]; // a later one is above
  }
  return found && {band: found};
}
