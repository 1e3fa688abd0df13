// Tests of what draws layers, on graphs that are made up: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';
import {Adjacency, adjacencyOf, orderOf, shareWithin} from './adjacency.js';
import {addLine, paintLinks} from './linkpixels.js';
import {rgb} from './palette.js';
import {inside, nearest, toward} from './points.js';

const pairs = Int32Array.from([0, 1, 0, 2, 1, 2, 3, 4]); // a triangle, a pair, and node 5 alone

test('an adjacency knows the neighbours of every node', () => {
  const a = new Adjacency(6, pairs);
  assert.deepEqual([0, 1, 2, 3, 4, 5].map(i => [...a.neighbours(i)].sort().join()), ['1,2', '0,2', '0,1', '4', '3', '']);
  assert.ok(a.joins(4, 3) && a.joins(3, 4) && !a.joins(0, 3));
  assert.equal(a.isolated, 1);
});

test('links of many nodes are made part by part, and at once for who asks meanwhile', async () => {
  const n = 1000, many = Int32Array.from({length: 400_000}, (_, k) => (k * 7919 + (k >> 1)) % n), a = new Adjacency(n, many), degrees = new Int32Array(n);
  for (const i of many) degrees[i]++;
  const made = a.prepare();
  assert.deepEqual(Int32Array.from({length: n}, (_, i) => a.neighbours(i).length), degrees);
  await made;
  const b = new Adjacency(n, many);
  await b.prepare();
  assert.deepEqual([...b.neighbours(5)], [...a.neighbours(5)]);
  assert.equal(adjacencyOf(n, many), adjacencyOf(n, many));
});

test('links inside a class are counted among those whose ends both have one', () => {
  assert.equal(shareWithin(pairs, [0, 0, 1, 1, 1, 0]), 2 / 4);
  assert.equal(shareWithin(pairs, [0, 0, -1, 1, 2, 0]), 1 / 2);
  assert.ok(Number.isNaN(shareWithin(pairs, [-1, -1, -1, -1, -1, -1])));
});

test('nodes stand in the order of their classes, those without one last', () => {
  assert.deepEqual([...orderOf([1, -1, 0, 1, 0])], [2, 4, 0, 3, 1]);
  assert.deepEqual([...orderOf([-1, -1])], [0, 1]);
  assert.deepEqual([...orderOf([])], []);
});

test('a line covers every pixel along it once, whichever way it goes', () => {
  for (const [x0, y0, x1, y1] of [[2, 3, 17, 9], [17, 9, 2, 3], [5, 18, 7, 1], [4, 4, 15, 15]]) {
    const cover = new Float32Array(400);
    addLine(cover, 20, x0, y0, x1, y1, [1, 0]);
    const sum = cover.reduce((a, b) => a + b), length = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0)) + 1;
    assert.ok(Math.abs(sum - length) < 1e-4, `${sum} for a line of ${length} pixels`);
    assert.ok(cover[20 * y0 + x0] > 0.99 && cover[20 * y1 + x1] > 0.99);
  }
  const outside = new Float32Array(400);
  addLine(outside, 20, -30, 5, 50, 8, [1, 0]);
  addLine(outside, 20, 3, -40, 9, 90, [5, 3]);
  assert.ok(outside.every(Number.isFinite));
});

test('links take on their colour, more where more of them cross', () => {
  const data = new Uint8ClampedArray(4 * 400).fill(255), x = i => [2, 17, 2, 17][i], y = i => [2, 17, 17, 2][i];
  paintLinks({data, side: 20}, Int32Array.from([0, 1, 2, 3, 0, 1]), x, y, {colours: [rgb('#400000')]});
  const red = (px, py) => data[4 * (20 * py + px)];
  assert.ok(red(5, 5) < red(5, 14) && red(5, 14) < 255 && red(10, 2) === 255);
  assert.deepEqual(rgb('#0a10ff'), [10, 16, 255]);
  const two = new Uint8ClampedArray(4 * 400).fill(255), at = (px, py) => [...two.subarray(4 * (20 * py + px), 4 * (20 * py + px) + 3)];
  paintLinks({data: two, side: 20}, Int32Array.from([0, 1, 2, 3]), x, y, {colours: [rgb('#ff0000'), rgb('#0000ff')], of: k => k ? -1 : 1});
  assert.ok(at(5, 5)[0] < 255 && at(5, 5)[2] === 255); // in the colour that it has
  assert.deepEqual(at(5, 14), [255, 255, 255]); // left out
});

test('the nearest point, the next one in a direction, and those inside a line', () => {
  const xs = [0, 10, 20, 10], ys = [0, 0, 0, 10], x = i => xs[i], y = i => ys[i];
  assert.equal(nearest(4, x, y, 12, 1), 1);
  assert.equal(nearest(4, x, y, 12, 1, 2), -1);
  assert.equal(toward(4, x, y, 0, 1, 0), 1);
  assert.equal(toward(4, x, y, 2, 1, 0), 2);
  assert.equal(toward(4, x, y, 1, 0, 1), 3);
  assert.deepEqual(inside(4, x, y, [[5, -5], [25, -5], [25, 5], [5, 5]]), [1, 2]);
});
