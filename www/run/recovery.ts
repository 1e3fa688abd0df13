// Recovery of a run when its program ends: by an accident, for want of memory, or because another one takes its place.
import {RequestError} from '../engine/endpoint.js';
import {LARGE} from '../engine/pool.js';
import {linear} from './model.js';
import type {OpenData} from './data.js';
import type {Programs} from './programs.js';
import type {Run} from './run.js';
import type {RunState} from './runstate.js';
import type {SaveQueue} from './savequeue.js';
import type {Caller, ComputeProgram, DataSet, RunRecord, Thrown} from '../types.js';

const MOST_CRASHES = 2; // at one place of a run; after another one it is not tried again
const MOST_ASKED = 5; // how often storage is asked for a run that it cannot read

export class Recovery {
  /** Where the program has ended by itself, and how often in turn. */
  #crashes = {at: '', times: 0};
  #resting = false;
  /** How many recoveries are going on: a program may end while another one is started. */
  #recovering = 0;
  /** The run was going, or asked to go, when the first of the recoveries that go on began. */
  #going = false;

  /** on: error(e) and notice(text), for the reader. */
  constructor(private readonly parts: {
    compute: ComputeProgram; storage: Caller<StorageRequests>; saveQueue: SaveQueue; state: RunState; data: OpenData; run: Run; programs: Programs;
    on: {error(e: Thrown): void, notice(text: string): void};
  }) {}

