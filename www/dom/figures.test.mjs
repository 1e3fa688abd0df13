// @ts-check
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import test from 'node:test';
import {figure, grouped, when} from './figures.js';

test('a number is written as the program writes it (core/base/figure), by the same table', () => {
  /** @type {[number, string][]} */
  const table = JSON.parse(readFileSync(new URL('../../core/base/figure/testdata/short.json', import.meta.url), 'utf8'));
  assert.ok(table.length >= 10);
  for (const [v, want] of table) assert.equal(figure(v), want, String(v));
});

test('a time is written with its date, and what is no time has words, too', () => {
  assert.match(when('2026-03-04T05:06:07Z'), /2026/);
  assert.notEqual(when('2026-03-04T05:06:07Z'), when('2026-03-04T05:07:07Z'));
  assert.equal(when('yesterday'), 'no date');
  assert.equal(when(/** @type {any} */ (undefined)), 'no date');
});

test('the digits of a count stand in groups of three', () => {
  assert.equal(grouped(1234567), '1\u202f234\u202f567');
  assert.equal(grouped(12), '12');
});
