// Tests of www/views/groupsearch.ts, run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';
import {groupsOffered, nodesInGroups} from './groupsearch.js';

const labels = [
  {name: 'work', classes: ['group 1', 'bakers'], of: [0, 1, 1, -1]},
  {name: 'free_time', classes: ['group 1', 'chess'], of: [1, 0, 1, 0]},
];

test('nodes are found by their groups', () => {
  for (const [text, want] of [
    ['bakers', [1, 2]], ['Work Bakers', [1, 2]], ['free time group 1', [1, 3]], ['bakers and chess', [2]], ['bakers + free time group 1', [1]],
    ['group 1', [0, 1, 3]], ['work group 1, chess', [0]], ['work group 1 and work bakers', []], ['bakers and', [1, 2]], ['bake', null], ['bakers and x', null],
    ['', null], [' and ', null],
  ]) assert.deepEqual(nodesInGroups(text, labels), want, text);
  assert.equal(nodesInGroups('bakers', []), null);
});

test('groups are offered as they are typed', () => {
  for (const [text, want] of [
    ['ba', ['work bakers']], ['work', ['work group 1', 'work bakers']], ['gr', ['work group 1', 'free time group 1']],
    ['work bakers and ch', ['work bakers and free time chess']], ['x', []],
  ]) assert.deepEqual(groupsOffered(text, labels), want, text);
});
