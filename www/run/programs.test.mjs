// Tests of www/run/programs.ts with a program that is made up: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';
import '../../scripts/wasmtest/webcrypto.mjs';
import {Programs} from './programs.js';
import {RunState} from './runstate.js';

test('the whole program takes its place as soon as the first one has nothing else to do, and once', async () => {
  const state = new RunState(() => {}, 4), done = [];
  let answered = () => {}, whole = false;
  const compute = {waiting: 1, answers: async () => whole, prepare: async () => {}, answered: () => new Promise(resolve => { answered = resolve; })};
  const programs = new Programs({compute, state, on: {loading() {}, active: () => false, async move() {
    done.push('moved');
    whole = true;
  }}});
  const both = Promise.all([programs.suit('export'), programs.suit('export')]);
  await new Promise(resolve => setTimeout(resolve, 5));
  assert.deepEqual(done, []); // a request is under way
  state.changed('progress');
  await new Promise(resolve => setTimeout(resolve, 5));
  assert.deepEqual(done, []); // and still is
  compute.waiting = 0;
  answered();
  state.changed('run');
  await both;
  assert.deepEqual([done, programs.switching], [['moved'], false]);
  await programs.suit('export');
  assert.deepEqual(done, ['moved']);
});

test('it waits for a run that is asked for in the very moment in which it could take its place', async () => {
  const state = new RunState(() => {}, 4), done = [];
  let asked = 0, whole = false;
  const compute = {
    waiting: 0, prepare: async () => {}, answered: () => new Promise(() => {}),
    async answers() {
      if (++asked === 2) state.model.phase = 'opening'; // between the program's answer and what follows from it
      return whole;
    },
  };
  const programs = new Programs({compute, state, on: {loading() {}, active: () => false, async move() {
    done.push(state.model.phase);
    whole = true;
  }}});
  const suited = programs.suit('interventions');
  await new Promise(resolve => setTimeout(resolve, 5));
  assert.deepEqual(done, []);
  state.model.phase = 'paused';
  state.changed('run');
  await suited;
  assert.deepEqual(done, ['paused']);
});
