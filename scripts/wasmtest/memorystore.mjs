// A storage program in memory, behind the requests of wasm/PROTOCOL.md. What a record must be is asked of the Go program that runs the tests,
// which listens at CADEM_CHECK: one line of JSON for each question, one for its answer.
import {createConnection} from 'node:net';
import {createInterface} from 'node:readline';

/** @type {((question: string) => Promise<string>) | null} */
let ask = null;
const answers = new Map();

function connect() {
  const path = process.env.CADEM_CHECK;
  if (!path) throw new Error('CADEM_CHECK names no socket: these tests are run by TestPage');
  const socket = createConnection(path), waiting = [];
  createInterface({input: socket}).on('line', line => {
    waiting.shift()(JSON.parse(line));
    if (waiting.length === 0) socket.unref(); // the tests end anyway
  });
  return question => new Promise(resolve => {
    socket.ref();
    waiting.push(resolve);
    socket.write(question + '\n');
  });
}

/** What is wrong with a record and the arrays beside it, '' for nothing. @param {any} record @param {Record<string, any>} arrays */
export const check = (record, arrays = {}) => checkText(JSON.stringify(record) ?? 'null', arrays);

function checkText(text, arrays) {
  ask ??= connect();
  const types = {Float32Array: 'f32', Float64Array: 'f64', Int32Array: 'i32'};
  const slabs = Object.entries(arrays).map(([name, a]) => ({name, type: types[a.constructor.name] ?? 'u8', shape: [a.size ?? a.length]}));
  const question = `{"slabs":${JSON.stringify(slabs)},"record":${text}}`;
  if (!answers.has(question)) answers.set(question, ask(question)); // most are asked again and again
  return answers.get(question);
}

/** What was kept from the beginning, as text. @type {WeakMap<object, string>} */
const texts = new WeakMap();

function textOf(record) {
  if (!texts.has(record)) texts.set(record, JSON.stringify(record));
  return texts.get(record);
}

const failure = (code, message) => Object.assign(new Error(message), {code});

/** unreadable: no save of it can be read; badBytes: it is listed, and then its arrays cannot be read.
 * @param {{record: any, arrays: Record<string, any>, unreadable?: boolean, badBytes?: boolean}[]} [kept] */
export function memoryStore(kept = []) {
  const entry = ({record, arrays = {}, unreadable = false, badBytes = false}) =>
    ({text: textOf(record), arrays: {...arrays}, unreadable, badBytes, deleted: false});
  const runs = new Map(kept.map(k => [k.record.run, entry(k)])), asked = [];
  /** @param {string} kind @param {any} [args] @param {any} [arrays] @returns {Promise<any>} */
  const call = async (kind, args = {}, arrays = {}) => {
    asked.push(kind);
    const there = runs.get(args.run);
    switch (kind) {
      case 'list': {
        const list = [], damaged = [];
        for (const [run, r] of runs) {
          if (r.deleted) continue;
          const record = JSON.parse(r.text), reason = r.unreadable ? 'no save of it can be read' : await checkText(r.text, r.arrays);
          if (reason) damaged.push({run, name: String(record?.name ?? run), reason});
          else list.push(record);
        }
        return {result: {runs: list.sort((a, b) => a.updated < b.updated ? 1 : -1), damaged}};
      }
      case 'get':
        if (!there) throw failure('no-run', 'There is no saved run.');
        if (there.unreadable || there.badBytes) throw failure('corrupt', 'The run cannot be opened.');
        return {result: {record: JSON.parse(there.text), notes: []}, arrays: {...there.arrays}};
      case 'raw':
        if (!there) throw failure('no-run', 'There is no saved run.');
        return {result: {}, arrays: {[`manifests/${args.run}/1`]: new TextEncoder().encode(there.text)}};
      case 'put': {
        const {record} = args;
        if (args.new) {
          const reason = await check(record, arrays);
          if (reason) throw failure('bad-data', reason);
          if (runs.has(record.run)) throw failure('taken', 'It is kept already.');
        }
        if (typeof record?.run !== 'string' || !record.run) throw failure('internal', 'the record names no run');
        runs.set(record.run, entry({record: structuredClone(record), arrays: {...runs.get(record.run)?.arrays, ...arrays}}));
        return {result: {generation: 1}};
      }
      case 'delete': case 'restore':
        if (!there) throw failure('no-run', 'There is no saved run.');
        there.deleted = kind === 'delete';
        return {result: {}};
      case 'purge':
        for (const [run, r] of runs) if (r.deleted && (args.runs?.includes(run) ?? true)) runs.delete(run);
        return {result: {}};
    }
    throw failure('internal', `the storage program knows no request "${kind}"`);
  };
  return {runs, asked, call};
}
