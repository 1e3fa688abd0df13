// The run in the engine: starts it, takes its events, controls it, and hands its state to storage.
import {pictureOf} from './beside.js';
import {Losses, withSnapshot} from './model.js';
import type {OpenData} from './data.js';
import type {RunState} from './runstate.js';
import type {SaveQueue} from './savequeue.js';
import type {Arrays, ComputeProgram, EngineEvent, OnEvent, Options, Progress, RunRecord, Snapshot,
  Thrown} from '../types.js';

const START = {step: 0, epoch: 0};
const PAUSE_PATIENCE = 3000; // ms until a program that does not pause is ended

export class Run {
  #pace = 0;
  #watch = true;
  #filesSaved = false; // the record was put in line once, with the reader's own files
  #stored = false; // the run came from storage
  /** Where the last checkpoint is: what is stored of the run says no later step. */
  #at = START;
  /** Epochs whose pictures storage has, or has in line. */
  #keptSaved: Set<number> = new Set();
  /** The last checkpoint, where storage does not take it. */
  #checkpoint: Blob | null = null;
  /** The step of the checkpoint that storage has, or has in line; null when there is none. */
  checkpointStep: number | null = null;

  /**
   * on: hung() restarts a program that does not answer, paused; over(wanted) is called when the run has ended, failed(e) when it cannot go
   * on.
   */
  constructor(private readonly parts: {
    compute: ComputeProgram; saveQueue: SaveQueue; state: RunState; data: OpenData;
    on: {hung(): Promise<void>, over(wanted: () => boolean): void, failed(e: Thrown): void};
  }) {}

  get #model() { return this.parts.state.model; }

