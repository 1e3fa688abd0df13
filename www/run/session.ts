// One data set and one run: opens data, trains, pauses, scores, keeps and brings back. It owns the model that the
// views draw and tells `on` what has changed; it never touches the document.
import {fileArrays, named} from '../engine/pool.js';
import {OpenData} from './data.js';
import {emptyModel, newId, shippedModel, storedModel} from './model.js';
import {Programs} from './programs.js';
import {Recovery} from './recovery.js';
import {Run} from './run.js';
import {RunState} from './runstate.js';
import {Scoring} from './scoring.js';
import type {SaveQueue} from './savequeue.js';
import type {Answer, Arrays, Asked, Attention, Caller, ComputeProgram, Exchange, FileContent,
  LayersAs, OnEvent, Options, ReadFile, RunPlan, RunRecord, SessionListener, ShippedRun,
  Snapshot} from '../types.js';

export class Session {
  #compute; #storage; #saveQueue; #state; #notice;
  #programs: Programs;
  #data: OpenData;
  #run: Run;
  #recovery: Recovery;
  #scoring: Scoring;
  #request = 0; // counts what was asked to be opened: the last one counts
  /** Ids of imported runs that may not be stored yet. */
  #imported: Set<string> = new Set();
  #going = false; // the run that was left for what is being opened was training

