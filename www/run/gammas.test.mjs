// @ts-check
import assert from 'node:assert/strict';
import test from 'node:test';
import {GAMMAS, Gammas, oriented} from './gammas.js';

const SETS = ['shared', 'friends', 'work'], NODES = 4;

/** What is set up, as far as it is asked. */
function setupOf() {
  const settings = {data: 'town', method: '', options: {}, dataOptions: {}, evaluation: {}}, values = {
    dataOptions: {gamma: 0.5, nodes: NODES}, options: {}, preset: 'released', evaluation: {}, eval_seed: 0, model_seed: 0,
  };
  /** @type {(() => void)[]} */
  const followers = [];
  return {
    settings, values, course: (/** @type {any} */ s) => JSON.stringify([s.dataOptions, values.model_seed]),
    plan: () => ({data: {example: 'town', options: values.dataOptions, data_seed: 0}}), subscribe: (/** @type {() => void} */ f) => followers.push(f),
    change() { for (const f of followers) f(); },
  };
}

/** A pool whose tasks end when they are told to. */
function poolOf() {
  /** @type {{tasks: any[], end: (error?: unknown) => void}[]} */
  const asked = [];
  const answer = (/** @type {any} */ task) => ({
    result: {hash: `h${task.data.options.gamma}${task.preset}`, rank_S: 2, scores: task.measure.slice(1).map((/** @type {any} */ m) =>
      ({embedding: m.embeddings[0], target: m.targets[0], metric: 'ari', value: task.data.options.gamma, untrained: 0}))},
    arrays: {
      places: new Float64Array(2 * NODES * SETS.length), ...Object.fromEntries(SETS.map(name => [`labels:${name}`, new Float64Array(NODES)])),
      links_1: new Float64Array([0, 1]), links_2: new Float64Array([1, 2]),
    },
  });
  return {
    asked,
    run: (/** @type {any[]} */ tasks, /** @type {any} */ {signal, onResult} = {}) => new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
      asked.push({tasks, end: error => {
        const outcomes = tasks.map(t => error ? {error} : answer(t));
        outcomes.forEach((o, i) => onResult?.(i, o));
        resolve(outcomes);
      }});
    }),
  };
}

const made = () => {
  const setup = setupOf(), pool = poolOf();
  let changes = 0;
  const gammas = new Gammas(/** @type {any} */ ({setup, pool, catalogue: {properties: () => [{name: 'gamma'}]}, changed: () => { changes++; }}));
  return {setup, pool, gammas, changes: () => changes};
};
const turn = () => new Promise(resolve => setTimeout(resolve));

test('while one gamma is computed, of those that are asked for the last one is next', async () => {
  const {pool, gammas} = made();
  const all = [10, 20, 30, 40].map(g => gammas.look(g, 'closed', SETS));
  assert.equal(pool.asked.length, 1);
  pool.asked[0].end();
  await turn();
  assert.deepEqual(pool.asked.map(a => a.tasks[0].data.options.gamma), [0.1, 0.4]);
  pool.asked[1].end();
  await Promise.all(all);
  assert.deepEqual([10, 20, 30, 40].map(g => gammas.at(g, 'closed')?.shared), [0.1, undefined, undefined, 0.4]);
  assert.equal(gammas.busy('closed'), false);
  await gammas.look(40, 'closed', SETS);
  assert.equal(pool.asked.length, 2, 'what is known is not computed again');
});

test('a task is of the present data at that gamma, and asks for clusters of S and of each P', async () => {
  const {pool, gammas, setup} = made();
  Object.assign(setup.settings, {options: {epochs: 3}, evaluation: {kmeans_restarts: 4}});
  gammas.look(30, 'trained', SETS);
  gammas.look(30, 'closed', SETS);
  const [trained, closed] = pool.asked.map(a => a.tasks[0]);
  assert.deepEqual(trained.data, {example: 'town', options: {gamma: 0.3, nodes: NODES}, data_seed: 0});
  assert.deepEqual([trained.preset, trained.options], ['released', {epochs: 3, kmeans_restarts: 4}]);
  assert.deepEqual([closed.preset, closed.options], ['closed', {kmeans_restarts: 4}], 'options of training are not of the closed form');
  assert.deepEqual(trained.measure.slice(1).map((/** @type {any} */ m) => [m.embeddings[0], m.targets[0]]),
    [['common', 'shared'], ['private_1', 'friends'], ['private_2', 'work']]);
});

