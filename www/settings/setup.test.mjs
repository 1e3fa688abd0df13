// Tests of www/settings/setup.ts with the option table that the core has, which CADEM_OPTIONS names: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {READER} from '../engine/reader.js';
import {Catalogue} from './catalogue.js';
import {Setup} from './setup.js';
import {freshSettings} from './state.js';

const catalogue = new Catalogue(JSON.parse(readFileSync(process.env.CADEM_OPTIONS, 'utf8')));
const weight = catalogue.terms[0].weight;

/** A setup of an example, and what its subscriber was told. */
function made(example = 'syn2') {
  const setup = new Setup(catalogue, freshSettings(example)), told = [];
  setup.subscribe(keepProblems => told.push(keepProblems));
  return {setup, told};
}

const files = [{name: 'a.edges', size: 3, content: new Uint8Array(3)}];

test('a value that is set changes the course of a run, and one that is set back does not', () => {
  const {setup, told} = made(), usual = setup.course(), before = setup.values.options[weight];
  setup.set('options', weight, 0.5);
  assert.equal(setup.values.options[weight], 0.5);
  assert.notEqual(setup.course(), usual);
  setup.set('options', weight, before);
  assert.equal(setup.course(), usual);
  assert.deepEqual(setup.settings.options, {}); // the usual value is not said
  setup.set('options', weight, 0.5);
  setup.reset();
  assert.equal(setup.course(), usual);
  assert.deepEqual(told, [true, true, true, false]);
});

test('another example keeps the view but for its colours', () => {
  const {setup} = made();
  setup.setView({color: 'labels:shared', log: '1', study: null});
  setup.chooseExample('syn1');
  assert.deepEqual([setup.settings.data, setup.settings.view], ['syn1', {log: '1'}]);
});

test('files that cannot be opened leave everything as it was', () => {
  const {setup} = made();
  setup.set('options', weight, 0.5);
  const before = setup.hash, putBack = setup.takeFiles(files, {layers: ['a']}, null);
  assert.deepEqual([setup.own, setup.possible, setup.files, setup.choice], [true, true, files, {layers: ['a']}]);
  const plan = setup.plan(name => name);
  assert.deepEqual([plan.data, plan.files], [{files: [{name: 'a.edges', size: 3}], choice: {layers: ['a']}, reader: READER}, [files[0].content]]);
  putBack();
  assert.deepEqual([setup.hash, setup.own, setup.files, setup.choice], [before, false, null, null]);
});

test('a run that is older than an option is described by what it was made with', () => {
  const {setup} = made(), {options, preset, model_seed, eval_seed, evaluation} = setup.values;
  const {features, ...older} = options;
  const record = {data: {files: [{name: 'a.edges', size: 3}], reader: READER}, options: older, preset, model_seed, eval_seed, evaluation};
  setup.adopt(record, {defaults: {features: 'spectral:64'}}, [new Uint8Array(3)]);
  assert.equal(setup.differs({phase: 'finished', record}), false);
  assert.equal(setup.values.options.features, features);
  setup.set('options', 'features', 'degree');
  assert.equal(setup.differs({phase: 'finished', record}), true);
});

test('a stored run is adopted with its own settings, or with those that an address asked for', () => {
  const {setup} = made('syn1');
  const {options, preset, model_seed, eval_seed, evaluation, dataOptions, data_seed} = made().setup.values;
  const record = {data: {example: 'syn2', options: dataOptions, data_seed}, options: {...options, [weight]: 0.5}, preset, model_seed, eval_seed, evaluation};
  setup.adopt(record, {}, []);
  assert.deepEqual([setup.settings.data, setup.settings.options], ['syn2', {[weight]: 0.5}]);
  assert.equal(setup.course(), setup.courseOf(record));
  assert.equal(setup.differs({phase: 'paused', record}), false);
  setup.set('options', weight, 0.25);
  assert.equal(setup.asks(record), false);
  setup.keepAsked();
  setup.adopt(record, {}, []);
  assert.equal(setup.settings.options[weight], 0.25);
  assert.equal(setup.differs({phase: 'paused', record}), true);
});
