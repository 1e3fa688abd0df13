// Groups of nodes as discs, and the links between them as bands. Pure geometry, without a document.

/** Discs in the square from -1 to 1, their rings included. */
export interface Discs { x: Float64Array; y: Float64Array; r: Float64Array }

/** The links between two groups; its width is in the units of the discs. */
export interface Band { a: number; b: number; n: number; width: number }

const COVERAGE = 0.14; // of the square, that discs of all nodes have before they are moved apart
const SMALLEST = 0.02; // radius
const APART = 1.6; // least distance of two discs, as a part of the sum of their radii
export const RING = 1.35; // radius of the ring around a disc, whose own is 1
const WIDEST = 0.09; // of a band
const INK = 0.2; // of the square, that all bands have at most
export const REACH = 0.025; // how far from a band a pointer still means it

/** Discs whose areas are in proportion to the nodes of groups, at their places or as near as they are apart. */
export function discsOf(nodes: ArrayLike<number>, places: ArrayLike<number>): Discs {
  const k = nodes.length, x = new Float64Array(k), y = new Float64Array(k), r = new Float64Array(k);
  let all = 0, most = 0;
  for (let c = 0; c < k; c++) all += nodes[c];
  for (let c = 0; c < k; c++) [x[c], y[c], r[c]] = [places[2 * c], places[2 * c + 1], Math.max(SMALLEST, Math.sqrt(4 * COVERAGE * nodes[c] / (all * Math.PI)))];
  for (let moved = true; moved;) { // it ends: each move spreads them farther around their middle
    moved = false;
    for (let c = 0; c < k; c++) {
      for (let d = 0; d < c; d++) {
        let dx = x[c] - x[d];
        const dy = y[c] - y[d], least = APART * (r[c] + r[d]);
        if (Math.hypot(dx, dy) >= least) continue;
        if (Math.hypot(dx, dy) === 0) dx = 1e-9;
        const by = (1.01 * least / Math.hypot(dx, dy) - 1) / 2; // a little more than they lack
        [x[c], y[c], x[d], y[d]] = [x[c] + by * dx, y[c] + by * dy, x[d] - by * dx, y[d] - by * dy];
        moved = true;
      }
    }
  }
  const low = (v: Float64Array) => Math.min(...v.map((p, c) => p - RING * r[c])), high = (v: Float64Array) => Math.max(...v.map((p, c) => p + RING * r[c]));
  const [left, right, down, up] = [low(x), high(x), low(y), high(y)];
  most = Math.max(right - left, up - down) / 2;
  const fitted = (v: number, mid: number) => (v - mid) / most;
  return {x: x.map(v => fitted(v, (left + right) / 2)), y: y.map(v => fitted(v, (down + up) / 2)), r: r.map(v => v / most)};
}

/** The bands of a picture, the weakest first; links is K x K, and widths are in proportion to it. */
export function bandsOf(links: ArrayLike<number>, {x, y}: Discs): Band[] {
  const k = x.length, list: Band[] = [];
  let most = 0, ink = 0;
  for (let a = 0; a < k; a++) {
    for (let b = a + 1; b < k; b++) {
      const n = links[a * k + b];
      if (n === 0) continue;
      list.push({a, b, n, width: 0});
      most = Math.max(most, n);
      ink += n * Math.hypot(x[a] - x[b], y[a] - y[b]);
    }
  }
  const each = Math.min(WIDEST / most, 4 * INK / ink);
  for (const band of list) band.width = each * band.n;
  return list.sort((p, q) => p.n - q.n);
}

/** The distance of a point from the middle of a band. */
function distance({a, b}: Band, {x, y}: Discs, px: number, py: number) {
  const [dx, dy] = [x[b] - x[a], y[b] - y[a]], along = ((px - x[a]) * dx + (py - y[a]) * dy) / (dx * dx + dy * dy), at = Math.min(1, Math.max(0, along));
  return Math.hypot(px - x[a] - at * dx, py - y[a] - at * dy);
}

/** What is at a point: a disc, or else the band that is drawn over others there, or the nearest within reach; null for nothing. */
export function hit(discs: Discs, bands: Band[], px: number, py: number): {disc: number} | {band: Band} | null {
  const {x, y, r} = discs;
  for (let c = 0; c < x.length; c++) if (Math.hypot(px - x[c], py - y[c]) <= RING * r[c]) return {disc: c};
  let found: Band | null = null, least = REACH;
  for (const band of bands) {
    const beyond = Math.max(0, distance(band, discs, px, py) - band.width / 2);
    if (beyond <= least) [found, least] = [band, beyond]; // a later one is above
  }
  return found && {band: found};
}
