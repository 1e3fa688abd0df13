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
  assert.deepEqual(changed(figures, titleOf), [
    'The causal loss changed what \u03c8 answers.'
      + ' It left how much C tells of its layer and what the embeddings tell of the labels about as they were without it.',
    'With it, \u03c8 keeps its answer in 100.0 % of the swaps and names the right layer of 2 of the 2 graphs. Without it nothing trains \u03c8: 75.0 % and 1.',
    'A fresh classifier reads the layer from C in 0.52 of the cases with the loss, and in 0.51 without it. Chance is 0.50.',
    'The one score that both have differs by no more than its spread.',
  ]);
});

test('a score beyond its spread is named with the figures of both', () => {
  const [first, , , last] = changed(figuresOf(trained(1, true, 0.4, score(0.1)), trained(1, true, 0.9, score(0.7))), titleOf);
  assert.equal(first, 'The causal loss changed how much C tells of its layer and what the embeddings tell of the labels.'
    + ' It left what \u03c8 answers about as it was without it.');
  assert.match(last, /Common S for shared groups \(0\.70 without it, 0\.10 with it\)/);
});

test('what the losses do to the layer in C is said by what a probe finds', () => {
  const ways = (first, alone, all) => Object.entries({alone, guess: 0.4, causal: 0.5, all}).map(([arm, probe]) =>
    ({arm, looks: [{epoch: 0.05, probe: first}, {epoch: 60, probe}]}));
  assert.deepEqual(layerWords(ways(0.9, 0.35, 0.7), 1 / 3), [
    'With matching alone a linear classifier reads less of the layer from C in the end. After as many epochs it reads more with both further losses, which slow'
      + ' the matching.',
    'A fresh classifier names the layer of C in 0.90 of the cases after the first step of matching, and in 0.35 in the end. With the self-supervised loss'
      + ' beside it, it is 0.40, with the causal loss 0.50, and with both 0.70. Chance is 0.33.',
  ]);
  assert.equal(layerWords(ways(0.3, 0.5, 0.4), 1 / 3)[0],
    'With matching alone a linear classifier reads more of the layer from C in the end. After as many epochs it reads less with both further losses.');
  assert.equal(layerWords(ways(0.5, 0.5, 0.54), 1 / 3)[0], 'With matching alone a linear classifier reads as much of the layer from C in the end.'
    + ' The further losses hardly changed that.');
  assert.deepEqual(layerWords(ways(0.9, 0.35, 0.7).slice(1), 1 / 3), []);
});
