// Tests of www/run/session.ts with programs that are made up: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';
import {register} from 'node:module';
import '../../scripts/wasmtest/webcrypto.mjs';
import {SaveQueue} from './savequeue.js';

// What the builder makes of the page's modules: kernels are bytes, names stand for tokens.
const load =
  '(url, context, next) => url.endsWith(".wasm") ? {format: "module", source: "export default new Uint8Array()", shortCircuit: true} : next(url, context)';
register(`data:text/javascript,${encodeURIComponent(`export const load = ${load};`)}`);
globalThis.__PROGRAMS__ = ['first', 'whole', 'studies', 'methods'].map(plain => ({plain, packed: plain}));
globalThis.document = {baseURI: 'http://localhost/'};
const {Session} = await import('./session.js');

const terms = ['matching', 'selfsupervised', 'causal', 'total'].map(name => ({name}));

/** A large compute program whose runs are over at once. */
class Compute {
  memoryBytes = 2 ** 30; waiting = 0; ended = 0; asked = [];

  async answers() { return true; }

  terminate() { this.ended++; }

  async call(kind, args, arrays, onEvent) {
    const progress = {state: 'finished', epoch: 2, epochs: 2, step: 4, steps: 4};
    this.asked.push(kind);
    switch (kind) {
      case 'open': return {result: {summary: {}}, arrays: {}};
      case 'train': case 'resume':
        onEvent({event: 'progress', ...progress}, {});
        onEvent({event: 'checkpoint', step: 4, epoch: 2, rest_s: 1}, {checkpoint: new Blob(['weights'])});
        return {result: {progress}};
      case 'embeddings': return {result: {embeddings: ['common']}, arrays: {}};
      case 'frame': return {result: {epoch: 2, step: 4}, arrays: {xy: new Float32Array(2)}};
      default: return {result: {}, arrays: {}};
    }
  }
}

/** A session with a finished run that is kept; stored is what storage gives back. */
async function finished(stored) {
  const saveQueue = new SaveQueue({call: async () => ({result: {}})}, () => {}, () => {}), compute = new Compute();
  saveQueue.available = true;
  const failed = [];
  const session = new Session({
    compute,
    storage: {call: async () => stored},
    saveQueue,
    terms,
    on: {changed() {}, error: e => failed.push(e), notice() {}, loading() {}},
  });
  await session.prepare({data: {example: 'syn1'}, values: () => ({name: 'a run', options: {}, evaluation: {}})});
  while (session.model.ending || session.model.scoring) await new Promise(f => setTimeout(f, 1));
  assert.deepEqual(failed, []);
  return {session, compute};
}

test('a large program ends while its finished run rests in storage', async () => {
  const {session, compute} = await finished();
  await session.rest();
  assert.deepEqual([session.resting, compute.ended], [true, 1]);
});

test('a run that was deleted from storage does not rest there', async () => {
  const {session, compute} = await finished();
  session.deleted(session.model.record.run);
  await session.rest();
  assert.deepEqual([session.resting, compute.ended], [false, 0]);
});

test('a resting run comes back with its weights, or says why it does not', async () => {
  const checkpoint = new Blob(['weights']);
  for (const [stored, wrong] of [
    [{result: {notes: []}, arrays: {checkpoint}}, null],
    [{result: {notes: ['Save 2 of this run is damaged.']}, arrays: {checkpoint}}, /as it is shown.*Save 2 of this run is damaged/],
    [{result: {notes: []}, arrays: {}}, /as it is shown/],
  ]) {
    const {session, compute} = await finished(stored);
    await session.rest();
    const asked = compute.asked.length, scored = session.evaluate({}, 0);
    if (wrong) await assert.rejects(scored, wrong);
    else await scored;
    assert.deepEqual(compute.asked.slice(asked).filter(kind => kind === 'train' || kind === 'resume'), wrong ? [] : ['resume']);
  }
});

