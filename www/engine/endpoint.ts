// The page's side of a worker with a Go program: starts it, matches answers to requests, and notices when it has ended.
// Messages: wasm/PROTOCOL.md.
import {pack, unpack} from './arrays.js';
import {FIRST, METHODS, STUDIES, WHOLE, compile} from './compile.js';
import {addressOf, place} from './place.js';
import {RequestError} from './requesterror.js';
import {whenSlow} from '../dom/idle.js';
import {ownScript} from '../dom/scripts.js';
import type {Answer, Args, Arrays, Caller, OnEvent, Options, Result, Suited,
  Task} from '../types.js';

export {RequestError};

/** Where this site lives: workers put it before every storage name, since project pages share an origin. */
export const prefix = new URL('.', document.baseURI).pathname;

/**
 * ms that a worker may take to start a program, which takes 100 or so, before another one is made, which may take twice as long.
 * No error tells that a browser has lost one.
 */
const LOST = 30_000;

/** ms that a worker may be silent while calls wait, before it is looked for. */
const SILENT = 10_000;

/** How many workers this page has made. */
let workers = 0;

/** Its address, once it is there. */
let workerScript: Promise<string> | null = null;

/**
 * The script of the workers as a Blob of this page. A worker takes its policy from its maker if it is made of a Blob; else from
 * the headers of its answer, and a static host sends none: it could then reach any address.
 */
function loadWorkerScript() {
  workerScript ||= fetch(addressOf(__WORKER__)).then(async answer => {
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    return ownScript([`'use strict';self.cademBase=${JSON.stringify(place.base)};`, await answer.blob()]);
  }).catch(e => {
    workerScript = null;
    throw new RequestError({code: 'exited', message: `the worker script could not be loaded: ${e.message}`});
  });
  return workerScript;
}

/** Whether inputs are trimmed or split, or features found, before CaDeM is trained, which the program of a first visit does not do. */
const prepared = (options?: Options) => ['trim', 'split'].some(name => (options?.[name] ?? 'off') !== 'off')
  || String(options?.features ?? '').startsWith('spectral');

/**
 * One worker with one Go program. `onExit(text)` is called when it has ended without being asked to;
 * by then every waiting call has been rejected. A program is started again by the next call.
 */
export class Endpoint<P = ComputeRequests> implements Caller<P> {
  #role; #onExit; #program; #next = 1;
  /** The kinds of request that the program answers. */
  #answers: Set<string> = new Set();
  #worker: Worker | null = null;
  /** The worker being made, and when its program is up. */
  #made: Promise<{worker: Worker, up: Promise<void>}> | null = null;
  #starting: Promise<void> | null = null;
  /** Calls that wait for an answer, by their id. */
  #waiting: Map<number, {resolve(a: Answer): void, reject(e: unknown): void, onEvent: OnEvent | null}> = new Map();
  /** Those who wait for the next answer. */
  #watching: (() => void)[] = [];
  /** The lock that the worker holds for as long as it lives; '' if it could not have one. */
  #life = '';
  /** The program that reads files for that of other methods, while it does. */
  #reader: Endpoint | null = null;
  #heard = false;
  #listening: ReturnType<typeof setTimeout> | undefined;

  ready = false;
  /** Memory of the program, which does not shrink, as of its last message. */
  memoryBytes = 0;

  constructor(role: string, onExit: (text: string) => void, program: Program = FIRST) {
    this.#role = role;
    this.#onExit = onExit;
    this.#program = program;
  }

