// Many tasks at once: a pool of workers, one task each (wasm/PROTOCOL.md, "task"). The result of a task does not depend on
// the pool's size or on the worker. Nothing here touches the document.

import type {Answer, Args, Arrays, FileContent, Task, Thrown, WorkerCaller} from '../types.js';

export const FILE = 'file:'; // how the names of slabs begin that hold files

/** Contents of files as slabs of a message. */
export const fileArrays = (files: FileContent[]): Arrays => Object.fromEntries(files.map((f, i) => [FILE + i, f]));

/** Files as the protocol names them. */
export const named = (list: FileName[]): FileName[] => list.map(({name, size}) => ({name, size}));

const IDLE = 60_000;     // ms after which a worker with nothing to do is let go
const PATIENCE = 2_000;  // ms until a worker that does not give up its task is ended
const GIB = 2 ** 30;

/** An idle program is ended when its memory, which does not shrink, exceeds this number of bytes. */
export const LARGE = 64 * 2 ** 20;

/** How many workers the machine suggests. */
export const cores = () => Math.max(1, globalThis.navigator?.hardwareConcurrency || 2);

/** Bytes that tasks beside each other may need: half of the machine's memory, as far as it tells. */
const usualMemory = () => ((globalThis.navigator as {deviceMemory?: number} | undefined)?.deviceMemory || 4) * GIB / 2;

const aborted = (signal: AbortSignal) => signal.reason ?? new DOMException('The tasks were cancelled.', 'AbortError');

/** Tasks that were given together. */
interface Batch {
  outcomes: Outcome[];
  each: Float64Array;
  left: number;
  began: number;
  told: number;
  over: boolean;
  onResult: (i: number, outcome: Outcome) => void;
  onProgress: (p: PoolProgress) => void;
  resolve: (outcomes: Outcome[]) => void;
  reject: (e: unknown) => void;
}

/** The outcome of a task. */
interface Outcome {result?: TaskResult; arrays?: Arrays; error?: Thrown}
interface PoolProgress {done: number; total: number; finished: number; each: Float64Array; eta_s: number | null}

interface Job {batch: Batch; task: Task; key: string; i: number; bytes: number; arrays: (i: number) => Arrays; deaths: number}

/** A worker. */
interface Lane {
  job: Job | null;
  asked: number; // how many answers are due beside the task
  timer: ReturnType<typeof setTimeout> | undefined;
  idle: number; // how long it may wait, in ms
  methods: boolean; // its program is that of other methods than CaDeM
  data: string; // what its last task was on, if of the files of a graph, which stays open there
  end: WorkerCaller;
}

/**
 * connect(onExit, methods) gives an Endpoint of the role compute, for tasks with another method than CaDeM if `methods`. `size` is the most workers at
 * a time and may be changed at any time; `memory` bounds the sum of what the tasks that run need, but one may always run; taken() counts how many of
 * `size` others use just now, as a run on the page does; `idle` is how long a worker waits for work before it is let go, in ms; one that a task has
 * made LARGE does not wait. When no task waits, those that run may use the cores that are left, for the private encoders of their trainings.
 */
export class Pool {
  #connect; #memory; #taken; #idle;
  #size = 1;
  #lanes: Lane[] = [];
  #queue: Job[] = [];

  constructor({connect, size = cores(), memory = usualMemory(), taken = () => 0, idle = IDLE}: {
    connect: (onExit: (text: string) => void, methods: boolean) => WorkerCaller; size?: number; memory?: number; taken?: () => number;
    idle?: number;
  }) {
    this.#connect = connect;
    this.#memory = memory;
    this.#taken = taken;
    this.#idle = idle;
    this.size = size;
  }

