// @ts-check
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import test from 'node:test';
import '../../scripts/wasmtest/webcrypto.mjs';
import {crc32, make, restore} from './backup.js';
import * as tar from './tar.js';

/** A storage program in memory. @param {any[]} [kept] */
function store(kept = []) {
  const runs = new Map(kept.map(k => [k.record.run, k]));
  /** @param {string} kind @param {any} [args] @param {any} [arrays] @returns {Promise<any>} */
  const call = async (kind, args, arrays) => {
    switch (kind) {
      case 'list': {
        const all = [...runs.values()].map(r => r.record);
        return {result: {runs: all.filter(r => r.data), damaged: all.filter(r => !r.data).map(({run, name}) => ({run, name, reason: 'data: missing'}))}};
      }
      case 'get':
        if (!runs.get(args.run)) throw new Error('There is no saved run.');
        return {result: {record: runs.get(args.run).record, notes: []}, arrays: runs.get(args.run).arrays};
      case 'put':
        runs.set(args.record.run, {record: structuredClone(args.record), arrays});
        return {result: {generation: 1}};
      case 'delete':
        runs.delete(args.run);
    }
    return {result: {}};
  };
  return {runs, call};
}

const numbers = Float32Array.of(1.5, -2, 3e-8), bytes = Uint8Array.from({length: 700}, (_, i) => i);
const kept = () => [
  {
    record: {run: 'a', name: 'First \u2603', updated: '1', state: 'running', data: {}},
    arrays: {losses: numbers, checkpoint: new Blob([bytes]), 'file:0': bytes},
  },
  {record: {run: 'b', name: 'Second', updated: '2', state: 'finished', data: {}}, arrays: {'tokens:5': Float64Array.of(1, 2)}},
  {record: {run: 's', name: 'Study', kind: 'study', updated: '3', state: 'finished', data: {}}, arrays: {'result:1': Int32Array.of(7)}},
];
const list = kept().map(k => k.record);
const nothing = () => {};

test('everything comes back with the same bytes', async () => {
  const {file, left} = await make(store(kept()), list, nothing);
  assert.deepEqual(left, []);
  const empty = store(), told = await restore(empty, file, nothing);
  assert.deepEqual(told, {restored: ['First \u2603', 'Second', 'Study'], there: [], left: []});
  for (const {record, arrays} of kept()) {
    const got = empty.runs.get(record.run);
    assert.deepEqual(got.record, {...record, state: record.state === 'running' ? 'paused' : record.state});
    for (const [name, data] of Object.entries(arrays)) {
      if (data instanceof Blob) assert.deepEqual(new Uint8Array(await got.arrays[name].arrayBuffer()), bytes);
      else assert.deepEqual(got.arrays[name], data);
    }
  }
});

test('what is there already stays, and another state of it comes in beside it', async () => {
  const {file} = await make(store(kept()), list, nothing);
  const here = store([kept()[1], {record: {run: 'a', name: 'First, trained on', updated: '9', state: 'finished', data: {}}, arrays: {}}]);
  assert.deepEqual(await restore(here, file, nothing), {restored: ['First \u2603 (from a backup)', 'Study'], there: ['Second'], left: []});
  assert.equal(here.runs.get('a').record.name, 'First, trained on');
  assert.equal(here.runs.size, 4);
});

test('an experiment keeps its name, and the state with more tasks finished', async () => {
  const study = (/** @type {number} */ finished) => ({
    record: {run: 's', name: 'Study', kind: 'study', updated: String(finished), state: 'running', finished, data: {}}, arrays: {},
  });
  for (const [here, there, want] of [[1, 3, 3], [3, 1, 3]]) {
    const {file} = await make(store([study(there)]), [study(there).record], nothing), into = store([study(here)]);
    await restore(into, file, nothing);
    assert.equal(into.runs.size, 1);
    assert.equal(into.runs.get('s').record.finished, want);
    if (want === there) assert.equal(into.runs.get('s').record.state, 'stopped');
  }
});

