// @ts-check
// Which program trains: that of a first visit, or in its place, once something asks for more, the whole one. The run goes
// on until that is there, and then goes on in it.

export class Programs {
  #compute; #state; #on;
  /** The switch that is going on. @type {Promise<void> | null} */
  #switching = null;

  /**
   * on: loading(promise), of the whole program; move() puts it in the place of the first one and hands the run over.
   * @param {{compute: ComputeProgram, state: import('./runstate.js').RunState,
   *   on: {loading(p: Promise<any>): void, active(): boolean, move(): Promise<void>}}} parts
   */
  constructor({compute, state, on}) {
    this.#compute = compute;
    this.#state = state;
    this.#on = on;
  }

  /** A run is being handed over, or brought back. */
  get switching() { return this.#switching !== null; }

  /** Has one thing at a time done with the program; who comes meanwhile waits for that.
   * @param {() => Promise<void>} f
   */
  async exclusively(f) {
    this.#switching ||= f().finally(() => { this.#switching = null; });
    await this.#switching;
  }

  /** Waits for what is being done with the program. */
  async settled() { await this.#switching; }

  /** Has a program that answers such a request.
   * @param {string} kind
   * @param {any} [args]
   */
  async suit(kind, args) {
    const suits = () => this.#compute.answers(kind, args);
    if (!await suits()) {
      const loading = this.#compute.prepare();
      this.#on.loading(loading);
      await loading;
      while (!this.switching && !this.#quiet && !await suits()) await Promise.race([this.#state.nextChange(), this.#compute.answered()]);
      if (!await suits()) {
        await this.exclusively(this.#on.move);
        return;
      }
    }
    await this.settled();
  }

  /** Nothing is asked of the program but to train. */
  get #quiet() {
    const {phase, scoring, ending} = this.#state.model;
    return phase !== 'opening' && !scoring && !ending && this.#compute.waiting <= Number(this.#on.active());
  }
}
