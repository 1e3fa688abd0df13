import assert from 'node:assert/strict';
import test from 'node:test';
import {Adjacency} from './adjacency.js';
import {numbersOf} from './colourby.js';
import {agreement, shadesOf} from './numbers.js';
import {SHADES, fillOf, shades} from './palette.js';

test('layers agree about a node as far as its links are in all of them', () => {
  const among = [[0, 1, 0, 2, 3, 4], [0, 1, 3, 5], [0, 1]].map(pairs => new Adjacency(7, Int32Array.from(pairs)));
  // Node 0: 1 in all three, 2 in one of three; node 6 has no links.
  assert.deepEqual([...agreement(among, 7)], [0.5, 1, 0, 0, 0, 0, NaN]);
});

test('shades go from the least number to the largest, and what is missing has none', () => {
  const {of, low, high, missing} = shadesOf([3, NaN, 5, 4, 3.999]);
  assert.deepEqual([low, high, missing, ...of], [3, 5, 1, 0, -1, SHADES - 1, SHADES / 2, SHADES / 2 - 1]);
  assert.deepEqual([...shadesOf([2, 2]).of], [SHADES / 2, SHADES / 2]);
  assert.deepEqual([...shadesOf([NaN]).of], [-1]);
});

test('the colours of shades are between the stops of the theme', () => {
  const stops = ['#000000', '#202020', '#404040', '#606060', '#808080', '#a0a0a0', '#c0c0c0'];
  const all = shades().map(k => fillOf({stops, classes: []}, k));
  assert.deepEqual([all[0], all.at(-1)], ['#000000', '#c0c0c0']);
  assert.ok(all.every((c, k) => /^#([0-9a-f]{2})\1\1$/.test(c) && (!k || c > all[k - 1])), all.join());
  assert.equal(fillOf({stops, classes: Array(8).fill('#123456')}, 9), '#123456');
});

test('numbers are columns of a table, labels that are numbers, links, agreement and columns of S', () => {
  const labels = [{name: 'grade', classes: ['1', '2', '10']}, {name: 'team', classes: ['1', 'b', 'c']}, {name: 'two', classes: ['0', '1']}];
  const data = {numbers: [{name: 'age'}], labels, summary: {layers: [{name: 'work'}, {name: 'lunch_table'}]}};
  assert.deepEqual(numbersOf(data, 1), [
    ['number:column:age', 'age'], ['number:label:grade', 'grade (as number)'], ['number:degree:1', 'links in work'],
    ['number:degree:2', 'links in lunch table'], ['number:agreement', 'agreement of its links'], ['number:S:1', 'column 1 of S'],
  ]);
  assert.deepEqual(numbersOf(null, 0), []);
});
