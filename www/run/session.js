// One data set and one run: opens data, trains, pauses, scores, keeps and brings back. It owns the model that the
// views draw and tells `on` what has changed; it never touches the document.
import {emptyModel, newId, shippedModel, storedModel, withSnapshot} from './model.js';
import {LARGE} from '../engine/pool.js';
import {RequestError} from '../engine/runclient.js';

const PAUSE_PATIENCE = 3000; // ms until a program that does not pause is ended

const asSlabs = files => Object.fromEntries(files.map((f, i) => [`file:${i}`, f]));

export class Session {
  #compute; #storage; #keeper; #on; #opened = null; #files = []; #token = 0; #wish = 0; #loading = 0; #before = 'idle'; #checkpoint = null; #kept = false; #deaths = {at: '', times: 0}; #pace = 0; #watch = true; #moving = null; #safe = null; #resting = false; #endLook = () => {};

  /** `compute` is an Engine; `on` has changed(...what), error(e), notice(text) and loading(promise), of the whole program. */
  constructor({compute, storage, keeper, on}) {
    this.#compute = compute;
    this.#storage = storage;
    this.#keeper = keeper;
    this.#on = on;
    this.model = emptyModel();
    this.recovering = false; // the engine has stopped and is being started again
  }

  /** Shows the run that ships with the page. */
  showShipped(run) {
    this.#token++;
    this.model = shippedModel(run);
    this.#on.changed('data', 'run', 'progress', 'losses', 'frame', 'scores');
  }

  /** Opens a data set in the engine unless it is open there: spec as in the protocol, `files` the contents of its files. */
  async #load(spec, files) {
    const key = JSON.stringify(spec) + this.#fileMarks(files);
    if (key === this.#opened?.key) return this.#opened.data;
    this.#opened = null;
    // What has just been inspected, or is open, is still there.
    const marks = this.#fileMarks(files), sent = files.length && (marks === this.#looked || marks === this.#held) ? {} : asSlabs(files);
    const {result, arrays} = await this.#compute.call('open', {data: spec}, sent);
    this.#looked = null;
    this.#held = marks;
    const {summary, task, expect, defaults, nodes} = result;
    const labels = (summary.labels || []).map((s, i) => ({...s, of: arrays[`labels:${i}`].slice()}));
    const data = {spec, name: summary.name, summary, task, expect, defaults, nodes, labels, places: arrays.places?.slice() ?? null};
    this.#opened = {key, data};
    this.#files = files;
    return data;
  }

  // Two selections of files with the same names and lengths are still two data sets.
  #marks = new WeakMap(); #marked = 0;
  #looked = null; // the marks of the files that were inspected and are not open
  #held = null;   // and of those that are open
  #fileMarks(files) {
    return files.map(f => {
      if (!this.#marks.has(f)) this.#marks.set(f, ++this.#marked);
      return this.#marks.get(f);
    }).join();
  }

