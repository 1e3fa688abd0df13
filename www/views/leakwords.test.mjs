// Tests of www/views/leakwords.ts: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';
import {kindsOf, leakSentence, lookOf} from './leakwords.js';

const names = ['common', 'private_1', 'private_2'], summary = {layers: [{name: 'friends'}, {name: 'work'}]};
const labels = ['shared', 'friends', 'layer_2'].map(name => ({name}));

test('a layer has its own labels by its name or its number; all others are shared', () => {
  const {own, shared} = kindsOf(labels, names, summary);
  assert.deepEqual([[...own].map(([name, s]) => [name, s.name]), shared.map(s => s.name)], [[['private_1', 'friends'], ['private_2', 'layer_2']], ['shared']]);
});

test('a look has the mean of each kind, and no number where there are no such labels', () => {
  const probe = (embedding, target, value) => ({embedding, target, value});
  const probes = [probe('common', 'shared', 0.5), probe('common', 'friends', 0.25), probe('common', 'layer_2', 0.75), probe('private_1', 'friends', 0.5),
    probe('private_2', 'layer_2', 1), probe('private_1', 'layer_2', 0.1)];
  const leak = {probes, layer: {common: 0.4, private: 1}};
  assert.deepEqual(lookOf(3, leak, kindsOf(labels, names, summary)), {epoch: 3, layer: 0.4, shared: 0.5, own: 0.5, apart: 0.75});
  assert.deepEqual(lookOf(3, {...leak, probes: null}, kindsOf([], names, summary)),
    {epoch: 3, layer: 0.4, shared: undefined, own: undefined, apart: undefined});
});

test('what is said follows the numbers', () => {
  const said = (a, b) => leakSentence([{epoch: 0, layer: 0.5, ...a}, {epoch: 9, layer: 0.75, ...b}], 3);
  assert.match(said({own: 0.1}, {own: 0.9}),
    /^Training put more .* into S: a probe of S finds them at 0\.10 at epoch 0 and at 0\.90 at epoch 9\. A probe names/);
  assert.match(said({own: 0.9}, {own: 0.1}), /^Training took some/);
  assert.match(said({own: 0.5}, {own: 0.52}), /^Training left/);
  assert.match(said({shared: 0.5}, {shared: 0.6}), /^Of the labels, a probe of S finds them at 0\.50/);
  assert.match(said({}, {}), /^A probe names the layer from C in 75 % of the cases, 50 % at first\. Chance is 33 %\.$/);
  assert.match(said({layer: 0.74}, {}), /about as at first/);
  assert.equal(leakSentence([{epoch: 0, layer: 1}], 3), '');
});
