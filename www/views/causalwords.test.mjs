// Tests of what is said of the causal loss: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';
import {changed, figuresOf, layerWords} from './causalwords.js';

const score = (value, fold_std = 0.01) => ({embedding: 'common', target: 'shared_groups', metric: 'ari', value, fold_std});
/** A training of two graphs, of two layers, whose psi decides by the private part or always says the first layer. */
const trained = (invariance, tells, probe, ...scores) => ({
  exchange: {
    invariance, pairs: 10, observed: [[1, 0], [0, 1]], do: [[1, 0], [0, 1]], layer: [0, 1], common: [[0, 0], [0, 0]],
    private: tells ? [[1, 0], [0, 1]] : [[1, 0], [1, 0]],
  },
  looks: [{epoch: 1, entropy: 1, probe: 0.1}, {epoch: 2, entropy: 1, probe}], scores,
});
const titleOf = () => 'Common S';

test('while one training is missing nothing is said', () => {
  assert.equal(figuresOf(undefined, undefined), null);
  assert.equal(figuresOf(trained(1, true, 0.5), {exchange: null, looks: []}), null);
});

test('what both trainings show is told, and what of it is the same', () => {
  const figures = figuresOf(trained(1, true, 0.52, score(0.46)), trained(0.75, false, 0.51, score(0.45)));
  const said = [/changed what \u03c8 .*left how much C .* and what the embeddings/, /100\.0 % .* 2 of the 2 .*75\.0 % and 1/, /0\.52 .*0\.51 .*0\.50/,
    /no more than its spread/];
  const found = changed(figures, titleOf);
  assert.equal(found.length, said.length);
  for (const [k, fact] of said.entries()) assert.match(found[k], fact);
});

test('a score beyond its spread is named with the figures of both', () => {
  const [first, , , last] = changed(figuresOf(trained(1, true, 0.4, score(0.1)), trained(1, true, 0.9, score(0.7))), titleOf);
  assert.match(first, /changed how much C .* and what the embeddings .*left what \u03c8/);
  assert.match(last, /Common S for shared groups \(0\.70 without it, 0\.10 with it\)/);
});

test('what the losses do to the layer in C is said by what a probe finds', () => {
  const ways = (first, alone, all) => Object.entries({alone, guess: 0.4, causal: 0.5, all}).map(([arm, probe]) =>
    ({arm, looks: [{epoch: 0.05, probe: first}, {epoch: 60, probe}]}));
  const [verdict, figures] = layerWords(ways(0.9, 0.35, 0.7), 1 / 3);
  assert.match(verdict, /reads less .*reads more .*slow/);
  assert.match(figures, /0\.90 .*0\.35 .*0\.40.* 0\.50.* 0\.70.* 0\.33/);
  assert.match(layerWords(ways(0.3, 0.5, 0.4), 1 / 3)[0], /reads more .*reads less/);
  assert.match(layerWords(ways(0.5, 0.5, 0.54), 1 / 3)[0], /reads as much .*hardly changed/);
  assert.deepEqual(layerWords(ways(0.9, 0.35, 0.7).slice(1), 1 / 3), []);
});
