// Tests of points as density: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';
import {paintPoints} from './density.js';

const RED = [255, 0, 0], BLUE = [0, 0, 255];

/** A white square with points of [x, y, colour, weight]. */
function painted(side, points) {
  const data = new Uint8ClampedArray(4 * side * side).fill(255);
  paintPoints({data, side}, points.length, i => points[i][0], i => points[i][1],
    {colours: [RED, BLUE], of: i => points[i][2], weight: i => points[i][3] ?? 1});
  return (x, y) => [...data.subarray(4 * (y * side + x), 4 * (y * side + x) + 3)];
}

test('a place is the stronger the more points it holds', () => {
  const at = painted(20, [[5, 5, 0], [12, 12, 0], [12, 12, 0], [12, 12, 0]]);
  assert.deepEqual(at(0, 0), [255, 255, 255]);
  assert.ok(at(5, 5)[1] > at(12, 12)[1]);
  assert.deepEqual(at(12, 12), RED);
});

test('colours of one place mix by their points, whatever their order', () => {
  const mixed = painted(20, [[8, 8, 0], [8, 8, 0], [8, 8, 1]]), turned = painted(20, [[8, 8, 1], [8, 8, 0], [8, 8, 0]]);
  assert.deepEqual(mixed(8, 8), turned(8, 8));
  assert.deepEqual(mixed(8, 8), [170, 0, 85]);
});

test('what is drawn faintly is weaker, and points outside are left out', () => {
  const at = painted(20, [[5, 5, 0, 0.16], [12, 12, 0], [-3, 5, 1], [40, 5, 1], [NaN, 5, 1]]);
  assert.ok(at(5, 5)[1] > at(12, 12)[1]);
  assert.deepEqual(at(0, 5), [255, 255, 255]);
});
