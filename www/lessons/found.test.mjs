// Tests of what a reader has found: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';
import {Found, seedOf} from './found.js';

const lessons = [{title: 'a', cards: [{title: 'x', found: 'First'}, {title: 'y'}]}, {title: 'b', cards: [{title: 'z', found: 'Second'}]}];

test('what was found is kept, counted and listed', () => {
  let kept = '';
  const found = new Found(lessons, () => kept, text => { kept = text; });
  found.number = '4711';
  found.expect('2.1', 'nothing');
  found.note('1.1', 'S has 0.98. ');
  found.note('1.2', 'More.');
  found.ran('course', {hash: 'abc', scores: []});
  assert.deepEqual([found.count(0), found.count(1), found.begun], [2, 0, true]);
  const again = new Found(lessons, () => kept, () => {});
  assert.deepEqual(again.list(), [
    {name: '1.1', title: 'First', sentence: 'S has 0.98.', expected: ''}, {name: '2.1', title: 'Second', sentence: undefined, expected: 'nothing'},
  ]);
  assert.ok(again.text('Seeds 1 and 2').endsWith('First\nS has 0.98.\n\nSeeds 1 and 2. 1 of 2 found.'));
  assert.deepEqual(JSON.parse(again.sheet()), {
    sheet: 1, student: '4711', found: [{title: 'First', expected: '', sentence: 'S has 0.98.'}], runs: [{hash: 'abc', scores: []}],
  });
  again.number = '4712'; // whose runs have another seed
  assert.deepEqual([again.count(0), JSON.parse(again.sheet()).runs, again.list()[1].expected, again.begun], [0, [], '', false]);
  again.number = '4711'; // of whom nothing was lost meanwhile
  assert.deepEqual([again.count(0), JSON.parse(again.sheet()).runs.length, again.list()[1].expected], [2, 1, 'nothing']);
});

test('what somebody else has put there is left', () => {
  for (const text of ['', '{', 'null', '[1, 2]', '{"by": 3}',
    '{"by": [["", {"sentences": [["1.1"], ["1.1", 7], 3, ["9.9", "x"]], "runs": 4}], 5, [[], {}], ["7", null]], "number": {}}']) {
    assert.deepEqual(new Found(lessons, () => text, () => {}).list().filter(f => f.sentence), []);
  }
});

test('a number has the seed that the command line computes', () => {
  assert.deepEqual(['0000000', '4711', 'A-12'].map(seedOf), [661784, 162419, 667645]);
});
