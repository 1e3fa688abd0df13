import assert from 'node:assert/strict';
import {test} from 'node:test';
import {columnsOf, problemOf} from './columnsform.js';

test('columns are named by place, and by title where there is a header', () => {
  assert.equal(columnsOf(['layer', 'source', 'target', '-']), 'layer,source,target,-');
  assert.equal(columnsOf(['source', 'target', 'layer', '-'], ['from', 'to', 'type', 'note']), 'source=from,target=to,layer=type');
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
