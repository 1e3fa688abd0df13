// Tests of what a reader has found: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';
import {Found, seedOf} from './found.js';

const exercises = [{name: '1.1', title: 'First'}, {name: '2.1', title: 'Second'}];

test('what was found is kept and listed, that of lessons of before, too', () => {
  let kept = '';
  const found = new Found(exercises, () => kept, text => { kept = text; });
  found.number = '4711';
  found.expect('2.1', 'nothing');
  found.note('1.1', 'S has 0.98. ');
  found.note('1.2', 'More.'); // of a lesson of before
  found.ran('course', {hash: 'abc', scores: []});
  assert.ok(found.begun);
  const again = new Found(exercises, () => kept, () => {});
  assert.deepEqual(again.list(), [
    {name: '1.1', title: 'First', sentence: 'S has 0.98.', expected: ''}, {name: '2.1', title: 'Second', sentence: undefined, expected: 'nothing'},
    {name: '1.2', title: 'Lesson 1.2', sentence: 'More.', expected: ''},
  ]);
  assert.ok(again.text('Seeds 1 and 2').endsWith('First\nS has 0.98.\n\nLesson 1.2\nMore.\n\nSeeds 1 and 2. 2 of 3 found.'));
  assert.deepEqual(JSON.parse(again.sheet()), {
    sheet: 1, student: '4711', found: [{title: 'First', expected: '', sentence: 'S has 0.98.'}, {title: 'Lesson 1.2', expected: '', sentence: 'More.'}],
    runs: [{hash: 'abc', scores: []}],
  });
  again.number = '4712'; // whose runs have another seed
  assert.deepEqual([JSON.parse(again.sheet()).runs, again.list()[0].sentence, again.list()[1].expected, again.begun], [[], undefined, '', false]);
  again.number = '4711'; // of whom nothing was lost meanwhile
  assert.deepEqual([again.list()[0].sentence, JSON.parse(again.sheet()).runs.length, again.list()[1].expected], ['S has 0.98.', 1, 'nothing']);
});

test('what somebody else has put there is left', () => {
  for (const text of ['', '{', 'null', '[1, 2]', '{"by": 3}',
    '{"by": [["", {"sentences": [["1.1"], ["1.1", 7], 3, ["9.9", "x"]], "runs": 4}], 5, [[], {}], ["7", null]], "number": {}}']) {
    assert.deepEqual(new Found(exercises, () => text, () => {}).list().filter(f => f.sentence), []);
  }
});

test('a number has the seed that the command line computes', () => {
  assert.deepEqual(['0000000', '4711', 'A-12'].map(seedOf), [661784, 162419, 667645]);
});
