// @ts-check
// What is computed from a run's embeddings: scores, clusters, regions of a brain, and what there is to do when it ends.

export class Scoring {
  #compute; #state; #run; #recovery;
  #asking = 0;
  /** Is settled when questions may be asked again. @type {Promise<void> | null} */
  #stopping = null;
  /** What was found of the embeddings of epochs, by their arrays. @type {Record<Asked, WeakMap<Float32Array, any>>} */
  #found = {past: new WeakMap(), leak: new WeakMap()};

  /**
   * @param {{compute: ComputeProgram, state: import('./runstate.js').RunState, run: import('./run.js').Run,
   *   recovery: import('./recovery.js').Recovery}} parts
   */
  constructor({compute, state, run, recovery}) {
    this.#compute = compute;
    this.#state = state;
    this.#run = run;
    this.#recovery = recovery;
  }

  /** A run has come to its end: the last picture, the fingerprint, the scores.
   * @param {() => boolean} wanted
   */
  async end(wanted) {
    const m = this.#state.model, record = /** @type {RunRecord} */ (m.record), {step} = /** @type {Progress} */ (m.progress);
    try {
      const {result} = await this.#compute.call('embeddings');
      if (!wanted()) return;
      record.hash = m.hash = result.hash;
      record.rank_S = result.rank_S;
      m.names = result.embeddings;
      await this.#run.draw(wanted);
      if (!wanted()) return;
      this.#run.save();
      this.#state.changed('run');
      if (record.scored_step !== step) await this.evaluate(record.evaluation, record.eval_seed);
    } catch (e) {
      if (wanted()) this.#recovery.fail(e);
    } finally {
      m.ending = false;
      this.#state.changed('run');
    }
  }

  /** Scores the present weights.
   * @param {Options} options
   * @param {number} eval_seed
   */
  async evaluate(options, eval_seed) {
    await this.#recovery.wake();
    const m = this.#state.model, wanted = this.#state.present();
    const resume = m.phase === 'running';
    if (resume) await this.#run.pause();
    m.scoring = {done: 0, total: 0};
    this.#state.changed('run');
    try {
      const {result} = await this.#compute.call('evaluate', {options, eval_seed}, {}, e => {
        if (e.event !== 'scoring') return;
        m.scoring = {done: e.done, total: e.total};
        this.#state.changed('progress');
      });
      if (!wanted()) return;
      m.scores = result.scores;
      Object.assign(/** @type {RunRecord} */ (m.record), {scores: result.scores, evaluation: options, eval_seed, scored_step: m.progress?.step});
      this.#state.changed('scores');
      this.#run.save();
    } finally {
      m.scoring = null;
      this.#state.changed('run');
    }
    if (resume && wanted()) await this.#run.play();
  }

  /** What was found of the embeddings of an epoch, undefined where nobody has asked.
   * @param {Asked} kind
   * @param {Snapshot} snapshot
   */
  found(kind, {tokens, xy}) { return this.#found[kind].get(tokens ?? xy); }

  /** Asks about the embeddings of an epoch that were kept, or the last ones: its scores, or what leaks. What is given up is not found.
   * @param {Asked} kind
   * @param {Snapshot} snapshot
   */
  async ask(kind, snapshot) {
    const answer = await this.about(kind, snapshot, {options: this.#state.model.record?.evaluation});
    if (answer) this.#found[kind].set(snapshot.tokens ?? snapshot.xy, answer.result);
    this.#state.changed('past');
    return Boolean(answer);
  }

  /** Asks something about the embeddings of an epoch; null when that is given up.
   * @param {string} kind
   * @param {Snapshot} snapshot
   * @param {any} args
   * @param {Arrays} [arrays]
   * @param {OnEvent | null} [onEvent]
   */
  async about(kind, {tokens}, args, arrays = {}, onEvent = null) {
    await this.#recovery.wake();
    const wanted = this.#state.present(), {eval_seed} = /** @type {RunRecord} */ (this.#state.model.record);
    await this.#stopping;
    if (!wanted() || this.#state.model.phase === 'running') return null;
    this.#asking++;
    try {
      const answer = await this.#compute.call(kind, {eval_seed, ...args}, {...tokens ? {tokens} : {}, ...arrays}, onEvent);
      return wanted() ? answer : null;
    } catch (e) {
      if (e.code !== 'cancelled' && wanted()) throw e;
      return null;
    } finally {
      this.#asking--;
    }
  }

  /** Gives up what is asked about epochs, and has nothing asked while f is done: the run need not wait.
   * @param {() => Promise<void>} [f]
   */
  async stop(f) {
    const over = (async () => {
      while (this.#asking) await this.#compute.call('cancel');
      await f?.();
    })();
    const mine = this.#stopping = over.catch(() => {});
    try {
      await over;
    } finally {
      if (this.#stopping === mine) this.#stopping = null;
    }
  }

  /** Groups the nodes of an embedding into k clusters: of an epoch whose embeddings were kept, else of the present one.
   * @param {string} embedding
   * @param {number} k
   * @param {number} eval_seed
   * @param {Snapshot} [snapshot]
   */
  async cluster(embedding, k, eval_seed, snapshot) {
    await this.#recovery.wake();
    const wanted = this.#state.present(), {tokens, step, epoch} = snapshot?.tokens ? snapshot : {...this.#state.model.progress, tokens: null};
    const {result, arrays} = await this.#compute.call(tokens ? 'groups' : 'clusters', {embedding, k, eval_seed}, tokens ? {tokens} : {});
    if (!wanted()) return;
    this.#state.model.clusters = {embedding, k, of: arrays.clusters, scores: result.scores, step, epoch};
    this.#state.changed('frame');
  }

  /** Asks psi about private parts whose common parts are exchanged.
   * @param {number} eval_seed
   */
  async intervene(eval_seed) {
    await this.#recovery.wake();
    const wanted = this.#state.present();
    const {result} = await this.#compute.call('interventions', {eval_seed});
    if (!wanted()) return;
    this.#state.model.exchange = result;
    this.#state.changed('exchange');
  }

  /** Finds the regions of a brain, a share of them in percent, that the private embeddings mark.
   * @param {number} share
   */
  async findRegions(share) {
    await this.#recovery.wake();
    const wanted = this.#state.present(), step = this.#state.model.progress?.step;
    const {result, arrays} = await this.#compute.call('regions', {share});
    if (!wanted()) return;
    const layers = result.layers.map((/** @type {RegionLayer} */ l, /** @type {number} */ k) =>
      ({...l, values: arrays[`values:${k}`].slice(), top: arrays[`top:${k}`].slice(), edges: arrays[`edges:${k}`].slice()}));
    this.#state.model.regions = {share, step, epoch: result.epoch, layers};
    this.#state.changed('regions');
  }
}