  /** The run is in storage alone. */
  get resting() { return this.#resting; }

  /** The engine has stopped and is being started again. */
  get recovering() { return this.#recovering > 0; }

  /** Ends a large program if its run is over and kept: others want memory. A later request to the run brings it back. */
  async rest() {
    const {phase, scoring, ending, record, progress} = this.parts.state.model, wanted = this.parts.state.present(), queue = this.parts.saveQueue;
    if (phase !== 'finished' || scoring || ending || this.parts.data.inspected || this.parts.compute.memoryBytes < LARGE) return;
    await queue.settled();
    const {run} = record as RunRecord, step = progress?.step;
    const kept = queue.available && !queue.failure && this.parts.run.checkpointStep === step && queue.saved.get(run)?.step === step;
    if (!kept || !wanted() || this.#resting || this.parts.programs.switching || this.parts.data.inspected || this.parts.compute.waiting) return;
    this.parts.compute.terminate();
    this.parts.data.lost();
    this.#resting = true;
  }

  /** Brings a run back that rests. */
  async wake() {
    const {record, data} = this.parts.state.model;
    if (this.#resting) await this.parts.programs.suit('open', {data: data?.spec ?? undefined, method: record?.method, options: record?.options});
    if (this.#resting) await this.parts.programs.exclusively(() => this.#fromStorage());
    else await this.parts.programs.settled();
  }

  async #fromStorage() {
    const {record, data} = this.parts.state.model as {record: RunRecord, data: DataSet}, wanted = this.parts.state.supersede();
    const {result, arrays} = await this.parts.storage.call('get', {run: record.run});
    // The rest of a damaged save differs from the run on screen.
    if (result.notes?.length || !arrays.checkpoint) {
      throw new Error(`This run cannot be brought back as it is shown. ${(result.notes || []).join(' ')}`
        + ' Open it in the list of runs to see what is left of it.');
    }
    await this.parts.data.load(data.spec as DataSpec, this.parts.data.files);
    if (wanted()) await this.start(arrays.checkpoint, wanted);
  }

  /** Starts the run on screen, from a checkpoint or from its seed; returns when it stands, paused. */
  async start(checkpoint: Blob | null | undefined, wanted: () => boolean) {
    this.#resting = false;
    await this.parts.run.start(checkpoint, wanted);
  }

  /** The run cannot go on. */
  fail(e: Thrown) {
    const {record} = this.parts.state.model;
    if (e.code === 'exited') {
      this.recover(e.message);
      return;
    }
    if (record) record.state = 'failed';
    this.parts.state.enter('fail');
    if (this.parts.run.saved) this.parts.run.save();
    this.parts.on.error(e);
  }

  /** The program ended while nothing waited for it. */
  stopped(text: string) {
    this.parts.data.lost();
    const {record, phase} = this.parts.state.model;
    if (record && phase !== 'opening') this.recover(text.replace(/\n.*/s, ''));
  }

  /**
   * The program has ended: starts another and goes on from the last checkpoint. By itself it goes on to train if that was asked for,
   * which the record says: a program may end between a press of Train and the first step.
   */
  async recover(cause: string, going: boolean = this.parts.state.model.record?.state === 'running') {
    if (!this.recovering) this.#going = going;
    this.#recovering++;
    try {
      await this.#restart(cause);
    } finally {
      setTimeout(() => this.#recovering--); // by then, those who waited for the program have heard of its end
    }
  }

  async #restart(cause: string) {
    const wanted = this.parts.state.supersede(), {record, data} = this.parts.state.model;
    this.parts.data.lost();
    if (!record || !data?.spec) return;
    const at = `${record.run} ${this.parts.saveQueue.saved.get(record.run)?.step ?? 0}`;
    if (at === this.#crashes.at) this.#crashes.times++;
    else this.#crashes = {at, times: 1};
    this.parts.state.enter('open');
    if (this.#crashes.times > MOST_CRASHES) {
      this.parts.state.enter('fail');
      const message = `The engine has stopped three times at the same place and was not started again. ${cause}`;
      this.parts.on.error(new RequestError({code: 'internal', message}));
      return;
    }
    try {
      if (!await this.#bringBack(wanted)) return;
      this.parts.on.notice(`The engine stopped and was started again; the run goes on from step ${this.parts.state.model.progress?.step}. ${cause}`);
      if (this.#going) await this.parts.run.play();
      else if (this.parts.run.saved) this.parts.run.save(); // storage has it as one that goes
    } catch (e) {
      if (wanted()) this.fail(e as Thrown);
    }
  }

  /** Goes on from the last checkpoint in a program that has just been started; false when something else was asked for meanwhile. */
  async #bringBack(wanted: () => boolean) {
    const {record, data} = this.parts.state.model as {record: RunRecord, data: DataSet};
    await this.parts.saveQueue.settled();
    const here = this.parts.run.checkpoint || this.parts.saveQueue.unwritten(record.run)?.checkpoint;
    const checkpoint = here || await this.#kept(record.run);
    await this.parts.data.load(data.spec as DataSpec, this.parts.data.files);
    if (!wanted()) return false;
    await this.start(checkpoint, wanted);
    return wanted();
  }

  /**
   * The checkpoint that storage has of a run; null if the run was never written, or the browser has cleared it: it starts again from
   * its seed. A run that cannot be read is no such run. The storage program may have ended as well, so it is opened and asked again.
   */
  async #kept(run: string): Promise<Blob | null> {
    const {storage} = this.parts;
    for (let asked = 1; ; asked++) {
      try {
        return (await storage.call('get', {run})).arrays.checkpoint ?? null;
      } catch (e) {
        if ((e as Thrown).code === 'no-run' || !this.parts.run.written) return null;
        if (asked === MOST_ASKED) {
          const why = (e as Thrown).message;
          throw new Error(`What is kept of this run cannot be read just now, and stays as it is: ${why} Reload the page to go on from there.`);
        }
      }
      await storage.call('open').catch(() => {});
    }
  }

  /**
   * Puts another program in the place of the current one. The run is handed over as it stands; one of the other kind than that program's
   * is kept as it stands, and another comes in its place.
   */
  async move(methods: boolean) {
    const m = this.parts.state.model, {phase} = m, playing = m.record?.state === 'running'; // or Train was pressed just now
    if (phase === 'running') await this.parts.run.pause();
    // The checkpoint follows the answer to pause; what is asked after it is answered after it.
    if (this.parts.run.active) await this.parts.run.control('set');
    const wanted = this.parts.state.supersede();
    this.parts.data.lost();
    if (!m.record || !m.data?.spec || phase === 'idle' || Boolean(m.record.method) !== methods && !linear(m.record)) {
      await this.parts.saveQueue.settled();
      await this.parts.compute.swap();
      this.#resting = Boolean(m.record && this.parts.saveQueue.saved.get(m.record.run));
      return;
    }
    this.parts.state.enter('open');
    try {
      await this.parts.compute.swap();
      if (await this.#bringBack(wanted) && playing) await this.parts.run.play();
    } catch (e) {
      if (wanted() && phase !== 'failed') this.fail(e as Thrown);
    }
    if (wanted() && phase === 'failed') {
      m.record.state = phase;
      this.parts.state.enter('fail');
    }
  }
}
