// @ts-check
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import test from 'node:test';
import {contentsOf, keptRun, keptStudy} from '../../scripts/wasmtest/keptruns.mjs';
import {memoryStore as store} from '../../scripts/wasmtest/memorystore.mjs';
import '../../scripts/wasmtest/webcrypto.mjs';
import {crc32, make, restore} from './backup.js';
import {write} from './results.js';
import * as tar from './tar.js';

const nothing = () => {};
const kept = () => [keptRun(1, {state: 'running'}), keptRun(2), keptStudy(1)];
const [FIRST, SECOND, STUDY] = kept().map(k => k.record.name);

/** The backup of what is kept. @param {any[]} all */
const backupOf = async all => (await make(store(all), all.map(k => k.record), nothing)).file;

/** A backup whose entries have been changed, with checksums that fit. @param {any[]} all @param {(record: any, i: number) => any} change */
async function altered(all, change) {
  const members = await tar.read(await backupOf(all)), head = JSON.parse(await /** @type {Blob} */ (members.get('backup.json')).text());
  for (const [i, entry] of head.runs.entries()) {
    const record = JSON.parse(await /** @type {Blob} */ (members.get(entry.record.file)).text());
    const content = new Blob([JSON.stringify(change(record, i) ?? record)]);
    members.set(entry.record.file, content);
    Object.assign(entry.record, {size: content.size, crc32: await crc32(content)});
  }
  members.set('backup.json', new Blob([JSON.stringify(head)]));
  return tar.write([...members].map(([name, content]) => ({name, content})));
}

test('everything comes back with the same bytes, and nothing twice', async () => {
  const file = await backupOf(kept()), empty = store(), told = await restore(empty, file, nothing);
  assert.deepEqual([told.restored, told.there, told.left], [[FIRST, SECOND, STUDY], [], []]);
  for (const k of [keptRun(1, {state: 'paused'}), keptRun(2), keptStudy(1)]) {
    assert.equal(await contentsOf(empty, k.record.run), await contentsOf(store([k]), k.record.run));
  }
  const again = await restore(empty, file, nothing);
  assert.deepEqual([again.restored, again.there, empty.runs.size], [[], [FIRST, SECOND, STUDY], 3]);
});

test('what is there stays, and another state of it comes in beside it', async () => {
  const here = store([keptRun(2, {name: 'Called otherwise'}), keptRun(1, {name: 'First, trained on', updated: '2025-02-01T00:00:00Z'})]);
  const told = await restore(here, await backupOf(kept()), nothing);
  assert.deepEqual([told.restored, told.there, told.left], [[`${FIRST} (from a backup)`, STUDY], ['Called otherwise'], []]);
  assert.equal(JSON.parse(here.runs.get('run1').text).name, 'First, trained on');
  assert.equal(here.runs.size, 4);
});

/** An experiment with such results, of three tasks. @param {string[]} keys @param {Record<string, any>} [other] */
function study(keys, other) {
  const {record} = keptStudy(2, {tasks: 3, finished: keys.length, state: 'running', ...other});
  return {record, arrays: Object.fromEntries(keys.map(key => [key, write({key})]))};
}

test('of an experiment the results that are missing come in, and take the place of none', async () => {
  const here = store([study(['a'])]), {run} = study([]).record, before = here.runs.get(run).arrays.a;
  await restore(here, await backupOf([study(['a', 'b', 'c'])]), nothing);
  const now = JSON.parse(here.runs.get(run).text);
  assert.deepEqual([here.runs.size, now.finished, now.state, Object.keys(here.runs.get(run).arrays)], [1, 3, 'finished', ['a', 'b', 'c']]);
  assert.equal(here.runs.get(run).arrays.a, before);
  const {there} = await restore(here, await backupOf([study(['a'])]), nothing);
  assert.deepEqual([there, JSON.parse(here.runs.get(run).text).finished], [['gamma'], 3]);
});

test('what an experiment has found is counted by its results, whatever its record says', async () => {
  const here = store([study(['a'], {finished: 3, state: 'finished'})]), {run} = study([]).record, other = study(['b']);
  Object.assign(other.arrays, {c: write({key: 'of another task'}), d: Uint8Array.of(1)});
  await restore(here, await backupOf([other]), nothing);
  const now = JSON.parse(here.runs.get(run).text);
  assert.deepEqual([now.finished, now.state, Object.keys(here.runs.get(run).arrays)], [2, 'stopped', ['a', 'b']]);
  // One that cannot be read is none, and gives way.
  here.runs.get(run).arrays.a = Uint8Array.of(1);
  await restore(here, await backupOf([study(['a'])]), nothing);
  assert.deepEqual([JSON.parse(here.runs.get(run).text).finished, here.runs.get(run).arrays.a], [2, write({key: 'a'})]);
});

