// Tests of how pictures fill their room: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';
import {bestFit} from './fit.js';

test('pictures are as large as their room lets them be', () => {
  assert.deepEqual(bestFit(4, 1240, 200, 20, 10), {side: 180, columns: 4});
  assert.deepEqual(bestFit(4, 1240, 800, 20, 10), {side: 375, columns: 2});
  assert.deepEqual(bestFit(6, 620, 460, 20, 10), {side: 200, columns: 3});
});

test('rows are filled evenly, though more would fit into the first', () => {
  assert.deepEqual(bestFit(4, 370, 290, 20, 10), {side: 120, columns: 2});
  assert.deepEqual(bestFit(4, 350, 150, 20, 10), {side: 88, columns: 2}); // and are scrolled to
  assert.deepEqual(bestFit(5, 350, 150, 20, 10), {side: 88, columns: 3});
  assert.deepEqual(bestFit(3, 80, 150, 20, 10), {side: 80, columns: 1});
});
