// Tests of www/keeper.js and www/slabs.js with a storage program that is made up: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';
import {Keeper} from '../../www/keeper.js';
import {pack, unpack, whole} from '../../www/slabs.js';

const ramp = n => Uint8Array.from({length: n}, (_, i) => i);

/** Sends a message as Endpoint and worker do, and gives what the program reads: lent buffers change hands and come back. */
function send(arrays, lend) {
  const {slabs, buffer, lent} = pack(arrays, lend);
  const there = structuredClone({buffer, lent}, {transfer: [buffer, ...lent.map(l => l.data.buffer)]});
  const empty = lent.every(l => l.data.length === 0);
  const read = unpack(slabs, whole(there.buffer, there.lent).buffer);
  const back = structuredClone(there.lent, {transfer: there.lent.map(l => l.data.buffer)});
  return {read, empty, giveBack() { for (const {name, data} of back) arrays[name] = data; }};
}

test('what is lent arrives as what is copied, is empty meanwhile and comes back', () => {
  const arrays = {losses: Float32Array.of(1, 2, 3), checkpoint: ramp(21), xy: Float32Array.of(4)};
  const m = send(arrays, ['checkpoint', 'other']);
  assert.deepEqual([...m.read.losses, ...m.read.xy, ...m.read.checkpoint], [1, 2, 3, 4, ...ramp(21)]);
  assert.ok(m.empty);
  m.giveBack();
  assert.deepEqual(arrays.checkpoint, ramp(21));
  assert.deepEqual([...send({checkpoint: ramp(3)}, ['checkpoint']).read.checkpoint], [0, 1, 2]);
  const copied = {checkpoint: ramp(5)};
  assert.deepEqual(send(copied).read.checkpoint.slice(), ramp(5));
  assert.deepEqual(copied.checkpoint, ramp(5));
});

/** A storage program; act(arrays) tells how a write ends: not at all, by an error, or by its end. */
class Store {
  written = []; acts = [];

  async call(kind, {record}, arrays, onEvent, lend) {
    const m = send(arrays, lend);
    await new Promise(f => setTimeout(f, 1));
    const how = this.acts.shift();
    if (how === 'exited') throw Object.assign(new Error('The engine has stopped'), {code: 'exited'});
    m.giveBack();
    if (how) throw Object.assign(new Error('full'), {code: how});
    this.written.push({step: record.progress.step, lent: lend.length > 0, checkpoint: m.read.checkpoint?.[0]});
  }
}

const record = step => ({run: 'r', progress: {step}});
const keeping = (...acts) => {
  const store = new Store(), keeper = new Keeper(store, () => {});
  store.acts = acts;
  keeper.available = true;
  return {store, keeper};
};

test('a checkpoint on the way is lent, the last one is copied', async () => {
  const {store, keeper} = keeping();
  keeper.put(record(1), {checkpoint: Uint8Array.of(1)});
  await keeper.settled();
  const last = Uint8Array.of(2);
  keeper.put(record(2), {checkpoint: last}, true);
  assert.equal(last.length, 1);
  await keeper.settled();
  assert.deepEqual(store.written, [{step: 1, lent: true, checkpoint: 1}, {step: 2, lent: false, checkpoint: 2}]);
});

test('a write that failed has its checkpoint again', async () => {
  const {store, keeper} = keeping('quota');
  keeper.put(record(1), {checkpoint: Uint8Array.of(7)});
  await keeper.settled();
  assert.deepEqual([keeper.failure.code, keeper.unwritten('r').checkpoint[0]], ['quota', 7]);
  keeper.retry();
  await keeper.settled();
  assert.deepEqual(store.written, [{step: 1, lent: true, checkpoint: 7}]);
});

test('a checkpoint that is gone with its program is not written empty', async () => {
  const {store, keeper} = keeping('exited');
  keeper.put(record(1), {checkpoint: Uint8Array.of(7), losses: Float32Array.of(1)});
  await keeper.settled();
  assert.deepEqual(Object.keys(keeper.unwritten('r')), ['losses']);
  keeper.put(record(2), {checkpoint: Uint8Array.of(8)});
  keeper.retry();
  await keeper.settled();
  assert.deepEqual(store.written, [{step: 2, lent: true, checkpoint: 8}]);
});