  get size() { return this.#size; }

  /** More workers begin at once; fewer finish their tasks first. */
  set size(n) {
    this.#size = Math.max(1, Math.floor(n) || 1);
    this.#pump();
  }

  /** Workers that are up or starting, and those with a task. */
  get workers() { return this.#lanes.length; }
  get busy() { return this.#lanes.filter(l => l.job).length; }

  /** Keys and memory of tasks, [{key, bytes}], as the program says. */
  async plan(tasks: Task[]) { return (await this.ask('plan', {tasks})).result.tasks; }

  /** Asks any of the workers something that it answers in the middle of a task, too; asked again if the worker ends. */
  async ask<K extends string>(kind: K, args: Args<ComputeRequests, K>, arrays: Arrays = {}) {
    for (let deaths = 0; ; deaths++) {
      const lane = this.#lanes.find(l => !l.methods) || this.#lane(false);
      clearTimeout(lane.timer);
      lane.asked++;
      try {
        return await lane.end.call(kind, args, arrays);
      } catch (e) {
        if ((e as Thrown).code !== 'exited' || deaths > 0) throw e;
        this.#drop(lane);
      } finally {
        lane.asked--;
        this.#rest(lane);
      }
    }
  }

  /**
   * Runs tasks and resolves, when all have ended, with the outcome of each, in their order: {result, arrays} or {error}. arrays(i) gives the contents of a
   * task's files, for a worker whose last task had others; onResult(i, outcome) is called as each ends; onProgress({done, total, finished, each, eta_s}) at
   * most ten times a second: done of total in tasks, with the fractions of the running ones, which are in `each` (0 to 1). `signal` cancels: the promise is
   * rejected at once, and the workers give up their tasks.
   */
  async run(tasks: Task[], {arrays = () => ({}), signal = null, onResult = () => {}, onProgress = () => {}}: {
    arrays?: (i: number) => Arrays; signal?: AbortSignal | null; onResult?: (i: number, outcome: Outcome) => void;
    onProgress?: (p: PoolProgress) => void;
  } = {}): Promise<Outcome[]> {
    if (signal?.aborted) throw aborted(signal);
    if (tasks.length === 0) return [];
    const batch: Batch = {
      outcomes: new Array(tasks.length), each: new Float64Array(tasks.length), left: tasks.length, began: performance.now(), told: -Infinity,
      over: false, onResult, onProgress, resolve() {}, reject() {},
    };
    const done = new Promise<Outcome[]>((resolve, reject) => Object.assign(batch, {resolve, reject}));
    const abort = () => this.#abort(batch, aborted(signal as AbortSignal));
    signal?.addEventListener('abort', abort, {once: true});
    this.plan(tasks).then(plans => {
      if (batch.over) return;
      this.#queue.push(...tasks.map((task, i) => ({batch, task, i, ...plans[i] as Needs, arrays, deaths: 0})));
      this.#pump();
    }).catch(e => this.#abort(batch, e));
    try {
      return await done;
    } finally {
      batch.over = true;
      signal?.removeEventListener('abort', abort);
    }
  }

  /** What one task finds; rejects when it fails. */
  async one(task: Task, arrays?: () => Arrays): Promise<Answer> {
    const [{result, arrays: found = {}, error}] = await this.run([task], {arrays}) as [Outcome];
    if (error) throw error;
    return {result, arrays: found};
  }

  /** Lets all workers go; tasks that still run are rejected. */
  close() {
    for (const job of this.#queue.splice(0)) job.batch.reject(new DOMException('The pool was closed.', 'AbortError'));
    for (const lane of [...this.#lanes]) {
      lane.job?.batch?.reject(new DOMException('The pool was closed.', 'AbortError'));
      this.#drop(lane);
    }
  }

  #lane(methods: boolean) {
    const lane: Lane = {
      job: null, asked: 0, timer: undefined, idle: this.#idle, data: '', methods,
      end: this.#connect(() => this.#drop(lane), methods), // it ended while nothing waited for it
    };
    this.#lanes.push(lane);
    return lane;
  }

  #drop(lane: Lane) {
    clearTimeout(lane.timer);
    this.#lanes = this.#lanes.filter(l => l !== lane);
    lane.end.terminate();
  }

  /** Lets a worker go that has nothing to do for as long as it may wait. */
  #rest(lane: Lane) {
    clearTimeout(lane.timer);
    if (lane.job || lane.asked > 0 || !this.#lanes.includes(lane)) return;
    lane.timer = setTimeout(() => this.#drop(lane), lane.idle);
  }

  /** Looks again how many workers others use: when a run on the page ends, a waiting task begins. */
  wake() { this.#pump(); }

  /** Gives waiting tasks, in their order, to workers as far as there are workers and memory. */
  #pump() {
    while (this.#queue.length > 0) {
      const running = this.#lanes.filter(l => l.job);
      const limit = Math.max(1, this.#size - this.#taken());
      const used = running.reduce((sum, l) => sum + (l.job?.bytes || 0), 0);
      const [next] = this.#queue;
      if (!next || running.length >= limit || running.length > 0 && used + next.bytes > this.#memory) break;
      const methods = Boolean(next.task.method), lane = this.#lanes.find(l => !l.job && l.methods === methods) || this.#lane(methods);
      this.#queue.shift();
      this.#work(lane, next);
    }
    // Workers beyond the size that have nothing to do go at once.
    // One that answers what others do not is none too many.
    const most = this.#size + Number(this.#lanes.some(l => l.methods) && this.#lanes.some(l => !l.methods));
    for (const lane of this.#lanes.filter(l => !l.job && l.asked === 0).slice(0, Math.max(0, this.#lanes.length - most))) this.#drop(lane);
  }

  async #work(lane: Lane, job: Job) {
    const {batch, task, key, i} = job;
    clearTimeout(lane.timer);
    lane.job = job;
    // Files without a sum may be others of the same name: the worker keeps none of them open.
    const known = task.data?.files?.every((f: FileName) => f.sum) && !task.data.scans;
    const data = known ? JSON.stringify(task.data) : '', here = data && data === lane.data;
    lane.data = '';
    let outcome: Outcome;
    try {
      const sent = Object.fromEntries(Object.entries(job.arrays(i)).filter(([name]) => !here || !name.startsWith(FILE)));
      const {result, arrays} = await lane.end.call('task', lane.methods ? {task, key} : {task}, sent, e => {
        if (e.event === 'task') this.#heard(job, e.done / e.total);
      });
      outcome = {result, arrays};
      lane.data = data;
    } catch (error) {
      outcome = {error: error as Thrown};
    }
    lane.job = null;
    if (outcome.error?.code === 'exited') this.#drop(lane); // gone with its task
    if (!batch.over) this.#ended(job, outcome);
    this.#pump();
    if (lane.end.memoryBytes > LARGE) lane.idle = 0;
    this.#rest(lane);
  }

  #ended(job: Job, outcome: Outcome) {
    const {batch, task, i} = job;
    if (outcome.error?.code === 'exited') {
      batch.each[i] = 0;
      if (++job.deaths < 2) {
        this.#queue.unshift(job);
        return;
      }
      outcome.error.message = `${task.name}: the worker stopped twice at this task. ${outcome.error.message}`;
    } else if (outcome.error && task.name) outcome.error.message = `${task.name}: ${outcome.error.message}`;
    batch.outcomes[i] = outcome;
    batch.each[i] = 1;
    batch.left--;
    try {
      batch.onResult(i, outcome);
      this.#tell(batch, true);
    } catch (e) {
      this.#abort(batch, e);
    }
    if (batch.left === 0) batch.resolve(batch.outcomes);
  }

  #heard(job: Job, fraction: number) {
    if (job.batch.over) return;
    job.batch.each[job.i] = fraction;
    this.#tell(job.batch, false);
  }

  #tell(batch: Batch, now: boolean) {
    const t = performance.now();
    if (!now && t - batch.told < 100) return;
    batch.told = t;
    const total = batch.each.length, done = batch.each.reduce((a, b) => a + b, 0);
    const eta_s = done > 0 ? (t - batch.began) / 1000 * (total - done) / done : null;
    batch.onProgress({done, total, finished: total - batch.left, each: batch.each.slice(), eta_s});
  }

  /** Ends what a batch still has to do. Its workers stay warm if they give up in time. */
  #abort(batch: Batch, reason: unknown) {
    if (batch.over) return;
    batch.over = true;
    batch.reject(reason);
    this.#queue = this.#queue.filter(job => job.batch !== batch);
    for (const lane of this.#lanes) {
      if (lane.job?.batch !== batch) continue;
      const {job} = lane;
      lane.end.call('cancel').catch(() => {});
      setTimeout(() => { if (lane.job === job) this.#drop(lane); }, PATIENCE);
    }
    this.#pump();
  }
}
