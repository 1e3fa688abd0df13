// Tests of www/panels/savedruns.ts with a document, a session and a storage that are made up: run by node --test, as TestPage does.
import assert from 'node:assert/strict';
import test from 'node:test';
import {fake} from '../../scripts/wasmtest/fakedocument.mjs';
import {keptRun, keptStudy} from '../../scripts/wasmtest/keptruns.mjs';
import {memoryStore} from '../../scripts/wasmtest/memorystore.mjs';
import '../../scripts/wasmtest/webcrypto.mjs';
import {SaveQueue} from '../run/savequeue.js';

globalThis.__PROGRAMS__ = ['first', 'whole', 'studies', 'methods'].map(plain => ({plain, packed: plain}));
const memory = new Map(), channels = [];
globalThis.localStorage = {getItem: key => memory.get(key) ?? null, setItem: (key, text) => memory.set(key, text)};
globalThis.BroadcastChannel = class extends EventTarget {
  constructor() {
    super();
    channels.push(this);
  }

  postMessage() {}
};
Object.defineProperty(globalThis, 'navigator', {value: {locks: {query: async () => ({held: []})}}, configurable: true});
globalThis.URL.createObjectURL = () => 'blob:';
globalThis.CSS ??= {escape: String};
const {createSavedRuns} = await import('./savedruns.js');

/** The page's saved runs above a store; noted are those of the visit before. */
async function page({store, noted = [], session = {}, opened = {}, first = runs => {}}) {
  memory.clear();
  memory.set('/a/cadem runs', JSON.stringify(noted));
  fake.getElementById('runs-list').replaceChildren();
  const shown = new Map(), failed = [], {call} = store;
  store.call = (kind, ...rest) => kind === 'open' ? Promise.resolve({result: {owner: true, persistent: true, recovered: [], deleted: [], ...opened}})
    : call(kind, ...rest);
  store.terminate = () => {};
  const saveQueue = new SaveQueue(store, () => {}, () => {});
  const runs = createSavedRuns({
    session: {model: {record: null, phase: 'idle'}, active: false, leave: async () => {}, deleted() {}, saveAll() {}, ...session},
    storage: store, saveQueue, pinned: {run: null, pin() {}},
    catalogue: {terms: Array(4), exports: [], titleOf: () => 'data'}, experiments: {count: 0, list() {}},
    notices: {show: (name, what) => shown.set(name, what.textContent ?? what), hide: name => shown.delete(name)},
    say: {status() {}, announce() {}, messages() {}},
    attempt: f => async (...args) => {
      try {
        return await f(...args);
      } catch (e) {
        failed.push(e.message);
      }
    },
  });
  first(runs);
  await runs.open({resume: () => false});
  const press = text => fake.getElementById('runs-list').all(el => el.tagName === 'button' && el.textContent === text)[0].click();
  return {runs, shown, failed, saveQueue, press};
}

const settled = () => new Promise(f => setTimeout(f, 50));
async function until(is) { for (let k = 0; k < 200 && !is(); k++) await settled(); }

test('what is kept is not missed, whatever kind it is now', async () => {
  const {record} = keptStudy(2), noted = [{run: record.run, name: 'once damaged'}, {run: 'run2', name: 'now damaged'}, {run: 'x', name: 'gone'},
    {run: 'y', name: 'deleted'}];
  const {shown} = await page({store: memoryStore([keptStudy(2), {...keptRun(2), unreadable: true}]), noted, opened: {deleted: ['y']}});
  assert.match(shown.get('missing'), /Missing: \u201cgone\u201d\. /);
});

test('when the browser has cleared what was kept, what is there and damaged is not missed', async () => {
  const store = memoryStore([keptRun(2), keptRun(4), {...keptRun(6), unreadable: true}]), {runs, shown} = await page({store});
  store.runs.delete('run2');
  await runs.lost();
  assert.match(shown.get('missing'), /^The browser has cleared .* Missing: \u201cRun 2, \u2603\u201d\. /);
});

test('nothing is said to be kept or not before storage has answered', async () => {
  const store = memoryStore([]), list = () => fake.getElementById('runs-list').textContent;
  let answer = () => {};
  const {call} = store;
  store.call = async (kind, ...rest) => {
    if (kind === 'list') await new Promise(f => { answer = () => f(undefined); });
    return call(kind, ...rest);
  };
  const opened = page({store, first: runs => runs.show()});
  await settled();
  const created = list();
  answer();
  await opened;
  assert.deepEqual([created, list().slice(0, 11)], ['Looking for what is kept\u2026', 'Nothing yet']);
});

test('a deletion is taken back once it is done', async () => {
  const store = memoryStore([keptRun(2)]), {press, failed} = await page({store}), {call} = store;
  let done = () => {};
  store.call = async (kind, ...rest) => {
    if (kind === 'delete') await new Promise(f => { done = () => f(undefined); });
    return call(kind, ...rest);
  };
  press('Delete');
  press('Undo');
  await settled();
  done();
  await settled();
  assert.deepEqual([store.runs.get('run2').deleted, store.asked.filter(k => k !== 'list'), failed], [false, ['delete', 'restore'], []]);
});

test('an imported run has an id of its own as long as it is not known what is kept', async () => {
  const asked = [], importFile = async (name, bytes, taken) => {
    asked.push(['run2', 'run8', 'waits', 'gamma'].map(taken));
    return {name};
  };
  const store = memoryStore([keptRun(2), {...keptRun(8), unreadable: true}]);
  const {runs, saveQueue, failed} = await page({store, session: {importFile}});
  await runs.importFile(new File(['x'], 'a.cadem'));
  store.call = () => new Promise(() => {});
  saveQueue.put(keptRun(3, {run: 'first'}).record, {});
  saveQueue.put(keptRun(3, {run: 'waits'}).record, {checkpoint: new Blob()});
  runs.importFile(new File(['x'], 'b.cadem')); // which then waits for what is written
  await until(() => asked.length > 1);
  assert.deepEqual(asked, [[true, true, false, false], [true, true, true, false]]);
  const unlisted = await page({store: memoryStore([keptRun(2)]), session: {importFile}, opened: {persistent: false}});
  await unlisted.runs.importFile(new File(['x'], 'c.cadem'));
  assert.deepEqual([asked[2], failed, unlisted.failed], [[true, true, true, true], [], []]);
});

test('a training is said to go on in another tab only where it is kept', async () => {
  for (const [kept, words] of [[true, /can be continued there/], [false, /^Another tab keeps the runs now\. Here you can look/]]) {
    const record = keptRun(2).record, opened = {owner: true};
    const {shown, saveQueue} = await page({store: memoryStore([keptRun(2)]), session: {model: {record, phase: 'running'}}, opened});
    if (!kept) saveQueue.forget(record.run);
    opened.owner = false;
    channels.at(-1).dispatchEvent(Object.assign(new Event('message'), {data: {ask: true}}));
    await settled();
    channels.at(-1).dispatchEvent(Object.assign(new Event('message'), {data: {kept: true}}));
    await settled();
    assert.match(shown.get('storage'), words);
  }
});

test('what is left of a damaged one is exported with what there is to say of it', async () => {
  const {press, shown, failed} = await page({store: memoryStore([{...keptRun(2), unreadable: true}])});
  press('Export what is left');
  await until(() => shown.has('backup') || failed.length);
  assert.match(shown.get('backup'), /holds every value that is stored of it.*Run 2, \u2603: The run cannot be opened\./);
  assert.deepEqual(failed, []);
});
