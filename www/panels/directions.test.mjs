// @ts-check
import assert from 'node:assert/strict';
import test from 'node:test';
import {cut, explained, told, valuesOf} from './directions.js';

test('the links that a direction explains best are between nodes far out on one side of it', () => {
  const values = [2, 1, -1, -3, 0], pairs = [0, 1, 0, 2, 2, 3, 3, 4, 0, 3];
  assert.deepEqual(explained(values, pairs, 5), [[2, 3], [0, 1]]);
  assert.deepEqual(explained(values, pairs, 1), [[2, 3]]);
  assert.deepEqual(explained(values, [], 5), []);
});

test('a direction is told with the layers that carry it', () => {
  const names = ['friends', 'lunch', 'work'], d = {share: [], strength: .5};
  assert.equal(told({...d, layers: [0, 2]}, 1, names), 'Direction 2, of strength 0.5, is carried by friends and work.');
  assert.equal(told({...d, layers: [0, 1, 2]}, 0, names), 'Direction 1, of strength 0.5, is carried by friends, lunch and work.');
  assert.equal(told({...d, layers: []}, 0, names), 'Direction 1, of strength 0.5, is carried by no layer for the larger part.');
});

test('values of a direction are its column', () => {
  const found = {key: 'a', arrays: [{name: 'shared', shape: [2, 1], data: [7, 8]}, {name: 'directions', shape: [2, 3], data: [1, 2, 3, 4, 5, 6]}]};
  assert.deepEqual([...valuesOf(found, 1)], [2, 5]);
});

test('S is cut to the directions that every chosen layer carries', () => {
  const sharing = {directions: [[[0, 1], 4], [[1], 1], [[0, 1, 2], .25]].map(([layers, strength]) => ({layers, strength, share: []}))};
  const found = {key: 'a', sharing, arrays: [{name: 'directions', shape: [2, 3], data: [1, 2, 3, -4, 5, 6]}]}, names = ['friends', 'work', 'lunch'];
  assert.equal(cut(found, [0, 1], names, ['Ann', '=Bo']),
    ['node,"direction 1, friends and work","direction 3, friends, work and lunch"', 'Ann,2,1.5', "'=Bo,-8,3", ''].join('\n'));
  assert.equal(cut(found, [2], names, ['Ann', 'Bo']), 'node,"direction 3, friends, work and lunch"\nAnn,1.5\nBo,3\n');
  assert.equal(cut(found, [], names, ['Ann'])?.split('\n')[1], 'Ann,2,2,1.5');
  const none = {...found, sharing: {directions: sharing.directions.slice(0, 2)}};
  assert.equal(cut(none, [2], names, ['Ann', 'Bo']), null);
});
