// Tests of www/engine/pool.ts with workers that are made up: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';
import {Pool} from './pool.js';

const soon = (ms = 1) => new Promise(f => setTimeout(f, ms));
const exited = () => Object.assign(new Error('The engine has stopped: out of memory'), {code: 'exited'});

/** A machine of made-up workers: what each task does is told by act(task, end), what else they answer by answer(kind). */
class Machine {
  ends = []; started = 0; most = 0; running = []; cancelled = 0;
  answer = async () => ({});

  constructor(act = async task => ({result: {name: task.name}, arrays: {}})) { this.act = act; }

  connect = onExit => {
    const machine = this;
    this.started++;
    let stop;
    const lost = []; // who waits for an answer
    const end = {
      dead: false, onExit,
      async call(kind, args, arrays, onEvent) {
        if (kind === 'plan') return {result: {tasks: args.tasks.map(t => ({key: t.name, bytes: t.bytes ?? 1}))}};
        if (kind === 'cancel') {
          machine.cancelled++;
          if (!machine.deaf) stop?.(Object.assign(new Error('interrupted'), {code: 'cancelled'}));
          return {result: {}};
        }
        if (kind !== 'task') {
          const gone = new Promise((_, reject) => { lost.push(reject); });
          return {result: await Promise.race([machine.answer(kind), gone]), arrays: {}};
        }
        machine.running.push(args.task);
        machine.most = Math.max(machine.most, machine.running.length);
        try {
          return await Promise.race([machine.act(args.task, end, onEvent, arrays), new Promise((_, reject) => { stop = reject; })]);
        } finally {
          machine.running = machine.running.filter(t => t !== args.task);
        }
      },
      terminate() {
        if (end.dead) return;
        end.dead = true;
        machine.ends = machine.ends.filter(e => e !== end);
        stop?.(exited());
        for (const reject of lost) reject(exited());
      },
    };
    this.ends.push(end);
    return end;
  };
}

const named = n => Array.from({length: n}, (_, i) => ({name: `task ${i}`}));

test('results come in the order of the tasks, whatever the size', async () => {
  for (const size of [1, 2, 3, 20]) {
    const m = new Machine(async task => {
      await soon(Math.random() * 5);
      return {result: {name: task.name}, arrays: {}};
    });
    const pool = new Pool({connect: m.connect, size});
    const told = [];
    const all = await pool.run(named(11), {onResult: (i, o) => told.push([i, o.result.name])});
    assert.deepEqual(all.map(o => o.result.name), named(11).map(t => t.name));
    assert.deepEqual(told.sort(([a], [b]) => a - b), all.map((o, i) => [i, o.result.name]));
    assert.equal(m.most, Math.min(size, 11));
    assert.equal(m.started, Math.min(size, 11));
    pool.close();
    assert.equal(m.ends.length, 0);
  }
});

test('progress adds up', async () => {
  const m = new Machine(async (task, end, onEvent) => {
    onEvent({event: 'task', done: 1, total: 4});
    await soon(120);
    onEvent({event: 'task', done: 3, total: 4});
    return {result: {}, arrays: {}};
  });
  const pool = new Pool({connect: m.connect, size: 2});
  const seen = [];
  await pool.run(named(4), {onProgress: p => seen.push(p)});
  seen.forEach((p, i) => assert.ok(p.total === 4 && p.each.length === 4 && p.done <= 4 && (i === 0 || p.done >= seen[i - 1].done), JSON.stringify(p)));
  const last = seen[seen.length - 1];
  assert.deepEqual([last.done, last.finished, last.eta_s], [4, 4, 0]);
  assert.ok(seen.some(p => p.done > 0 && p.done < 4 && p.eta_s > 0));
  pool.close();
});

test('the size may change while it runs', async () => {
  const gates = [];
  const m = new Machine(() => new Promise(f => gates.push(() => f({result: {}, arrays: {}}))));
  const pool = new Pool({connect: m.connect, size: 1});
  const all = pool.run(named(6));
  await soon();
  assert.equal(m.running.length, 1);
  pool.size = 3;
  await soon();
  assert.equal(m.running.length, 3);
  pool.size = 1;
  gates.splice(0).forEach(f => f());
  await soon();
  assert.equal(m.running.length, 1);
  while (m.running.length) {
    gates.splice(0).forEach(f => f());
    await soon();
  }
  await all;
  assert.equal(pool.workers, 1);
  pool.close();
});