test('one that is damaged is left out and named, the others come back', async () => {
  const {file} = await make(store(kept()), list, nothing);
  const all = new Uint8Array(await file.arrayBuffer());
  const at = all.findIndex((_, i) => bytes.slice(0, 64).every((b, k) => all[i + k] === b));
  all[at + 9] ^= 1;
  const {restored, left} = await restore(store(), new Blob([all]), nothing);
  assert.deepEqual(restored, ['Second', 'Study']);
  assert.match(left[0], /^First \u2603: 1\/2-checkpoint\.blob is damaged$/);
  const cut = await restore(store(), new Blob([all.slice(0, -3 * 512)]), nothing);
  assert.deepEqual([cut.restored, cut.left[1]], [['Second'], 'Study: 3/1-result-1.i32 is missing']);
});

test('one that the page cannot read is taken out again', async () => {
  const odd = [...kept().slice(1), {record: {run: 'x', name: 'Odd', updated: '1', state: 'finished'}, arrays: {}}];
  const {file} = await make(store(odd), odd.map(o => o.record), nothing), here = store();
  assert.deepEqual((await restore(here, file, nothing)).left, ['Odd: data: missing']);
  assert.ok(!here.runs.has('x'));
});

test('one that cannot be read now is left out of a backup', async () => {
  const {file, left} = await make(store(kept()), [{run: 'gone', name: 'Gone'}, ...list], nothing);
  assert.deepEqual(left, ['Gone: There is no saved run.']);
  assert.equal((await restore(store(), file, nothing)).restored.length, 3);
});

test('files of something else say what was expected', async () => {
  await assert.rejects(restore(store(), new Blob(['backup.json\0', new Uint8Array(600)]), nothing), /byte 0: found something else, expected the header/);
  const archive = (/** @type {string} */ text) => tar.write([{name: 'backup.json', content: new Blob([text])}]);
  await assert.rejects(restore(store(), archive('{'), nothing), /backup\.json: found .*, expected the description of a backup/);
  await assert.rejects(restore(store(), archive('{"format":2}'), nothing), /made by a newer version: format 2/);
  await assert.rejects(restore(store(), archive('{"format":1}'), nothing), /expected the description of a backup/);
  const empty = /backup\.json: found no such file, expected the description of a backup/;
  await assert.rejects(restore(store(), new Blob(['PK']), nothing), empty);
  await assert.rejects(restore(store(), tar.write([{name: 'other.json', content: new Blob(['{}'])}]), nothing), empty);
});

test('whatever a backup says of itself, what is wrong is told in words of the page', async () => {
  const members = await tar.read((await make(store(kept()), list, nothing)).file);
  const text = await members.get('backup.json').text();
  const odd = [null, 0, -1, 1.5, '', 'x', '__proto__', 'constructor', [], {}, [null], true, undefined];
  let tried = 0, wrong = 0;
  /** @param {any} head @param {any} holder */
  const change = async (head, holder) => {
    for (const [key, was] of Object.entries(holder)) {
      if (was && typeof was === 'object') await change(head, was);
      for (const value of odd) {
        holder[key] = value;
        members.set('backup.json', new Blob([JSON.stringify(head)]));
        const file = tar.write([...members].map(([name, content]) => ({name, content})));
        const told = await restore(store(), file, nothing).then(({left}) => left, e => [e.message]);
        for (const t of told) assert.doesNotMatch(t, /undefined|null|cannot|is not|invalid|byte length|iterable/i, `${key}: ${JSON.stringify(value)}`);
        tried++;
        wrong += Math.sign(told.length);
      }
      holder[key] = was;
    }
  };
  const head = JSON.parse(text);
  await change(head, head);
  assert.ok(tried > 300 && wrong > tried / 3, `${wrong} of ${tried} were wrong`);
});

test('other programs read the archive', async () => {
  const {file} = await make(store(kept()), list, nothing);
  const names = execFileSync('tar', ['-tf', '-'], {input: new Uint8Array(await file.arrayBuffer())}).toString().trim().split('\n');
  assert.deepEqual(names, ['backup.json', '1/record.json', '1/1-losses.f32', '1/2-checkpoint.blob', '1/3-file-0.u8', '2/record.json', '2/1-tokens-5.f64',
    '3/record.json', '3/1-result-1.i32']);
});

test('checksums are those of zip', async () => assert.equal(await crc32(new Blob(['123456789'])), 0xcbf43926));