test('what other settings led to is not shown, gamma is none of them', async () => {
  const {pool, gammas, setup} = made();
  const first = gammas.look(50, 'closed', SETS);
  pool.asked[0].end();
  await first;
  setup.settings.dataOptions = {gamma: 0.7};
  setup.change();
  assert.equal(gammas.at(50, 'closed')?.shared, 0.5);
  const late = gammas.look(60, 'closed', SETS);
  setup.values.model_seed = 1;
  setup.change();
  assert.equal(gammas.at(50, 'closed'), null);
  gammas.look(70, 'closed', SETS);
  pool.asked[1].end(); // of the settings before
  await turn();
  assert.equal(gammas.at(60, 'closed'), null);
  pool.asked[2].end();
  await late;
  assert.equal(gammas.at(70, 'closed')?.shared, 0.7);
});

test('a curve is what is missing of it, can be stopped, and goes on', async () => {
  const {pool, gammas} = made();
  const look = gammas.look(40, 'closed', SETS);
  pool.asked[0].end();
  await look;
  const stopped = gammas.measure('closed', SETS);
  assert.equal(gammas.measuring?.how, 'closed');
  assert.deepEqual(pool.asked[1].tasks.map(t => Math.round(100 * t.data.options.gamma)), GAMMAS.filter(g => g !== 40));
  gammas.cancel();
  await stopped;
  assert.deepEqual([gammas.measuring, gammas.curve('closed')], [null, null]);
  const done = gammas.measure('closed', SETS);
  pool.asked[2].end();
  await done;
  assert.deepEqual(gammas.curve('closed')?.map(f => f.shared), GAMMAS.map(g => g / 100));
  const failed = gammas.measure('trained', SETS);
  pool.asked[3].end(new Error('no memory'));
  await assert.rejects(failed, /no memory/);
  assert.equal(gammas.measuring, null);
});

test('what failed is known to have failed, until other settings come', async () => {
  const {pool, gammas, setup} = made();
  const look = gammas.look(10, 'closed', SETS);
  pool.asked[0].end(new Error('refused'));
  await assert.rejects(look, /refused/);
  assert.deepEqual([gammas.failed(10, 'closed'), gammas.failed(20, 'closed'), gammas.busy('closed')], [true, false, false]);
  setup.values.model_seed = 1;
  setup.change();
  assert.equal(gammas.failed(10, 'closed'), false);
});

test('a plane is drawn the same way up however it was turned or mirrored', () => {
  const of = [0, 0, 0, 1, 1, 1, 2, 2, 2], plane = Float32Array.from(of.flatMap((c, i) => [3 * c + 0.3 * (i % 3), [0, 4, -2][c] + 0.2 * (i % 2)]));
  const first = oriented(plane, of);
  for (let n = 0; n < 60; n++) {
    const angle = n, mirror = n % 2 ? -1 : 1, turned = new Float32Array(plane.length);
    for (let i = 0; i < of.length; i++) {
      const [x, y] = [mirror * plane[2 * i], plane[2 * i + 1]];
      turned[2 * i] = Math.cos(angle) * x - Math.sin(angle) * y;
      turned[2 * i + 1] = Math.sin(angle) * x + Math.cos(angle) * y;
    }
    const again = oriented(turned, of), off = Math.max(...first.map((v, i) => Math.abs(v - again[i])));
    assert.ok(off < 1e-5, `turned by ${angle}: off by ${off}`);
  }
  for (let i = 0; i < of.length; i++) {
    assert.ok(Math.abs(Math.hypot(plane[2 * i], plane[2 * i + 1]) - Math.hypot(first[2 * i], first[2 * i + 1])) < 1e-5, 'nothing is stretched');
  }
  assert.deepEqual([...oriented(new Float32Array(6), [0, 1, 2])].map(Math.abs), [0, 0, 0, 0, 0, 0], 'an empty S stays where it is');
});
