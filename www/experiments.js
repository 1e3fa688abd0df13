// The paper's experiments: their tasks go to the pool of workers, what each finds is kept as it comes, and an order that was
// interrupted goes on with what is missing. Knows nothing of the document.

const SPACING = 500; // ms between two writes at least
const KEPT = 64e6;   // bytes of files that are kept with what was found on them; larger ones are asked for again
const FILE = 'file:'; // how their slabs begin; results go by their keys

const encode = value => new TextEncoder().encode(JSON.stringify(value));
const decode = bytes => JSON.parse(new TextDecoder().decode(bytes));

const marks = new WeakMap();

/** A short mark of files, by their names and sums: FNV-1a of 64 bits. */
function markOf(files) {
  if (!marks.has(files)) {
    let h = 0xcbf29ce484222325n;
    for (const byte of encode(files.map(f => [f.name, f.sum]))) h = BigInt.asUintN(64, (h ^ BigInt(byte)) * 0x100000001b3n);
    marks.set(files, h.toString(16));
  }
  return marks.get(files);
}

/** One name for one order, so that asking twice for the same finds what is there. */
export const nameOf = order => 'study:' + ['study', 'data', 'preset', 'seeds', 'data_seeds'].map(k => order[k] || '').join(':')
  + (order.options ? ':' + JSON.stringify(order.options) : '') + (order.files ? `:${markOf(order.files)}:${JSON.stringify(order.choice ?? {})}` : '');

export class Experiments {
  #pool; #storage; #keeper; #on; #results = new Map(); #keys = new Map(); #read = new Set(); #records = new Map(); #runs = new Map(); #write = null; #last = -Infinity; #queue = new Map(); #files = new Map(); #described = new WeakMap();

  /**
   * `keeper` tells whether anything can be kept. `on`: changed(), after what can be shown of an order has changed;
   * failed(error), when results cannot be kept.
   */
  constructor({pool, storage, keeper, on}) {
    this.#pool = pool;
    this.#storage = storage;
    this.#keeper = keeper;
    this.#on = on;
  }

