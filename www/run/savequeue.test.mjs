// Tests of www/run/savequeue.ts and www/engine/arrays.ts with a storage program that is made up: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';
import {SaveQueue} from './savequeue.js';
import {pack, unpack} from '../engine/arrays.js';

const ramp = n => Uint8Array.from({length: n}, (_, i) => i);

/** Sends a message as Endpoint and worker do, and gives what the program reads. */
function send(arrays) {
  const {slabs, buffer, blobs} = pack(arrays);
  const there = structuredClone({buffer}, {transfer: [buffer]});
  return unpack(slabs, there.buffer, blobs);
}

test('arrays arrive as they were, Blobs beside them', () => {
  const checkpoint = new Blob([ramp(21)]), arrays = {losses: Float32Array.of(1, 2, 3), checkpoint, bytes: ramp(5), xy: Float32Array.of(4)};
  const read = send(arrays);
  assert.deepEqual([...read.losses, ...read.bytes, ...read.xy], [1, 2, 3, ...ramp(5), 4]);
  assert.equal(read.checkpoint, checkpoint);
  assert.deepEqual([...arrays.losses, ...arrays.bytes], [1, 2, 3, ...ramp(5)]);
  assert.equal(send({checkpoint}).checkpoint, checkpoint);
  assert.deepEqual(pack({}), {});
});

/** A storage program; each of `acts` tells how a write ends: '' well, or by the error of that code. */
class Store {
  written = []; acts = []; generation = 1;

  async call(kind, {record}, arrays) {
    const read = send(arrays);
    await new Promise(f => setTimeout(f, 1));
    const how = this.acts.shift();
    if (how) throw Object.assign(new Error('so to speak'), {code: how});
    this.written.push({step: record.progress.step, ...read, losses: [...read.losses ?? []]});
    return {result: {generation: this.generation++}};
  }
}

const record = step => ({run: 'r', progress: {step}});
const keeping = (...acts) => {
  const store = new Store(), queue = new SaveQueue(store, () => {}, () => { store.lost = store.written.length; });
  store.acts = acts;
  queue.available = true;
  return {store, queue};
};

for (const how of ['quota', 'exited']) test(`a write that failed (${how}) keeps its checkpoint, which newer ones replace`, async () => {
  const {store, queue} = keeping(how, how, ''), first = new Blob(['1']), second = new Blob(['2']);
  queue.put(record(1), {checkpoint: first, losses: Float32Array.of(1)});
  await queue.settled();
  assert.equal(queue.failure.code, how);
  assert.equal(queue.unwritten('r').checkpoint, first);
  queue.retry();
  await queue.settled();
  queue.put(record(2), {checkpoint: second});
  await queue.settled();
  assert.deepEqual(store.written, [{step: 2, checkpoint: second, losses: [1]}]);
  assert.equal(queue.failure, null);
});

test('a run that was kept and is kept as a new one was lost', async () => {
  const {store, queue} = keeping();
  for (const step of [1, 2]) {
    queue.put(record(step), {losses: Float32Array.of(step)});
    await queue.settled();
  }
  assert.equal(store.lost, undefined);
  store.generation = 1; // the database was cleared
  queue.put(record(3), {losses: Float32Array.of(3)});
  await queue.settled();
  assert.equal(store.lost, 3);
});

test('a checkpoint waits for the write before it and for nothing else', async () => {
  const writes = [], store = {call: (kind, {record}) => new Promise(done => writes.push({step: record.progress.step, done: () => done({result: {}})}))};
  const queue = new SaveQueue(store, () => {}, () => {});
  queue.available = true;
  const steps = () => writes.map(w => w.step);
  for (const step of [1, 2, 3]) queue.put(record(step), {checkpoint: new Blob([step])});
  assert.deepEqual(steps(), [1]);
  writes[0].done();
  await new Promise(setImmediate);
  assert.deepEqual(steps(), [1, 3]); // the newest, at once
  writes[1].done();
  await new Promise(setImmediate);
  assert.deepEqual([queue.pending, queue.saved.get('r').step], [0, 3]);
  queue.put(record(4), {checkpoint: new Blob(['4'])});
  assert.deepEqual(steps(), [1, 3, 4]);
});

test('a run that was deleted is written no more, until it is taken again', async () => {
  const {store, queue} = keeping('', 'quota', ''), losses = {losses: Float32Array.of(1)};
  queue.put(record(1), losses);
  queue.put(record(2), losses); // waits
  queue.forget('r');        // while the first one is on its way
  queue.put(record(3), losses);
  await queue.settled();
  assert.deepEqual([store.written.map(w => w.step), queue.pending, queue.saved.has('r'), queue.keeps('r')], [[1], 0, false, false]);
  queue.remember('r');
  queue.put(record(4), losses);
  queue.forget('r'); // a write that fails meanwhile is not tried again
  await queue.settled();
  queue.retry();
  await queue.settled();
  assert.deepEqual([store.written.map(w => w.step), queue.pending], [[1], 0]);
  queue.remember('r');
  queue.put(record(5), losses);
  await queue.settled();
  assert.deepEqual([store.written.map(w => w.step), store.lost, queue.keeps('r')], [[1, 5], undefined, true]);
});

test('nothing is kept of files where participants were read, unless the reader wants it', async () => {
  const storage = new Store(), queue = new SaveQueue(storage, () => {}, () => {});
  queue.available = true;
  const run = (name, step, files) => ({run: name, data: {files}, progress: {step}}), some = {bytes: ramp(3)};
  queue.reads([{name: 'study/sub-1_bold.tsv'}]);
  assert.equal(queue.nothing, false);
  queue.reads([{name: 'study/participants.tsv'}, {name: 'study/sub-1_bold.tsv'}]);
  assert.equal(queue.nothing && queue.people, true);
  for (const step of [0, 5]) queue.put(run('brain', step, ['f']), some);
  for (const step of [0, 5]) queue.put(run('drawn', step), some);
  queue.put(run('kept before', 7, ['f']), some);
  await queue.settled();
  assert.deepEqual(storage.written.map(w => w.step), [0, 5, 7]);
  assert.equal(queue.keeps('brain'), false); // so that its checkpoint stays here
  queue.nothing = false;
  queue.reads([{name: 'study/participants.tsv'}, {name: 'study/sub-1_bold.tsv'}]); // looked at again
  assert.equal(queue.nothing, false);
  queue.put(run('brain', 9, ['f']), some);
  await queue.settled();
  assert.deepEqual(storage.written.map(w => w.step), [0, 5, 7, 9]);
});
