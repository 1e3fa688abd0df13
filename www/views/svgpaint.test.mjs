// @ts-check
import assert from 'node:assert/strict';
import test from 'node:test';
import {within} from './svgpaint.js';

const BOX = {x: -1, y: -2, width: 3, height: 4};

/** Whether a point lies in a convex polygon: on one side of all its edges. */
function has(/** @type {[number, number][]} */ polygon, /** @type {number[]} */ [x, y]) {
  const sides = polygon.map(([a, b], k) => {
    const [c, d] = polygon[(k + 1) % polygon.length];
    return Math.sign((c - a) * (y - b) - (d - b) * (x - a));
  });
  return polygon.length > 2 && (sides.every(s => s >= 0) || sides.every(s => s <= 0));
}

test('what is within a box stays, and what is beyond is cut off', () => {
  assert.deepEqual(within([[0, 0], [1, 0], [0, 1]], BOX), [[0, 0], [1, 0], [0, 1]]);
  assert.deepEqual(within([[5, 0], [6, 0], [6, 1]], BOX), []);
  assert.deepEqual(within([[-9, -9], [9, -9], [9, 9], [-9, 9]], BOX).map(String).sort(), ['-1,-2', '-1,2', '2,-2', '2,2']);
  let state = 1;
  const draw = () => (state = state * 48271 % 2147483647) / 2147483647 * 8 - 4;
  for (let k = 0; k < 300; k++) {
    const triangle = /** @type {[number, number][]} */ ([[draw(), draw()], [draw(), draw()], [draw(), draw()]]);
    const cut = within(triangle, BOX), p = [draw(), draw()];
    const inside = p[0] > -1 && p[0] < 2 && p[1] > -2 && p[1] < 2;
    assert.equal(has(cut, p), inside && has(triangle, p), JSON.stringify([triangle, p, cut]));
  }
});
