// @ts-check
import assert from 'node:assert/strict';
import test from 'node:test';
import {extentOf, timeText} from './ordertext.js';

const study = /** @type {any} */ ({name: 'table1', seeds: 5, data_seeds: 1});
/** What is kept of ten tasks, of which six took a minute two at a time. @param {any} order */
const kept = order => ({order, tasks: 10, seconds: 60, timed: 6, workers: 2});

test('how long an experiment takes is judged by its tasks that ran here', () => {
  assert.match(timeText({study: 'table1'}, study, [], 2), /shows with its first tasks/);
  assert.match(timeText({study: 'table1'}, study, [{order: {}, tasks: 10, seconds: 0, timed: 0, workers: 2}], 2), /shows with its first tasks/);
  assert.match(timeText({study: 'table1'}, study, [], 2, 'asked'), /being timed/);
  assert.match(timeText({study: 'table1'}, study, [], 2, 60), /^Estimate: about 60 s/);
  assert.equal(timeText({study: 'table1'}, study, [kept({})], 2), 'About 2 min on this machine, by 6 tasks of it that ran here.');
  assert.match(timeText({study: 'table1'}, study, [kept({})], 4), /^About 50 s/);
  assert.match(timeText({study: 'table1', seeds: 1}, study, [kept({})], 2), /^About 20 s/);
  assert.match(timeText({study: 'table1', data_seeds: 3}, study, [kept({seeds: 1})], 2), /^About 25 min/);
  assert.match(timeText({study: 'table1', links: 5}, study, [kept({})], 2), /shows with its first tasks/);
  assert.match(timeText({study: 'table1', data: 'published', data_seeds: 3}, study, [kept({})], 2), /^About 2 min/);
});

test('an order that holds links out says so', () => {
  assert.equal(extentOf({study: 'table1', seeds: 1, links: 5}, study, 'released', []), '1 model seed, 1 data seed, links held out 5 times');
});
