// @ts-check
// The run that is pinned, to be seen behind the next ones, and what it is compared with: the run on screen, or a kept one.

export class Pinned {
  #changed;
  /** @type {Beside | null} */
  run = null;
  /** A kept run that it is compared with; null is the run on screen. @type {Beside | null} */
  other = null;

  /** @param {() => void} changed */
  constructor(changed) { this.#changed = changed; }

  /** Pins a run, or with null none. @param {Beside | null} run */
  pin(run) {
    this.run = run && {...run, losses: run.losses.copy()}; // which go on growing while it trains
    this.other = null;
    this.#changed();
  }

  /** The pinned run, where that is another than the one on screen, or the same one further on.
   * @param {Model} model
   */
  behind({record, progress}) {
    const {run} = this;
    return run && (run.run !== (record?.run ?? null) || run.step !== progress?.step) ? run : null;
  }

  /** Compares it with a kept run, or with null with the one on screen. @param {Beside | null} run */
  compareWith(run) {
    this.other = run;
    this.#changed();
  }
}
