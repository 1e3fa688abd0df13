// @ts-check
import assert from 'node:assert/strict';
import test from 'node:test';
import {dotsOf, keptBeside, pictureOf, sameNodes, turned} from './beside.js';

/** Numbers that look drawn. @param {number} n @param {number} seed */
function drawn(n, seed) {
  const list = new Float32Array(n);
  for (let i = 0, s = seed; i < n; i++) list[i] = ((s = (s * 48271) % 2147483647) / 2147483647) - 0.5;
  return list;
}

/** The sum of squared distances of points. @param {Float32Array} a @param {Float32Array} b */
const apart = (a, b) => a.reduce((sum, v, i) => sum + (v - b[i]) ** 2, 0);

test('a picture that was turned, mirrored and enlarged lies on the other one again', () => {
  const other = drawn(80, 7);
  for (const sign of [1, -1]) {
    for (const angle of [0, 0.4, 2, -3]) {
      const plane = new Float32Array(80);
      for (let i = 0; i < 80; i += 2) {
        plane[i] = 3 * (Math.cos(angle) * other[i] - Math.sin(angle) * other[i + 1]);
        plane[i + 1] = sign * 3 * (Math.sin(angle) * other[i] + Math.cos(angle) * other[i + 1]);
      }
      const {xy, ghost, agreement} = turned(plane, other);
      assert.ok(apart(xy, ghost) < 1e-6, `angle ${angle}, sign ${sign}: ${apart(xy, ghost)} apart`);
      assert.ok(Math.abs(agreement - 1) < 1e-6);
    }
  }
});

test('no other angle fits better', () => {
  const plane = drawn(60, 3), other = drawn(60, 11), {xy, ghost, agreement} = turned(plane, other), least = apart(xy, ghost);
  for (const sign of [1, -1]) {
    for (let k = 0; k < 720; k++) {
      const c = Math.cos(k * Math.PI / 360), s = Math.sin(k * Math.PI / 360), at = new Float32Array(60);
      for (let i = 0; i < 60; i += 2) {
        at[i] = c * plane[i] - s * plane[i + 1];
        at[i + 1] = sign * (s * plane[i] + c * plane[i + 1]);
      }
      assert.ok(apart(at, ghost) >= least - 1e-5);
    }
  }
  assert.ok(agreement > 0 && agreement < 1);
});

test('a record keeps a picture, with classes of all nodes', () => {
  const m = 450, of = Int32Array.from({length: m}, (_, i) => i % 4 - 1), xy = drawn(2 * m * 3, 5);
  const frame = {epoch: 1, step: 5, embeddings: ['common', 'private_1', 'private_2'], ...pictureOf(xy, 3, {name: 'groups', classes: ['a', 'b', 'c'], of})};
  const record = /** @type {any} */ ({frame, data: {example: 'town'}, summary: {name: 'Town', labels: [{name: 'groups', classes: ['a', 'b', 'c']}]}});
  const dots = dotsOf(record), reach = Math.max(...xy.subarray(0, 2 * m).map(Math.abs));
  assert.equal(dots.length, 150);
  dots.forEach(({x, y, of: c}, k) => {
    assert.equal(c, of[3 * k]);
    assert.ok(Math.abs((2 * x - 1) - xy[6 * k] / reach) < 0.01 && Math.abs((1 - 2 * y) - xy[6 * k + 1] / reach) < 0.01);
  });
  assert.deepEqual(keptBeside(record, {xy}, 4).labels[0].of, of);
  assert.deepEqual(dotsOf(/** @type {any} */ ({})), []);
});

test('nodes are the same where example, seed and number are', () => {
  const made = (/** @type {any} */ data) => ({made: /** @type {any} */ ({data}), xy: new Float32Array(12), names: ['common', 'private_1']});
  const town = made({example: 'town', data_seed: 1, options: {gamma: 0.5}});
  assert.ok(sameNodes(town, made({example: 'town', data_seed: 1, options: {gamma: 1}})));
  assert.ok(!sameNodes(town, made({example: 'town', data_seed: 2})));
  assert.ok(!sameNodes(town, made({example: 'syn2', data_seed: 1})));
  assert.ok(!sameNodes(town, {...town, xy: new Float32Array(16)}));
  const files = made({files: [{name: 'a.csv', size: 3}]});
  assert.ok(sameNodes(files, made({files: [{name: 'a.csv', size: 3}]})) && !sameNodes(files, made({files: [{name: 'a.csv', size: 4}]})));
});
