// @ts-check
import assert from 'node:assert/strict';
import test from 'node:test';
import {layerText} from './surveytext.js';

test('a layer is said to be undirected however its links are stored', () => {
  const counts = {nnz: 4, self_loops: 0, symmetric: true, isolated: 1, max_degree: 2};
  for (const [stored, words] of /** @type {const} */ ([['both', 'undirected, each link stored in both directions'],
    ['one way', 'undirected, each link stored once'], ['directed', 'some links in one direction only, or with two weights']])) {
    assert.equal(layerText({...counts, stored}), `4 entries, no self loops \u00b7 ${words} \u00b7 1 isolated node \u00b7 largest degree 2`);
  }
});
