// The reader's own layers: what is said of them is what the split found, and places follow the communities.
import assert from 'node:assert/strict';
import test from 'node:test';
import {answer, full, placed} from './layers.js';

const found = {level: 0.02, least: 0.005, p: [0.001, 0.3], own: [0, 2], share: [[0.9], [0.1]]};

test('an answer says what is shared, what is kept, and how sure that is', () => {
  assert.equal(answer(['a', 'b'], {evidence: found, ranks: []}),
    '1 direction is shared. Their own: a 0, b 2. How sure: layers that share nothing would do as well with p below 0.005'
    + ' (the others: 0.300 or more); at most 0.020 counts.');
  assert.match(answer(['a', 'b'], {evidence: {...found, p: [0.001, 0.01]}, ranks: []}), /^1 direction is shared, by a and b\..*p 0\.010; at/);
  assert.match(answer(['a', 'b'], {evidence: {...found, p: [0.5, 0.3], share: []}, ranks: []}),
    /^Nothing is shared that links can show\..*with p 0\.300 or more; at most/);
  assert.match(answer(['a', 'b'], {agreement: [0.91], chance: 0.5, shared: 2, ranks: [3, 2]}),
    /^2 directions are shared, by a and b\. Their own: a 1, b 0\. .*agrees to 0\.91, .*less than 0\.50\.$/);
});

test('a block is a community of all layers, and its columns and rows are of one', () => {
  const all = Int32Array.from([0, 0, 0, 0, 1, 1, 1, 1, -1]), discs = [-0.5, 0.5].map(x => ({x, y: 0, r: 0.1}));
  const alone = [Int32Array.from([0, 1, 0, 1, 0, 1, 0, 1, 0]), Int32Array.from([0, 0, 1, 1, 0, 0, 1, 1, 0])];
  const wide = full(discs), at = placed({all, alone, discs: wide});
  assert.ok(wide[0].r > 0.3 && 2 * wide[0].r < wide[1].x - wide[0].x && wide[1].x + wide[1].r < 1.001);
  assert.ok(at.slice(0, 4).every(p => p[0] < 0) && at.slice(4, 8).every(p => p[0] > 0) && at[8][1] > 0.9);
  assert.ok(at[0][0] === at[2][0] && at[0][0] < at[1][0] && at[0][1] === at[1][1] && at[0][1] < at[2][1]);
});
