// Tests of what is ordered of the settings in the form: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';
import {orderOf} from './claimsorder.js';

const settings = {data: 'syn1', preset: 'released', method: '', dataOptions: {}, options: {}, evaluation: {}};

test('an order is about what is set up, and changes with it', () => {
  assert.deepEqual(orderOf(settings, 'released', null), {study: 'claims', example: 'syn1'});
  assert.deepEqual(orderOf(settings, 'released', null, 10), {study: 'claims', example: 'syn1', seeds: 10});
  const other = {...settings, preset: 'refined', dataOptions: {nodes: 60}, options: {weight_causal: 5}, evaluation: {eval_epochs: 9, kmeans_runs: 3}};
  assert.deepEqual(orderOf(other, 'released', null),
    {study: 'claims', example: 'syn1', preset: 'refined', options: {nodes: 60, weight_causal: 5, eval_epochs: 9}});
});

test('files are those that are open; without any, and with another method, there is no order', () => {
  const own = {files: [{name: 'a.csv', size: 3}]}, files = {...settings, data: 'files', dataOptions: {atlas: 'x'}};
  assert.deepEqual(orderOf(files, 'released', own), {study: 'claims', ...own});
  assert.equal(orderOf(files, 'released', null), null);
  assert.equal(orderOf({...settings, method: 'dgi'}, 'released', null), null);
});