  /**
   * Tells what files hold, as the protocol says; the open data set and its run stay as they are. `files` are their contents,
   * `named` their names and sizes; onReading(done, total) tells how far it is.
   */
  async inspect(named, files, onReading) {
    this.#looked = null;
    const stopped = new Promise((_, reject) => { this.#endLook = () => reject(new RequestError({code: 'cancelled', message: 'Reading the files was ended.'})); });
    await Promise.race([this.#suit('inspect'), stopped]);
    const {result} = await this.#compute.call('inspect', {data: {files: named}}, asSlabs(files), e => { if (e.event === 'reading') onReading(e.done, e.total); });
    this.#looked = this.#fileMarks(files);
    return result;
  }

  /** Ends an inspection that is going on; it then fails with the code "cancelled". */
  async endInspection() {
    this.#endLook();
    await this.#compute.call('cancel');
  }

  /** Lets go of what was inspected. */
  async forget() {
    if (!this.#looked) return;
    this.#looked = null;
    await this.#compute.call('inspect', {data: {}});
  }

  /** What memory training on a choice among the inspected files would take: {bytes, most, refused?}. */
  async estimate(choice, {options, preset}) {
    return (await this.#compute.call('estimate', {choice, options, preset})).result;
  }

  /**
   * Puts a new run in place, untrained and paused. plan: {data, files, values(data)}, where values gives {name, options, preset,
   * model_seed, eval_seed, evaluation} once the data is open, since data may recommend values of its own.
   */
  async prepare(plan) {
    const data = await this.#enter(plan.data, plan.files || []);
    if (!data) return false;
    const token = ++this.#token;
    const {options, preset, model_seed, eval_seed, evaluation, name} = plan.values(data);
    const now = new Date().toISOString();
    const {spec, summary, task, expect} = data;
    this.model = {
      ...emptyModel(), phase: 'opening', data,
      record: {run: newId(), name, created: now, updated: now, data: spec, options, preset, model_seed, eval_seed, evaluation, state: 'paused', progress: null, changes: [], summary, task, expect},
    };
    this.#kept = false;
    this.#checkpoint = null;
    this.#on.changed('data', 'run', 'losses', 'scores');
    await this.#resume(null, token);
    return token === this.#token;
  }

  /**
   * Leaves the present run and loads a data set for another. Until that has worked the present one stays on
   * screen; null when something else was asked for meanwhile.
   */
  async #enter(spec, files) {
    const wish = ++this.#wish;
    await this.#suit('open', {data: spec});
    if (wish !== this.#wish) return null;
    await this.leave();
    const before = this.model.phase;
    if (before !== 'opening') this.#before = before;
    this.#phase('opening');
    this.#loading++;
    try {
      const data = await this.#load(spec, files);
      return wish === this.#wish ? data : null;
    } catch (e) {
      if (wish !== this.#wish) return null; // nobody wants it any more
      this.#phase(this.#before);
      throw e;
    } finally {
      this.#loading--;
    }
  }

  #phase(phase) {
    this.model.phase = phase;
    this.#on.changed('run');
  }

  /** Starts `train` or `resume` and returns when the run stands, paused. */
  #launch(kind, args, arrays, token) {
    this.#phase('opening');
    this.#resting = false;
    return new Promise((resolve, reject) => {
      let stands = false;
      const stand = async () => {
        stands = true;
        await this.#control('set', {pace: this.#pace, watch: this.#watch}).catch(() => {});
        resolve();
      };
      const onEvent = (event, slabs) => {
        if (token !== this.#token) return;
        this.#event(event, slabs);
        if (!stands && event.event === 'progress') stand();
      };
      this.#compute.call(kind, args, arrays, onEvent).then(({result}) => {
        if (token !== this.#token) {
          resolve(); // it never stood, and who waits for it learns that from the token
          return;
        }
        this.#progress(result.progress);
        if (!stands) stand();
        if (result.progress.state === 'finished') this.#over(token);
      }, e => {
        if (token !== this.#token || e.code === 'cancelled') {
          if (!stands) resolve();
        } else if (!stands) reject(e);
        else this.#fail(e);
      });
    });
  }

  #event(event, slabs) {
    const m = this.model;
    switch (event.event) {
      case 'progress':
        if (slabs.losses?.length) {
          m.losses.append(event.from_step, slabs.losses);
          this.#on.changed('losses');
        }
        this.#progress(event);
        break;
      case 'frame':
        this.#frame(event, slabs.xy);
        break;
      case 'checkpoint':
        this.#keep(event, slabs.checkpoint);
        break;
    }
  }

  #progress(p) {
    const m = this.model, {epoch, epochs, step, steps, losses, rank_S, step_ms, eta_s, state} = p;
    m.progress = {state, epoch, epochs, step, steps, losses, rank_S, step_ms, eta_s};
    const phase = {running: 'running', paused: 'paused', finished: 'finished', failed: 'failed'}[state] || m.phase;
    if (this.#loading && phase !== m.phase) this.#before = phase; // the run that is being left has something to say yet
    else if (phase !== m.phase) {
      m.phase = phase;
      m.ending = phase === 'finished';
      if (m.record) m.record.state = phase;
      this.#on.changed('run');
    }
    this.#on.changed('progress');
  }

  #frame({epoch, step, embeddings, explained}, xy) {
    const m = this.model;
    if (embeddings) m.names = embeddings;
    m.snapshots = withSnapshot(m.snapshots, {epoch, step, explained, xy});
    this.#on.changed('frame');
  }

  /** Hands the run's state to storage; without storage the last checkpoint stays here for a restart. */
  #keep({step, epoch, rest_s}, checkpoint) {
    if (step === 0) return;
    this.model.keptEvery = rest_s;
    this.#safe = step;
    this.#checkpoint = this.#keeper.available && !this.#keeper.failure ? null : checkpoint;
    this.#save({checkpoint}, {step, epoch});
  }

  /** The record as it stands; `at` is the step of the checkpoint that goes with it. */
  #described(at = null) {
    const {record, losses, snapshots, progress} = this.model;
    if (!record) return null;
    record.updated = new Date().toISOString();
    record.progress = {...progress, ...at};
    const last = snapshots[snapshots.length - 1];
    if (last) record.frame = {epoch: last.epoch, step: last.step, embeddings: this.model.names};
    if (losses.n) record.first_step = losses.steps[0];
    return record;
  }

