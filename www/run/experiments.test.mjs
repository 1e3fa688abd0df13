// Tests of www/run/experiments.ts with a pool and a storage that are made up: run by node --test, as TestPage does.
import test from 'node:test';
import {Pool} from '../engine/pool.js';
import assert from 'node:assert/strict';
import {Experiments} from './experiments.js';
import {nameOf} from './order.js';

/** A page whose studies are lists of keys; what is stored outlives it. */
function page(studies, {stored = new Map(), available = true, version = ''} = {}) {
  const ran = [], failed = [];
  const pool = {
    one: Pool.prototype.one,
    async ask(kind, {order, results}) {
      const keys = studies[order.study].map(k => version + k);
      return kind === 'study' ? {result: {tasks: keys.map(name => ({name})), keys}} : {result: {reports: results.map(r => r.key)}, arrays: {}};
    },
    async run(tasks, {signal, onResult = () => {}}) {
      signal?.throwIfAborted();
      return tasks.map(({name}, i) => {
        const outcome = {result: {key: name}, arrays: {}};
        ran.push(name);
        onResult(i, outcome);
        return outcome;
      });
    },
  };
  const storage = {
    damaged: '',
    async call(kind, {run, record} = {}, arrays = {}) {
      if (kind === 'put') stored.set(record.run, {record, arrays: {...stored.get(record.run)?.arrays, ...arrays}});
      if (kind === 'delete') stored.delete(run);
      if (kind !== 'get') return {};
      if (run === storage.damaged) throw Object.assign(new Error('it is damaged'), {code: 'corrupt'});
      if (!stored.has(run)) throw new Error('there is no such run');
      return stored.get(run);
    },
  };
  const experiments = new Experiments({pool, storage, saveQueue: {available, reads() {}},
    on: {begins() {}, changed() {}, failed: e => failed.push(e.message)}});
  experiments.list([...stored.values()].map(s => structuredClone(s.record)));
  const settled = async () => { while (experiments.pending) await new Promise(f => setTimeout(f, 5)); };
  return {experiments, storage, ran, failed, stored, settled};
}

const one = {study: 'one'}, two = {study: 'two'};
const both = {one: ['a', 'b'], two: ['b', 'c']};
const keysOf = async (p, order) => (await p.experiments.report(order)).reports;

test('what is stored is not run again', async () => {
  const p = page(both);
  await p.experiments.run(one);
  await p.settled();
  const q = page(both, {stored: p.stored});
  assert.deepEqual(await keysOf(q, one), ['a', 'b']);
  await q.experiments.run(one);
  assert.deepEqual([q.ran, q.failed], [[], []]);
});

test('a report is there before anything is written, and where nothing can be', async () => {
  for (const available of [true, false]) {
    const p = page(both, {available});
    await p.experiments.run(one);
    await p.experiments.run(two);
    assert.deepEqual(await keysOf(p, two), ['b', 'c']);
    assert.deepEqual([p.ran, p.failed], [['a', 'b', 'c'], []]);
    await p.settled();
  }
});

test('the first task is there before an order is run, is not run again, and is kept with the others alone', async () => {
  const p = page(both);
  await p.experiments.begin(one);
  await p.experiments.begin(one);
  assert.deepEqual([p.ran, await keysOf(p, one), p.experiments.state(one).record, p.stored.size], [['a'], ['a'], null, 0]);
  await p.experiments.run(one);
  await p.settled();
  assert.deepEqual([p.ran, await keysOf(page(both, {stored: p.stored}), one)], [['a', 'b'], ['a', 'b']]);
});

test('what was found elsewhere is kept, and what is missing of it is run', async () => {
  const p = page(both);
  await assert.rejects(p.experiments.take({order: one, results: [{key: 'old a'}], seconds: 1}), /Found 1 results, none of a task/);
  await p.experiments.take({order: one, results: [{key: 'a'}, {key: 'other'}], seconds: 1});
  await p.settled();
  const q = page(both, {stored: p.stored});
  assert.deepEqual([q.experiments.state(one).record.finished, q.experiments.state(one).record.tasks], [1, 2]);
  assert.deepEqual(await keysOf(q, one), ['a']);
  await q.experiments.run(one);
  assert.deepEqual([p.ran, q.ran, await keysOf(q, one)], [[], ['b'], ['a', 'b']]);
  await q.settled();
  const created = '2025-01-31T12:00:00.000Z';
  q.experiments.list([{...q.experiments.state(one).record, created, updated: '9'}]);
  await q.experiments.take({order: one, results: [{key: 'b'}], seconds: 2});
  assert.deepEqual([q.experiments.state(one).record.created, q.experiments.state(one).record.seconds], [created, 2]);
  await q.settled();
});

