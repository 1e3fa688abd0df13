import assert from 'node:assert/strict';
import test from 'node:test';
import {parts} from './told.js';

const words = n => Array.from({length: n}, (_, i) => `word${i}`).join(' ');

test('a text of 60 words is seen whole, and of a longer one whole sentences', () => {
  const short = `One ${words(58)} end.`;
  assert.deepEqual(parts(short), [short, '']);
  const a = `First ${words(38)} end.`, b = `Then ${words(30)} end.`, c = 'Last.';
  assert.deepEqual(parts(`${a} ${b} ${c}`), [a, `${b} ${c}`]);
});

test('a sentence is never cut, nor is a number', () => {
  const long = `One ${words(80)} end.`;
  assert.deepEqual(parts(`${long} Two.`), [long, 'Two.']);
  assert.deepEqual(parts('An ARI of 0.95 e.g. here.'), ['An ARI of 0.95 e.g. here.', '']);
});
