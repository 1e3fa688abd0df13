// @ts-check
import assert from 'node:assert/strict';
import test from 'node:test';
import {Catalogue} from '../settings/catalogue.js';
import {scoresOfBoth, sentences, settingsThatDiffer, verdictOf} from './differences.js';

const gamma = {name: 'gamma', label: 'Shared', kind: 'float', min: 0, max: 1, default: 0.5};
const beta = {name: 'weight_causal', label: 'Weight of causal', kind: 'float', default: 0.5}, width = {name: 'dim', label: 'Width', kind: 'int', default: 8};
const catalogue = new Catalogue(/** @type {any} */ ({
  groups: {training: [beta, width], evaluation: [], data: {town: [gamma]}, connectome: []},
  presets: {released: {}}, examples: [{name: 'town', title: 'Town: people', defaults: {}}], studies: [], own: {}, terms: [], exports: [],
}));

/** @param {any} [made] @param {any[]} [scores] @returns {Beside} */
const run = (made, scores = [], hash = 'a') => /** @type {any} */ ({name: 'run', scores, hash, made: {
  data: {example: 'town', options: {}, data_seed: 0}, options: {}, preset: 'released', model_seed: 0, eval_seed: 1, evaluation: {}, ...made,
}});
/** @param {number} value @param {number} [fold_std] */
const score = (value, fold_std, target = 'shared') => ({embedding: 'common', target, metric: 'ari', value, fold_std});
const titleOf = () => 'S';

test('settings that differ are named with both values, defaults filled in', () => {
  const list = settingsThatDiffer(run(), run({options: {weight_causal: 5, dim: 8}, data: {example: 'town', options: {gamma: '1'}, data_seed: 0}}), catalogue);
  assert.deepEqual(list, [{label: 'Shared', one: '0.5', other: '1'}, {label: 'Weight of causal', one: '0.5', other: '5'}]);
  assert.deepEqual(settingsThatDiffer(run(), run(), catalogue), []);
});

test('a difference within the spread is told as one', () => {
  const [near, far, blind] = scoresOfBoth(run({}, [score(0.8, 0.03), score(0.8, 0.03, 'own'), score(0.8, undefined, 'third')]),
    run({}, [score(0.83, 0.04), score(0.9, 0.04, 'own'), score(0.9, 0.04, 'third')]));
  assert.equal(near.within, true);
  assert.equal(verdictOf(near), '+0.03, within the spread (\u00b10.05)');
  assert.equal(far.within, false);
  assert.equal(verdictOf(far), '+0.10, beyond the spread (\u00b10.05)');
  assert.equal(blind.within, null);
  assert.equal(verdictOf(blind), '+0.10, of unknown spread');
});

test('the sentences are those of the two runs at hand', () => {
  const a = run({}, [score(0.8, 0.03)]), b = run({options: {weight_causal: 5}}, [score(0.83, 0.04)], 'b');
  const say = (/** @type {Beside} */ x, /** @type {Beside} */ y) =>
    sentences(x, y, {settings: settingsThatDiffer(x, y, catalogue), scores: scoresOfBoth(x, y), titleOf});
  const holds = (/** @type {string[]} */ list, /** @type {RegExp[]} */ ...facts) => {
    assert.equal(list.length, facts.length);
    for (const [k, fact] of facts.entries()) assert.match(list[k] ?? '', fact);
  };
  holds(say(a, b), /Weight of causal.*\(0\.5, then 5\)/, /no more than its spread/);
  holds(say(a, run({}, [score(0.2, 0.01)])), /same settings/, /same bits.*fingerprint a/, /more than its spread.*S for shared \(0\.80, then 0\.20\)/);
  assert.match(say(a, run({}, [], 'b')).at(-1) ?? '', /has no scores yet/);
  const other = run({preset: 'refined', options: {weight_causal: 5, dim: 4}, model_seed: 1}, [], 'b');
  assert.match(say(a, other)[0] ?? '', /Preset.*released, then refined.* 3 other settings/);
});