test('what an experiment cannot be given is told, and makes no copy of it', async () => {
  const here = store([study(['a'])]), {call} = here, file = await backupOf([study(['a', 'b'])]);
  for (const kind of ['get', 'put']) {
    here.call = async (/** @type {string} */ asked, /** @type {any} */ args, /** @type {any} */ arrays) => {
      if (asked === kind && !args.new) throw Object.assign(new Error('There is no room left.'), {code: 'quota'});
      return call(asked, args, arrays);
    };
    const {restored, there, left} = await restore(here, file, nothing);
    assert.deepEqual([restored, there, left, here.runs.size], [[], [], ['gamma: There is no room left.'], 1], kind);
  }
});

test('the bytes of a backup come in beside those of the same record that are damaged, once', async () => {
  const all = kept(), file = await backupOf(all), here = store(all.map(k => ({...k, badBytes: true}))), copies = [`${FIRST} (from a backup)`,
    `${SECOND} (from a backup)`, STUDY];
  const told = await restore(here, file, nothing);
  assert.deepEqual([told.restored, told.there, told.left, here.runs.size], [copies, [], [], 6]);
  const again = await restore(here, file, nothing);
  assert.deepEqual([again.restored, again.there, again.left, here.runs.size], [[], copies, [], 6]);
});

test('copies of an earlier restoring are known again, whatever they are called and whatever became of the first ones', async () => {
  const here = store([keptRun(2, {hash: 'other'}), {...keptRun(4), unreadable: true}, {...keptStudy(1), unreadable: true}]);
  const file = await backupOf([keptRun(2), keptRun(4), keptStudy(1)]);
  await restore(here, file, nothing);
  assert.equal(here.runs.size, 6);
  const copy = [...here.runs].find(([run, r]) => run !== 'run2' && r.text.includes('"hash2"'));
  copy[1].text = copy[1].text.replace(`${SECOND} (from a backup)`, 'Called otherwise');
  await restore(here, file, nothing);
  assert.equal(here.runs.size, 6);
  here.runs.delete('run2');
  const told = await restore(here, file, nothing);
  assert.deepEqual([told.restored, told.there.length, here.runs.size], [[], 3, 5]);
  // Two that say the same are two where both are in the backup.
  const two = store();
  await restore(two, await backupOf([keptRun(2), keptRun(2, {run: 'again'})]), nothing);
  assert.equal(two.runs.size, 2);
});

test('an experiment that is kept under an earlier name is completed there', async () => {
  const early = study(['a'], {run: 'study:as it was called'}), here = store([early]);
  await restore(here, await backupOf([study(['a', 'b'])]), nothing);
  assert.deepEqual([...here.runs].map(([run, {arrays}]) => [run, Object.keys(arrays)]), [[early.record.run, ['a', 'b']]]);
});

test('another kind under a kept id is another one, and nothing is deleted', async () => {
  for (const change of [
    (/** @type {any} */ r) => ({...keptStudy(1).record, run: r.run}), // a sound experiment
    (/** @type {any} */ r) => ({...r, kind: 'study'}),                // one that is none
    (/** @type {any} */ r) => ({...keptStudy(1).record, run: r.run, order: null}),
  ]) {
    const here = store([keptRun(2)]), before = await contentsOf(here, 'run2');
    await restore(here, await altered([keptRun(2)], change), nothing);
    assert.equal(await contentsOf(here, 'run2'), before);
    assert.ok(!here.asked.includes('delete') && !here.asked.includes('purge'));
  }
});

test('a kept run that cannot be read, or was just deleted, gives the entry an id of its own', async () => {
  const here = store([{...keptRun(1), unreadable: true}, keptRun(2), {...keptStudy(1), unreadable: true}]);
  await here.call('delete', {run: 'run2'});
  const told = await restore(here, await backupOf(kept()), nothing);
  assert.deepEqual([told.restored, told.left], [[`${FIRST} (from a backup)`, `${SECOND} (from a backup)`, STUDY], []]);
  assert.equal(here.runs.size, 6);
  await here.call('restore', {run: 'run2'});
  const {result: {runs, damaged}} = await here.call('list');
  assert.deepEqual([runs.length, damaged.length], [4, 2]);
});

