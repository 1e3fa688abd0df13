// @ts-check
import assert from 'node:assert/strict';
import test from 'node:test';
import {directionsOf, placeOf, plus, sectorOf} from './psiplane.js';

/** Random numbers that are the same every time (mulberry32). @param {number} seed */
function source(seed) {
  return () => {
    seed = seed + 0x6d2b79f5 | 0;
    let t = Math.imul(seed ^ seed >>> 15, 1 | seed);
    t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
    return ((t ^ t >>> 14) >>> 0) / 2 ** 32;
  };
}

/** Whether a point is in a polygon, by the corners alone. @param {number[]} p @param {number[][]} corners */
function inside([x, y], corners) {
  let odd = false;
  corners.forEach(([a, b], k) => {
    const [c, d] = corners[(k + 1) % corners.length];
    if (b > y !== d > y && x < a + (c - a) * (y - b) / (d - b)) odd = !odd;
  });
  return odd;
}

/** The sectors that a point is drawn in. @param {number[]} p @param {number} n @param {number} reach */
const drawnIn = (p, n, reach) => Array.from({length: n}, (_, k) => k).filter(k => inside(p, sectorOf(k, n, reach)));

/** @param {number[]} z */
const largest = z => z.indexOf(Math.max(...z));

/**
 * Random heads psi of n layers and bags: the answers as the engine sends them, of each part alone, and a forward pass of both parts together.
 * @param {number} n @param {boolean} concat @param {() => number} random
 */
function headOf(n, concat, random, d = 5, bags = 12) {
  const row = (/** @type {number} */ length) => Array.from({length}, () => 4 * random() - 2), rows = concat ? 2 * d : d;
  const w = Array.from({length: rows}, () => row(n)), bias = row(n), layer = Array.from({length: bags}, (_, i) => i % n).sort();
  const [hp, hc] = [0, 1].map(() => layer.map(() => row(d)));
  const times = (/** @type {number[]} */ h, /** @type {number} */ from) => Array.from({length: n}, (_, k) => h.reduce((s, v, j) => s + v * w[from + j][k], 0));
  const exchange = {
    invariance: 0, pairs: 0, observed: layer.slice(0, n).map(() => row(n)), do: layer.slice(0, n).map(() => row(n)), layer,
    private: hp.map(h => times(h, 0)), common: hc.map(h => times(h, rows - d).map((v, k) => v + bias[k])),
  };
  const forward = (/** @type {number} */ i, /** @type {number} */ j) => {
    const h = concat ? [...hp[i], ...hc[j]] : hp[i].map((v, k) => v + hc[j][k]);
    return bias.map((b, k) => b + h.reduce((s, v, r) => s + v * w[r][k], 0));
  };
  return {exchange, forward};
}

test('every one of 1,000 random pairs is drawn in the sector of the layer that psi names', () => {
  const random = source(1);
  let pairs = 0;
  for (const n of [2, 3]) {
    for (const concat of [false, true]) {
      for (let head = 0; head < 10; head++) {
        const {exchange, forward} = headOf(n, concat, random), tips = exchange.private.map(placeOf), steps = exchange.common.map(placeOf);
        const reach = Math.max(...tips.flatMap(p => [p, ...steps.map(c => plus(p, c))]).map(p => Math.hypot(...p)));
        for (let k = 0; k < 30; k++, pairs++) {
          const [i, j] = [0, 1].map(() => Math.floor(12 * random())), end = plus(tips[i], steps[j]);
          if (n === 2) end[1] = random() - 0.5; // a line has a height of its own
          assert.deepEqual(drawnIn(end, n, reach), [largest(forward(i, j))], `${n} layers, P ${i}, C ${j}`);
        }
      }
    }
  }
  assert.ok(pairs >= 1000);
});

test('along the direction of a layer stands its logit above the mean', () => {
  const z = [3, -1, 4], [x, y] = placeOf(z);
  directionsOf(3).forEach(([u, v], k) => assert.ok(Math.abs(x * u + y * v - (z[k] - 2)) < 1e-12));
  assert.deepEqual(placeOf([5, 2]), [-1.5, 0]);
});
