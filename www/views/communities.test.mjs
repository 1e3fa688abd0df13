// Tests of what is said and coloured of communities: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';
import {leading, mixOf} from './communitywords.js';

const of = Int32Array.from([0, 0, 0, 0, 1, 1, 2, 2, -1]);

test('a community has the colour of the class of more than half of its nodes, and without one none', () => {
  const classes = ['a', 'b', 'c'], own = Int32Array.from([1, 1, 1, 0, 0, 2, -1, -1, 1]);
  assert.deepEqual(leading({of, k: 3}, {of: own, classes}), [{own: 1, mark: 1}, {own: -1, mark: -1}, {own: -1, mark: -1}]);
  assert.deepEqual(leading({of, k: 3}, {of: own, classes, marks: [7, 8, 9]})[0], {own: 1, mark: 8});
});

test('of numbers a community has the mean of the nodes whose number is known', () => {
  const classes = Array.from({length: 24}, (_, k) => String(k)), own = Int32Array.from([4, 6, -1, 8, 0, 23, -1, -1, 3]);
  const marks = classes.map((_, k) => 1000 + k);
  assert.deepEqual(leading({of, k: 3}, {of: own, classes, marks, scale: {}}).map(l => l.mark), [1006, 1012, -1]);
});

test('the classes of a community come with their numbers of nodes, the most frequent first, missing ones among them', () => {
  assert.deepEqual(mixOf(of, 3, {of: [1, 1, 0, 1, -1, 0, -1, -1, 0], classes: ['a', 'b']}), [[[1, 3], [0, 1]], [[-1, 1], [0, 1]], [[-1, 2]]]);
});