  /** Writes the record with what belongs to it; the first time with the reader's own files. */
  #save(arrays = {}, at = null) {
    const {losses, snapshots} = this.model;
    const record = this.#described(at);
    if (!record) return;
    const last = snapshots[snapshots.length - 1];
    const own = this.#kept ? {} : Object.fromEntries(this.#files.map((f, i) => [`file:${i}`, f]));
    this.#kept = true;
    this.#keeper.put(record, {...own, losses: losses.values.slice(0, 4 * losses.n), ...(last ? {xy: last.xy} : {}), ...arrays});
    this.#on.changed('saved');
  }

  /** Writes all there is of the run, after storage has become available. */
  keep() {
    if (!this.model.record || !this.model.progress?.step) return;
    this.#kept = false;
    this.#save(this.#checkpoint ? {checkpoint: this.#checkpoint} : {});
  }

  /** Sends a control action to the run. */
  async #control(action, fields = {}) {
    const {result} = await this.#compute.call('control', {action, ...fields});
    if (result.progress) this.#progress(result.progress);
  }

  async play() {
    const m = this.model;
    if (!m.record) return;
    m.record.state = 'running';
    this.#save(); // so that an interruption before the first checkpoint is remembered too
    await this.#control('play');
  }

  async step() { await this.#control('step'); }

  async epoch() { await this.#control('epoch'); }

  /** Pauses; a program that does not answer is ended and brought back paused from its last checkpoint. */
  async pause() {
    const token = this.#token;
    let patience = 0;
    const late = new Promise(resolve => { patience = setTimeout(resolve, PAUSE_PATIENCE, 'late'); });
    const answer = await Promise.race([this.#control('pause'), late]);
    clearTimeout(patience);
    if (answer === 'late' && token === this.#token) {
      this.#compute.terminate();
      await this.#recover('It did not answer.', false);
    }
  }

  /** Changes learning rates and loss weights of the run as it goes; they are noted with the step. */
  async setLive(values) {
    const m = this.model;
    if (!m.record || m.phase === 'finished') return;
    await this.#control('set', {live: values});
    Object.assign(m.record.options, values);
    m.record.changes.push({step: m.progress?.step ?? 0, ...values});
  }

  async setPace(epochsPerSecond) {
    this.#pace = epochsPerSecond;
    if (this.active) await this.#control('set', {pace: epochsPerSecond});
  }

  async setWatch(on) {
    this.#watch = on;
    if (this.active) await this.#control('set', {watch: on});
  }

  /** Contents of the reader's own files, when the data came from files. */
  get files() { return this.#files; }

  /** The reader's own data set as it is open, {named, contents, choice}; null for an example, and for one subject's brain. */
  get own() {
    const {spec, summary} = this.model.data || {};
    return spec?.files && !summary.subject ? {named: spec.files, contents: this.#files, choice: spec.choice} : null;
  }

  /** There is a run that takes controls. */
  get active() { return ['running', 'paused'].includes(this.model.phase); }

  /** Pauses the present run and keeps it as it is then. */
  async leave() {
    if (this.model.phase === 'running') await this.pause();
    if (!this.active) return;
    // The checkpoint follows the answer to pause; what is asked after it is answered after it.
    await this.#control('set').catch(() => {});
    await this.#keeper.settled();
  }

  /** A run has come to its end: the last picture, the fingerprint, the scores. */
  async #over(token) {
    const m = this.model;
    try {
      const {result} = await this.#compute.call('embeddings');
      if (token !== this.#token) return;
      m.record.hash = m.hash = result.hash;
      m.record.rank_S = result.rank_S;
      m.names = result.embeddings;
      if (m.snapshots[m.snapshots.length - 1]?.step !== m.progress.step) {
        const frame = await this.#compute.call('frame');
        if (token !== this.#token) return;
        this.#frame(frame.result, frame.arrays.xy);
      }
      this.#save();
      this.#on.changed('run');
      if (m.record.scored_step !== m.progress.step) await this.evaluate(m.record.evaluation, m.record.eval_seed);
    } catch (e) {
      if (token === this.#token) this.#fail(e);
    } finally {
      m.ending = false;
      this.#on.changed('run');
    }
  }

  /** The run is in storage alone. */
  get resting() { return this.#resting; }

  /** Ends a large program if its run is over and kept: others want memory. What needs the run brings it back. */
  async rest() {
    const {phase, scoring, ending, record, progress} = this.model, token = this.#token, keeper = this.#keeper;
    if (phase !== 'finished' || scoring || ending || this.#looked || this.#compute.held < LARGE) return;
    await keeper.settled();
    const kept = keeper.available && !keeper.failure && this.#safe === progress.step && keeper.saved.get(record.run)?.step === progress.step;
    if (!kept || token !== this.#token || this.#resting || this.#moving || this.#looked || this.#compute.waiting) return;
    this.#compute.terminate();
    this.#opened = this.#held = null;
    this.#resting = true;
  }

  /** Storage holds a run no longer: the program that holds it now is the last to do so, and stays. */
  deleted(run) {
    if (run === this.model.record?.run) this.#safe = null;
  }

  /** Brings a run back that rests. */
  async #awake() {
    if (this.#resting) this.#moving ||= this.#rise().finally(() => { this.#moving = null; });
    await this.#moving;
  }

  async #rise() {
    const {record, data} = this.model, token = ++this.#token;
    const {result, arrays} = await this.#storage.call('get', {run: record.run});
    // What is left of a damaged save is not what is on the screen.
    if (result.notes?.length > 0 || !arrays.checkpoint) {
      throw new Error(`This run cannot be brought back as it is shown. ${(result.notes || []).join(' ')} Open it in the list of runs to see what is left of it.`);
    }
    await this.#load(data.spec, this.#files);
    if (token === this.#token) await this.#resume(arrays.checkpoint, token);
  }

  /** Scores the present weights. */
  async evaluate(options, eval_seed) {
    await this.#awake();
    const m = this.model, token = this.#token;
    const resume = m.phase === 'running';
    if (resume) await this.pause();
    m.scoring = {done: 0, total: 0};
    this.#on.changed('run');
    try {
      const {result} = await this.#compute.call('evaluate', {options, eval_seed}, {}, e => {
        if (e.event !== 'scoring') return;
        m.scoring = {done: e.done, total: e.total};
        this.#on.changed('progress');
      });
      if (token !== this.#token) return;
      m.scores = result.scores;
      Object.assign(m.record, {scores: result.scores, evaluation: options, eval_seed, scored_step: m.progress.step});
      this.#on.changed('scores');
      this.#save();
    } finally {
      m.scoring = null;
      this.#on.changed('run');
    }
    if (resume && token === this.#token) await this.play();
  }

  /** Groups the nodes of an embedding into k clusters. */
  async cluster(embedding, k, eval_seed) {
    await this.#awake();
    const token = this.#token, step = this.model.progress?.step;
    const {result, arrays} = await this.#compute.call('clusters', {embedding, k, eval_seed});
    if (token !== this.#token) return;
    this.model.clusters = {embedding, k, of: arrays.clusters, scores: result.scores, step};
    this.#on.changed('frame');
  }

  /** Finds the regions of a brain, a share of them in percent, that the private embeddings mark. */
  async findRegions(share) {
    await this.#awake();
    const token = this.#token, step = this.model.progress?.step;
    const {result, arrays} = await this.#compute.call('regions', {share});
    if (token !== this.#token) return;
    const layers = result.layers.map((l, k) => ({...l, values: arrays[`values:${k}`].slice(), top: arrays[`top:${k}`].slice(), edges: arrays[`edges:${k}`].slice()}));
    this.model.regions = {share, step, epoch: result.epoch, layers};
    this.#on.changed('regions');
  }

  /** A file of the run: csv, npz, graphml or run. */
  async exportFile(what) {
    const {record, losses, snapshots} = this.model, last = snapshots[snapshots.length - 1];
    const own = {losses: losses.values.slice(0, 4 * losses.n), ...(last ? {xy: last.xy} : {})};
    await this.#suit('export');
    await this.#awake();
    const {result, arrays} = what === 'run' ? await this.#compute.call('export', {what, record: this.#described()}, own) : await this.#compute.call('export', {what});
    return {...result, bytes: arrays.file};
  }

  /** Reads an exported run and shows it; returns its record. */
  async importFile(name, bytes, taken) {
    await this.#suit('import');
    await this.leave();
    const {result, arrays} = await this.#compute.call('import', {name}, {file: bytes});
    const record = {...result.record};
    if (!record.run || taken.has(record.run)) record.run = newId();
    if (record.state === 'running') record.state = 'paused';
    this.#opened = this.#held = null;
    await this.show(record, arrays, false);
    this.#keeper.put(record, arrays); // now that it has been opened
    return record;
  }

  /** Brings a stored run back, by its id. */
  async openRun(run, continues) {
    await this.leave(); // so that it is what it was last
    const {result, arrays} = await this.#storage.call('get', {run});
    await this.show(result.record, arrays, continues);
    return result.notes || [];
  }

  /** Shows a record with its arrays, and goes on with it when asked to and there is something left to do. */
  async show(record, arrays, continues) {
    const data = await this.#enter(record.data, (record.data.files || []).map((_, i) => arrays[`file:${i}`].slice()));
    if (!data) return;
    const token = ++this.#token;
    const m = this.model = storedModel(record, arrays, data);
    this.#kept = true;
    this.#checkpoint = this.#keeper.available ? null : arrays.checkpoint ?? null;
    this.#on.changed('data', 'run', 'progress', 'losses', 'frame', 'scores', 'record');
    await this.#resume(arrays.checkpoint, token);
    if (token === this.#token && continues && m.phase === 'paused') await this.play();
  }

  async #resume(checkpoint, token) {
    const {options, preset, model_seed} = this.model.record;
    try {
      this.#safe = null;
      if (checkpoint) {
        await this.#launch('resume', {paused: true}, {checkpoint}, token);
        this.#safe = this.model.progress?.step;
      } else await this.#launch('train', {options, preset, model_seed, paused: true}, {}, token);
    } catch (e) {
      if (token === this.#token) this.#phase('failed');
      throw e;
    }
  }

  #fail(e) {
    if (e.code === 'exited') {
      this.#recover(e.message, this.model.phase === 'running');
      return;
    }
    if (this.model.record) this.model.record.state = 'failed';
    this.#phase('failed');
    if (this.#kept) this.#save();
    this.#on.error(e);
  }

  /** The compute program has ended: starts another and goes on from the last checkpoint. */
  async #recover(cause, playing) {
    this.recovering = true;
    try {
      await this.#restart(cause, playing);
    } finally {
      this.recovering = false;
    }
  }

  async #restart(cause, playing) {
    const token = ++this.#token, {record, data} = this.model;
    this.#opened = this.#held = null;
    if (!record || !data?.spec) return;
    const at = `${record.run} ${this.#keeper.saved.get(record.run)?.step ?? 0}`;
    if (at === this.#deaths.at) this.#deaths.times++;
    else this.#deaths = {at, times: 1};
    this.#phase('opening');
    if (this.#deaths.times > 2) {
      this.#phase('failed');
      this.#on.error(new RequestError({code: 'internal', message: `The engine has stopped three times at the same place and was not started again. ${cause}`}));
      return;
    }
    try {
      if (!await this.#bringBack(token)) return;
      this.#on.notice(`The engine stopped and was started again; the run goes on from step ${this.model.progress.step}. ${cause}`);
      if (playing) await this.play();
    } catch (e) {
      if (token === this.#token) this.#fail(e);
    }
  }

  /** Goes on from the last checkpoint in a program that has just been started; false when something else was asked for meanwhile. */
  async #bringBack(token) {
    const {record, data} = this.model;
    await this.#keeper.settled();
    const here = this.#checkpoint || this.#keeper.unwritten(record.run)?.checkpoint;
    // A run that was never written has nothing to lose: it starts again from its seed.
    const stored = here ? null : await this.#storage.call('get', {run: record.run}).catch(() => null);
    await this.#load(data.spec, this.#files);
    if (token !== this.#token) return false;
    await this.#resume(here || stored?.arrays.checkpoint, token);
    return token === this.#token;
  }

  /** Has a program that answers such a request. The present run goes on until that is there, and then goes on in it. */
  async #suit(kind, args) {
    const suits = () => this.#compute.answers(kind, args);
    if (!await suits()) {
      const loading = this.#compute.prepare();
      this.#on.loading(loading);
      await loading;
      while (!this.#moving && !this.#quiet && !await suits()) await new Promise(resolve => setTimeout(resolve, 20));
      if (!await suits()) this.#moving ||= this.#move().finally(() => { this.#moving = null; });
    }
    await this.#moving;
  }

  /** Nothing is asked of the program but to train. */
  get #quiet() {
    const {phase, scoring, ending} = this.model;
    return phase !== 'opening' && !scoring && !ending && this.#compute.waiting <= Number(this.active);
  }

  /** Puts the whole program in the place of the first one; the run is handed over as it stands. */
  async #move() {
    const m = this.model, {phase} = m, playing = phase === 'running';
    if (playing) await this.pause();
    // The checkpoint follows the answer to pause; what is asked after it is answered after it.
    if (this.active) await this.#control('set');
    const token = ++this.#token;
    this.#opened = this.#looked = this.#held = null;
    if (!m.record || !m.data?.spec || phase === 'idle') {
      await this.#compute.swap();
      return;
    }
    this.#phase('opening');
    try {
      await this.#compute.swap();
      if (await this.#bringBack(token) && playing) await this.play();
    } catch (e) {
      if (token === this.#token && phase !== 'failed') this.#fail(e);
    }
    if (token === this.#token && phase === 'failed') {
      m.record.state = phase;
      this.#phase(phase);
    }
  }

  /** Called when the compute program ended while nothing waited for it. */
  engineStopped(text) {
    this.#looked = this.#held = null;
    if (this.model.record && this.model.phase !== 'opening') this.#recover(text.split('\n')[0], this.model.phase === 'running');
  }
}