test('who waits for a run that another one has overtaken is not left waiting, and hears nothing of its errors', async () => {
  const answers = [], saveQueue = new SaveQueue({call: async () => ({result: {}})}, () => {}, () => {}), failed = [];
  /** A compute program that answers when it is told to. */
  const compute = {memoryBytes: 0, waiting: 0, answers: async () => true, terminate() {}, call(kind, args, arrays, onEvent) {
    if (kind === 'control') return Promise.resolve({result: {}, arrays: {}});
    return new Promise((resolve, reject) => answers.push({kind, onEvent, resolve, reject}));
  }};
  const next = async kind => {
    while (answers[0]?.kind !== kind) await new Promise(f => setTimeout(f, 1));
    return answers.shift();
  };
  const session = new Session({compute, storage: null, saveQueue, terms, on: {changed() {}, error: e => failed.push(e), notice() {}, loading() {}}});
  const prepare = nodes => session.prepare({data: {example: 'syn1', options: {nodes}}, values: () => ({name: `${nodes} nodes`, options: {}, evaluation: {}})});
  const opened = {result: {summary: {}}, arrays: {}}, stands = {state: 'paused', epoch: 0, epochs: 2, step: 0, steps: 4};

  const first = prepare(1); // is overtaken while its data are opened, which then fails
  const load = await next('open');
  const second = prepare(2); // is overtaken while it is made
  const again = await next('open');
  load.reject(new Error('too large'));
  assert.equal(await first, false);
  again.resolve(opened);
  const made = await next('train');
  const third = prepare(3);
  (await next('open')).resolve(opened);
  const last = await next('train');
  made.resolve({result: {progress: {...stands, state: 'cancelled'}}});
  assert.equal(await second, false);
  last.onEvent({event: 'progress', ...stands}, {});
  assert.equal(await third, true);
  assert.deepEqual([session.model.phase, session.model.record.name, failed], ['paused', '3 nodes', []]);
});

test('a run that was asked to train goes on by itself, however often the program ends before its first step', async () => {
  const stands = {epoch: 0, epochs: 2, step: 0, steps: 4}, notices = [], failed = [];
  let trained = 0, played = 0, end;
  const gone = Object.assign(new Error('The engine has stopped.'), {code: 'exited'});
  const compute = {memoryBytes: 0, waiting: 0, answers: async () => true, terminate() {}, async call(kind, args, arrays, onEvent) {
    if (kind === 'open') return {result: {summary: {}}, arrays: {}};
    if (kind === 'train') {
      const run = new Promise((resolve, reject) => { end = reject; });
      if (trained++ === 1) end(gone); // while it is brought back
      else onEvent({event: 'progress', state: 'paused', ...stands}, {});
      return run;
    }
    if (kind !== 'control' || args.action !== 'play') return {result: {}, arrays: {}};
    if (played++ === 0) { // after the press of Train, before the first step
      end(gone);
      throw gone;
    }
    return {result: {progress: {state: 'running', ...stands}}, arrays: {}};
  }};
  const saveQueue = new SaveQueue({call: async () => ({})}, () => {});
  const session = new Session({compute, storage: {call: async () => ({result: {}, arrays: {}})}, saveQueue, terms,
    on: {changed() {}, error: e => failed.push(e), notice: text => notices.push(text), loading() {}}});
  await session.prepare({data: {example: 'syn1'}, values: () => ({name: 'a run', options: {}, evaluation: {}})});
  await assert.rejects(session.play(), {code: 'exited'});
  for (let k = 0; k < 100 && session.model.phase !== 'running'; k++) await new Promise(f => setTimeout(f, 1));
  assert.deepEqual([session.model.phase, trained, played, failed], ['running', 3, 2, []]);
  assert.match(notices.join(), /goes on from step 0/);
});