test('an experiment in its own place comes before a copy, which is taken where the bytes of the first are damaged', async () => {
  const name = nameOf(one), record = {run: name, kind: 'study', order: one, state: 'stopped', updated: '1', tasks: 2, finished: 1};
  const copy = {...record, run: `${name}:copy`, updated: '2'}, arrays = {a: new TextEncoder().encode('{"key":"a"}')};
  for (const kept of [[record, copy], [copy, record]]) {
    const p = page(both, {stored: new Map(kept.map(record => [record.run, {record, arrays}]))}), before = p.stored.get(name);
    assert.equal(p.experiments.state(one).record.run, name);
    p.storage.damaged = name;
    assert.deepEqual([await keysOf(p, one), p.experiments.state(one).record.run, p.failed], [['a'], copy.run, []]);
    p.experiments.list(kept);
    await p.experiments.run(one);
    await p.settled();
    assert.deepEqual([p.ran, p.stored.get(name) === before, p.stored.get(copy.run).record.finished], [['b'], true, 2]);
  }
});

test('a part of a result will do for a report, not for a task', async () => {
  const p = page({});
  p.experiments.pool.ask = async (kind, {results}) => {
    const tasks = [{name: 'a', data: {}}, {name: 'b', data: {}, needs: ['a']}, {name: 'c', data: {}, needs: ['b']}];
    return kind === 'study' ? {result: {tasks, keys: ['a', 'b', 'c']}} : {result: {reports: results.map(r => r.key)}, arrays: {}};
  };
  const part = key => ({key, part: true});
  await p.experiments.take({order: one, results: [part('a'), part('b')], seconds: 1});
  assert.deepEqual(await keysOf(p, one), ['a', 'b']);
  await p.experiments.run(one);
  assert.deepEqual([p.ran, await keysOf(p, one)], [['a', 'b', 'c'], ['a', 'b', 'c']]);
  await p.experiments.take({order: one, results: [part('a')], seconds: 1}); // takes the place of nothing that is whole
  await p.settled();
  assert.ok(![...p.stored.values()].some(s => new TextDecoder().decode(s.arrays.a).includes('part')));
});

test('deleting an experiment leaves another one what they share', async () => {
  const p = page(both);
  await p.experiments.run(one);
  await p.experiments.run(two);
  assert.deepEqual(await keysOf(p, two), ['b', 'c']);
  await p.experiments.forget(one);
  assert.deepEqual(await keysOf(p, two), ['b', 'c']);
  assert.equal(p.experiments.state(one).record, null);
  await p.experiments.run(one);
  assert.deepEqual(p.ran, ['a', 'b', 'c', 'a']);
  await p.settled();
});

test('arrays of results come back as they were, to tasks and reports as slabs', async () => {
  const shape = [2, 3], numbers = Float64Array.of(0.1, -2, 3e-9, NaN, 1e300, 6), sent = [];
  const withArrays = p => {
    const {pool} = p.experiments;
    pool.run = async (tasks, {arrays, onResult}) => tasks.forEach((task, i) => {
      p.ran.push(task.name);
      sent.push([task.inputs, arrays(i)]);
      onResult(i, {result: {key: task.name, name: 'n\u00e4me'}, arrays: {x: Object.assign(Float64Array.from(numbers), {shape})}});
    });
    pool.ask = async (kind, {order, results}, slabs) => {
      const tasks = [{name: 'a', data: {}}, {name: 'b', data: {}, needs: ['a']}];
      return kind === 'study' ? {result: {tasks, keys: ['a', 'b']}} : {result: {reports: [results, slabs]}, arrays: {}};
    };
    return p;
  };
  const p = withArrays(page({}));
  await p.experiments.run(one);
  await p.settled();
  const input = {key: 'a', name: 'n\u00e4me', arrays: [{name: 'x', shape}]};
  assert.deepEqual(sent, [[undefined, {}], [[input], {'input:0:x': numbers}]]);
  const q = withArrays(page({}, {stored: p.stored}));
  const [results, slabs] = (await q.experiments.report(one)).reports;
  assert.deepEqual(results, [input, {...input, key: 'b'}]);
  assert.deepEqual(slabs, {'input:0:x': numbers, 'input:1:x': numbers});
  assert.deepEqual([q.ran, q.failed], [[], []]);
});

test('results of an earlier version are to be run again', async () => {
  const p = page(both);
  await p.experiments.run(one);
  await p.settled();
  const q = page(both, {stored: p.stored, version: 'new '});
  assert.equal(q.experiments.state(one).record.finished, 2);
  assert.deepEqual(await keysOf(q, one), []);
  const {finished, tasks, state} = q.experiments.state(one).record;
  assert.deepEqual([finished, tasks, state], [0, 2, 'stopped']);
  await q.experiments.run(one);
  assert.deepEqual(await keysOf(q, one), ['new a', 'new b']);
  await q.settled();
});

