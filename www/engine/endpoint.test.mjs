// Tests of www/engine/endpoint.ts with workers that are made up: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';

const empty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0); // the shortest program there is

Object.assign(globalThis, {
  __WORKER__: 'worker.js', __PROGRAMS__: ['first', 'whole', 'studies', 'methods'].map(plain => ({plain, packed: plain})),
  document: {baseURI: 'https://example.org/'},
  DecompressionStream: undefined, // the plain program is fetched
  fetch: async address => new Response(address.endsWith(__PROGRAMS__[0].plain) ? empty : 'postMessage(0);', {headers: {'Content-Type': 'application/wasm'}}),
  Worker: class {
    static all = [];
    sent = []; ended = false;
    constructor() { Worker.all.push(this); }
    postMessage(data) { this.sent.push(data); }
    terminate() { this.ended = true; }
    starts() { return this.sent.filter(d => d.start).length; }
    ready(...answers) { this.onmessage({data: {ready: true, answers: ['score', ...answers]}}); }
    answer() {
      for (const {header} of this.sent.filter(d => d.header)) {
        this.onmessage({data: {header: JSON.stringify({id: JSON.parse(header).id, ok: true, result: {of: 'score'}}), held: 1}});
      }
    }
  },
});
/** The names of the locks that are held. */
const held = new Set();
Object.defineProperty(globalThis, 'navigator', {value: {locks: {query: async () => ({held: [...held].map(name => ({name}))})}}});
const {Endpoint} = await import('./endpoint.js');

/** A clock that moves when it is told to. */
const clock = {
  now: 0, timers: new Map(), next: 1,
  tick(ms) {
    this.now += ms;
    for (const [id, {at, f}] of [...this.timers]) if (at <= this.now && this.timers.delete(id)) f();
    return settled();
  },
};
globalThis.setTimeout = (f, ms) => {
  clock.timers.set(clock.next, {at: clock.now + ms, f});
  return clock.next++;
};
globalThis.clearTimeout = id => clock.timers.delete(id);

/** Lets everything happen that does not wait for a clock. */
const settled = async () => { for (let i = 0; i < 20; i++) await new Promise(setImmediate); };

/** The workers made, and an endpoint whose first one has been sent its program. */
async function begun() {
  Worker.all = [];
  const end = new Endpoint('compute', () => assert.fail('it has ended'));
  const answer = end.call('score');
  await settled();
  assert.deepEqual(Worker.all.map(w => w.starts()), [1]);
  return {end, answer};
}

test('a worker that does not come up is replaced, and its successor may take twice as long', async () => {
  const {answer} = await begun();
  await clock.tick(29_999);
  assert.equal(Worker.all.length, 1);
  await clock.tick(1);
  assert.deepEqual(Worker.all.map(w => w.ended), [true, false]);
  await clock.tick(59_999);
  assert.equal(Worker.all.length, 2);
  Worker.all[1].ready();
  await settled();
  await clock.tick(60_000);
  assert.deepEqual(Worker.all.map(w => w.ended), [true, false]);
  Worker.all[1].answer();
  assert.deepEqual((await answer).result, {of: 'score'});
});

test('the program of a first visit is asked for no run whose inputs are trimmed or split', async () => {
  for (const [also, able] of [[['open'], false], [['open', 'split'], true]]) {
    const {end, answer} = await begun();
    Worker.all[0].ready(...also);
    await settled();
    Worker.all[0].answer();
    await answer;
    const opens = (options, method) => end.answers('open', {options, method});
    assert.deepEqual([opens(), opens({}), opens({trim: 'off', split: 'off'}), opens({trim: 'noise', split: 'off'}), opens({split: 'agreement'})],
      [true, true, true, able, able]);
    assert.equal(opens({split: 'agreement'}, 'pca'), false); // for want of the method
    end.terminate();
  }
});

test('a start that is ended on purpose takes nothing from the one that comes after it', async () => {
  const {end} = await begun();
  await clock.tick(10_000);
  end.terminate();
  const later = end.call('score');
  await clock.tick(20_000); // the first worker has had its time, but not the second
  Worker.all[1].ready();
  await settled();
  const last = end.call('score');
  await settled();
  assert.deepEqual(Worker.all.map(w => [w.starts(), w.ended]), [[1, true], [1, false]]);
  Worker.all[1].answer();
  for (const {result} of await Promise.all([later, last])) assert.deepEqual(result, {of: 'score'});
});

test('a worker that has gone without a word is noticed, and one that is busy is left alone', async () => {
  Worker.all = [];
  let exits = 0;
  const end = new Endpoint('compute', () => exits++);
  const first = end.call('score');
  await settled();
  const [worker] = Worker.all, {life} = worker.sent.find(d => d.start);
  worker.onmessage({data: {life}});
  held.add(life);
  worker.ready();
  await settled();
  await clock.tick(60_000); // of which it says nothing
  worker.answer();
  await first;
  await clock.tick(60_000);
  assert.deepEqual([worker.ended, exits], [false, 0]);
  worker.sent = [];
  const second = end.call('score');
  await settled();
  held.delete(life);
  worker.onmessage({data: {header: JSON.stringify({id: 0, kind: 'event'}), held: 1}});
  await clock.tick(10_000); // in which it said something
  assert.equal(worker.ended, false);
  const lost = assert.rejects(second, {code: 'exited'});
  await clock.tick(10_000);
  await lost;
  assert.deepEqual([worker.ended, exits], [true, 1]);
  const third = end.call('score');
  await settled();
  Worker.all[1].ready(); // where there are no locks
  await settled();
  await clock.tick(60_000);
  Worker.all[1].answer();
  assert.deepEqual([(await third).result, exits], [{of: 'score'}, 1]);
});