test('the end of a run is scored unless the settings say otherwise; then a notice says how to have scores', async () => {
  for (const scored of [true, false]) {
    const asked = [], notices = [], of = {epoch: 2, epochs: 2, step: 4, steps: 4};
    let finish;
    const compute = {memoryBytes: 0, waiting: 0, answers: async () => true, terminate() {}, async call(kind, args, arrays, onEvent) {
      asked.push(kind);
      if (kind === 'train') {
        onEvent({event: 'progress', state: 'paused', ...of}, {});
        return new Promise(resolve => { finish = () => resolve({result: {progress: {state: 'finished', ...of}}}); });
      }
      return {result: {summary: {}, hash: 'h', rank_S: 1, embeddings: ['common'], scores: [{}]}, arrays: {xy: new Float32Array(2)}};
    }};
    const saveQueue = new SaveQueue({call: async () => ({result: {}})}, () => {}, () => {});
    const session = new Session({compute, storage: null, saveQueue, terms,
      on: {changed() {}, error: assert.fail, notice: text => notices.push(text), loading() {}, scores: () => scored}});
    await session.prepare({data: {example: 'syn1'}, values: () => ({name: 'a run', options: {}, evaluation: {}})});
    finish();
    for (let k = 0; k < 100 && !notices.length && !session.model.scores; k++) await new Promise(f => setTimeout(f, 1));
    assert.deepEqual([asked.includes('evaluate'), notices.length], [scored, scored ? 0 : 1]);
    if (!scored) {
      assert.match(notices[0], /Evaluate computes them/);
      await session.evaluate({}, 1);
      assert.equal(session.model.scores.length, 1);
    }
  }
});

test('a run that is paused at the step of its last checkpoint, or before its first step, is kept as paused', async () => {
  for (const step of [0, 1]) {
    const of = {epoch: 0, epochs: 2, step, steps: 4}, kept = [];
    let tell;
    const compute = {memoryBytes: 0, waiting: 0, answers: async () => true, terminate() {}, async call(kind, args, arrays, onEvent) {
      if (kind === 'open') return {result: {summary: {}}, arrays: {}};
      if (kind === 'train') {
        tell = onEvent;
        onEvent({event: 'progress', state: 'paused', ...of, step: 0}, {});
        return new Promise(() => {}); // it never ends
      }
      const state = {play: 'running', pause: 'paused'}[args.action];
      return {result: state ? {progress: {state, ...of}} : {}, arrays: {}};
    }};
    const saveQueue = new SaveQueue({call: async (kind, {record}) => { kept.push(record.state); return {result: {}}; }}, () => {}, () => {});
    saveQueue.available = true;
    const session = new Session({compute, storage: null, saveQueue, terms, on: {changed() {}, error: assert.fail, notice() {}, loading() {}}});
    await session.prepare({data: {example: 'syn1'}, values: () => ({name: 'a run', options: {}, evaluation: {}})});
    await session.play();
    tell({event: 'checkpoint', step, epoch: 0, rest_s: 1}, {checkpoint: new Blob(['weights'])});
    await saveQueue.settled();
    assert.equal(kept.at(-1), 'running');
    await session.leave();
    assert.equal(kept.at(-1), 'paused');
  }
});

