// Tests of www/run/phases.ts: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';
import {BACK, REPORTED, TRANSITIONS, allows, next} from './phases.js';

const EVENTS = ['show', 'open', 'withdraw', 'pause', 'run', 'finish', 'fail'];

// Row by row what must hold, "-" for what is refused.
const EXPECTED = {
  //          show      open      withdraw pause    run       finish      fail
  idle:     ['shipped', 'opening', '-',    '-',      '-',       '-',        '-'],
  shipped:  ['shipped', 'opening', '-',    '-',      '-',       '-',        '-'],
  opening:  ['shipped', 'opening', 'idle', 'paused', 'running', 'finished', 'failed'],
  paused:   ['shipped', 'opening', '-',    'paused', 'running', 'finished', 'failed'],
  running:  ['shipped', 'opening', '-',    'paused', 'running', 'finished', 'failed'],
  finished: ['shipped', 'opening', '-',    '-',      '-',       'finished', 'failed'],
  failed:   ['shipped', 'opening', '-',    '-',      '-',       '-',        'failed'],
};

test('every event leads from every phase where it must, or is refused', () => {
  assert.deepEqual(Object.keys(TRANSITIONS), Object.keys(EXPECTED));
  for (const [phase, row] of Object.entries(EXPECTED)) {
    for (const [i, event] of EVENTS.entries()) {
      assert.equal(allows(phase, event), row[i] !== '-', `${phase}, ${event}`);
      if (row[i] === '-') assert.throws(() => next(phase, event), RangeError, `${phase}, ${event}`);
      else assert.equal(next(phase, event), row[i], `${phase}, ${event}`);
    }
    assert.deepEqual(Object.keys(TRANSITIONS[phase]).filter(event => !EVENTS.includes(event)), [], phase);
  }
});

test('phases and events that there are not are refused', () => {
  for (const [phase, event] of [['idle', 'sleep'], ['asleep', 'open'], ['idle', 'toString'], ['constructor', 'name']]) {
    assert.equal(allows(phase, event), false, `${phase}, ${event}`);
    assert.throws(() => next(phase, event), RangeError, `${phase}, ${event}`);
  }
});

test('what could not be opened leaves the phase that was there before', () => {
  assert.deepEqual(Object.keys(BACK).sort(), Object.keys(TRANSITIONS).filter(p => p !== 'opening').sort());
  for (const [phase, event] of Object.entries(BACK)) assert.equal(next('opening', event), phase);
});

test('every state that the engine reports can follow where a run is made ready or goes on', () => {
  for (const event of Object.values(REPORTED)) for (const phase of ['opening', 'paused', 'running']) assert.ok(allows(phase, event), `${phase}, ${event}`);
});
