// @ts-check
import assert from 'node:assert/strict';
import test from 'node:test';
import {FORMULAS} from './formulas.js';

// Two layers of three nodes with two numbers each: S, P_1, P_2, C_1, C_2.
const TOKENS = Float32Array.from([
  1, 0, 0, 1, 1, 1,
  1, 2, 3, 4, 5, 6, 0.5, 0, 0, 0, 0, 0,
  9, 9, 9, 9, 9, 9, 1, 0.5, 2, 1, 0, 0,
]);
const known = (other = {}) => ({
  tokens: TOKENS, nodes: 3, layers: 2, layer: 0, layerName: 'friends', node: 1, name: 'Anna', neighbours: [0, 2], weighted: false, kipf: false, mean: true,
  terms: [{symbol: 'L_a', by: 'w', weight: 2, value: 0.25}, {symbol: 'L_b', by: '\u03b2', weight: 0, value: 7}], total: 0.5, ...other,
});

test('every stage has the numbers of the chosen node in the chosen layer', () => {
  assert.deepEqual(FORMULAS.Layers(known()), ['Anna has 2 links in friends.']);
  assert.equal(FORMULAS.Encoders(known())[1], 'Of Anna in friends: C = (9.00, 9.00), P = (3.00, 4.00).');
  assert.equal(FORMULAS.Encoders(known({layer: 1, layerName: 'work'}))[1], 'Of Anna in work: C = (2.00, 1.00), P = (0.00, 0.00).');
  assert.equal(FORMULAS.Consensus(known({layer: 1, layerName: 'work'}))[1], 'Of Anna: S = (0.00, 1.00), and in work \u2016C \u2212 S\u2016\u00b2 = 4.');
  assert.equal(FORMULAS['Pooled graphs'](known())[1], 'Over all 3 nodes of friends: h = (9.00, 12.00).');
  assert.match(FORMULAS.Guesses(known())[0], /1\/2 and it costs 0[.]69[.]$/);
});

test('the losses are weighed and added, those that count', () => {
  assert.deepEqual(FORMULAS.Step(known()), ['L = w L_a = 2 \u00b7 0.25 = 0.5']);
  assert.deepEqual(FORMULAS.Step(known({terms: []})), []);
});

test('formulas stand without a node and without numbers, and say no degree of weighted links', () => {
  for (const [name, formula] of Object.entries(FORMULAS)) {
    for (const other of [{node: -1, neighbours: null}, {tokens: null}, {tokens: null, node: -1, neighbours: null, terms: []}]) {
      for (const line of formula(known(other))) assert.doesNotMatch(line, /NaN|undefined|Of {2}|null/, name);
    }
  }
  assert.equal(FORMULAS.Neighbours(known({weighted: true})).length, 1);
  assert.match(FORMULAS.Neighbours(known({kipf: true}))[0], /n\(A \+ I\)/);
  assert.doesNotMatch(FORMULAS.Consensus(known({mean: false}))[0], /divided/);
});
