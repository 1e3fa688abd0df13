import assert from 'node:assert/strict';
import {test} from 'node:test';
import '../../scripts/wasmtest/fakedocument.mjs';
import {chosenRoles, columnsForm, problemOf} from './columnsform.js';

test('what was chosen before is chosen again, by place or by the titles of a header', () => {
  const question = {file: 'a.csv', why: '', roles: ['source', 'target', '-', 'weight'], header: ['from', 'to', 'type', 'w'], rows: [], readings: []};
  for (const [chosen, roles] of [[undefined, 'source,target,-,weight'], ['source,target,layer,time', 'source,target,layer,-'],
    ['source,target,layer;source,layer,target,-', 'source,layer,target,-'], ['source,target,layer;layer=type', 'source,target,layer,weight'],
    ['layer=type', 'source,target,layer,weight'], ['weight=type', 'source,target,weight,-'], ['source,target', 'source,target,-,weight']]) {
    assert.equal(chosenRoles(question, chosen).join(), roles);
  }
});

test('a list of links has one column for each end', () => {
  assert.equal(problemOf(['source', 'target', 'layer', 'weight']), '');
  assert.equal(problemOf(['source', 'layer', 'target', 'layer']), '');
  assert.equal(problemOf(['source', 'target', 'weight', 'weight']), ''); // each is a layer
  for (const [roles, words] of [
    [['source', 'layer'], /\u201cfrom a node\u201d for one column and \u201cto a node\u201d for another/],
    [['source', 'source', 'target'], /\u201cfrom a node\u201d/],
    [['source', 'target', 'layer', 'layer', 'layer'], /\u201clayer\u201d for one column, or for two/],
  ]) assert.match(problemOf(roles), words);
});

test('likely readings are told in the words of the columns', () => {
  const readings = ['layer,source,target,weight', 'source,target,weight,time'].map(columns => ({columns, layers: 2, nodes: 9}));
  const form = columnsForm({question: {file: 'a', why: '', roles: ['source', 'target', 'weight', '-'], rows: [], readings}, done() {}});
  assert.deepEqual(form.all(el => el.attributes.get('class') === 'radio').map(el => el.textContent), [
    'layer, from a node, to a node, weight: 2 layers, 9 nodes', 'from a node, to a node, weight, not used: 2 layers, 9 nodes',
  ]);
});
