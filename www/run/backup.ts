// A backup of all stored data, in one tar archive: backup.json lists the entries, then come the record and the arrays of one run or
// experiment after the other, as stored. One at a time is in memory.
import {crc} from '../engine/crc.js';
import {FILE} from '../engine/pool.js';
import {RequestError} from '../engine/requesterror.js';
import {clip} from '../settings/catalogue.js';
import {newId} from './model.js';
import {nameOf} from './order.js';
import {read} from './results.js';
import * as tar from './tar.js';
import type {Answer, Arrays, Caller, StudyRecord, Thrown} from '../types.js';

const FORMAT = 1;
const LONGEST = 1000; // characters of a name (core/lab/run/stored.go)
const BESIDE = ' (from a backup)';
const HEAD = 'backup.json';
const KINDS = {u8: Uint8Array, i32: Int32Array, f32: Float32Array, f64: Float64Array};
const PART = 2 ** 22; // bytes that a checksum takes at once

interface StoredArray {name: string; kind: string; file: string; size: number; crc32: number}
interface Entry {run: string; name: string; record: {file: string, size: number, crc32: number}; arrays: StoredArray[]}
interface Head {format: number; made: string; runs: Entry[]}

/** The CRC-32 of a file. */
export async function crc32(content: Blob) {
  let sum = 0;
  for (let at = 0; at < content.size; at += PART) sum = crc(new Uint8Array(await content.slice(at, at + PART).arrayBuffer()), sum);
  return sum;
}

/** Makes a backup of the runs and experiments listed; those that cannot be read are left out and named. */
export async function make(storage: Caller<StorageRequests>, list: {run: string, name: string}[], progress: (done: number) => void):
  Promise<{file: Blob; left: string[]; notes: string[]}> {
  const head: Head = {format: FORMAT, made: new Date().toISOString(), runs: []};
  const members: {name: string, content: Blob}[] = [];
  const left: string[] = [], notes: string[] = [];
  for (const [i, {run, name}] of list.entries()) {
    progress(i);
    const folder = `${i + 1}/`;
    try {
      const {result, arrays} = await storage.call('get', {run});
      const add = async (file: string, content: Blob) => {
        members.push({name: folder + file, content});
        return {file: folder + file, size: content.size, crc32: await crc32(content)};
      };
      const entry: Entry = {run, name, record: await add('record.json', new Blob([JSON.stringify(result.record)])), arrays: []};
      for (const [array, data] of Object.entries(arrays)) {
        const kind = data instanceof Blob ? 'blob' : Object.entries(KINDS).find(([, k]) => data instanceof k)?.[0] ?? '';
        // Data in memory go to the browser's storage of Blobs.
        const file = `${entry.arrays.length + 1}-${array.replace(/[^\w-]+/g, '-').slice(0, 60)}.${kind}`;
        entry.arrays.push({name: array, kind, ...await add(file, data instanceof Blob ? data : new Blob([data]))});
      }
      head.runs.push(entry);
      notes.push(...(result.notes ?? []).map((n: string) => `${name}: ${n}`));
    } catch (e) {
      left.push(`${name}: ${(e as Thrown).message}`);
      while (members.at(-1)?.name.startsWith(folder)) members.pop();
    }
  }
  return {file: tar.write([{name: HEAD, content: new Blob([JSON.stringify(head, null, 1) + '\n'])}, ...members]), left, notes};
}

/** Every stored value of a run, raw: if nothing else of it can be had. */
export async function raw(storage: Caller<StorageRequests>, run: string) {
  const {arrays} = await storage.call('raw', {run}), keys = Object.keys(arrays);
  const list = keys.map((key, i) => `${i + 1} ${key}\n`).join('');
  return tar.write([{name: 'keys.txt', content: new Blob([list])}, ...keys.map((key, i) => ({name: String(i + 1), content: new Blob([arrays[key]])}))]);
}

/** The JSON value of a text, if it is JSON. */
function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The description of a backup. */
async function headOf(members: Map<string, Blob>): Promise<Head> {
  const bad = (found: string) => new RequestError({code: 'bad-data', message: `${HEAD}: found ${found}, expected the description of a backup`});
  const described = members.get(HEAD);
  if (!described) throw bad('no such file');
  const head = parsed(await described.text());
  if (head?.format > FORMAT) {
    throw new RequestError({code: 'version', message: `made by a newer version: format ${head.format}, this one reads up to ${FORMAT}`});
  }
  if (head?.format !== FORMAT || !Array.isArray(head.runs)) throw bad('something else');
  return head;
}