  get pool() { return this.#pool; }

  /** Takes the records of experiments that storage lists. */
  list(records) {
    for (const r of records) {
      const known = this.#records.get(r.run);
      if (this.#runs.has(r.run) || known?.updated > r.updated) continue;
      if (known?.finished !== r.finished) this.#read.delete(r.run); // another tab has found more
      this.#records.set(r.run, r);
    }
    this.#on.changed();
  }

  /** How an order stands: {running, progress, record}. */
  state(order) {
    const name = nameOf(order), run = this.#runs.get(name);
    return {running: Boolean(run), progress: run?.progress ?? null, record: this.#records.get(name) ?? null};
  }

  /** What there is of a study, newest first. */
  stored(study) { return [...this.#records.values()].filter(r => r.order.study === study).sort((a, b) => a.updated < b.updated ? 1 : -1); }

  /** Orders that were under way when their tab ended; none in a tab that does not know, beside the one that keeps them. */
  get interrupted() { return !this.#keeper.available ? [] : [...this.#records.values()].filter(r => r.state === 'running' && !this.#runs.has(r.run)); }

  /**
   * Names files as orders do, [{name, size, sum}], and knows their contents from then on. `named` are their names and sizes,
   * `contents` what they hold: Uint8Arrays, or Blobs, which are read again for every task.
   */
  async describe(named, contents) {
    const files = [];
    for (const [i, c] of contents.entries()) { // one at a time: there may be many
      if (!this.#described.has(c)) this.#described.set(c, (await this.#pool.ask('describe', {data: {files: [named[i]]}}, {[FILE + 0]: c})).result.files[0]);
      const file = this.#described.get(c);
      this.#files.set(file.sum, c);
      files.push(file);
    }
    return files;
  }

  /** The contents of files as slabs, under what `name` makes of each and its position. */
  #contents(files, name) { return Object.fromEntries((files || []).map((f, i) => [name(f, i), this.#files.get(f.sum)])); }

  /** Fails when the contents of a file of an order are not here. */
  #demand(order) {
    const gone = (order.files || []).filter(f => !this.#files.has(f.sum)).map(f => f.name);
    if (gone.length === 0) return;
    const some = gone.slice(0, 3).join(', ') + (gone.length > 3 ? ` and ${gone.length - 3} more` : '');
    throw Object.assign(new Error(`Open ${some} again: this experiment is about what ${gone.length === 1 ? 'it holds' : 'they hold'} which is not kept here.`), {code: 'no-data'});
  }

  /** Runs what is missing of an order; resolves with the errors of tasks that failed, rejects when cancelled. */
  async run(order) {
    const name = nameOf(order);
    if (this.#runs.has(name)) return [];
    const stop = new AbortController(), run = {stop, progress: {done: 0, total: 0, finished: 0, eta_s: null}};
    this.#runs.set(name, run);
    this.#on.changed();
    const now = new Date().toISOString(), before = this.#records.get(name);
    const record = {run: name, kind: 'study', name: order.study, created: before?.created ?? now, updated: now, order, state: 'running', tasks: 0, finished: 0};
    const failed = [];
    let known = false; // the record stands
    try {
      await this.#load(name);
      this.#demand(order);
      const {tasks, keys} = (await this.#pool.ask('study', {order})).result;
      this.#keys.set(name, keys);
      const has = key => this.#results.has(key);
      record.tasks = run.progress.total = tasks.length;
      record.finished = run.progress.finished = run.progress.done = keys.filter(has).length;
      known = true;
      this.#records.set(name, record);
      this.#read.add(name); // all there is of it is here, whether it is written yet or not
      const small = (order.files || []).reduce((sum, f) => sum + f.size, 0) <= KEPT;
      this.#keep(record, {...(small && this.#contents(order.files, f => FILE + f.sum)), ...Object.fromEntries(keys.filter(has).map(k => [k, encode(this.#results.get(k))]))});
      this.#on.changed();
      // Those whose needs are there, then those that waited for them.
      const left = new Set(tasks.keys());
      for (const i of left) if (has(keys[i])) left.delete(i);
      while (left.size > 0) {
        const ready = [...left].filter(i => (tasks[i].needs || []).every(has));
        if (ready.length === 0) break; // what they need has failed
        const finished = record.finished;
        await this.#pool.run(ready.map(i => ({...tasks[i], inputs: tasks[i].needs?.map(k => this.#results.get(k))})), {
          signal: stop.signal,
          arrays: k => this.#contents(tasks[ready[k]].data.files, (_, i) => FILE + i),
          onResult: (k, {result, arrays, error}) => {
            if (error) {
              failed.push(error);
              return;
            }
            const whole = {...result, arrays: Object.entries(arrays).map(([name, a]) => ({name, shape: a.shape, data: Array.from(a)}))};
            this.#results.set(result.key, whole);
            record.finished++;
            this.#keep(record, {[result.key]: encode(whole)});
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

  cancel(order) { this.#runs.get(nameOf(order))?.stop.abort(); }

  /** The report of an order on what there is: {reports, html, csv}. */
  async report(order, note) {
    const name = nameOf(order);
    await this.#load(name);
    const {keys} = (await this.#pool.ask('study', {order})).result;
    this.#keys.set(name, keys);
    const results = keys.map(k => this.#results.get(k)).filter(Boolean), record = this.#records.get(name);
    // What an earlier version of the program found, or what could not be kept, is to be run again.
    if (results.length < record?.finished && !this.#runs.has(name)) {
      this.#records.set(name, {...record, tasks: keys.length, finished: results.length, state: 'stopped', updated: new Date().toISOString()});
      this.#keep(this.#records.get(name), {});
    }
    const {result, arrays} = await this.#pool.ask('report', {order, results, note});
    return {...result, html: arrays.html, csv: arrays.csv};
  }

  /** Forgets what an order found, but for what others found, too. */
  async forget(order) {
    const name = nameOf(order);
    this.cancel(order);
    this.#records.delete(name);
    this.#read.delete(name);
    this.#queue.delete(name);
    this.#on.changed();
    const {keys} = (await this.#pool.ask('study', {order})).result;
    this.#keys.delete(name);
    const shared = new Set([...this.#keys.values()].flat());
    for (const k of keys) if (!shared.has(k)) this.#results.delete(k);
    if (!this.#keeper.available) return;
    await this.#write;
    await this.#storage.call('delete', {run: name});
    await this.#storage.call('purge');
  }

  /** Reads what is stored of an order, once. */
  async #load(name) {
    if (this.#read.has(name) || !this.#records.has(name)) return;
    this.#read.add(name);
    try {
      const {arrays} = await this.#storage.call('get', {run: name});
      for (const [key, bytes] of Object.entries(arrays)) {
        if (key.startsWith(FILE)) this.#files.set(key.slice(FILE.length), bytes);
        else if (!this.#results.has(key)) this.#results.set(key, decode(bytes));
      }
    } catch (e) {
      this.#on.failed(e); // it is computed anew
    }
  }

  /** Writes a record with new results, soon; several that come together go together. */
  #keep(record, results) {
    if (!this.#keeper.available) return;
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
        this.#on.failed(e);
      }
    }
    this.#write = null;
  }

  /** Writes not yet acknowledged. */
  get pending() { return this.#queue.size + (this.#write ? 1 : 0); }
}
