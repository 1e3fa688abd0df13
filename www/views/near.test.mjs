// @ts-check
import assert from 'node:assert/strict';
import test from 'node:test';
import {nearestIn} from './near.js';

test('the nearest nodes come nearest first, the node itself not among them', () => {
  const rows = Float32Array.from([0, 0, 3, 4, 1, 0, 0, -2, 1, 0]);
  assert.deepEqual(nearestIn(rows, 2, 0, 3), [2, 4, 3]);
  assert.deepEqual(nearestIn(rows, 2, 1, 9), [2, 4, 0, 3]);
  assert.deepEqual(nearestIn(new Float32Array(10), 2, 0, 3), []);
});
