import assert from 'node:assert/strict';
import {test} from 'node:test';
import {chosenRoles, problemOf} from './columnsform.js';

test('what was chosen before is chosen again, by place or by the titles of a header', () => {
  const question = {file: 'a.csv', why: '', roles: ['source', 'target', '-', 'weight'], header: ['from', 'to', 'type', 'w'], rows: [], readings: []};
  for (const [chosen, roles] of [[undefined, 'source,target,-,weight'], ['source,target,layer,time', 'source,target,layer,-'],
    ['layer=type', 'source,target,layer,weight'], ['weight=type', 'source,target,weight,-'], ['source,target', 'source,target,-,weight']]) {
    assert.equal(chosenRoles(question, chosen).join(), roles);
  }
});

test('a list of links has one column for each end', () => {
  assert.equal(problemOf(['source', 'target', 'layer', 'weight']), '');
  assert.equal(problemOf(['source', 'layer', 'target', 'layer']), '');
  const wrong = [['source', 'layer'],
    ['source', 'source', 'target'], ['source', 'target', 'weight', 'weight'], ['source', 'target', 'layer', 'layer', 'layer']];
  for (const roles of wrong) {
    assert.notEqual(problemOf(roles), '');
  }
});