  /** There is a run that takes controls. */
  get active() { return ['running', 'paused'].includes(this.#model.phase); }

  /** The last checkpoint, where it is here alone. */
  get checkpoint() { return this.#checkpoint; }

  /** The record was put in line for storage once. */
  get saved() { return this.#filesSaved; }

  /** Where the run on screen is. */
  get #here() {
    const {step, epoch} = this.#model.progress ?? START;
    return {step, epoch};
  }

  /** Storage has had the run. */
  get written() { return this.#stored || this.parts.saveQueue.saved.has(this.#model.record?.run ?? ''); }

  /** Another run takes the place of the last one. A stored one has its files in storage, and its checkpoint unless there is no storage. */
  replaced({stored, checkpoint = null}: {stored: boolean, checkpoint?: Blob | null}) {
    this.#filesSaved = this.#stored = stored;
    this.#at = this.#here;
    this.#keptSaved = new Set(stored ? this.#model.snapshots.map(s => s.epoch) : []);
    this.#checkpoint = this.parts.saveQueue.available ? null : checkpoint;
  }

  /** Storage holds the run no longer: its last checkpoint stays here, and the program that holds it is the last one to do so. */
  deleted(checkpoint: Blob | null) {
    this.checkpointStep = null;
    this.#checkpoint ??= checkpoint;
  }

  /** Starts the run on screen, from a checkpoint or from its seed, and returns when it stands, paused. */
  async start(checkpoint: Blob | null | undefined, wanted: () => boolean) {
    const {options, preset, method, level, model_seed} = this.#model.record as RunRecord;
    const of = method ? {method, level, options, model_seed} : {options, preset, model_seed};
    try {
      this.checkpointStep = null;
      if (checkpoint) {
        await this.#launch('resume', {...(method && of), paused: true}, {checkpoint}, wanted);
        this.#at = this.#here;
        this.checkpointStep = this.#model.progress?.step ?? null;
        if (wanted() && this.#model.phase === 'paused' && this.#model.snapshots.some(s => s.plane)) await this.draw(wanted);
      } else {
        this.#at = START;
        await this.#launch('train', {...of, paused: true}, {}, wanted);
      }
    } catch (e) {
      if (wanted()) this.parts.state.enter('fail');
      throw e;
    }
  }

  #launch(kind: string, args: object, arrays: Arrays, wanted: () => boolean): Promise<void> {
    this.parts.state.enter('open');
    return new Promise((resolve, reject) => {
      let stands = false;
      const stand = async () => {
        stands = true;
        await this.control('set', {pace: this.#pace, watch: this.#watch}).catch(() => {});
        resolve();
      };
      const onEvent: OnEvent = (event, slabs) => {
        if (!wanted()) return;
        this.#event(event, slabs);
        if (!stands && event.event === 'progress') stand();
      };
      this.parts.compute.call(kind, args, arrays, onEvent).then(({result}) => {
        if (!wanted()) {
          resolve(); // it never stood, and who waits for it learns so by itself
          return;
        }
        this.#progress(result.progress);
        if (!stands) stand();
        if (result.progress.state === 'finished') this.parts.on.over(wanted);
      }, e => {
        if (!wanted() || e.code === 'cancelled') {
          if (!stands && wanted()) this.#withdraw();
          if (!stands) resolve();
        } else if (!stands) reject(e);
        else this.parts.on.failed(e);
      });
    });
  }

  /** The run was given up before it was ready: nothing is there to be controlled, or waited for. */
  #withdraw() {
    this.#model.record = this.#model.preparing = null;
    this.parts.state.supersede();
    this.parts.state.enter('withdraw');
  }

  #event(event: EngineEvent, arrays: Arrays) {
    switch (event.event) {
      case 'progress':
        if (arrays.losses?.length) {
          const {losses, record} = this.#model;
          losses.append(event.from_step, record?.method ? Losses.of(losses.columns, [...arrays.losses.keys()], arrays.losses, 1).rows() : arrays.losses);
          this.parts.state.changed('losses');
        }
        this.#progress(event);
        break;
      case 'preparing':
        this.#model.preparing = {done: event.done, total: event.total};
        this.parts.state.changed('run');
        break;
      case 'shares':
        this.#model.shares = event;
        this.parts.state.changed('shares');
        break;
      case 'frame':
        this.#frame(event, arrays);
        break;
      case 'snapshot':
        this.#keptSaved.delete(event.epoch);
        this.#frame(event, arrays);
        break;
      case 'checkpoint':
        this.#keepCheckpoint(event, arrays.checkpoint);
        break;
    }
  }

  #progress({epoch, epochs, step, steps, losses, rank_S, step_ms, eta_s, guessing, state}: TrainingProgress) {
    this.#model.preparing = null;
    this.#model.progress = {state, epoch, epochs, step, steps, losses, rank_S, step_ms, eta_s, guessing};
    this.parts.state.report(state);
    this.parts.state.changed('progress');
  }

  /** Takes a picture of the run; one that is kept comes with what it was drawn as at first, and the embeddings. */
  #frame({epoch, step, embeddings, explained}: Frame, arrays: Arrays) {
    const m = this.#model;
    if (embeddings) m.names = embeddings;
    m.snapshots = withSnapshot(m.snapshots, {epoch, step, explained, ...arrays, xy: arrays.xy});
    this.parts.state.changed('frame');
  }

  /** Has the current state drawn, and the pictures that were kept turned onto it. */
  async draw(wanted: () => boolean) {
    const m = this.#model, {step} = m.progress as Progress;
    const kept = m.snapshots.filter(s => s.plane && s.step < step);
    const size = m.snapshots[0]?.xy.length ?? 0, planes = new Float32Array(kept.length * size);
    kept.forEach(({plane}, k) => planes.set(plane as Float32Array, k * size));
    const {result, arrays} = await this.parts.compute.call('frame', {}, kept.length ? {planes} : {});
    if (!wanted()) return;
    m.snapshots = [...kept.map((s, k) => ({...s, xy: arrays.earlier.subarray(k * size, (k + 1) * size)})), ...m.snapshots.filter(s => s.step === step)];
    this.#frame(result, {xy: arrays.xy});
  }

  /** Hands the run's state to storage; without storage the last checkpoint stays here for a restart. */
  #keepCheckpoint({step, epoch, rest_s}: Secured, checkpoint: Blob) {
    if (step === 0) return;
    this.#model.keptEvery = rest_s;
    this.checkpointStep = step;
    this.#at = {step, epoch};
    this.#checkpoint = this.parts.saveQueue.keeps(this.#model.record?.run ?? '') ? null : checkpoint;
    this.save({checkpoint});
  }

  /** The record as it stands; `at` is where the checkpoint is that goes with it. */
  describe(at: {step: number, epoch: number} | null = null) {
    const {record, data, losses, snapshots, progress, names} = this.#model;
    if (!record) return null;
    record.updated = new Date().toISOString();
    record.progress = {...(progress as Progress), ...at};
    const last = snapshots.at(-1);
    if (last) record.frame = {epoch: last.epoch, step: last.step, embeddings: names, ...pictureOf(last.xy, names.length, data?.labels[0])};
    record.kept = snapshots.filter(s => s.plane).map(({epoch, step, explained}) => ({epoch, step, explained}));
    if (losses.n) record.first_step = losses.steps[0];
    record.loss_columns = losses.columns;
    return record;
  }

  /** Data that change with every step, stored beside a run's record and checkpoint: the losses, and the last picture. */
  get #latest(): Arrays {
    const {losses, snapshots} = this.#model, last = snapshots.at(-1);
    return {losses: losses.rows(), ...(last ? {xy: last.xy} : {})};
  }

