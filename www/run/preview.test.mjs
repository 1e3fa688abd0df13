// Tests of www/run/preview.ts: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';
import {createPreview} from './preview.js';

/** Runs what `act` does, and then whatever it left to be done later. The clock of node:test is not the same in node 18 and 20. */
function withClock(act) {
  const {setTimeout, clearTimeout} = globalThis, due = new Map();
  let last = 0;
  globalThis.setTimeout = fn => (due.set(++last, fn), last);
  globalThis.clearTimeout = id => due.delete(id);
  try {
    act();
    for (const fn of due.values()) fn();
  } finally {
    Object.assign(globalThis, {setTimeout, clearTimeout});
  }
}

/** What comes of a change while the session is as given; then it goes on as `later` says, before the preview is due. */
function after(model, {differs = true, possible = true, later = {}} = {}) {
  const now = {...model}, begun = [];
  withClock(() => {
    const preview = createPreview({model: () => now, differs: () => differs, possible: () => possible, begin: m => begun.push(m)});
    preview.after(['first']);
    preview.after(['last']);
    Object.assign(now, later);
  });
  return begun;
}

test('the last of several changes is followed, once', () => {
  assert.deepEqual(after({phase: 'paused', progress: {step: 0}}), [['last']]);
  assert.deepEqual(after({phase: 'shipped', progress: {step: 1000}}), [['last']]);
  assert.deepEqual(after({phase: 'idle', progress: null}, {differs: false}), [['last']]);
  assert.deepEqual(after({phase: 'failed', progress: null}, {differs: false}), [['last']]);
});

test('a change while a run is made ready is followed, whatever the run on screen is', () => {
  for (const differs of [true, false]) {
    assert.deepEqual(after({phase: 'opening', progress: null}, {differs}), [['last']]);
    assert.deepEqual(after({phase: 'opening', progress: {step: 0}}, {differs}), [['last']]);
  }
  assert.deepEqual(after({phase: 'opening', progress: null}, {later: {phase: 'paused', progress: {step: 0}}}), [['last']]);
});

test('no step is lost, and nothing is made that is there or cannot be', () => {
  assert.deepEqual(after({phase: 'paused', progress: {step: 5}}), []);
  assert.deepEqual(after({phase: 'running', progress: {step: 5}}), []);
  assert.deepEqual(after({phase: 'finished', progress: {step: 9}}), []);
  assert.deepEqual(after({phase: 'opening', progress: {step: 5}}), []); // one that is brought back
  assert.deepEqual(after({phase: 'paused', progress: {step: 0}}, {later: {phase: 'running'}}), []);
  assert.deepEqual(after({phase: 'paused', progress: {step: 0}}, {differs: false}), []);
  assert.deepEqual(after({phase: 'paused', progress: {step: 0}}, {possible: false}), []);
});

test('a run that is begun by hand ends the wait', () => {
  let begun = 0;
  withClock(() => {
    const preview = createPreview({model: () => ({phase: 'idle'}), differs: () => true, possible: () => true, begin: () => begun++});
    preview.after();
    preview.cancel();
  });
  assert.equal(begun, 0);
});
