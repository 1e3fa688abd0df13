// The state of the screen, for everything that works on it: the model that the views draw, its phase, and whether work
// begun for it is still wanted.
import {emptyModel} from './model.js';
import {BACK, REPORTED, allows, next} from './phases.js';
import type {Concern, Model, Phase, PhaseEvent} from '../types.js';

export class RunState {
  #changed; #generation = 0; #openings = 0;
  #before: Exclude<Phase, 'opening'> = 'idle';

  /** changed(...what) is called at every change; a step has this number of columns of losses. */
  model: Model;
  waiting: (() => void)[] = [];

  constructor(changed: (...what: Concern[]) => void, readonly columns: number) {
    this.#changed = changed;
    this.model = emptyModel(columns);
  }

  /** Tells what has changed. */
  changed(...what: Concern[]) {
    this.#changed(...what);
    for (const go of this.waiting.splice(0)) go();
  }

  /** Resolves at the next change. */
  nextChange(): Promise<void> { return new Promise(resolve => { this.waiting.push(resolve); }); }

  /** Begins something that supersedes all earlier work. Returns a function that reports whether it is still wanted. */
  supersede() {
    this.#generation++;
    return this.present();
  }

  /** Returns a function that reports whether nothing else has begun since. */
  present(): () => boolean {
    const mine = this.#generation;
    return () => mine === this.#generation;
  }

  enter(event: PhaseEvent) {
    this.model.phase = next(this.model.phase, event);
    this.changed('run');
  }

  /** Begins to load data for another run. Returns two functions: `end` ends that, `back` goes back to the phase before it. */
  beginOpening() {
    const {phase} = this.model;
    if (phase !== 'opening') this.#before = phase;
    this.enter('open');
    this.#openings++;
    return {
      back: () => { if (this.model.phase === 'opening') this.enter(BACK[this.#before]); },
      end: () => { this.#openings--; },
    };
  }

  /**
   * Takes the state that the engine reports of the run. The run being left still reports one: that is where it continues later. A
   * late report of a run that is over changes nothing.
   */
  report(state: string) {
    const m = this.model, event = REPORTED[state];
    if (!event) return;
    if (this.#openings) {
      if (allows(this.#before, event)) this.#before = next(this.#before, event) as Exclude<Phase, 'opening'>;
      return;
    }
    if (!allows(m.phase, event)) return;
    const phase = next(m.phase, event);
    if (phase === m.phase) return;
    m.phase = phase;
    m.ending = phase === 'finished';
    if (m.record) m.record.state = phase;
    this.changed('run');
  }
}