test('a worker beyond the size goes when its task ends, also while others wait', async () => {
  const gates = [];
  const m = new Machine(() => new Promise(f => gates.push(() => f({result: {}, arrays: {}}))));
  const pool = new Pool({connect: m.connect, size: 3});
  const all = pool.run(named(6));
  await soon();
  pool.size = 2;
  gates.shift()();
  await soon();
  assert.deepEqual([m.running.length, pool.busy, pool.workers, m.ends.length], [2, 2, 2, 2]);
  while (m.running.length) {
    gates.splice(0).forEach(f => f());
    await soon();
  }
  await all;
  pool.close();
});

test('a task that waits for who else computes begins when that ends', async () => {
  let others = 1;
  const gates = [];
  const m = new Machine(() => new Promise(f => gates.push(() => f({result: {}, arrays: {}}))));
  const pool = new Pool({connect: m.connect, size: 2, taken: () => others});
  const all = pool.run(named(2));
  await soon();
  assert.equal(m.running.length, 1);
  others = 0;
  pool.wake();
  await soon();
  assert.equal(m.running.length, 2);
  gates.splice(0).forEach(f => f());
  await all;
  pool.close();
});

test('files come along unless the worker has that graph open', async () => {
  const sent = [];
  const m = new Machine(async (task, end, onEvent, arrays) => {
    sent.push(Object.keys(arrays).filter(k => k !== 'input:0:x').length);
    assert.ok('input:0:x' in arrays);
    if (task.fails) throw new Error('no');
    return {result: {}, arrays: {}};
  });
  const pool = new Pool({connect: m.connect, size: 1});
  const files = [{name: 'a', size: 1, sum: '1'}],
    graph = {data: {files}},
    scans = {data: {files, scans: [{name: 's'}]}};
  await pool.run([graph, graph, {data: {files: [{...files[0], sum: '2'}]}}, graph, {...graph, fails: true}, graph, {}, graph, scans, scans], {
    arrays: i => ({'file:0': i, 'input:0:x': i}),
  });
  assert.deepEqual(sent, [1, 0, 1, 1, 0, 1, 1, 1, 1, 1]);
  pool.close();
});

test('who else computes counts', async () => {
  const m = new Machine();
  const pool = new Pool({connect: m.connect, size: 2, taken: () => 1});
  await pool.run(named(5));
  assert.equal(m.most, 1);
  pool.close();
});

test('memory bounds what runs beside each other, but one may always run', async () => {
  const m = new Machine(async () => {
    await soon();
    return {result: {}, arrays: {}};
  });
  const pool = new Pool({connect: m.connect, size: 8, memory: 10});
  await pool.run(named(6).map(t => ({...t, bytes: 4})));
  assert.equal(m.most, 2);
  await pool.run([{name: 'large', bytes: 50}, {name: 'small', bytes: 1}]);
  assert.equal(m.most, 2);
  pool.close();
});

test('a worker that dies is replaced and its task done again, once', async () => {
  const deaths = {};
  const m = new Machine(async (task, end) => {
    await soon();
    if (task.fatal && (deaths[task.name] = (deaths[task.name] || 0) + 1) <= task.fatal) {
      end.dead = true;
      m.ends = m.ends.filter(e => e !== end);
      end.onExit('panic');
      throw exited();
    }
    return {result: {name: task.name}, arrays: {}};
  });
  const pool = new Pool({connect: m.connect, size: 2});
  const all = await pool.run([{name: 'a'}, {name: 'b', fatal: 1}, {name: 'c', fatal: 9}, {name: 'd'}]);
  assert.deepEqual(all.map(o => o.result?.name), ['a', 'b', undefined, 'd']);
  assert.match(all[2].error.message, /^c: the worker stopped twice/);
  assert.deepEqual(deaths, {b: 2, c: 2});
  assert.ok(m.started >= 4 && pool.workers <= 2 && m.ends.length === pool.workers);
  pool.close();
});

test('a task that fails is named and harms no other', async () => {
  const m = new Machine(async task => {
    if (task.name === 'task 1') throw Object.assign(new Error('epochs: found -1'), {code: 'bad-option'});
    return {result: {}, arrays: {}};
  });
  const pool = new Pool({connect: m.connect, size: 2});
  const all = await pool.run(named(3));
  assert.equal(all[1].error.message, 'task 1: epochs: found -1');
  assert.ok(all[0].result && all[2].result && m.started === 2);
  pool.close();
});

