import assert from 'node:assert/strict';
import test from 'node:test';
import {stacked} from './strip.js';

test('a plane stays as it is', () => {
  const xy = Float32Array.of(-1, 0.5, 1, -0.5);
  assert.equal(stacked(xy), xy);
  const point = new Float32Array(4);
  assert.equal(stacked(point), point);
});

test('nodes of a line are stacked where they lie', () => {
  const xy = Float32Array.of(-1, 0, -1, 0, 1, 0, -0.999, 0), out = stacked(xy);
  assert.deepEqual([0, 2, 4, 6].map(k => out[k]), [0, 2, 4, 6].map(k => xy[k]));
  assert.ok(out[1] < out[3] && out[3] < out[7], 'one above the other');
  assert.equal(out[5], out[1]);
  for (const v of out) assert.ok(Math.abs(v) <= 1);
});
