// Tests of www/run/model.ts: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';
import {storedModel, withSnapshot} from './model.js';

const xy = Float32Array.of(1, 2), plane = Float32Array.of(2, 1), tokens = Float32Array.of(3);
const frame = (epoch, step) => ({epoch, step, xy}), kept = (epoch, step) => ({...frame(epoch, step), plane, tokens});
const steps = list => list.map(s => s.step);

test('of earlier pictures those that are kept stay, and none that the run has not come to', () => {
  let list = [];
  for (const next of [kept(0, 0), frame(0, 3), kept(1, 5), frame(1, 7), frame(1, 8)]) list = withSnapshot(list, next);
  assert.deepEqual(steps(list), [0, 5, 8]);
  assert.deepEqual(steps(withSnapshot(list, frame(0, 4))), [0, 4]);
});

test('a picture that is drawn again stays one that is kept', () => {
  const again = {...frame(1, 5), xy: plane}, list = withSnapshot([kept(0, 0), kept(1, 5)], again);
  assert.deepEqual(list, [kept(0, 0), {...again, plane, tokens}]);
});

test('a stored run has the pictures that were kept with it, but for those of other data', () => {
  const at = {...frame(2, 12), embeddings: ['common']};
  const record = {progress: {}, frame: at, kept: [{epoch: 0, step: 0, explained: [1]}, {epoch: 1, step: 5}, {epoch: 2, step: 10}]};
  const arrays = {xy, 'plane:0': plane, 'tokens:0': tokens, 'plane:1': Float32Array.of(1)};
  const {snapshots} = storedModel(record, arrays, {}, 4);
  assert.deepEqual(snapshots.map(s => [s.step, s.plane, s.tokens]), [[0, plane, tokens], [12, undefined, undefined]]);
});
