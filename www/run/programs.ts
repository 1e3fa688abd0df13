// Which program trains: that of a first visit, or in its place, once something asks for more, the whole one. The run goes
// on until that is there, and then goes on in it. Other methods than CaDeM have a program of their own, and a run of one kind ends
// where one of the other kind is to begin.

import type {RunState} from './runstate.js';
import type {ComputeProgram, Suited} from '../types.js';

export class Programs {
  /** The switch that is going on. */
  #switching: Promise<void> | null = null;

  /** on: loading(promise), of another program; move(methods) puts it in the place of the current one and hands the run over, if it is of its kind. */
  constructor(private readonly parts: {
    compute: ComputeProgram; state: RunState;
    on: {loading(p: Promise<unknown>, methods: boolean): void, active(): boolean, move(methods: boolean): Promise<void>};
  }) {}

  /** A run is being handed over, or brought back. */
  get switching() { return this.#switching !== null; }

  /** Has one thing at a time done with the program; who comes meanwhile waits for that. */
  async exclusively(f: () => Promise<void>) {
    this.#switching ||= f().finally(() => { this.#switching = null; });
    await this.#switching;
  }

  /** Waits for what is being done with the program. */
  async settled() { await this.#switching; }

  /** Has a program that answers such a request. */
  async suit(kind: string, args?: Suited) {
    const suits = () => this.parts.compute.answers(kind, args);
    if (!await suits()) {
      const methods = Boolean(args?.method), loading = this.parts.compute.prepare(methods);
      this.parts.on.loading(loading, methods);
      await loading;
      while (!await suits()) {
        if (this.switching || this.#quiet) { // and nothing else begins before this does
          await this.exclusively(() => this.parts.on.move(methods));
          return;
        }
        await Promise.race([this.parts.state.nextChange(), this.parts.compute.answered()]);
      }
    }
    await this.settled();
  }

  /** Nothing is asked of the program but to train. */
  get #quiet() {
    const {phase, scoring, ending} = this.parts.state.model;
    return phase !== 'opening' && !scoring && !ending && this.parts.compute.waiting <= Number(this.parts.on.active());
  }
}
