// Keeps runs safe: hands records and checkpoints to the storage program, one write at a time, always the newest
// state of a run, and says when that cannot be done. Nothing waits here but for the write before it: the compute
// program takes a checkpoint each second, and when that is stored within another one a killed browser loses 2 s.

export class Keeper {
  #storage; #onChange; #queue = new Map(); #busy = false;

  /** storage: an Endpoint; onChange() after each write or failure. */
  constructor(storage, onChange) {
    this.#storage = storage;
    this.#onChange = onChange;
    this.available = false; // storage is open and ours
    this.failure = null;    // the last error, until a write works again
    this.saved = new Map(); // run -> progress of the last acknowledged write
  }

  /** Writes not yet acknowledged. */
  get pending() { return this.#queue.size + (this.#busy ? 1 : 0); }

  /**
   * Writes a record with the arrays given (storage carries the others over). What still waits for the same run
   * is replaced, except for arrays that are not given anew.
   */
  put(record, arrays) {
    if (!this.available) return;
    this.#enqueue(structuredClone(record), {...this.#queue.get(record.run)?.arrays, ...arrays});
    this.#write();
  }

  /** The arrays of a run that wait to be written. */
  unwritten(run) { return this.#queue.get(run)?.arrays; }

  /** Drops what waits for a run that is being deleted. */
  forget(run) { this.#queue.delete(run); }

  /** Tries again what failed. */
  retry() { this.#write(); }

  #enqueue(record, arrays) { this.#queue.set(record.run, {record, arrays}); }

  async #write() {
    const [item] = this.#queue.values();
    if (this.#busy || !item) return;
    const {record, arrays} = item;
    this.#queue.delete(record.run);
    this.#busy = true;
    try {
      await this.#storage.call('put', {record}, arrays);
      this.failure = null;
      this.saved.set(record.run, record.progress);
    } catch (e) {
      this.failure = e;
      // It stays in line; newer state that came meanwhile goes first.
      const newer = this.#queue.get(record.run);
      this.#enqueue(newer?.record || record, {...arrays, ...newer?.arrays});
    }
    this.#busy = false;
    this.#onChange();
    if (!this.failure) this.#write();
  }

  /** Resolves when nothing waits, or what waits cannot be written. */
  async settled() {
    while (this.#busy || (this.#queue.size > 0 && !this.failure)) await new Promise(resolve => setTimeout(resolve, 20));
  }
}
