// The run that is pinned, drawn behind the next ones, and the run compared with it: the one on screen, or a kept one.

import type {Beside, Model} from '../types.js';

export class Pinned {
  #changed;
  run: Beside | null = null;
  /** A kept run that it is compared with; null is the run on screen. */
  other: Beside | null = null;

  constructor(changed: () => void) { this.#changed = changed; }

  /** Pins a run, or with null none. */
  pin(run: Beside | null) {
    this.run = run && {...run, losses: run.losses.copy()}; // which go on growing while it trains
    this.other = null;
    this.#changed();
  }

  /** The pinned run, where that is another than the one on screen, or the same one further on. */
  behind({record, progress}: Model) {
    const {run} = this;
    return run && (run.run !== (record?.run ?? null) || run.step !== progress?.step) ? run : null;
  }

  /** Compares it with a kept run, or with null with the one on screen. */
  compareWith(run: Beside | null) {
    this.other = run;
    this.#changed();
  }
}