test('a run goes on while what is opened in its place cannot be opened', async () => {
  const of = {epoch: 0, epochs: 2, step: 3, steps: 4}, actions = [];
  const wrong = Object.assign(new Error('junk.zip: found no run'), {code: 'bad-data'});
  const compute = {memoryBytes: 0, waiting: 0, answers: async () => true, terminate() {}, async call(kind, args, arrays, onEvent) {
    switch (kind) {
      case 'open':
        if (args.data.example !== 'syn1') throw wrong;
        return {result: {summary: {}}, arrays: {}};
      case 'import':
        if (args.name === 'junk.zip') throw wrong;
        return {result: {record: {run: 'b', state: 'paused', data: {example: 'lost'}}}, arrays: {}};
      case 'train':
        onEvent({event: 'progress', state: 'paused', ...of}, {});
        return new Promise(() => {});
    }
    if (args?.action !== 'set') actions.push(args.action);
    const state = {play: 'running', pause: 'paused'}[args.action];
    return {result: state ? {progress: {state, ...of}} : {}, arrays: {}};
  }};
  const saveQueue = new SaveQueue({call: async () => ({result: {}})}, () => {}, () => {});
  const storage = {async call(kind, {run}) {
    if (run === 'unreadable') throw wrong;
    return {result: {record: {run, state: 'paused', data: {example: 'lost'}}}, arrays: {}};
  }};
  const session = new Session({compute, storage, saveQueue, terms, on: {changed() {}, error: assert.fail, notice() {}, loading() {}}});
  await session.prepare({data: {example: 'syn1'}, values: () => ({name: 'a run', options: {}, evaluation: {}})});
  for (const going of [true, false]) {
    if (going) await session.play();
    else await session.pause();
    const {model} = session, phase = going ? 'running' : 'paused';
    for (const [name, open] of [
      ['no run', () => session.importFile('junk.zip', new Uint8Array(), () => false)],
      ['a run of data that are not there', () => session.importFile('b.zip', new Uint8Array(), () => false)],
      ['a kept run that cannot be read', () => session.openRun('unreadable', false)],
      ['a kept run of data that are not there', () => session.openRun('c', true)],
      ['data that are not there', () => session.prepare({data: {example: 'lost'}, values: () => ({})})],
    ]) {
      await assert.rejects(open(), wrong, name);
      assert.deepEqual([session.model.phase, session.model === model, session.stands], [phase, true, true], name);
    }
  }
  assert.equal(actions[0], 'play');
  assert.equal(actions[1], 'pause', 'a file without a run leaves the training alone, so the first pause is that of the next one');
});

test('an imported run takes the id of none that came to be kept while it was read, or is imported as well', async () => {
  const {session, compute} = await finished(), taken = new Set(['other']), {call} = compute;
  compute.call = async (kind, ...rest) => {
    if (kind !== 'import') return call.call(compute, kind, ...rest);
    taken.add('a'); // it is kept meanwhile
    return {result: {record: {run: rest[0].name, state: 'paused', data: {example: 'syn1'}}}, arrays: {}};
  };
  const imported = async (/** @type {string} */ name) => (await session.importFile(name, new Uint8Array(), run => taken.has(run))).run;
  assert.notEqual(await imported('a'), 'a');
  assert.equal(await imported('b'), 'b');
  const both = await Promise.all([imported('c'), imported('c')]);
  assert.equal(new Set(both).size, 2);
  assert.ok(both.includes('c'));
});

test('a run that does not go on after what was opened in its place failed says so beside that', async () => {
  const wrong = new Error('found no run'), stuck = new Error('The engine is busy.'), notices = [];
  let plays = 0;
  const of = {epoch: 0, epochs: 2, step: 3, steps: 4};
  const compute = {memoryBytes: 0, waiting: 0, answers: async () => true, terminate() {}, async call(kind, args, arrays, onEvent) {
    if (kind === 'open') return {result: {summary: {}}, arrays: {}};
    if (kind === 'train') {
      onEvent({event: 'progress', state: 'paused', ...of}, {});
      return new Promise(() => {});
    }
    if (args?.action === 'play' && plays++ > 0) throw stuck;
    const state = {play: 'running', pause: 'paused'}[args?.action];
    return {result: state ? {progress: {state, ...of}} : {}, arrays: {}};
  }};
  const saveQueue = new SaveQueue({call: async () => ({result: {}})}, () => {}, () => {}), storage = {call: async () => { throw wrong; }};
  const session = new Session({compute, storage, saveQueue, terms, on: {changed() {}, error: assert.fail, notice: text => notices.push(text), loading() {}}});
  await session.prepare({data: {example: 'syn1'}, values: () => ({name: 'a run', options: {}, evaluation: {}})});
  await session.play();
  await assert.rejects(session.openRun('b', false), wrong);
  assert.deepEqual(notices, ['The run on screen does not go on: The engine is busy.']);
});

/**
 * A session whose run has come to step 7, which is stored unless `step` says otherwise; then the storage program has ended, too, and answers
 * `get` with each of `errors` first. Gives what came of it when the compute program has ended.
 */
