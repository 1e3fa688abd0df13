// Keeps runs safe: hands records and checkpoints to the storage program, one write at a time, always the newest
// state of a run, and says when that cannot be done. Nothing waits here except for the write before it: the compute
// program takes a checkpoint each second, and when that is stored within another one a killed browser loses 2 s.

import type {Arrays, Caller, Progress, RunRecord, Thrown} from '../types.js';

export class SaveQueue {
  #storage; #onChange; #onLost; #writing = false;
  #nothing = false;
  /** The files of people that were read last, by their names. */
  #people = '';
  /** Runs of which nothing is kept, as they are about files. */
  #withheld: Set<string> = new Set();
  #queue: Map<string, {record: RunRecord, arrays: Arrays}> = new Map();
  /** Those who wait until nothing does. */
  #waiting: (() => void)[] = [];
  /** Storage is open and ours. */
  available = false;
  /** The last error, until a write works again. */
  failure: Thrown | null = null;
  /** run -> progress of the last acknowledged write. */
  saved = new Map<string, Progress | null>();
  /** Runs that were deleted, and are not written, whatever comes of them. */
  forgotten = new Set<string>();

  /** storage: an Endpoint; onChange() after each write or failure; onLost() when a run that was kept has turned out to be gone. */
  constructor(storage: Caller<StorageRequests>, onChange: () => void, onLost: () => void) {
    this.#storage = storage;
    this.#onChange = onChange;
    this.#onLost = onLost;
  }

  /** Whether what is put of a run is kept, as far as is known. */
  keeps(run: string) { return this.available && !this.failure && !this.forgotten.has(run); }

  /** Nothing is kept of what is about files. */
  get nothing() { return this.#nothing; }
  set nothing(on) {
    this.#nothing = on;
    if (!on) for (const run of this.#withheld) this.remember(run);
    this.#onChange();
  }
  /** Files that say who took part were read. */
  get people() { return this.#people !== ''; }

  /** Takes note of files that are read: where they say who took part, nothing is kept of files until the reader wants it to be. */
  reads(files: {name: string}[] = []) {
    const names = files.map(f => f.name).join('\n');
    if (!/(^|[\n/])participants\.tsv($|\n)/i.test(names) || names === this.#people) return;
    this.#people = names;
    this.nothing = true;
  }

  /** Writes not yet acknowledged. */
  get pending() { return this.#queue.size + (this.#writing ? 1 : 0); }

  /**
   * Writes a record with the arrays given (storage carries the others over). It replaces a pending write of
   * the same run, except for arrays that are not given anew.
   */
  put(record: RunRecord, arrays: Arrays) {
    if (this.#nothing && record.data?.files && !record.progress?.step) {
      this.forgotten.add(record.run);
      this.#withheld.add(record.run);
    }
    if (!this.available || this.forgotten.has(record.run)) return;
    this.#enqueue(structuredClone(record), {...this.#queue.get(record.run)?.arrays, ...arrays});
    this.#write();
  }

  /** The arrays of a run that wait to be written. */
  unwritten(run: string) { return this.#queue.get(run)?.arrays; }

  /** Drops pending and future writes of a run that is being deleted. */
  forget(run: string) {
    this.forgotten.add(run);
    this.saved.delete(run);
    this.#queue.delete(run);
    this.#release();
  }

  /** Takes what comes of a run again. */
  remember(run: string) { this.forgotten.delete(run); }

  /** Tries again what failed. */
  retry() { this.#write(); }

  #enqueue(record: RunRecord, arrays: Arrays) { this.#queue.set(record.run, {record, arrays}); }

  async #write() {
    const [item] = this.#queue.values();
    if (this.#writing || !item) return;
    const {record, arrays} = item;
    this.#queue.delete(record.run);
    this.#writing = true;
    let lost = false;
    try {
      const {result} = await this.#storage.call('put', {record}, arrays);
      this.failure = null;
      lost = this.saved.has(record.run) && result.generation === 1;
      if (!this.forgotten.has(record.run)) this.saved.set(record.run, record.progress);
    } catch (e) {
      this.failure = e as Thrown;
      // It stays in line; newer state that came meanwhile goes first.
      const newer = this.#queue.get(record.run);
      if (!this.forgotten.has(record.run)) this.#enqueue(newer?.record || record, {...arrays, ...newer?.arrays});
    }
    this.#writing = false;
    this.#onChange();
    if (lost) this.#onLost();
    if (!this.failure) this.#write();
    this.#release();
  }

  get #settled() { return !this.#writing && (this.#queue.size === 0 || Boolean(this.failure)); }

  /** Lets those go who wait, once nothing else does. */
  #release() {
    if (this.#settled) for (const go of this.#waiting.splice(0)) go();
  }

  /** Resolves when nothing waits, or when waiting writes cannot be done. */
  async settled(): Promise<void> {
    while (!this.#settled) await new Promise(resolve => { this.#waiting.push(resolve as () => void); });
  }
}