/** A member as it was when the backup was made. Its description has come with the backup, and may be anything. */
async function whole(members: Map<string, Blob>, of: any) {
  const file = String(of?.file ?? 'a file without a name'), content = members.get(file);
  if (!content) throw new Error(`${file} is missing`);
  if (content.size !== of.size || await crc32(content) !== of.crc32) throw new Error(`${file} is damaged`);
  return content;
}

/** The record of an entry, which may be anything. */
async function recordOf(members: Map<string, Blob>, entry: any) {
  const record = parsed(await (await whole(members, entry?.record)).text());
  if (record === null || typeof record !== 'object' || Array.isArray(record)) throw new Error(`${entry.record.file} describes no run`);
  return record;
}

/** The arrays of an entry. */
async function arraysOf(members: Map<string, Blob>, entry: any): Promise<Arrays> {
  if (!Array.isArray(entry.arrays)) throw new Error(`${HEAD} does not say which files are of it`);
  const arrays: Map<string, any> = new Map();
  for (const a of entry.arrays) {
    const content = await whole(members, a), name = a.name;
    if (typeof name !== 'string' || arrays.has(name)) throw new Error(`${HEAD} does not say which of its arrays is in ${a.file}`);
    if (a.kind === 'blob') {
      arrays.set(name, content);
      continue;
    }
    const kind = typeof a.kind === 'string' && Object.hasOwn(KINDS, a.kind) ? KINDS[(a.kind as keyof typeof KINDS)] : null;
    if (!kind) throw new Error(`${HEAD} does not say what kind of numbers is in ${a.file}`);
    if (content.size % kind.BYTES_PER_ELEMENT !== 0) throw new Error(`${a.file} is damaged`);
    arrays.set(name, new kind(await content.arrayBuffer()));
  }
  return Object.fromEntries(arrays);
}

/** The stored form of the record of a run that does not run. */
const atRest = (record: any) => record.state !== 'running' ? record : {...record, state: record.kind === 'study' ? 'stopped' : 'paused'};

/** The content of a record, except for its id and its name, which the reader may have changed. */
const said = (record: any) => JSON.stringify({...atRest(record), run: '', name: ''});

/** The id under which a record is put: an experiment is known by what it is of, a run by its own if that is one. */
function idOf(record: any) {
  if (record.kind !== 'study') return typeof record.run === 'string' && /^[\w.-]{1,64}$/.test(record.run) ? record.run : newId();
  try {
    return nameOf(record.order);
  } catch {
    return record.run; // the program that stores it says what is wrong
  }
}

/** The name of an entry added beside another one. */
const besideName = (name: string) => [...name].slice(0, LONGEST - BESIDE.length).join('') + BESIDE;

/**
 * Stored entries that can be listed, by records; `own` are the ids of the backup's entries. One with another id and the content of an
 * entry is a copy that an earlier restoring made of it.
 */
function keptOf(records: any[], own: Set<any>) {
  const byId: Map<string, any> = new Map(), copies: Map<string, any> = new Map(), ofOrder: Map<string, any[]> = new Map();
  const add = (record: any) => {
    byId.set(record.run, record);
    if (record.kind !== 'study') {
      if (!own.has(record.run)) copies.set(said(record), record);
      return;
    }
    const name = nameOf(record.order), others = ofOrder.get(name) ?? [];
    ofOrder.set(name, record.run === name ? [record, ...others] : [...others, record]);
  };
  for (const r of records) add(r);
  return {
    add,
    ids: () => [...byId.keys()],
    /** Experiments of the same order, the one in its own place first, and runs that say the same. */
    alike(record: any): any[] {
      if (record.kind === 'study') return ofOrder.get(record.run) ?? [];
      const text = said(record);
      return [byId.get(record.run), copies.get(text)].filter(r => r && said(r) === text);
    },
  };
}