test('a tab beside the one that keeps follows it', async () => {
  const record = {run: nameOf(one), kind: 'study', order: one, state: 'running', updated: '1', tasks: 2, finished: 1};
  const stored = new Map([[record.run, {record, arrays: {a: new TextEncoder().encode('{"key":"a"}')}}]]);
  const p = page(both, {stored, available: false});
  assert.deepEqual(p.experiments.interrupted, []);
  assert.deepEqual(await keysOf(p, one), ['a']);
  stored.get(record.run).arrays.b = new TextEncoder().encode('{"key":"b"}');
  p.experiments.list([{...record, finished: 2}]);
  assert.deepEqual(await keysOf(p, one), ['a', 'b']);
  assert.deepEqual(page(both, {stored}).experiments.interrupted.map(r => r.run), [record.run]);
});

test('a cancelled experiment is stopped, whatever it was doing', async () => {
  const p = page(both), run = p.experiments.run(one);
  p.experiments.cancel(one);
  await assert.rejects(run, {name: 'AbortError'});
  assert.equal(p.experiments.state(one).record.state, 'stopped');
  await p.settled();
});

test('an experiment about files has their contents, and asks for them again where they are not kept', async () => {
  const own = {study: 'own', files: [{name: 'a', size: 3, sum: '1f'}]};
  const build = (size, stored) => {
    const p = page({own: ['a', 'b']}, {stored}), sent = [];
    const {pool} = p.experiments, {ask, run} = pool;
    pool.ask = async (kind, args, arrays) => {
      if (kind === 'describe') return {result: {files: [{name: args.data.files[0].name, size, sum: '1f'}]}};
      const answer = await ask(kind, args);
      for (const t of answer.result.tasks || []) t.data = {files: own.files};
      return answer;
    };
    pool.run = async (tasks, o) => {
      for (const i of tasks.keys()) sent.push(await o.arrays(i));
      return run(tasks, o);
    };
    return {...p, sent};
  };
  const content = Uint8Array.of(1, 2, 3);
  for (const size of [3, 1e9]) {
    const order = {...own, files: [{...own.files[0], size}]}, p = build(size);
    await assert.rejects(p.experiments.run(order), /Open a again/);
    assert.equal(p.experiments.state(order).record, null);
    assert.deepEqual(await p.experiments.describe([{name: 'a', size}], [content]), order.files);
    await p.experiments.run(order);
    assert.deepEqual(p.sent, [{'file:0': content}, {'file:0': content}]);
    await p.settled();
    // Another visit: small files are kept, large ones are not.
    for (const {arrays} of p.stored.values()) delete arrays.b;
    const q = build(size, p.stored);
    if (size === 3) await q.experiments.run(order);
    else await assert.rejects(q.experiments.run(order), /Open a again/);
    assert.deepEqual(q.ran, size === 3 ? ['b'] : []);
    assert.equal(q.experiments.state(order).record.finished, 2);
    await q.settled();
  }
});

test('orders about other files, or drawn otherwise, have another name', () => {
  const order = (name, sum, choice) => nameOf({study: 'own', files: [{name, size: 1, sum}], ...(choice && {choice})});
  const names = [nameOf({study: 'own'}), order('a', '1'), order('b', '1'), order('a', '2'), order('a', '1', {layers: ['x']})];
  assert.equal(new Set(names).size, names.length);
  assert.equal(order('a', '1'), order('a', '1'));
  const drawn = [undefined, 0, 7].map(eval_seed => nameOf({study: 'own', eval_seed}));
  assert.equal(new Set(drawn).size, 3);
  assert.equal(drawn[0], nameOf({study: 'own'}));
  const asked = [{}, {links: 1}, {width: 16}, {width: 32}, {predictions: true}].map(more => nameOf({study: 'own', ...more}));
  assert.equal(new Set(asked).size, 5);
});

test('contents of files are let go when nothing names them any more', async () => {
  const p = page({own: ['a']}),
    {pool} = p.experiments,
    {ask} = pool;
  pool.ask = (kind, args) =>
    kind === 'describe' ? {result: {files: [{name: args.data.files[0].name, size: 3, sum: `sum of ${args.data.files[0].name}`}]}} : ask(kind, args);
  const [kept, ordered, loose] = await p.experiments.describe(
    ['kept', 'ordered', 'loose'].map(name => ({name, size: 3})),
    [1, 2, 3].map(v => Uint8Array.of(v)),
  );
  const about = file => ({study: 'own', files: [file]});
  await p.experiments.run(about(kept));
  p.experiments.retain([about(ordered)]);
  await assert.rejects(p.experiments.run(about(loose)), /Open loose again/);
  await p.experiments.run(about(ordered));
  await p.experiments.forget(about(kept));
  p.experiments.retain([]);
  await assert.rejects(p.experiments.run(about(kept)), /Open kept again/);
  await p.experiments.run(about(ordered)); // its record names it
  await p.settled();
});

