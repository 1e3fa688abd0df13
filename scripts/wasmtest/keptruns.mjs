// Runs and experiments as the page keeps them, with every field that it reads of them.
import {encode64} from '../../www/engine/arrays.js';
import {nameOf} from '../../www/run/order.js';
import {write} from '../../www/run/results.js';

const NODES = 3, NAMES = ['common', 'private_1', 'private_2'];
const moment = (/** @type {number} */ n) => new Date(Date.UTC(2025, 0, 31, 12, 0, n)).toISOString();
const ramp = (/** @type {number} */ n, /** @type {number} */ from) => Float32Array.from({length: n}, (_, i) => from + i / 8);

/** A finished run, of files where n is odd. @param {number} n @param {Record<string, any>} [other] */
export function keptRun(n, other = {}) {
  const own = n % 2 === 1, file = Uint8Array.of(48, 32, 49, 10, n);
  const record = {
    run: `run${n}`, name: `Run ${n}, \u2603`, created: moment(n), updated: moment(n + 60),
    data: own ? {files: [{name: 'a.edges', size: 5}], choice: {layers: ['a'], features: '', labels: ['none'], binary: true, mutual: false, raw: false}}
      : {example: 'syn2', options: {nodes: 30}, data_seed: n},
    options: {epochs: 12, lr: 0.01, early_stop: 'off'}, preset: 'released', level: '', model_seed: n, eval_seed: 1, evaluation: {folds: 5},
    state: 'finished', changes: [{step: 3, lr: 0.1}],
    progress: {
      state: 'finished', epoch: 2, epochs: 2, step: 4, steps: 4,
      losses: {matching: 1, total: 0.5}, rank_S: 2, guessing: 0.7, step_ms: 1.5, eta_s: 0, seconds: 2,
    },
    summary: {
      name: 'syn2', nodes: NODES, features: 8, notes: ['one'], layers: [{name: 'a', edges: 2}, {name: 'b', edges: 2}],
      labels: [{name: 'group', classes: ['x', 'y'], counts: [2, 1], missing: 0, marks: [0, 1]}],
    },
    task: 'classification', expect: 'S tells groups.', hash: `hash${n}`, rank_S: 2,
    frame: {epoch: 2, step: 4, embeddings: NAMES, dots: encode64(Uint8Array.of(0, 0, 128, 128, 255, 255)), classes: encode64(Uint8Array.of(0, 1, 255))},
    kept: [{epoch: 1, step: 2, explained: [0.5, 0.25]}], first_step: 1, loss_columns: 4,
    scores: [{
      embedding: 'common', target: 'group', metric: 'ari', value: 0.5, fold_std: 0.1, standardised: 0.5, untrained: 0.1, untrained_standardised: 0.1,
      trivial: 0.2, probe: 0.4, untrained_probe: 0.1, folds: [0.4, 0.6], untrained_folds: [0.1, 0.1], trivial_folds: [0.2, 0.2],
    }],
    scored_step: 4,
    ...other,
  };
  const size = 2 * NODES * NAMES.length;
  const arrays = {
    checkpoint: new Blob([Uint8Array.from({length: 40}, (_, i) => i * n)]), losses: ramp(16, n), xy: ramp(size, n), 'plane:1': ramp(size, -n),
    ...own && {'file:0': file},
  };
  return {record, arrays};
}

/** An experiment with some of its results. @param {number} n @param {Record<string, any>} [other] */
export function keptStudy(n, other = {}) {
  const order = {
    study: 'gamma', data: 'drawn', preset: 'released', seeds: 2, data_seeds: n, options: {gamma: 0.5}, example: 'syn1', methods: 'all', level: 'lite',
    ...n % 2 && {files: [{name: 'b.tsv', size: 3, sum: 'ab'}], choice: {layers: ['b']}, cohort: [{subject: 's1', condition: 'rest', file: 'b.tsv'}]},
  };
  const record = {
    run: nameOf(order), kind: 'study', name: 'gamma', created: moment(n), updated: moment(n + 90), order, state: 'stopped', tasks: 3, finished: 2,
    seconds: 4.5, timed: 2, workers: 2, ...other,
  };
  const arrays = Object.fromEntries(['a', 'b'].map(k => [`${k}${n}`, write({key: `${k}${n}`, name: k, arrays: [{name: 'x', shape: [2], data: [1, n]}]})]));
  return {record, arrays: {...arrays, ...n % 2 && {'file:ab': Uint8Array.of(1, 2, 3)}}};
}

/** What is in an array or a Blob, as text. @param {any} array */
const textOf = async array => array.constructor.name + Buffer.from(array instanceof Blob ? await array.arrayBuffer()
  : array.buffer.slice(array.byteOffset, array.byteOffset + array.byteLength)).toString('hex');

/** All that a store holds of what was kept, to be compared later. @param {{call: (kind: string, args?: any) => Promise<any>}} store @param {string} run */
export async function contentsOf(store, run) {
  const {result: {record}, arrays} = await store.call('get', {run});
  return JSON.stringify([record, await Promise.all(Object.entries(arrays).map(async ([name, a]) => [name, await textOf(a)]))]);
}
