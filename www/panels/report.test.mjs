// @ts-check
import assert from 'node:assert/strict';
import test from 'node:test';
import {readMerged} from './report.js';

test('a merged report has results by their keys, and took some time', async () => {
  const read = (/** @type {any} */ found) =>
    readMerged(/** @type {any} */ (new File([typeof found === 'string' ? found : JSON.stringify(found)], 'm.json')), s => s === 'one');
  const whole = {order: {study: 'one'}, results: [{key: 'a'}], seconds: 0};
  assert.deepEqual(await read(whole), whole);
  for (const results of [undefined, {}, [null], [{key: 5}]]) await assert.rejects(read({...whole, results}), /^Error: m\.json: found a file that is cut off/);
  for (const seconds of ['1e999', '-1', 'null', '"5"', '[]']) {
    const text = JSON.stringify(whole).replace('"seconds":0', `"seconds":${seconds}`);
    await assert.rejects(read(text), /^Error: m\.json: found seconds .*, expected a number of at least 0/);
  }
  await assert.rejects(read({...whole, order: {study: 'two'}}), /found two, expected one of the experiments/);
});