test('each entry is handled by itself', async () => {
  const long = 'n'.repeat(990), here = store([keptRun(9, {run: 'run0', name: 'kept'})]), before = await contentsOf(here, 'run0');
  const all = [keptRun(0, {name: long}), keptRun(2, {run: ''}), keptRun(4), keptRun(6, {run: 'run4'}), keptRun(8, {name: 5}), keptRun(10)];
  const file = await altered([0, 1, 2, 3, 4, 5].map(n => keptRun(20 + 2 * n)), (_, i) => all[i].record), told = await restore(here, file, nothing);
  assert.deepEqual(told.restored, ['n'.repeat(40) + '\u2026', keptRun(2).record.name, keptRun(4).record.name,
    `${keptRun(6).record.name} (from a backup)`, keptRun(10).record.name]);
  assert.match(told.left.join(), /^Run 28, \u2603: name: found 5, expected a text of 1 to 1000 characters$/);
  assert.equal(await contentsOf(here, 'run0'), before);
  assert.equal(here.runs.size, 6);
  assert.ok([...here.runs.values()].some(r => JSON.parse(r.text).name === 'n'.repeat(984) + ' (from a backup)'));
});

test('the list is read once, however many there are', async () => {
  const all = Array.from({length: 26}, (_, n) => keptRun(2 * n)), here = store([keptRun(99)]);
  await restore(here, await backupOf(all), nothing);
  assert.deepEqual(here.asked.filter(kind => kind !== 'put'), ['list']);
});

test('one that is damaged is left out and named, the others come back', async () => {
  const file = await backupOf(kept()), all = new Uint8Array(await file.arrayBuffer()), find = (/** @type {string} */ text) => Buffer.from(all).indexOf(text);
  const flipped = all.slice();
  flipped[find('1/1-checkpoint.blob') + 512 + 9] ^= 1; // its contents; the first place is in backup.json
  flipped[Buffer.from(all).lastIndexOf('1/1-checkpoint.blob') + 512 + 9] ^= 1;
  const {restored, left} = await restore(store(), new Blob([flipped]), nothing);
  assert.deepEqual(restored, [SECOND, STUDY]);
  assert.match(left.join(), /^Run 1, \u2603: 1\/1-checkpoint\.blob is damaged$/);
  const cut = await restore(store(), new Blob([all.slice(0, -3 * 512)]), nothing);
  assert.deepEqual(cut.restored, [FIRST, SECOND]);
  assert.match(cut.left.join(), /^gamma: 3\/\S+ is missing$/);
  // A header in the middle that cannot be read hides what is behind it no more.
  const header = all.slice();
  header[Buffer.from(all).lastIndexOf('1/1-checkpoint.blob') + 150] ^= 1;
  const behind = await restore(store(), new Blob([header]), nothing);
  assert.deepEqual([behind.restored, behind.left], [[SECOND, STUDY], [`${FIRST}: 1/1-checkpoint.blob is missing`]]);
});

test('files that are named come with their contents, and arrays are of their kinds', async () => {
  const bare = keptRun(1), odd = keptRun(2), proto = keptStudy(2);
  delete bare.arrays['file:0'];
  odd.arrays.losses = /** @type {any} */ (new Uint8Array(8));
  proto.arrays = JSON.parse('{"__proto__": 0}');
  Object.defineProperty(proto.arrays, '__proto__', {value: new Uint8Array(1), enumerable: true});
  const here = store(), told = await restore(here, await backupOf([bare, odd, proto]), nothing);
  assert.deepEqual(told.left, [
    `${FIRST}: arrays: found nothing called file:0, expected the contents of every data file`,
    `${SECOND}: arrays[1].losses: found u8 of shape [8], expected f32, 4 numbers a step`,
    'gamma: arrays[0]: found the name "__proto__", expected a name that no other array has',
  ]);
  assert.equal(here.runs.size, 0);
});

test('what cannot be stored is named, and the others are tried', async () => {
  const here = store(), {call} = here;
  here.call = async (kind, args, arrays) => {
    if (args?.record?.run === 'run1') throw Object.assign(new Error('There is no room left.'), {code: 'quota'});
    return call(kind, args, arrays);
  };
  const {restored, left} = await restore(here, await backupOf(kept()), nothing);
  assert.deepEqual([restored, left], [[SECOND, STUDY], [`${FIRST}: There is no room left.`]]);
});

test('one that cannot be read now is left out of a backup', async () => {
  const {file, left} = await make(store(kept()), [{run: 'gone', name: 'Gone'}, ...kept().map(k => k.record)], nothing);
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

test('other programs read the archive', async () => {
  const file = await backupOf([keptRun(1), keptStudy(2)]);
  const names = execFileSync('tar', ['-tf', '-'], {input: new Uint8Array(await file.arrayBuffer())}).toString().trim().split('\n');
  assert.deepEqual(names, ['backup.json', '1/record.json', '1/1-checkpoint.blob', '1/2-losses.f32', '1/3-xy.f32', '1/4-plane-1.f32', '1/5-file-0.u8',
    '2/record.json', '2/1-a2.u8', '2/2-b2.u8']);
});

test('checksums are those of zip', async () => assert.equal(await crc32(new Blob(['123456789'])), 0xcbf43926));