  get waiting() { return this.#waiting.size; }

  /** Resolves when the next call has been answered, or rejected. */
  answered(): Promise<void> { return new Promise(resolve => { this.#watching.push(resolve); }); }

  #tell() {
    for (const go of this.#watching.splice(0)) go();
  }

  /** Whether the program, once it is ready, answers such a request. */
  answers(kind: string, {data, method, options}: Suited = {}) {
    const has = (k: string) => this.#answers.has(k);
    return has(kind) && (has('files') || !data?.files && (!data?.example || has(`draws ${data.example}`)))
      && (kind !== 'open' || Boolean(method) === has('methods')) && (Boolean(method) || !prepared(options) || has('split'));
  }

  /** Starts the program if it does not run; resolves when it is ready. */
  start() {
    if (this.#starting) return this.#starting;
    const starting = this.#start().catch(e => {
      if (starting === this.#starting) this.#starting = null; // else it was ended and started again meanwhile
      throw e;
    });
    return this.#starting = starting;
  }

  /** Makes the worker, whose scripts then load; the program is sent by start(). */
  open() {
    if (this.#made) return;
    const made = loadWorkerScript().then(address => {
      if (made !== this.#made) throw new RequestError({code: 'exited', message: 'The engine was stopped before it had started.'});
      return this.#make(address);
    });
    this.#made = made;
    made.catch(() => {}); // start() tells
  }

  /** Gives the worker, and `up`, which is resolved when its program is ready. */
  #make(address: string) {
    const worker = new Worker(address, {name: 'cadem ' + this.#role});
    this.#worker = worker;
    const up = new Promise((resolve, reject) => {
      worker.onmessage = ({data}) => {
        if (data.ready) {
          this.#answers = new Set(data.answers);
          this.ready = true;
          resolve();
        } else if ('exit' in data) {
          reject(new RequestError({code: 'exited', message: data.text}));
          this.#ended(worker, data.text);
        } else if (data.life) this.#life = data.life;
        else this.#receive(data);
      };
      worker.onerror = e => {
        const text = e.message || 'the worker script could not be loaded';
        reject(new RequestError({code: 'exited', message: text}));
        this.#ended(worker, text);
      };
    }) as Promise<void>;
    up.catch(() => {}); // start() tells
    return {worker, up};
  }

  async #start() {
    for (let patience = LOST; ; patience *= 2) {
      this.open(); // before the program is there
      const made = this.#made as Promise<{worker: Worker, up: Promise<void>}>;
      const sent = Promise.all([made, compile(this.#program)]).then(([{worker}, module]) => worker.postMessage(this.#begin(module)), e => {
        if (made === this.#made) this.#drop('');
        throw e;
      });
      await sent;
      const {worker, up} = await made;
      await (new Promise((resolve, reject) => {
        up.then(resolve, reject);
        whenSlow(up, resolve, patience);
      }) as Promise<void>);
      if (made !== this.#made) await new Promise(() => {}); // it was ended on purpose, and nobody waits for it
      if (this.ready) return;
      worker.terminate();
      this.#worker = this.#made = null;
    }
  }

  /** The inputs that start a program. */
  #begin(module: WebAssembly.Module) {
    return {start: true, role: this.#role, prefix, module, life: `${prefix}cadem worker ${++workers} ${Math.random()}`};
  }

  /** Looks for a worker that says nothing while calls wait. It may be computing for long before it looks for messages, or be gone: a browser
   * tells nobody of a worker that has closed itself, but the worker's lock goes with it. */
  #listen() {
    clearTimeout(this.#listening);
    this.#heard = false;
    this.#listening = setTimeout(async () => {
      const worker = this.#worker, life = this.#life;
      if (!worker || !this.#waiting.size) return;
      const {held} = !this.#heard && life ? await navigator.locks.query().catch(() => ({held: undefined})) : {};
      if (held && !this.#heard && !held.some(lock => lock.name === life)) this.#ended(worker, 'its worker has gone');
      else if (worker === this.#worker) this.#listen();
    }, SILENT);
  }

  #ended(worker: Worker, text: string) {
    if (worker !== this.#worker) return;
    const wasReady = this.ready;
    this.#drop('The engine has stopped: ' + text.split('\n')[0]);
    if (wasReady) this.#onExit(text);
  }

  #drop(message: string) {
    this.#reader?.terminate();
    this.#worker?.terminate();
    this.#worker = this.#made = null;
    this.#starting = null;
    this.ready = false;
    this.memoryBytes = 0;
    this.#life = '';
    clearTimeout(this.#listening);
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const w of waiting) w.reject(new RequestError({code: 'exited', message}));
    this.#tell();
  }

  /** Ends the program at once, whatever it does: for one that no longer answers. */
  terminate() { this.#drop('The engine was stopped because it did not answer.'); }

  /** Takes a message for what its program sends: the types are those of its structs (messages.d.ts). */
  #receive({header, buffer, blobs, held}: {header: string, buffer?: ArrayBuffer, blobs?: Blob[], held: number}) {
    this.memoryBytes = held;
    this.#heard = true;
    const message = JSON.parse(header);
    const call = this.#waiting.get(message.id);
    if (!call) return;
    const arrays = unpack(message.slabs, buffer, blobs);
    if (message.kind === 'event') {
      call.onEvent?.(message, arrays);
      return;
    }
    this.#waiting.delete(message.id);
    if (message.ok) call.resolve({result: message.result || {}, arrays});
    else call.reject(new RequestError(message.error));
    this.#tell();
  }

  /** The program of other methods reads no files, nor scans: what it gets of them are the graphs that the whole one makes, or for a task that of studies. */
  async #withGraphs(args: {data?: DataSpec, task?: {data: DataSpec} & Task}, arrays: Arrays): Promise<[object, Arrays]> {
    const {data, task} = args, read = task ? task.data.scans || arrays['file:0'] : data?.files && arrays['file:0'];
    if (!read) return [args, arrays];
    const reader = this.#reader = new Endpoint('compute', () => {}, task ? STUDIES : WHOLE);
    try {
      const {result, arrays: numbers} = await (task ? reader.call('taskgraphs', {task}, arrays) : reader.call('graphs', {data}, arrays));
      return [{...args, graphs: result}, {...(data && arrays), ...numbers}];
    } finally {
      reader.terminate();
    }
  }

  /** Sends a request. `arrays` are copied into the message, Blobs are read there; the answer is {result, arrays}. */
  async call<K extends string>(kind: K, given: Args<P, K> = {} as Args<P, K>, arrays: Arrays = {}, onEvent: OnEvent | null = null):
    Promise<Answer<Result<P, K>>> {
    let args = given as object;
    if (this.#program === METHODS) [args, arrays] = await this.#withGraphs(args, arrays);
    await this.start();
    const id = this.#next++;
    const {slabs, buffer, blobs} = pack(arrays);
    const header = JSON.stringify({...args, v: 1, id, kind, slabs});
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, {resolve, reject, onEvent});
      if (this.#waiting.size === 1) this.#listen();
      (this.#worker as Worker).postMessage({header, buffer, blobs}, buffer ? [buffer] : []);
    });
  }
}

/** The answer of a worker with the whole program, which ends with it: memory that files have taken does not shrink. */
export async function readOnce<K extends string>(kind: K, args: Args<ComputeRequests, K>, arrays: Arrays) {
  const reader = new Endpoint('compute', () => {}, WHOLE);
  try {
    return await reader.call(kind, args, arrays);
  } finally {
    reader.terminate();
  }
}