  /**
   * `compute` is an Engine; `terms` lists the columns of the losses; `on` has changed(...what), error(e), notice(text),
   * loading(promise, methods), of another program, that of other methods than CaDeM among them, and scores(), whether the end of a run is scored.
   */
  constructor({compute, storage, saveQueue, terms, on}: {compute: ComputeProgram, storage: Caller<StorageRequests>, saveQueue: SaveQueue, terms: Term[],
    on: SessionListener}) {
    this.#compute = compute;
    this.#storage = storage;
    this.#saveQueue = saveQueue;
    this.#notice = on.notice;
    const state = this.#state = new RunState((...what) => on.changed(...what), terms.length);
    const programs = this.#programs = new Programs({compute, state, on: {
      loading: (promise, methods) => on.loading(promise, methods),
      active: () => this.#run.active,
      move: methods => this.#recovery.move(methods),
    }});
    const data = this.#data = new OpenData({compute, programs});
    const run = this.#run = new Run({compute, saveQueue, state, data, on: {
      hung: () => this.#recovery.recover('It did not answer.', false),
      over: wanted => this.#scoring.end(wanted),
      failed: e => this.#recovery.fail(e),
    }});
    const recovery = this.#recovery = new Recovery({compute, storage, saveQueue, state, data, run, programs, on});
    this.#scoring = new Scoring({compute, state, run, recovery, data, on});
  }

  get model() { return this.#state.model; }

  /** What stands beside scores is to come. */
  get beside() { return this.#scoring.beside > 0; }
  get recovering() { return this.#recovery.recovering; }
  get resting() { return this.#recovery.resting; }

  /** There is a run on screen that nothing is wrong with. */
  get stands() { return !['idle', 'failed'].includes(this.model.phase); }

  /** There is a run that takes controls. */
  get active() { return this.#run.active; }

  /** The data are recordings of a brain, opened from files. */
  get recorded() { return Boolean(this.model.data?.summary.subject && this.model.data.spec?.files); }

  /** Contents of the reader's own files, when the data came from files. */
  get files() { return this.#data.files; }

  /** The reader's own open data set, {named, contents, choice}; null for an example, and for one subject's brain. */
  get own() {
    const {spec, summary} = this.model.data || {};
    return spec?.files && !summary?.subject ? {named: spec.files, contents: this.files, choice: spec.choice} : null;
  }

  // --- Files that are not open yet

  inspect(named: FileName[], files: FileContent[], onReading: (done: number, total: number) => void, columns?: string) {
    return this.#data.inspect(named, files, onReading, columns);
  }
  endInspection() { return this.#data.endInspection(); }
  forget() { return this.#data.forget(); }
  estimate(choice: Choice, settings: {options: Options, preset: string}) { return this.#data.estimate(choice, settings); }

  // --- The run

  async play() {
    await this.#recovery.wake();
    await this.#scoring.stop(() => this.#run.play());
  }
  /** Gives up the run that is being made ready. */
  giveUp() { return this.#compute.call('cancel'); }
  pause() { return this.#run.pause(); }
  step() { return this.#scoring.stop(() => this.#run.control('step')); }
  epoch() { return this.#scoring.stop(() => this.#run.control('epoch')); }
  leave() { return this.#run.leave(); }
  setLive(values: Options) { return this.#run.setLive(values); }
  setPace(epochsPerSecond: number) { return this.#run.setPace(epochsPerSecond); }
  setWatch(on: boolean) { return this.#run.setWatch(on); }
  saveAll() { this.#run.saveAll(); }
  rest() { return this.#recovery.rest(); }
  evaluate(options: Options, eval_seed: number) { return this.#scoring.evaluate(options, eval_seed); }
  async cluster(embedding: string, k: number, eval_seed: number, snapshot?: Snapshot) {
    if (snapshot?.tokens) await this.#programs.suit('groups');
    return this.#scoring.cluster(embedding, k, eval_seed, snapshot);
  }
  found<K extends Asked>(kind: K, snapshot: Snapshot) { return this.#scoring.found(kind, snapshot); }
  async ask(kind: Asked, snapshot: Snapshot) {
    await this.#programs.suit(kind);
    return this.#scoring.ask(kind, snapshot);
  }
  /** Draws the embeddings of an epoch along other axes; null when that is given up. */
  async draw(snapshot: Snapshot, args: object, arrays: Arrays, onEvent: OnEvent) {
    await this.#programs.suit('axes');
    return this.#scoring.about('axes', snapshot, args, arrays, onEvent);
  }
  /** The input of a layer's encoders, as a small picture with the nodes in an order; null when that is given up. */
  async inputs(snapshot: Snapshot, layer: number, order: Int32Array) {
    await this.#programs.suit('inputs');
    return this.#scoring.about('inputs', {...snapshot, tokens: undefined}, {layer}, {order});
  }
  /** Has a program that answers such a request about the run. Another method is brought back in its own program first. */
  async #answering(kind: string) {
    if (this.model.record?.method) await this.#recovery.wake();
    await this.#programs.suit(kind);
    await this.#recovery.wake();
  }

  /** The contributions to the place of a node and, with `xy`, a picture, the places of all nodes in it, and its arrows. */
  async why(args: object, xy?: Float32Array) {
    await this.#answering('why');
    const {result, arrays} = await this.#compute.call('why', args, xy ? {xy} : {});
    return {...result, ...Object.fromEntries(Object.entries(arrays).map(([name, x]) => [name, x.slice()]))};
  }
  /** Embeds the nodes of files that the run has not seen; with a format, gives a file of all embeddings. */
  async newcomers(files: File[], args: object, xy?: Float32Array): Promise<Answer> {
    await this.#answering('newcomers');
    return this.#compute.call('newcomers', {...args, data: {files: named(files)}}, {...fileArrays(files), ...(xy && {xy})});
  }
  /** How much the combiner looks at each embedding of each node, trained on a label set. */
  async attention(set: string, options: Options, eval_seed: number): Promise<Attention> {
    await this.#programs.suit('attention');
    await this.#recovery.wake();
    const {result, arrays} = await this.#compute.call('attention', {set, options, eval_seed});
    return {...result, weights: arrays.weights};
  }
  stopAsking() { return this.#scoring.stop(); }
  async intervene(eval_seed: number) {
    await this.#programs.suit('interventions');
    await this.#scoring.intervene(eval_seed);
  }
  findRegions(share: number) { return this.#scoring.findRegions(share); }

  /**
   * Has the layers of the data on screen drawn: their links and, as links, where nodes lie, or as communities, these. `shipped` is the data of
   * the run that ships with the page, which are not open before.
   */
  async drawLayers(as: LayersAs, shipped: DataSpec, onEvent: OnEvent = () => {}) {
    await this.#recovery.wake();
    const {data} = this.model;
    if (!data) return;
    if (!data.spec) await this.#data.load(shipped, []);
    if (data !== this.model.data) return;
    await this.#data.draw(data, as, onEvent);
    this.#state.changed('layers');
  }
  /** Gives that up. */
  stopDrawing() { return this.#compute.call('cancel'); }

  /** Called when the compute program ended while nothing waited for it. */
  engineStopped(text: string) { this.#recovery.stopped(text); }

  /** Storage holds the run on screen no longer: its last checkpoint stays here. */
  deleted(checkpoint: Blob | null) { this.#run.deleted(checkpoint); }

  // --- What is on screen

  /** Shows a run that ships with the page. */
  showShipped(run: ShippedRun) {
    this.#replace();
    this.#state.model = shippedModel(run, this.#state.columns);
    this.#state.changed('data', 'run', 'progress', 'losses', 'frame', 'scores');
  }

  /** Shows what psi of the shipped run answers. */
  showAnswers(exchange: Exchange) {
    const {step, epoch} = this.#state.model.progress ?? {};
    this.#state.model.exchange = {...exchange, step, epoch};
    this.#state.changed('exchange');
  }

  /**
   * Puts a new run in place, untrained and paused. plan: {data, files, values(data)}, where values gives {name, options, preset,
   * model_seed, eval_seed, evaluation} once the data is open, since data may recommend values of its own.
   */
  async prepare(plan: RunPlan) {
    this.#saveQueue.reads(plan.data.files);
    const data = await this.#open(plan.data, plan.files || [], plan);
    if (!data) return false;
    const wanted = this.#replace();
    const now = new Date().toISOString(), {spec, summary, task, expect} = data;
    this.#state.model = {
      ...emptyModel(this.#state.columns), phase: 'opening', data,
      record: {
        run: newId(), created: now, updated: now, data: spec as DataSpec, ...plan.values(data), state: 'paused', progress: null, changes: [],
        summary, task, expect,
      },
    };
    this.#run.replaced({stored: false});
    this.#state.changed('data', 'run', 'losses', 'scores');
    await this.#recovery.start(null, wanted);
    return wanted();
  }

  /** Another run takes the place of the current one, which has been left for good. Returns a function that reports whether it is still wanted. */
  #replace() {
    this.#going = false;
    return this.#state.supersede();
  }

  /** Leaves the current run for what f opens. Where that fails the run goes on, if it was going. */
  async #inItsPlace<T>(f: () => Promise<T>) {
    this.#going ||= this.model.phase === 'running';
    try {
      await this.leave();
      return await f();
    } catch (e) {
      const goes = this.#going && this.model.phase === 'paused';
      this.#going = false;
      if (goes) await this.play().catch(error => this.#notice(`The run on screen does not go on: ${error.message}`));
      throw e;
    }
  }

  /** Leaves the current run and loads a data set for another, to be trained by such a method. Until that has worked the current one stays on screen;
   * null when something else was asked for meanwhile. */
  async #open(spec: DataSpec, files: FileContent[], {method, options}: {method?: string, options?: Options}) {
    const request = ++this.#request, wanted = () => request === this.#request;
    await this.#programs.suit('open', {data: spec, method, options});
    if (!wanted()) return null;
    return this.#inItsPlace(async () => {
      await this.#programs.settled(); // the run that was left may have been handed over meanwhile
      if (!wanted()) return null;
      const opening = this.#state.beginOpening();
      try {
        const data = await this.#data.load(spec, files);
        return wanted() ? data : null;
      } catch (e) {
        if (!wanted()) return null;
        opening.back();
        throw e;
      } finally {
        opening.end();
      }
    });
  }

  /** A file of the run: one of its exports, or "run", the run itself, which holds the recordings of a brain only where it is to be whole. */
  async exportFile(what: string, whole = false) {
    const {curves} = this.#run, record = this.#run.describe() ?? {};
    await this.#answering(what === 'model' ? 'why' : 'export'); // what answers questions has the model
    const {result, arrays} = what === 'run' ? await this.#compute.call('export', {what, record, bare: !whole && this.recorded}, curves)
      : await this.#compute.call('export', {what});
    return {...result, bytes: arrays.file};
  }

  /** Reads an exported run and shows it, with recordings beside it that it was written without; returns its record. taken(id) is asked once the file has
   * been read, as that takes a while. */
  async importFile(name: string, bytes: FileContent, taken: (run: string) => boolean, beside: ReadFile[] = []) {
    await this.#programs.suit('import');
    const {result, arrays} = await this.#compute.call('import', {name, data: {files: named(beside)}},
      {file: bytes, ...fileArrays(beside.map(f => f.content))});
    const record = {...result.record};
    if (!record.run || taken(record.run) || this.#imported.has(record.run)) record.run = newId();
    this.#imported.add(record.run);
    if (record.state === 'running') record.state = 'paused';
    this.#data.replaced();
    await this.#show(record, arrays, false);
    this.#saveQueue.put(record, arrays); // now that it has been opened
    return record;
  }

  /** Brings a stored run back, by its id. */
  async openRun(run: string, continues: boolean): Promise<string[]> {
    return this.#inItsPlace(async () => { // the stored data of the current run, which may be this one, are its last state
      const {result, arrays} = await this.#storage.call('get', {run});
      await this.#show(result.record, arrays, continues);
      return result.notes || [];
    });
  }

  /** Shows a record with its arrays, and goes on with it when asked to and there is something left to do. */
  async #show(record: RunRecord, arrays: Arrays, continues: boolean) {
    const data = await this.#open(record.data, (record.data.files || []).map((_, i) => arrays[`file:${i}`].slice()), record);
    if (!data) return;
    const wanted = this.#replace();
    const m = this.#state.model = storedModel(record, arrays, data, this.#state.columns);
    this.#run.replaced({stored: true, checkpoint: arrays.checkpoint});
    this.#state.changed('data', 'run', 'progress', 'losses', 'frame', 'scores', 'record');
    await this.#recovery.start(arrays.checkpoint, wanted);
    if (wanted() && continues && m.phase === 'paused') await this.play();
  }
}
