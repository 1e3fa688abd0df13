// The paper's experiments: their tasks go to the pool of workers, their results are stored as they come, and an order that
// was interrupted continues with the missing ones. Knows nothing of the document.

import {nth} from '../dom/nth.js';
import {FILE, type Pool} from '../engine/pool.js';
import {newId} from './model.js';
import {nameOf} from './order.js';
import {bare, inputArrays, read, write} from './results.js';
import {Speed} from './speed.js';
import type {SaveQueue} from './savequeue.js';
import type {Answer, Arrays, Caller, FileContent, Merged, Reports, StudyProgress, StudyRecord, StudyResult, Thrown} from '../types.js';

const SPACING = 500; // ms between two writes at least
const KEPT = 64e6;   // bytes of files that are kept with what was found on them; larger ones are asked for again

interface Parts {pool: Pool; readOnce: Pool['ask']; storage: Caller<StorageRequests>; saveQueue: SaveQueue;
  on: {begins(): Promise<void> | void, changed(): void, failed(error: Thrown): void}}

export class Experiments {
  #pool; #readOnce; #storage; #saveQueue; #on; #speed;
  /** Results of tasks, by their key. */
  #results: Map<string, StudyResult> = new Map();
  /** The keys of an order's tasks, by its name. */
  #keys: Map<string, string[]> = new Map();
  /** Readings of orders, under way or done. */
  #read: Map<string, Promise<void>> = new Map();
  /** Stored orders, by name. */
  #records: Map<string, StudyRecord> = new Map();
  /** Ids of unreadable stored data: nothing is written over them. */
  #aside: Set<string> = new Set();
  /** Further stored data of orders, and ids of damaged ones, which are not taken again. */
  #copies: Map<string, StudyRecord> = new Map();
  #damaged: Set<string> = new Set();
  /** The orders that are being carried out. */
  #runs: Map<string, {order: Order, stop: AbortController, progress: StudyProgress}> = new Map();
  /** Pending writes. */
  #queue: Map<string, {record: StudyRecord, results: Arrays}> = new Map();
  /** The writing that goes on. */
  #write: Promise<void> | null = null;
  #last = -Infinity; // when something was written last
  /** Contents of files, by their sum. */
  #files: Map<string, FileContent> = new Map();
  /** Contents that have been described. */
  #described: WeakMap<FileContent, FileName> = new WeakMap();
  /** What was found in lists of files, and with which answers. */
  #scanned: WeakMap<FileContent[], {asked: string, answer: Answer}> = new WeakMap();

  /**
   * `saveQueue` reports whether anything can be kept. `on`: begins(), before tasks are run, which wait for it; changed(), after what can be shown
   * of an order has changed; failed(error), when results cannot be kept.
   */
  constructor({pool, readOnce, storage, saveQueue, on}: Parts) {
    this.#pool = pool;
    this.#readOnce = readOnce;
    this.#storage = storage;
    this.#saveQueue = saveQueue;
    this.#on = on;
    this.#speed = new Speed(pool);
  }

