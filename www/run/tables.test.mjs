// @ts-check
import assert from 'node:assert/strict';
import test from 'node:test';
import {Pool} from '../engine/pool.js';
import {Tables} from './tables.js';

const made = /** @type {any} */ ({data: {example: 'town'}, preset: 'released', options: {dim: 2}, evaluation: {folds: 3}, model_seed: 1, eval_seed: 2});
const run = (/** @type {object} */ more = {}) =>
  /** @type {any} */ ({phase: 'shipped', hash: 'abc', data: {summary: {nodes: 2}}, record: null, progress: {seconds: 1}, ...more});

/** Tables of a pool that answers with a fingerprint, or fails. */
function tablesOf(/** @type {string | Error} */ answer) {
  /** @type {any[]} */
  const asked = [];
  const arrays = {S: Float64Array.of(1, 2), P_1: Float64Array.of(3, 4), P_2: Float64Array.of(5, 6), C_1: Float64Array.of(7, 8), C_2: Float64Array.of(9, 10)};
  const pool = /** @type {any} */ ({one: Pool.prototype.one, run: async (/** @type {any[]} */ tasks, /** @type {any} */ options) => {
    asked.push(...tasks.map((t, i) => ({...t, sent: options.arrays(i)})));
    return [answer instanceof Error ? {error: answer} : {result: {hash: answer}, arrays}];
  }});
  let changes = 0;
  return {asked, tables: new Tables({pool, changed: () => { changes++; }}), changes: () => changes};
}

test('tables of a run are those of its settings, if these end with its fingerprint', async () => {
  const {asked, tables, changes} = tablesOf('abc');
  assert.equal(tables.known(run(), made), 'due');
  const [first] = [tables.ask('abc', made, 'work'), tables.ask('abc', made, 'work')];
  assert.equal(tables.known(run(), made), 'busy');
  await first;
  assert.equal(asked.length, 1);
  assert.deepEqual([asked[0].options, asked[0].measure], [{dim: 2, folds: 3}, [{kind: 'tables', targets: ['work']}]]);
  assert.equal(tables.known(run(), made), 'there');
  assert.equal(changes(), 1);
  assert.deepEqual([...tables.tokens(/** @type {any} */ (tables.of('abc')), 2)], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test('a run on files is trained again on their contents', async () => {
  const {asked, tables} = tablesOf('abc'), contents = /** @type {any} */ ([new Blob(['1 2']), new Blob(['1'])]);
  await tables.ask('abc', {...made, data: {files: [{name: 'a.edges', size: 3}, {name: 'b.csv', size: 1}]}}, undefined, contents);
  assert.equal(asked[0].data.files.length, 2);
  assert.deepEqual(asked[0].sent, {'file:0': contents[0], 'file:1': contents[1]});
});

test('tables with another fingerprint are not shown, and what failed is not asked for again', async () => {
  const other = tablesOf('abd'), failing = tablesOf(new Error('no memory'));
  await other.tables.ask('abc', made, undefined);
  assert.equal(other.tables.known(run(), made), 'other');
  assert.equal(other.tables.of('abc'), null);
  await assert.rejects(failing.tables.ask('abc', made, undefined), /no memory/);
  assert.equal(failing.tables.known(run(), made), 'failed');
});

test('nothing is trained for a run that goes on, was changed on its way, is of large files, of many nodes or took long', () => {
  const {tables} = tablesOf('abc');
  assert.equal(tables.known(run({phase: 'finished', record: {changes: []}}), made), 'due');
  for (const more of [{phase: 'paused'}, {phase: 'running'}, {hash: undefined}, {record: {changes: [{step: 3}]}}, {record: {method: 'dgi', changes: []}},
    {data: {summary: {nodes: 5000}}}, {progress: {seconds: 100}}]) assert.equal(tables.known(run(more), made), 'none', JSON.stringify(more));
  const of = (/** @type {number} */ size) => ({...made, data: {files: [{name: 'a.edges', size}, {name: 'b.csv', size: 1}]}});
  for (const [size, known] of [[2 ** 26, 'none'], [2 ** 26 - 1, 'due']]) {
    assert.equal(tables.known(run({phase: 'finished', record: {changes: []}}), of(Number(size))), known);
  }
  assert.equal(tables.known(run(), null), 'none');
});
