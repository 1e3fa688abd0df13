// Results computed from a run's embeddings: scores, clusters, regions of a brain, and the work at its end.

import type {OpenData} from './data.js';
import type {Recovery} from './recovery.js';
import type {Run} from './run.js';
import type {RunState} from './runstate.js';
import type {Arrays, Asked, ComputeProgram, Found, OnEvent, Options, Progress, RunRecord,
  SessionListener, Snapshot, Thrown} from '../types.js';

export class Scoring {
  #asking = 0;
  /** How many runs wait for what stands beside their scores. */
  beside = 0;
  /** Is settled when questions may be asked again. */
  #stopping: Promise<void> | null = null;
  /** Results on the embeddings of epochs, by their arrays. */
  #found: {[K in Asked]: WeakMap<Float32Array, Found[K]>} = {past: new WeakMap(), leak: new WeakMap()};

  constructor(private readonly parts: {compute: ComputeProgram, state: RunState, run: Run, recovery: Recovery, data: OpenData, on: SessionListener}) {}

  /** The end of a run: the last picture, the fingerprint, the scores. */
  async end(wanted: () => boolean) {
    const m = this.parts.state.model, record = m.record as RunRecord, {step} = m.progress as Progress;
    try {
      const {result} = await this.parts.compute.call('embeddings');
      if (!wanted()) return;
      record.hash = m.hash = result.hash;
      record.rank_S = result.rank_S;
      m.names = result.embeddings;
      await this.parts.run.draw(wanted);
      if (!wanted()) return;
      this.parts.run.save();
      this.parts.state.changed('run');
      if (record.scored_step === step) return;
      const {on} = this.parts;
      if (on.scores?.() === false) on.notice('The run is done. Its scores are left out, as the settings say: Evaluate computes them.');
      else await this.evaluate(record.evaluation, record.eval_seed);
    } catch (e) {
      if (wanted()) this.parts.recovery.fail(e as Thrown);
    } finally {
      m.ending = false;
      this.parts.state.changed('run');
    }
  }

  /** Scores the current weights. */
  async evaluate(options: Options, eval_seed: number) {
    await this.parts.recovery.wake();
    const m = this.parts.state.model, wanted = this.parts.state.present();
    const resume = m.phase === 'running';
    if (resume) await this.parts.run.pause();
    m.scoring = {done: 0, total: 0};
    this.parts.state.changed('run');
    try {
      const {result} = await this.parts.compute.call('evaluate', {options, eval_seed}, {}, e => {
        if (e.event !== 'scoring') return;
        m.scoring = {done: e.done, total: e.total, of: e.of};
        this.parts.state.changed('progress');
      });
      if (!wanted()) return;
      Object.assign(m.record as RunRecord, {evaluation: options, eval_seed, scored_step: m.progress?.step});
      this.#scored(result.scores);
      if (result.scores?.length) this.#beside(result.scores, wanted);
    } finally {
      m.scoring = null;
      this.parts.state.changed('run');
    }
    if (resume && wanted()) await this.parts.run.play();
  }

  #scored(scores: Score[]) {
    (this.parts.state.model.record as RunRecord).scores = this.parts.state.model.scores = scores;
    this.parts.state.changed('scores');
    this.parts.run.save();
  }

  /** Adds what stands beside scores when it comes. Without it, as in a tab that cannot load the programs, the scores stand alone. */
  async #beside(scores: Score[], wanted: () => boolean) {
    const {state: {model}, data, on} = this.parts;
    this.beside++;
    const rows = await on.beside?.(model.record as RunRecord, data.files).catch(() => []);
    this.beside--;
    if (rows?.length && wanted() && model.scores === scores) this.#scored([...scores, ...rows]);
  }

  /** Results on the embeddings of an epoch, undefined if nobody has asked. */
  found<K extends Asked>(kind: K, {tokens, xy}: Snapshot): Found[K] | undefined { return this.#found[kind].get(tokens ?? xy); }

  /** Asks about stored embeddings of an epoch, or the last ones: its scores, or leaks. A question given up has no result. */
  async ask(kind: Asked, snapshot: Snapshot) {
    const answer = await this.about(kind, snapshot, {options: this.parts.state.model.record?.evaluation});
    if (answer) this.#found[kind].set(snapshot.tokens ?? snapshot.xy, answer.result);
    this.parts.state.changed('past');
    return Boolean(answer);
  }

  /** Asks something about the embeddings of an epoch; null when that is given up. */
  async about(kind: string, {tokens}: Snapshot, args: object, arrays: Arrays = {}, onEvent: OnEvent | null = null) {
    await this.parts.recovery.wake();
    const wanted = this.parts.state.present(), {eval_seed} = this.parts.state.model.record as RunRecord;
    await this.#stopping;
    if (!wanted() || this.parts.state.model.phase === 'running') return null;
    this.#asking++;
    try {
      const answer = await this.parts.compute.call(kind, {eval_seed, ...args}, {...tokens ? {tokens} : {}, ...arrays}, onEvent);
      return wanted() ? answer : null;
    } catch (e) {
      if ((e as Thrown).code !== 'cancelled' && wanted()) throw e;
      return null;
    } finally {
      this.#asking--;
    }
  }

  /** Gives up what is asked about epochs, and has nothing asked while f is done: the run need not wait. */
  async stop(f?: () => Promise<void>) {
    const over = (async () => {
      while (this.#asking) await this.parts.compute.call('cancel');
      await f?.();
    })();
    const mine = this.#stopping = over.catch(() => {});
    try {
      await over;
    } finally {
      if (this.#stopping === mine) this.#stopping = null;
    }
  }

  /** Groups the nodes of an embedding into k clusters: of an epoch whose embeddings were kept, else of the current one. */
  async cluster(embedding: string, k: number, eval_seed: number, snapshot?: Snapshot) {
    await this.parts.recovery.wake();
    const wanted = this.parts.state.present(), {tokens, step, epoch} = snapshot?.tokens ? snapshot : {...this.parts.state.model.progress, tokens: null};
    const {result, arrays} = await this.parts.compute.call(tokens ? 'groups' : 'clusters', {embedding, k, eval_seed}, tokens ? {tokens} : {});
    if (!wanted()) return;
    this.parts.state.model.clusters = {embedding, k, of: arrays.clusters, scores: result.scores, step, epoch};
    this.parts.state.changed('frame');
  }

  /** Asks psi about private parts whose common parts are exchanged. */
  async intervene(eval_seed: number) {
    await this.parts.recovery.wake();
    const wanted = this.parts.state.present();
    const {result} = await this.parts.compute.call('interventions', {eval_seed});
    if (!wanted()) return;
    this.parts.state.model.exchange = result;
    this.parts.state.changed('exchange');
  }

  /** Finds the regions of a brain, a share of them in percent, that the private embeddings mark. */
  async findRegions(share: number) {
    await this.parts.recovery.wake();
    const wanted = this.parts.state.present(), step = this.parts.state.model.progress?.step;
    const {result, arrays} = await this.parts.compute.call('regions', {share});
    if (!wanted()) return;
    const layers = result.layers.map((l, k) =>
      ({...l, values: arrays[`values:${k}`].slice(), top: arrays[`top:${k}`].slice(), edges: arrays[`edges:${k}`].slice()}));
    this.parts.state.model.regions = {share, step, epoch: result.epoch, layers};
    this.parts.state.changed('regions');
  }
}