  get pool() { return this.#pool; }
  /** Takes the records of experiments that storage lists, and the ids of those set aside. A record whose own place is taken has another id:
   * an experiment is known by its order. The one in its own place comes before a copy, and a newer copy before an older one. */
  list(records: StudyRecord[], aside: string[] = []) {
    this.#aside = new Set(aside);
    for (const r of records) {
      const name = nameOf(r.order), known = this.#records.get(name);
      const first = (known?.run === name) !== (r.run === name) ? r.run === name : !known || known.updated <= r.updated;
      if (known && known.run !== r.run) this.#copies.set(name, first ? known : r);
      if (this.#runs.has(name) || this.#damaged.has(r.run) || !first) continue;
      if (known?.finished !== r.finished) this.#read.delete(name); // another tab has found more
      this.#records.set(name, r);
    }
    this.#on.changed();
  }

  get count() { return this.#records.size; }

  /** The id of an order's stored data, present or future. */
  #idOf(name: string) { return this.#records.get(name)?.run ?? (this.#aside.has(name) ? `${name}:${newId()}` : name); }

  /** How an order stands: {running, progress, record}. */
  state(order: Order) {
    const name = nameOf(order), run = this.#runs.get(name);
    return {running: Boolean(run), progress: run?.progress ?? null, record: this.#records.get(name) ?? null};
  }

  /** The orders of a study, by its name and earlier names, newest first. */
  stored(study: string, also: string[] = []) {
    return [...this.#records.values()].filter(r => r.order.study === study || also.includes(r.order.study)).sort((a, b) => a.updated < b.updated ? 1 : -1);
  }

  /** Orders that were under way when their tab ended; none in a tab that does not know, beside the one that keeps them. */
  get interrupted() {
    return !this.#saveQueue.available ? [] : [...this.#records].flatMap(([name, r]) => r.state === 'running' && !this.#runs.has(name) ? [r] : []);
  }

  /**
   * Names files as orders do, [{name, size, sum}], and knows their contents from then on. `named` are their names and sizes,
   * `contents` what they hold: Uint8Arrays, or Blobs, which are read again for every task.
   */
  async describe(named: FileName[], contents: FileContent[]) {
    const files = [];
    for (const [i, c] of contents.entries()) { // one at a time: there may be many
      const ask = () => this.#pool.ask('describe', {data: {files: [nth(named, i)]}}, {[FILE + 0]: c});
      if (!this.#described.has(c)) this.#described.set(c, nth((await ask()).result.files, 0));
      const file = this.#described.get(c) as Required<FileName>;
      this.#files.set(file.sum, c);
      files.push(file);
    }
    return files;
  }

  /** Reports whether an experiment is kept of a file with such a name and size. */
  knows(named: FileName[]) {
    return [...this.#records.values()].some(r => r.order.files?.some(f => named.some(n => n.name === f.name && n.size === f.size)));
  }

  /** Lets the contents of files go that neither these orders name, nor one that is kept or runs. */
  retain(orders: Omit<Order, 'study'>[]) {
    const named = [...orders, ...[...this.#records.values()].map(r => r.order), ...[...this.#runs.values()].map(r => r.order)];
    const sums = new Set(named.flatMap(o => (o.files || []).map(f => f.sum)));
    for (const sum of this.#files.keys()) if (!sums.has(sum)) this.#files.delete(sum);
  }

  /**
   * Finds the scans of a cohort among Files: {files, cohort} as an order names them, and the names of those of no use. `named` are their names
   * and sizes; progress(done, total) counts the files that are read whole, to be known by their contents; `choose`
   * answers what names of files leave open, which comes back as `questions`, with what is `said` of them and why files are `unused`.
   */
  async scans(named: FileName[], list: FileContent[],
    progress: (done: number, total: number) => void, choose: Record<string, string> = {}) {
    this.#saveQueue.reads(named);
    const seen = new Set<string>(), twice = named.find(f => seen.size === seen.add(f.name).size);
    if (twice) {
      throw Object.assign(new Error(`Two files are called ${twice.name}, which is all that would tell them apart: give one of them another name,`
        + ' or open the folder that holds both.'), {code: 'bad-data'});
    }
    const asked = JSON.stringify(choose), before = this.#scanned.get(list);
    const answer = before?.asked === asked ? before.answer
      : await this.#readOnce('scans', {data: {files: named}, choose}, Object.fromEntries(list.map((f, i) => [FILE + i, f])));
    this.#scanned.set(list, {asked, answer});
    const found = answer.result, at = new Map(named.map((f, i) => [f.name, i])), used: string[] = found.files ?? [], files = []; // none if there are no scans
    for (const [k, name] of used.entries()) {
      progress(k, used.length);
      const i = at.get(found.before[k]) as number; // numbers may have taken the place of ids
      files.push(...(await this.describe(named.slice(i, i + 1), list.slice(i, i + 1))).map(f => ({...f, name})));
    }
    return {order: {files, cohort: found.cohort, ...(found.left && {left: found.left})},
      ignored: found.ignored || [], questions: found.questions || [], said: found.said || [], unused: found.unused || [], ids: choose.ids};
  }

  /** About how long an order takes here, in seconds; null if that cannot be told. */
  estimate(order: Order) {
    const [first] = this.#keys.get(nameOf(order)) ?? [];
    return this.#speed.estimate(order, this.#results.get(first ?? '')?.compared);
  }

  /** Fails when an order cannot be carried out. */
  async check(order: Order) { await this.#pool.ask('study', {order}); }

  /** The contents of files as slabs, under what `name` makes of each and its position. */
  #contents(files: FileName[] | undefined, name: (f: FileName, i: number) => string) {
    return Object.fromEntries((files || []).map((f, i) => [name(f, i), this.#files.get(f.sum ?? '')]));
  }

  /** Fails when the contents of a file of an order are not here. */
  #demand(order: Order) {
    const gone = (order.files || []).filter(f => !this.#files.has(f.sum ?? '')).map(f => f.name);
    if (gone.length === 0) return;
    const some = gone.slice(0, 3).join(', ') + (gone.length > 3 ? ` and ${gone.length - 3} more` : '');
    const held = gone.length === 1 ? 'it holds' : 'they hold';
    throw Object.assign(new Error(`Open ${some} again: this experiment is about what ${held} which is not kept here.`), {code: 'no-data'});
  }

  /** Runs what is missing of an order; resolves with the errors of tasks that failed, rejects when cancelled. */
  async run(order: Order) {
    const name = nameOf(order);
    if (this.#runs.has(name)) return [];
    const stop = new AbortController(), progress: StudyProgress = {done: 0, total: 0, finished: 0, eta_s: null}, run = {order, stop, progress};
    this.#runs.set(name, run);
    this.#on.changed();
    const now = new Date().toISOString(), before = this.#records.get(name);
    const record = {
      run: this.#idOf(name), kind: 'study', name: order.study, created: before?.created ?? now, updated: now, order, state: 'running', tasks: 0, finished: 0,
      seconds: before?.seconds ?? 0, timed: before?.timed ?? 0, workers: this.#pool.size, // the time of that number of its tasks, that many at a time
    };
    const failed: Thrown[] = [];
    let known = false; // the record stands
    try {
      await this.#load(name);
      this.#demand(order);
      const {tasks, keys} = (await this.#pool.ask('study', {order})).result;
      this.#keys.set(name, keys);
      const has = (key: string) => this.#results.has(key);
      // Results from elsewhere may be reduced to the needs of a report: a result that a task needs in whole is computed again.
      for (let lost = true; lost;) {
        const short = keys.flatMap((k, i) => has(k) ? [] : nth(tasks, i).needs || [])
          .filter(k => this.#results.get(k)?.part);
        for (const k of short) this.#results.delete(k);
        lost = short.length > 0;
      }
      Object.assign(run.progress, {total: record.tasks = tasks.length, finished: record.finished = keys.filter(has).length, done: record.finished});
      known = true;
      this.#records.set(name, record);
      this.#read.set(name, Promise.resolve()); // all there is of it is here, whether it is written yet or not
      this.#keep(record, this.#whole(order));
      this.#on.changed();
      // Those whose needs are there, then those that waited for them.
      await this.#on.begins();
      const left = new Set<number>(tasks.keys());
      for (const i of left) if (has(nth(keys, i))) left.delete(i);
      while (left.size > 0) {
        const ready = [...left].filter(i => (nth(tasks, i).needs || []).every(has));
        if (ready.length === 0) break; // what they need has failed
        const finished = record.finished, began = performance.now(), {seconds, timed} = record;
        const inputs = ready.map(i => nth(tasks, i).needs?.map(k => this.#results.get(k) as StudyResult));
        await this.#pool.run(ready.map((i, k) => ({...nth(tasks, i), inputs: inputs[k]?.map(bare)})), {
          signal: stop.signal,
          arrays: k => ({...this.#contents(nth(tasks, nth(ready, k)).data.files, (_, i) => FILE + i), ...inputArrays(inputs[k])}),
          onResult: (_, {result, arrays, error}) => {
            if (error) return void failed.push(error);
            const whole = this.#found(result as TaskResult, arrays as Arrays);
            record.finished++;
            record.seconds = seconds + (performance.now() - began) / 1000;
            record.timed = timed + record.finished - finished;
            this.#keep(record, {[whole.key]: write(whole)});
          },
          onProgress: p => {
            run.progress = {done: finished + p.done, total: tasks.length, finished: record.finished, eta_s: p.eta_s};
            this.#on.changed();
          },
        });
        for (const i of ready) left.delete(i);
      }
      record.state = record.finished === record.tasks ? 'finished' : 'stopped';
    } catch (e) {
      record.state = 'stopped';
      throw e;
    } finally {
      this.#runs.delete(name);
      record.updated = new Date().toISOString();
      if (known && this.#records.has(name)) this.#keep(record, {});
      this.#on.changed();
    }
    return failed;
  }

  /** What is kept of an order: its files, unless they are large, and what was found. */
  #whole(order: Order): Arrays {
    const small = (order.files || []).reduce((sum, f) => sum + f.size, 0) <= KEPT;
    const keys = this.#keys.get(nameOf(order)) ?? [];
    const found = keys.filter(k => this.#results.has(k)).map(k => [k, write(this.#results.get(k) as StudyResult)]);
    return {...(small && this.#contents(order.files, f => FILE + f.sum)), ...Object.fromEntries(found)};
  }

  /** Keeps what was found on files, and was not to be kept before. */
  keepAll() { for (const r of this.#records.values()) if (r.order.files) this.#keep(r, this.#whole(r.order)); }

  /** The result of a task, with its arrays. */
  #found(result: TaskResult, arrays: Arrays) {
    const whole = {...result, arrays: Object.entries(arrays).map(([name, a]) => ({name, shape: a.shape, data: a}))};
    this.#results.set(result.key, whole);
    return whole;
  }

  /** Runs the first task of an order, for its report; nothing is kept before the order is run. */
  async begin(order: Order) {
    const name = nameOf(order);
    await this.#load(name);
    this.#demand(order);
    const {tasks, keys} = (await this.#pool.ask('study', {order})).result, first = nth(tasks, 0, 'tasks');
    this.#keys.set(name, keys);
    if (this.#runs.has(name) || this.#results.has(nth(keys, 0))) return;
    const {result, arrays} = await this.#pool.one(first, () => this.#contents(first.data.files, (_, i) => FILE + i));
    this.#found(result, arrays);
  }

  /** Takes what was found elsewhere of an order, and keeps it: as `cadem study merge -json` prints it. */
  async take({order, results, seconds}: Merged) {
    const {keys} = (await this.#pool.ask('study', {order})).result, of = new Set(keys), found = results.filter(r => of.has(r.key));
    const name = nameOf(order);
    if (this.#runs.has(name)) return;
    await this.#load(name);
    if (!found.length) {
      throw Object.assign(new Error(`Found ${results.length} results, none of a task that this version of the page has;`
        + ' expected those of the same version of cadem.'), {code: 'bad-data'});
    }
    const kept = found.map(r => {
      const known = this.#results.get(r.key), best = known && !known.part ? known : r; // what is whole stays
      this.#results.set(r.key, best);
      return [r.key, write(best)];
    });
    const now = new Date().toISOString(), finished = keys.filter((k: string) => this.#results.has(k)).length;
    const record = {
      run: this.#idOf(name), kind: 'study', name: order.study, created: this.#records.get(name)?.created ?? now, updated: now, order,
      state: finished === keys.length ? 'finished' : 'stopped', tasks: keys.length, finished,
      seconds, timed: 0, workers: this.#pool.size, // its tasks took their time on other machines
    };
    this.#keys.set(name, keys);
    this.#records.set(name, record);
    this.#read.set(name, Promise.resolve());
    this.#keep(record, Object.fromEntries(kept));
    this.#on.changed();
  }

  cancel(order: Order) { this.#runs.get(nameOf(order))?.stop.abort(); }

  /** The report of an order on what there is. */
  async report(order: Order, note: string): Promise<Reports> {
    const name = nameOf(order);
    await this.#load(name);
    const {keys} = (await this.#pool.ask('study', {order})).result;
    this.#keys.set(name, keys);
    const results = keys.flatMap(k => this.#results.get(k) ?? []);
    let record = this.#records.get(name);
    // Results of an earlier version of the program, and results that could not be kept, are
    // computed again.
    if (record && results.length < record.finished && !this.#runs.has(name)) {
      record = {...record, tasks: keys.length, finished: results.length, state: 'stopped', updated: new Date().toISOString()};
      this.#records.set(name, record);
      this.#keep(record, {});
    }
    const {result, arrays} = await this.#pool.ask('report', {order, results: results.map(bare), note}, inputArrays(results));
    return {...result, results, html: arrays.html, csv: arrays.csv, latex: arrays.latex, markdown: arrays.markdown, predictions: arrays.predictions};
  }

  /** Forgets what an order found, except for what others found, too. */
  async forget(order: Order) {
    const name = nameOf(order), run = this.#idOf(name);
    this.cancel(order);
    this.#records.delete(name);
    this.#read.delete(name);
    this.#queue.delete(run);
    this.#on.changed();
    // An earlier version alone may have taken it.
    const {keys} = await this.#pool.ask('study', {order}).then(answer => answer.result, () => ({keys: []}));
    this.#keys.delete(name);
    const shared = new Set([...this.#keys.values()].flat());
    for (const k of keys) if (!shared.has(k)) this.#results.delete(k);
    if (!this.#saveQueue.available) return;
    await this.#write;
    await this.#storage.call('delete', {run});
    await this.#storage.call('purge', {runs: [run]});
  }

  /** Reads what is stored of an order, once; who comes meanwhile waits as well. */
  #load(name: string) {
    if (!this.#read.has(name) && this.#records.has(name)) this.#read.set(name, this.#fetch(name));
    return this.#read.get(name);
  }

  async #fetch(name: string): Promise<void> {
    const run = this.#idOf(name), copy = this.#copies.get(name);
    try {
      const {arrays} = await this.#storage.call('get', {run});
      for (const [key, bytes] of Object.entries(arrays)) {
        if (key.startsWith(FILE)) this.#files.set(key.slice(FILE.length), bytes);
        else if (!this.#results.has(key)) {
          const result = read(bytes);
          if (result?.key === key) this.#results.set(key, result); // unreadable results are computed anew, and so are those of another task
        }
      }
    } catch (e) {
      if ((e as Thrown).code !== 'corrupt' || !copy || copy.run === run) return this.#on.failed(e as Thrown); // it is computed anew
      this.#damaged.add(run);
      this.#copies.delete(name);
      this.#records.set(name, copy);
      return this.#fetch(name);
    }
  }

  /** Writes a record with new results, soon; several that come together go together. */
  #keep(record: StudyRecord, results: Arrays) {
    if (!this.#saveQueue.available || this.#saveQueue.nothing && (record.order.files || record.order.sets)) return;
    this.#queue.set(record.run, {record, results: {...this.#queue.get(record.run)?.results, ...results}});
    this.#write ||= this.#drain();
  }

  async #drain() {
    while (this.#queue.size > 0) {
      const wait = this.#last + SPACING - performance.now();
      if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait));
      const [item] = this.#queue.values();
      if (!item) break; // forgotten meanwhile
      this.#queue.delete(item.record.run);
      this.#last = performance.now();
      try {
        await this.#storage.call('put', {record: structuredClone(item.record)}, item.results);
      } catch (e) {
        this.#queue.clear(); // what was found stays on the page
        this.#on.failed(e as Thrown);
      }
    }
    this.#write = null as Promise<void> | null;
  }

  /** Writes not yet acknowledged. */
  get pending() { return this.#queue.size + (this.#write ? 1 : 0); }
}