async function bothEnd(errors, step = 7) {
  const asked = [], notices = [], failed = [], written = [], begun = [];
  const gone = Object.assign(new Error('The engine has stopped.'), {code: 'exited'});
  let at = 0, open = true, end;
  const stands = () => ({epoch: 0, epochs: 10, step: at, steps: 100});
  const compute = {memoryBytes: 0, waiting: 0, answers: async () => true, terminate() {}, call(kind, args, arrays, onEvent) {
    if (kind !== 'train' && kind !== 'resume') return Promise.resolve({result: {summary: {}, progress: {state: 'running', ...stands()}}, arrays: {}});
    begun.push(kind);
    at = arrays.checkpoint ? Number(arrays.checkpoint.step) : 0;
    onEvent({event: 'progress', state: 'paused', ...stands()}, {});
    return new Promise((resolve, reject) => {
      end = () => reject(gone);
      compute.goTo = to => {
        at = to;
        onEvent({event: 'progress', state: 'running', ...stands()}, {});
        onEvent({event: 'checkpoint', ...stands(), rest_s: 1}, {checkpoint: Object.assign(new Blob(['weights']), {step: to})});
        at = to + 2; // a later step has no checkpoint yet
        onEvent({event: 'progress', state: 'running', ...stands()}, {});
      };
    });
  }};
  const kept = {};
  const storage = {async call(kind, {record} = {}, arrays = {}) {
    asked.push(kind);
    if (kind === 'open') open = true;
    if (!open) throw Object.assign(new Error('Nothing can be kept: the database is not open.'), {code: 'storage'});
    if (kind === 'put') {
      written.push(record.progress.step);
      Object.assign(kept, arrays);
    }
    if (kind === 'get') {
      const error = errors.shift();
      if (error) throw Object.assign(new Error('so to speak'), {code: error});
      if (!kept.checkpoint) throw Object.assign(new Error('There is no such run.'), {code: 'no-run'});
      return {result: {notes: []}, arrays: kept};
    }
    return {result: {generation: 2}, arrays: {}};
  }};
  const saveQueue = new SaveQueue(storage, () => {}, () => {});
  saveQueue.available = step > 0;
  const session = new Session({compute, storage, saveQueue, terms,
    on: {changed() {}, error: e => failed.push(e.message), notice: text => notices.push(text), loading() {}}});
  await session.prepare({data: {example: 'syn1'}, values: () => ({name: 'a run', options: {}, evaluation: {}})});
  await session.play();
  if (step > 0) compute.goTo(step);
  await saveQueue.settled();
  open = false;
  saveQueue.available = false;
  asked.length = 0;
  end();
  for (let k = 0; k < 100 && begun.length < 2 && failed.length === 0; k++) await new Promise(f => setTimeout(f, 1));
  await new Promise(f => setTimeout(f, 5));
  return {begun, asked, notices: notices.join(), failed, written, step: session.model.progress.step, phase: session.model.phase};
}

for (const errors of [[], ['exited'], ['storage', 'exited']]) {
  test(`a run goes on from where it is kept when the storage program has ended as well [${errors}]`, async () => {
    const r = await bothEnd([...errors]);
    assert.deepEqual([r.begun, r.step, r.failed], [['train', 'resume'], 7, []]);
    assert.match(r.notices, /goes on from step 7/);
    assert.deepEqual([...new Set(r.written)], [0, 7]);
  });
}

test('a run that cannot be read does not begin anew, and nothing is written over it', async () => {
  const r = await bothEnd(Array(20).fill('corrupt'));
  assert.deepEqual([r.begun, r.phase], [['train'], 'failed']);
  assert.match(r.failed.join(), /cannot be read just now, and stays as it is: so to speak/);
  assert.deepEqual([...new Set(r.written)], [0, 7]);
});

test('a run that was never written begins anew, were there no storage at all', async () => {
  const r = await bothEnd(Array(20).fill('storage'), 0);
  assert.deepEqual([r.begun, r.step, r.failed], [['train', 'train'], 0, []]);
});