/** The entry under an id, null if its bytes are damaged. */
async function sound(storage: Caller<StorageRequests>, run: string): Promise<Answer | null> {
  try {
    return await storage.call('get', {run});
  } catch (e) {
    if ((e as Thrown).code === 'corrupt') return null;
    throw e;
  }
}

/** The names of those arrays of an experiment that hold what a task found. */
const resultsOf = (arrays: Arrays) => Object.entries(arrays).filter(([name, a]) =>
  a instanceof Uint8Array && !name.startsWith(FILE) && read(a)?.key === name).map(([name]) => name);

/** Adds to an experiment that is kept the results and the files that it lacks; reports whether there were any. */
async function complete(storage: Caller<StorageRequests>, here: StudyRecord, kept: Arrays, other: StudyRecord, arrays: Arrays) {
  const there = resultsOf(kept), files = Object.keys(arrays).filter(name => name.startsWith(FILE) && !Object.hasOwn(kept, name));
  const missing = [...resultsOf(arrays).filter(name => !there.includes(name)), ...files], found = there.length + missing.length - files.length;
  if (missing.length === 0) return false;
  const tasks = Math.max(here.tasks, other.tasks), finished = Math.min(tasks, found), state = finished === tasks ? 'finished' : 'stopped';
  const record = {...here, tasks, finished, state, updated: new Date().toISOString()};
  await storage.call('put', {record}, Object.fromEntries(missing.map(name => [name, arrays[name]])));
  Object.assign(here, record);
  return true;
}

/** The reader's name for an entry. */
const nameIn = (record: any, entry: any, i: number) =>
  clip([record?.name, entry?.name].find(name => typeof name === 'string' && name !== '') ?? `number ${i + 1}`);

/** Restores an entry; given is its record. It is checked whole before anything is written, and replaces nothing: a different or unreadable one
 * with its id stays, and the entry gets an id of its own. */
async function putBack(storage: Caller<StorageRequests>, kept: ReturnType<typeof keptOf>, given: any, unpack: () => Promise<Arrays>):
  Promise<{how: 'there' | 'restored'; record: any}> {
  const id = idOf(given), record = atRest({...given, run: id}), study = record.kind === 'study', alike = kept.alike(record);
  for (const here of study ? [] : alike) {
    const there = await sound(storage, here.run);
    if (there && said(there.result.record) === said(record)) return {how: 'there', record: here};
  }
  const arrays = await unpack();
  const put = async (run: string, name: string) => {
    const own = {...record, run, name};
    await storage.call('put', {record: own, new: true}, arrays);
    kept.add(own);
    return {how: 'restored' as const, record: own};
  };
  try {
    return await put(study && alike.length ? alike[0].run : id, record.name);
  } catch (e) {
    if ((e as Thrown).code !== 'taken') throw e; // which storage finds last
  }
  for (const here of study ? alike : []) {
    const there = await sound(storage, here.run);
    if (there) return {how: await complete(storage, here, there.arrays, record, arrays) ? 'restored' : 'there', record: here};
  }
  return study ? put(`${id}:${newId()}`, record.name) : put(newId(), besideName(record.name));
}

/** Puts what a backup holds back into storage, each entry by itself. Nothing that is kept is changed, except for experiments, which get the results
 * that they lack; what has the id of another one comes in beside it. Each entry is named, and one that is left out with the reason; ids are those
 * of what is kept now. */
export async function restore(storage: Caller<StorageRequests>, file: Blob, progress: (done: number, total: number) => void):
  Promise<{restored: string[]; there: string[]; left: string[]; ids: string[]}> {
  const members = await tar.read(file), head = await headOf(members);
  const {result: {runs}} = await storage.call('list');
  const kept = keptOf(runs, new Set(head.runs.map(entry => entry?.run)));
  const told: {restored: string[], there: string[], left: string[]} = {restored: [], there: [], left: []};
  for (const [i, entry] of head.runs.entries()) {
    progress(i, head.runs.length);
    try {
      const {how, record} = await putBack(storage, kept, await recordOf(members, entry), () => arraysOf(members, entry));
      told[how].push(nameIn(record, entry, i));
    } catch (e) {
      told.left.push(`${nameIn(null, entry, i)}: ${(e as Thrown).message}`);
    }
  }
  return {...told, ids: kept.ids()};
}
