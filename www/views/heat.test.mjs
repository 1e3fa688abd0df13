// Tests of tables as small pictures: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';
import {heatOf, heatOfLinks, paintHeat, rowOf} from './heat.js';

const reversed = m => Int32Array.from({length: m}, (_, i) => m - 1 - i);

test('links and numbers stand where their nodes do', () => {
  const links = heatOfLinks(Int32Array.from([0, 1, 1, 3]), reversed(4));
  assert.deepEqual([...links.cells], [0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0]);
  const {cells, rows, columns} = heatOf(Float32Array.from([1, 2, 3, 4, 5, 6]), reversed(3));
  assert.deepEqual([rows, columns, ...cells], [3, 2, 5, 6, 3, 4, 1, 2]);
});

test('of many nodes a row is the mean of several, and every node has one', () => {
  const m = 100, heat = heatOf(Float32Array.from({length: m}, () => 7), reversed(m));
  assert.equal(heat.rows, 48);
  assert.ok(heat.cells.every(v => Math.abs(v - 7) < 1e-5));
  assert.deepEqual([rowOf(0, m), rowOf(99, m), rowOf(3, 10)], [0, 47, 3]);
  assert.equal(heatOfLinks(Int32Array.from([0, 99]), reversed(m)).cells.reduce((a, b) => a + b), 2);
});

test('the larger a number the stronger its cell, and a lit row alone has its colour', () => {
  const drawn = [], pen = {fillStyle: '', globalAlpha: 1, fillRect(...at) { drawn.push([this.fillStyle, this.globalAlpha, ...at]); }};
  const heat = {cells: Float32Array.from([-1, 0, 0, 1]), rows: 2, columns: 2, signed: true}, at = {x: 10, y: 20, wide: 40, high: 40};
  paintHeat(pen, heat, -1, at, {card: 'card', ink: 'ink', accent: 'accent'});
  assert.deepEqual(drawn, [['card', 1, 10, 20, 40, 40], ['ink', 0.5, 30, 20, 20, 20], ['ink', 0.5, 10, 40, 20, 20], ['ink', 1, 30, 40, 20, 20]]);
  drawn.length = 0;
  paintHeat(pen, heat, 1, at, {card: 'card', ink: 'ink', accent: 'accent'});
  assert.deepEqual(drawn.filter(([colour]) => colour === 'accent'), [['accent', 0.5, 10, 40, 20, 20], ['accent', 1, 30, 40, 20, 20]]);
  assert.ok(drawn.every(([colour, alpha]) => colour !== 'ink' || alpha < 0.5));
});
