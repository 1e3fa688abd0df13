// @ts-check
// A backup that anybody may have altered, put back where runs are kept, in many ways: nothing that was kept is changed, hidden or deleted.
import assert from 'node:assert/strict';
import test from 'node:test';
import {keptRun, keptStudy} from '../../scripts/wasmtest/keptruns.mjs';
import {memoryStore} from '../../scripts/wasmtest/memorystore.mjs';
import '../../scripts/wasmtest/webcrypto.mjs';
import {crc32, make, restore} from './backup.js';
import {storedModel} from './model.js';
import * as tar from './tar.js';

const WAYS = Number(process.env.CADEM_WAYS ?? (process.env.CADEM_LONG ? 2000 : 60)), RUNS = 30, STUDIES = 5;

const kept = () => [...Array.from({length: RUNS}, (_, n) => keptRun(n)), ...Array.from({length: STUDIES}, (_, n) => keptStudy(n))];

/** Numbers from 0 to 1 of a seed (mulberry32). @param {number} seed */
function random(seed) {
  return () => {
    seed = seed + 0x6d2b79f5 | 0;
    let t = Math.imul(seed ^ seed >>> 15, 1 | seed);
    t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
    return ((t ^ t >>> 14) >>> 0) / 2 ** 32;
  };
}

const ODD = [null, 0, -1, 0.5, 1e300, -1e300, 2 ** 53 + 2, true, false, '', 'x',
  'constructor', '__proto__', 'n'.repeat(990), 'n'.repeat(2000), [], [null], {}, {a: {}}];

/** The places of an object, however deep: [holder, key]. @param {any} object @returns {[any, string][]} */
const placesOf = object => Object.entries(object).flatMap(([key, value]) =>
  [/** @type {[any, string]} */ ([object, key]), ...value && typeof value === 'object' ? placesOf(value) : []]);

/** Alters a backup, of its description, records and members, which may be changed, in one way; returns the archive if it is no longer made of these.
 * @param {{head: any, records: any[], members: Map<string, Blob>}} backup
 * @param {() => number} next
 */
async function alter({head, records, members}, next) {
  const one = (/** @type {any[]} */ list) => list[Math.floor(next() * list.length)], i = Math.floor(next() * records.length);
  const record = records[i], entry = head.runs[i];
  switch (Math.floor(next() * 12)) {
    case 0: case 1: { // another type
      const [holder, key] = one(placesOf(record));
      holder[key] = one(ODD);
      break;
    }
    case 2: { // sign and size
      const [holder, key] = one(placesOf(record).filter(([h, k]) => typeof h[k] === 'number'));
      holder[key] *= one([-1, 1e9, 1e300, 0.3]);
      break;
    }
    case 3: // ids
      record.run = one([...records.map(r => r.run), '', ' ', 5, null, 'a/b', 'x'.repeat(65), '"] a']);
      break;
    case 4: // kinds
      if (next() < 0.5) record.kind = one(['study', 'run', undefined, 5]);
      else records[i] = {...one(records), run: record.run, updated: '2030-01-01T00:00:00Z', finished: 100, tasks: 100};
      break;
    case 5: { // order
      const k = Math.floor(next() * records.length);
      [head.runs[i], head.runs[k], records[i], records[k]] = [head.runs[k], entry, records[k], record];
      break;
    }
    case 6: // duplicates, the same or another state
      head.runs.push(structuredClone(entry));
      records.push({...structuredClone(record), ...next() < 0.5 && {updated: '2030-01-01T00:00:00Z', finished: 3, hash: 'other'}});
      break;
    case 7: { // what is said of files
      const [holder, key] = one(placesOf(entry));
      holder[key] = one(ODD);
      break;
    }
    case 8: { // what is in files
      const a = one(entry.arrays ?? [{}]), content = members.get(a.file);
      if (!content) break;
      const bytes = new Uint8Array(await content.arrayBuffer());
      const other = new Blob([one([bytes.subarray(0, bytes.length >> 3 << 2), bytes.map(() => 255), new Uint8Array()])]);
      members.set(a.file, other);
      Object.assign(a, {size: other.size, crc32: await crc32(other)});
      break;
    }
    case 9: // a file less, or one twice
      if (Array.isArray(entry.arrays) && entry.arrays.length) {
        if (next() < 0.5) entry.arrays.splice(Math.floor(next() * entry.arrays.length), 1);
        else entry.arrays.push({...one(entry.arrays), name: one(['losses', 'xy', 'file:0', 'a1', 'c1', '__proto__'])});
      }
      break;
    case 10: // the record is another kind of value
      records[i] = one(ODD);
      break;
    case 11: // the end is missing
      return 'cut';
  }
  return '';
}

