// Keeps runs safe: hands records and checkpoints to the storage program, one write at a time, always the newest
// state of a run, and says when that cannot be done.

const SPACING = 800; // ms between two writes at least; checkpoints come once a second, so at most 2 s are ever lost

export class Keeper {
  #storage; #onChange; #queue = new Map(); #busy = false; #timer = 0; #last = -Infinity;

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
   * is replaced, except for arrays that are not given anew. `urgent` does not wait for the spacing.
   */
  put(record, arrays, urgent = false) {
    if (!this.available) return;
    this.#enqueue(structuredClone(record), {...this.#queue.get(record.run)?.arrays, ...arrays}, urgent);
    this.#schedule(urgent);
  }

  /** The arrays of a run that wait to be written. */
  unwritten(run) { return this.#queue.get(run)?.arrays; }

  /** Drops what waits for a run that is being deleted. */
  forget(run) { this.#queue.delete(run); }

  /** Tries again, now, what failed. */
  retry() { this.#schedule(true); }

  #enqueue(record, arrays, urgent) { this.#queue.set(record.run, {record, arrays, urgent}); }

  #schedule(urgent) {
    if (this.#busy || this.#queue.size === 0) return;
    clearTimeout(this.#timer);
    const wait = urgent ? 0 : this.#last + SPACING - performance.now();
    // Without a timer where none is needed: in a tab in the background timers wait for a minute.
    if (wait <= 0) this.#write();
    else this.#timer = setTimeout(() => this.#write(), wait);
  }

  async #write() {
    const [item] = this.#queue.values();
    if (this.#busy || !item) return;
    const {record, arrays, urgent} = item;
    this.#queue.delete(record.run);
    this.#busy = true;
    this.#last = performance.now();
    try {
      await this.#storage.call('put', {record}, arrays);
      this.failure = null;
      this.saved.set(record.run, record.progress);
    } catch (e) {
      this.failure = e;
      // It stays in line; newer state that came meanwhile goes first.
      const newer = this.#queue.get(record.run);
      this.#enqueue(newer?.record || record, {...arrays, ...newer?.arrays}, newer?.urgent ?? urgent);
    }
    this.#busy = false;
    this.#onChange();
    if (!this.failure) this.#schedule(false);
  }

  /** Resolves when nothing waits, or what waits cannot be written. */
  async settled() {
    while (this.#busy || (this.#queue.size > 0 && !this.failure)) await new Promise(resolve => setTimeout(resolve, 20));
  }
}