  /** Stored data of some pictures of earlier epochs. */
  #kept(list: Snapshot[]): Arrays {
    return Object.fromEntries(list.flatMap(({epoch, plane, tokens}) =>
      [...plane ? [[`plane:${epoch}`, plane]] : [], ...tokens ? [[`tokens:${epoch}`, tokens]] : []]));
  }

  /** Everything that is kept of the run beside its record and checkpoint. */
  get curves() { return {...this.#latest, ...this.#kept(this.#model.snapshots)}; }

  /** Writes the record with what belongs to it; the first time with the reader's own files. */
  save(arrays: Arrays = {}) {
    const record = this.describe(this.#at);
    if (!record) return;
    const own = this.#filesSaved ? {} : Object.fromEntries(this.parts.data.files.map((f, i) => [`file:${i}`, f]));
    this.#filesSaved = true;
    const fresh = this.#model.snapshots.filter(s => s.plane && !this.#keptSaved.has(s.epoch));
    if (this.parts.saveQueue.available) for (const s of fresh) this.#keptSaved.add(s.epoch);
    this.parts.saveQueue.put(record, {...own, ...this.#latest, ...this.#kept(fresh), ...arrays});
    this.parts.state.changed('saved');
  }

  /** Writes all there is of the run, after storage has become available. */
  saveAll() {
    if (!this.#model.record || !this.#model.progress?.step) return;
    this.#filesSaved = false;
    this.#keptSaved.clear();
    this.save(this.#checkpoint ? {checkpoint: this.#checkpoint} : {});
  }

  /** Sends a control action to the run. */
  async control(action: string, fields = {}) {
    const wanted = this.parts.state.present();
    const {result} = await this.parts.compute.call('control', {action, ...fields});
    if (result.progress && wanted()) this.#progress(result.progress);
  }

  async play() {
    const {record} = this.#model;
    if (!record) return;
    record.state = 'running';
    this.save(); // so that an interruption before the first checkpoint is remembered too
    await this.control('play');
  }

  /** Pauses; a program that does not answer is ended and brought back paused from its last checkpoint. */
  async pause() {
    const wanted = this.parts.state.present();
    let patience: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise(resolve => { patience = setTimeout(resolve, PAUSE_PATIENCE, 'late'); });
    const answer = await Promise.race([this.control('pause'), late]);
    clearTimeout(patience);
    if (!wanted()) return;
    if (answer === 'late') {
      this.parts.compute.terminate();
      await this.parts.on.hung();
    } else if (this.#filesSaved && (this.checkpointStep ?? 0) === this.#model.progress?.step) {
      this.save(); // this step's checkpoint is stored already, with the run marked as running
    }
  }

  /** Pauses the current run and saves it in that state. */
  async leave() {
    if (this.#model.phase === 'running') await this.pause();
    if (!this.active) return;
    // The checkpoint follows the answer to pause; what is asked after it is answered after it.
    await this.control('set').catch(() => {});
    await this.parts.saveQueue.settled();
  }

  /** Changes learning rates and loss weights of the run as it goes; they are noted with the step. */
  async setLive(values: Options) {
    const m = this.#model;
    if (!m.record || m.phase === 'finished') return;
    await this.control('set', {live: values});
    Object.assign(m.record.options, values);
    m.record.changes.push({step: m.progress?.step ?? 0, ...values});
  }

  async setPace(epochsPerSecond: number) {
    this.#pace = epochsPerSecond;
    if (this.active) await this.control('set', {pace: epochsPerSecond});
  }

  async setWatch(on: boolean) {
    this.#watch = on;
    if (this.active) await this.control('set', {watch: on});
  }
}