test('no alteration of a backup touches what is kept', async t => {
  const all = kept(), {file} = await make(memoryStore(all), all.map(k => k.record), () => {}), whole = await tar.read(file);
  const text = await /** @type {Blob} */ (whole.get('backup.json')).text(), records = JSON.stringify(all.map(k => k.record)),
    counts = {restored: 0, there: 0, left: 0, refused: 0};
  const began = performance.now(), texts = all.map(k => JSON.stringify(k.record));
  for (let seed = 1; seed <= WAYS; seed++) {
    const next = random(seed), backup = {head: JSON.parse(text), records: JSON.parse(records), members: new Map(whole)};
    let cut = false;
    for (let times = 1 + Math.floor(4 * next()); times > 0; times--) {
      const r = Math.floor(next() * backup.records.length);
      if (!backup.records[r] || typeof backup.records[r] !== 'object' || !backup.head.runs[r]?.record) break;
      cut = await alter(backup, next).catch(() => '') === 'cut' || cut;
    }
    for (const [i, record] of backup.records.entries()) {
      const of = backup.head.runs[i]?.record;
      if (!of || typeof of !== 'object' || record === all[i]?.record) continue;
      const said = JSON.stringify(record) ?? 'null', own = `r${i}`;
      if (i < all.length && said === texts[i]) continue;
      const content = new Blob([said]);
      backup.members.set(own, content);
      if (Object.hasOwn(of, 'file') && typeof of.file === 'string') Object.assign(of, {file: own, size: content.size, crc32: await crc32(content)});
    }
    backup.members.set('backup.json', new Blob([JSON.stringify(backup.head)]));
    let archive = tar.write([...backup.members].map(([name, content]) => ({name, content})));
    if (cut) archive = archive.slice(0, Math.floor(next() * archive.size));
    if (next() < 0.1) { // a byte of it
      const bytes = new Uint8Array(await archive.arrayBuffer());
      bytes[Math.floor(next() * bytes.length)] ^= 1 << Math.floor(8 * next());
      archive = new Blob([bytes]);
    }

    const here = all.filter(() => next() < 0.7), store = memoryStore(here), before = new Map(store.runs), at = `seed ${seed}`;
    if (next() < 0.2) /** @type {any} */ (store.runs.get(here[0].record.run))[next() < 0.5 ? 'unreadable' : 'badBytes'] = true;
    const told = await restore(store, archive, () => {}).catch(e => ({refused: e}));
    if ('refused' in told) {
      assert.match(told.refused.message, /expected/, at);
      counts.refused++;
    } else {
      const lines = [...told.restored, ...told.there, ...told.left];
      assert.ok(lines.every(l => typeof l === 'string' && l !== ''), at);
      if (!cut && Array.isArray(backup.head.runs)) assert.ok(lines.length <= backup.head.runs.length, at);
      for (const l of told.left) {
        assert.match(l, /^.+: .+/s, at);
        assert.doesNotMatch(l, /undefined|Cannot read|is not a|iterable|invalid array/i, `${at}: ${l}`);
      }
      for (const k of ['restored', 'there', 'left']) counts[k] += told[k].length;
    }
    // What was kept is listed, and is what it was.
    const {result: {runs, damaged}} = await store.call('list'), listed = new Map(runs.map((/** @type {any} */ r) => [r.run, r]));
    assert.ok(!store.asked.some(kind => ['delete', 'purge', 'restore'].includes(kind)), at);
    assert.ok(damaged.length <= 1, `${at}: ${JSON.stringify(damaged)}`); // the one that was before
    for (const {record, arrays} of here) {
      const now = store.runs.get(record.run), was = before.get(record.run), name = `${at}: ${record.run}`;
      for (const [key, data] of Object.entries(arrays)) assert.equal(now.arrays[key], data, name);
      if (now.unreadable) continue;
      assert.ok(listed.has(record.run), name);
      if (record.kind === 'study') continue;
      assert.equal(now, was, name);
      const model = storedModel(listed.get(record.run), now.arrays, /** @type {any} */ ({summary: record.summary}), 4);
      assert.deepEqual([model.hash, model.snapshots.length], [record.hash, 2], name);
    }
  }
  t.diagnostic(`${WAYS} ways: ${JSON.stringify(counts)} in ${Math.round(performance.now() - began)} ms`);
  assert.ok(counts.restored > WAYS && counts.there > WAYS && counts.left > WAYS / 4 && counts.refused > 0, JSON.stringify(counts));
});
