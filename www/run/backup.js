// @ts-check
// A backup of all that is kept, in one tar archive: backup.json says what there is, then come the record and the arrays of one run or
// experiment after the other, as they are stored. One at a time is in memory.
import {RequestError} from '../engine/requesterror.js';
import {newId} from './model.js';
import * as tar from './tar.js';

const FORMAT = 1;
const HEAD = 'backup.json';
const KINDS = {u8: Uint8Array, i32: Int32Array, f32: Float32Array, f64: Float64Array};
const PART = 2 ** 22; // bytes that a checksum takes at once

/**
 * @typedef {{name: string, kind: string, file: string, size: number, crc32: number}} StoredArray
 * @typedef {{run: string, name: string, record: {file: string, size: number, crc32: number}, arrays: StoredArray[]}} Entry
 * @typedef {{format: number, made: string, runs: Entry[]}} Head
 */

const TABLE = Uint32Array.from({length: 256}, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});

/** The CRC-32 of zip and gzip. @param {Blob} content */
export async function crc32(content) {
  let c = ~0;
  for (let at = 0; at < content.size; at += PART) {
    for (const b of new Uint8Array(await content.slice(at, at + PART).arrayBuffer())) c = TABLE[(c ^ b) & 255] ^ (c >>> 8);
  }
  return ~c >>> 0;
}

/**
 * Makes a backup of the runs and experiments listed; those that cannot be read are left out and named.
 * @param {Caller} storage
 * @param {{run: string, name: string}[]} list
 * @param {(done: number) => void} progress
 * @returns {Promise<{file: Blob, left: string[], notes: string[]}>}
 */
export async function make(storage, list, progress) {
  /** @type {Head} */
  const head = {format: FORMAT, made: new Date().toISOString(), runs: []};
  /** @type {{name: string, content: Blob}[]} */
  const members = [];
  /** @type {string[]} */
  const left = [], /** @type {string[]} */ notes = [];
  for (const [i, {run, name}] of list.entries()) {
    progress(i);
    const folder = `${i + 1}/`;
    try {
      const {result, arrays} = await storage.call('get', {run});
      /** @param {string} file @param {Blob} content */
      const add = async (file, content) => {
        members.push({name: folder + file, content});
        return {file: folder + file, size: content.size, crc32: await crc32(content)};
      };
      /** @type {Entry} */
      const entry = {run, name, record: await add('record.json', new Blob([JSON.stringify(result.record)])), arrays: []};
      for (const [array, data] of Object.entries(arrays)) {
        const kind = data instanceof Blob ? 'blob' : Object.entries(KINDS).find(([, k]) => data instanceof k)?.[0] ?? '';
        // What is in memory goes to where the browser keeps its Blobs.
        const file = `${entry.arrays.length + 1}-${array.replace(/[^\w-]+/g, '-').slice(0, 60)}.${kind}`;
        entry.arrays.push({name: array, kind, ...await add(file, data instanceof Blob ? data : new Blob([data]))});
      }
      head.runs.push(entry);
      notes.push(...(result.notes ?? []).map((/** @type {string} */ n) => `${name}: ${n}`));
    } catch (e) {
      left.push(`${name}: ${e.message}`);
      while (members.at(-1)?.name.startsWith(folder)) members.pop();
    }
  }
  return {file: tar.write([{name: HEAD, content: new Blob([JSON.stringify(head, null, 1) + '\n'])}, ...members]), left, notes};
}

/** What a text says in JSON, if it does. @param {string} text @returns {any} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What a backup says of itself. @param {Map<string, Blob>} members @returns {Promise<Head>} */
async function headOf(members) {
  const bad = (/** @type {string} */ found) => new RequestError({code: 'bad-data', message: `${HEAD}: found ${found}, expected the description of a backup`});
  const described = members.get(HEAD);
  if (!described) throw bad('no such file');
  const head = parsed(await described.text());
  if (head?.format > FORMAT) {
    throw new RequestError({code: 'version', message: `made by a newer version: format ${head.format}, this one reads up to ${FORMAT}`});
  }
  if (head?.format !== FORMAT || !Array.isArray(head.runs)) throw bad('something else');
  return head;
}

/** A member as it was when the backup was made. What describes it has come with the backup, and may be anything.
 * @param {Map<string, Blob>} members
 * @param {any} of
 */
async function whole(members, of) {
  const file = String(of?.file ?? 'a file without a name'), content = members.get(file);
  if (!content) throw new Error(`${file} is missing`);
  if (content.size !== of.size || await crc32(content) !== of.crc32) throw new Error(`${file} is damaged`);
  return content;
}

/** The record and the arrays of an entry, which may be anything. @param {Map<string, Blob>} members @param {any} entry */
async function unpack(members, entry) {
  const record = parsed(await (await whole(members, entry?.record)).text());
  if (typeof record?.run !== 'string' || typeof record.name !== 'string') throw new Error(`${entry.record.file} describes no run`);
  if (!Array.isArray(entry.arrays)) throw new Error(`${HEAD} does not say which files are of it`);
  /** @type {Arrays} */
  const arrays = {};
  for (const a of entry.arrays) {
    const content = await whole(members, a), kind = /** @type {Record<string, any>} */ (KINDS)[a.kind];
    if (kind && content.size % kind.BYTES_PER_ELEMENT !== 0) throw new Error(`${a.file} is damaged`);
    arrays[a.name] = kind ? new kind(await content.arrayBuffer()) : content;
  }
  return {record, arrays};
}

/**
 * Puts what a backup holds back into storage. What is there already stays as it is; one of the same id that is different comes in beside it,
 * under another name. One that is damaged, or that the page cannot read, is left out and named; an error of storage itself ends it.
 * @param {Caller} storage
 * @param {Blob} file
 * @param {(done: number, total: number) => void} progress
 * @returns {Promise<{restored: string[], there: string[], left: string[]}>}
 */
export async function restore(storage, file, progress) {
  const members = await tar.read(file), head = await headOf(members);
  const {result: {runs}} = await storage.call('list');
  /** @type {Map<string, any>} */
  const present = new Map(runs.map((/** @type {RunRecord} */ r) => [r.run, r]));
  const restored = [], there = [], left = [];
  for (const [i, entry] of head.runs.entries()) {
    progress(i, head.runs.length);
    let unpacked;
    try {
      unpacked = await unpack(members, entry);
    } catch (e) {
      left.push(`${entry?.name ?? `number ${i + 1}`}: ${e.message}`);
      continue;
    }
    const {record, arrays} = unpacked;
    const here = present.get(record.run), study = record.kind === 'study';
    // An experiment is known by what it is of, and its tasks have one result each: those that are missing come in.
    if (here && (here.updated === record.updated || study && here.finished >= record.finished)) {
      there.push(record.name);
      continue;
    }
    if (here && !study) Object.assign(record, {run: newId(), name: `${record.name} (from a backup)`});
    if (record.state === 'running') record.state = study ? 'stopped' : 'paused';
    await storage.call('put', {record}, arrays);
    const {result: {damaged}} = await storage.call('list');
    const bad = damaged.find((/** @type {RunRecord} */ r) => r.run === record.run);
    if (bad) {
      await storage.call('delete', {run: record.run});
      await storage.call('purge');
      left.push(`${record.name}: ${bad.reason}`);
    } else restored.push(record.name);
  }
  return {restored, there, left};
}