test('files without scans are none of an order, and no mistake', async () => {
  const readOnce = async () => ({result: {cohort: null, files: null, ignored: ['a', 'b']}});
  const experiments = new Experiments({readOnce, storage: {}, saveQueue: {reads() {}}, on: {}});
  const found = await experiments.scans(['a', 'b'].map(name => ({name, size: 1})), [], () => {});
  assert.deepEqual(found, {order: {files: [], cohort: null}, ignored: ['a', 'b'], unused: [], said: [], questions: [], ids: undefined});
});

test('two files of one name are no scans', async () => {
  const experiments = new Experiments({readOnce: () => assert.fail('asked'), storage: {}, saveQueue: {reads() {}}, on: {}});
  await assert.rejects(experiments.scans(['a/x', 'b/x', 'y', 'a/x'].map(name => ({name, size: 1})), [], () => {}), /Two files are called a\/x/);
});

test('what an earlier version alone could run can be deleted', async () => {
  const p = page(both);
  await p.experiments.run(one);
  await p.settled();
  p.experiments.pool.ask = async () => { throw new Error('refused'); };
  await p.experiments.forget(one);
  assert.deepEqual([p.experiments.state(one).record, p.stored.size], [null, 0]);
});

test('what was kept under the first name of an experiment is found under the one it has now', async () => {
  const kept = {study: 'ablation', seeds: 2}, now = {study: 'table7', seeds: 2}, studies = {ablation: ['a'], table7: ['a']};
  assert.equal(nameOf(now), nameOf(kept));
  assert.notEqual(nameOf({study: 'table11', seeds: 2}), nameOf(now));
  const p = page(studies);
  await p.experiments.run(kept);
  await p.settled();
  const q = page(studies, {stored: p.stored});
  assert.deepEqual(q.experiments.stored('table7', ['ablation']).map(r => r.order), [kept]);
  assert.deepEqual(q.experiments.stored('table7'), []);
  assert.equal(q.experiments.state(now).record.finished, 1);
  assert.deepEqual(await keysOf(q, now), ['a']);
  await q.experiments.run(now);
  assert.deepEqual(q.ran, []);
});

test('an estimate comes from short tasks that are timed once, and only where all work is known', async t => {
  const work = {a: {moves: 100, classified: 0, clustered: 0, tested: 0}, b: {moves: 0, classified: 2, clustered: 3, tested: 5}, c: null};
  let timed = 0, now = 0;
  t.mock.method(performance, 'now', () => now);
  const effort = ({data: {example}, options, measure: [first]}) => ({
    moves: 10 * (options?.epochs ?? 0), classified: Number(first?.kind === 'scores' && example === 'syn1'),
    clustered: Number(first?.kind === 'scores' && example === 'syn3'), tested: Number(first?.options?.permutations ?? 0),
  });
  const pool = {
    one: Pool.prototype.one,
    size: 2,
    async ask(kind, {order, tasks}) {
      if (kind === 'study') return {result: {tasks: both[order.study].map(name => ({name})), keys: []}};
      return {result: {tasks: tasks.map(t => t.name === 'speed' ? effort(t) : work[t.name])}};
    },
    async run([task]) {
      const {moves, classified, clustered, tested} = effort(task);
      now += (timed++ ? 700 : 9000) + 20 * moves + 4000 * classified + 6000 * clustered + 1000 * tested; // overheads, those of a start before all
      return [{result: {}}];
    },
  };
  const experiments = new Experiments({pool, storage: {}, saveQueue: {available: false}, on: {}});
  const s = 100 * 0.02 + 2 * 4 + 3 * 6 + 5 * 1;
  assert.ok(Math.abs(await experiments.estimate(one) - s / 2) < 1e-9);
  assert.ok(Math.abs(await experiments.estimate(one) - s / 2) < 1e-9);
  assert.equal(timed, 6 + 3); // of tests their own, where some are ordered
  assert.equal(await experiments.estimate(two), null);
});

test('what the first task found of the layers tells how long an order on files takes', async () => {
  const p = page(both), asked = [], {pool} = p.experiments, {ask, run} = pool;
  pool.run = async (tasks, o) => (await run(tasks, o)).map(r => ({...r, result: {...r.result, compared: 'layers'}}));
  pool.ask = async (kind, args) => {
    if (kind !== 'work') return ask(kind, args);
    asked.push(args.compared);
    return {result: {tasks: [null]}};
  };
  await p.experiments.estimate(one);
  await p.experiments.begin(one);
  await p.experiments.estimate(one);
  assert.deepEqual(asked, [null, 'layers']);
});
