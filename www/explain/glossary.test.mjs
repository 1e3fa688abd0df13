// Tests of what symbols mean: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';
import {SYMBOLS, WORDS, meaningOf, pieces, symbolOf} from './glossary.js';

test('a symbol in a text stands by itself', () => {
  const found = text => pieces(text).flatMap(([, symbol]) => symbol ? [symbol] : []);
  assert.deepEqual(found('\u03c8 reads P\u2081 beside C, and S.'), ['\u03c8', 'P\u2081', 'C', 'S']);
  assert.deepEqual(found('With \u03b2 = 50 and \u03b3 = 0, (S) and \u201cZ\u201d.'), ['\u03b2', '\u03b3', 'S', 'Z']);
  assert.deepEqual(found('CPU, P-value, PCA, C3PO, S_2, K-means, A person, CaDeM, SPS'), []);
  for (const text of ['S', 'no symbol', '', 'C and \u03c6']) assert.equal(pieces(text).flat().join(''), text);
});

test('what stands below the line is no part of a symbol, and each has a sentence', () => {
  assert.equal(symbolOf(' P\u2083 '), 'P');
  assert.equal(symbolOf('C\u2097'), 'C');
  assert.equal(symbolOf('constructor'), null);
  assert.equal(symbolOf('Q'), null);
  for (const key of [...Object.keys(SYMBOLS), ...Object.keys(WORDS)]) assert.match(meaningOf(key), /^[A-Z].*\.$/, key);
});
