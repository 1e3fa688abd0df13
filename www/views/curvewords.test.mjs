// @ts-check
import assert from 'node:assert/strict';
import test from 'node:test';
import {apart, closedWords, errorWords, riseWords, trainedWords} from './curvewords.js';

const GAMMAS = [0, 20, 40, 60, 80, 100];

test('the error is the mean distance, and where it is largest', () => {
  const guess = [0, 0.2, 0.4, 0.6, 0.8, 1], measured = [0, 0.05, 0.8, 0.99, 0.98, 0.97];
  const by = apart(guess, measured);
  assert.ok(by && Math.abs(by.mean - (0 + 0.15 + 0.4 + 0.39 + 0.18 + 0.03) / 6) < 1e-12);
  assert.deepEqual([by.at, Math.round(100 * by.most)], [2, 40]);
  assert.equal(errorWords(guess, measured, 'CaDeM', GAMMAS),
    'Your curve is off by 0.19 on average from that of CaDeM, most at 40\u00a0%: you drew 0.40, and it is 0.80.');
  assert.equal(errorWords(measured, measured, 'CaDeM', GAMMAS), 'Your curve is off by 0.00 on average from that of CaDeM, and by no more than 0.00 anywhere.');
});

test('a curve that is not whole has no error', () => {
  assert.equal(apart([0, null, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]), null);
  assert.equal(errorWords([null, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], 'CaDeM', GAMMAS), '');
});

test('the rise is named where there is one', () => {
  assert.equal(riseWords([0, 0, 1, 1, 1, 1], 'The closed form', GAMMAS), 'The closed form rises most between 20 and 40\u00a0%: from 0.00 to 1.00.');
  assert.equal(riseWords([1, 0.9, 0.8, 0.7, 0.7, 0.7], 'It', GAMMAS), '');
});

test('at a gamma stands what is known, and nothing else', () => {
  const found = (/** @type {number} */ shared, /** @type {number} */ untrained, rank = 2) => ({shared, untrained, own: [], rank, hash: ''});
  assert.equal(closedWords(40, null, false), '');
  assert.match(closedWords(40, null, true), /^Computing/);
  assert.equal(closedWords(40, found(0.9, 0.9), false), 'At 40\u00a0%, clusters in S match the shared groups with 0.90 of 1 by the closed form.');
  assert.match(closedWords(0, found(0, 0, 0), true), /its S is empty\.$/);
  assert.equal(trainedWords(null, false), 'CaDeM is not trained here yet.');
  assert.equal(trainedWords(null, true), 'Training\u2026');
  assert.equal(trainedWords(found(0.81, 0.12), false), 'CaDeM, trained, has 0.81, and untrained 0.12.');
});