test('cancel rejects at once, and the workers stay for the next', async () => {
  const m = new Machine(task => task.name === 'quick' ? {result: {}, arrays: {}} : new Promise(() => {}));
  const pool = new Pool({connect: m.connect, size: 2});
  const control = new AbortController();
  const all = pool.run(named(5), {signal: control.signal});
  await soon();
  assert.equal(m.running.length, 2);
  control.abort();
  await assert.rejects(all, {name: 'AbortError'}); // though no task ever ends
  await soon();
  assert.deepEqual([m.cancelled, m.running.length, pool.busy, pool.workers], [2, 0, 0, 2]);
  await pool.run([{name: 'quick'}]);
  assert.equal(m.started, 2);
  await assert.rejects(pool.run(named(1), {signal: control.signal}), {name: 'AbortError'});
  pool.close();
});

test('a worker that does not give up is ended', async () => {
  const m = new Machine(() => new Promise(() => {}));
  m.deaf = true;
  const pool = new Pool({connect: m.connect, size: 1});
  const control = new AbortController();
  const all = pool.run(named(2), {signal: control.signal});
  await soon();
  control.abort();
  await assert.rejects(all, {name: 'AbortError'});
  assert.equal(pool.busy, 1);
  await soon(2100);
  assert.deepEqual([pool.busy, pool.workers, m.ends.length], [0, 0, 0]);
});

test('idle workers are let go', async () => {
  const m = new Machine();
  const pool = new Pool({connect: m.connect, size: 2, idle: 20});
  await pool.run(named(4));
  assert.equal(m.ends.length, 2);
  await soon(50);
  assert.deepEqual([m.ends.length, pool.workers], [0, 0]);
  await pool.run(named(1));
  pool.close();
});

test('two batches share the workers', async () => {
  const m = new Machine();
  const pool = new Pool({connect: m.connect, size: 2});
  const [a, b] = await Promise.all([pool.run(named(4)), pool.run(named(3))]);
  assert.deepEqual([a.length, b.length, m.most <= 2], [4, 3, true]);
  pool.close();
});

test('a mistake of who listens ends the batch, not the pool', async () => {
  const m = new Machine();
  const pool = new Pool({connect: m.connect, size: 1});
  await assert.rejects(pool.run(named(3), {onResult() { throw new Error('cannot be stored'); }}), /cannot be stored/);
  assert.equal((await pool.run(named(2))).length, 2);
  pool.close();
});

test('a worker whose memory has grown large goes when nothing waits for it', async () => {
  const m = new Machine(async (task, end) => {
    await soon();
    end.memoryBytes = task.large ? 2 ** 30 : 1;
    return {result: {name: task.name}, arrays: {}};
  });
  const pool = new Pool({connect: m.connect, size: 1});
  await pool.run(named(3).map(t => ({...t, large: true})));
  await soon();
  assert.equal(m.started, 1); // it had more to do
  assert.equal(pool.workers, 0);
  await pool.run(named(1));
  await soon();
  assert.equal(pool.workers, 1);
  pool.close();
});

test('a worker that is asked something is not ended for its size before it has answered', async () => {
  const m = new Machine(async (task, end) => {
    await soon();
    end.memoryBytes = 2 ** 30;
    return {result: {}, arrays: {}};
  });
  m.answer = async () => {
    await soon(20);
    return {answered: true};
  };
  const pool = new Pool({connect: m.connect, size: 2});
  const asked = [];
  await pool.run(named(2), {onResult: () => asked.push(pool.ask('report', {}))});
  for (const a of asked) assert.deepEqual((await a).result, {answered: true});
  assert.equal(m.started, 2); // nothing was asked again of another
  await soon(5);
  assert.equal(pool.workers, 0);
  pool.close();
});

test('a worker that has grown large by what it was asked waits for more', async () => {
  const m = new Machine();
  m.answer = async () => {
    m.ends[0].memoryBytes = 2 ** 30;
    return {};
  };
  const pool = new Pool({connect: m.connect, size: 1});
  for (let i = 0; i < 3; i++) {
    await pool.ask('describe', {});
    await soon(5);
  }
  assert.equal(m.started, 1);
  pool.close();
});
