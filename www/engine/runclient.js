// The page's side of the Go programs: compiles each once, starts the workers, matches answers to
// requests, and notices when a program has ended. Messages: wasm/PROTOCOL.md.
import {link} from './kernels.js';
import {pack, unpack} from './arrays.js';
import {Pool} from './pool.js';
import {h, ownScript, scriptURL} from '../dom/dom.js';

/** An answer `ok: false`, or the end of the program that should have answered (code "exited"). */
export class RequestError extends Error {
  constructor({code, message, file, line, field}) {
    super(message);
    Object.assign(this, {code, file, line, field});
  }
}

/** Where this site lives: workers put it before every storage name, since project pages share an origin. */
export const prefix = new URL('.', document.baseURI).pathname;

/** The Go programs: the one of a first visit, and the one that knows everything. */
export const FIRST = {plain: __WASM__, packed: __WASM_GZ__};
export const WHOLE = {plain: __WHOLE__, packed: __WHOLE_GZ__};

const compiled = new Map(), ordered = new Map();

/** Asks for the first program without spending time on it yet. */
export function order() {
  if (!globalThis.DecompressionStream) return;
  const answer = fetch(FIRST.packed);
  answer.catch(() => {}); // told when it is needed
  ordered.set(FIRST, answer);
}

/** Fetches and compiles a program, once; a failure may be tried again. */
export function compile(program = FIRST) {
  if (!compiled.has(program)) {
    compiled.set(program, fetchModule(program).catch(e => {
      compiled.delete(program);
      throw program === FIRST ? e : new RequestError({code: 'not-loaded', message: `What reads and writes files and runs experiments could not be loaded: ${e.message}. Nothing is lost; check the network and try again.`});
    }));
  }
  return compiled.get(program);
}

async function fetchModule(program) {
  const asWasm = body => new Response(body, {headers: {'Content-Type': 'application/wasm'}});
  if (globalThis.DecompressionStream) {
    const early = ordered.get(program);
    ordered.delete(program); // can be read once
    const answer = await (early ?? fetch(program.packed));
    if (answer.ok) return WebAssembly.compileStreaming(asWasm(await unpacked(answer.body)));
  }
  const plain = await fetch(program.plain);
  if (!plain.ok) throw new Error(`the server answered ${plain.status}`);
  return WebAssembly.compileStreaming ? WebAssembly.compileStreaming(asWasm(plain.body)) : WebAssembly.compile(await plain.arrayBuffer());
}

/** Decompresses a stream, unless the host's Content-Encoding made the browser do so already. */
async function unpacked(body) {
  const reader = body.getReader();
  const first = await reader.read();
  const whole = new ReadableStream({
    start(c) { if (!first.done) c.enqueue(first.value); },
    async pull(c) {
      const {done, value} = await reader.read();
      done ? c.close() : c.enqueue(value);
    },
  });
  const gzip = first.value?.[0] === 0x1f && first.value[1] === 0x8b;
  return gzip ? whole.pipeThrough(new DecompressionStream('gzip')) : whole;
}

let workerScript = null; // its address, once it is there

/**
 * The script of the workers as a Blob of this page. A worker takes its policy from its maker if it is made of a Blob; else from
 * the headers of its answer, and a static host sends none: it could then reach any address.
 */
function loadWorkerScript() {
  workerScript ||= fetch(__WORKER__).then(async answer => {
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    return ownScript([`'use strict';self.cademBase=${JSON.stringify(new URL('.', document.baseURI).href)};`, await answer.blob()]);
  }).catch(e => {
    workerScript = null;
    throw new RequestError({code: 'exited', message: `the worker script could not be loaded: ${e.message}`});
  });
  return workerScript;
}

/**
 * One worker with one Go program. `onExit(text)` is called when it has ended without being asked to;
 * by then every waiting call has been rejected. A program is started again by the next call.
 */
export class Endpoint {
  #role; #onExit; #program; #answers = new Set(); #worker = null; #made = null; #starting = null; #waiting = new Map(); #next = 1;

  constructor(role, onExit, program = FIRST) {
    this.#role = role;
    this.#onExit = onExit;
    this.#program = program;
    this.ready = false;
    this.held = 0; // bytes of the program's memory, which does not shrink, as of its last message
  }

  get waiting() { return this.#waiting.size; }

  /** Whether the program, once it is ready, answers such a request. */
  answers(kind, {data} = {}) { return this.#answers.has(kind) && (!data?.files || this.#answers.has('files')); }

  /** Starts the program if it does not run; resolves when it is ready. */
  start() {
    this.#starting ||= this.#start().catch(e => {
      this.#starting = null;
      throw e;
    });
    return this.#starting;
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
  #make(address) {
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
        } else this.#receive(data);
      };
      worker.onerror = e => {
        const text = e.message || 'the worker script could not be loaded';
        reject(new RequestError({code: 'exited', message: text}));
        this.#ended(worker, text);
      };
    });
    up.catch(() => {}); // start() tells
    return {worker, up};
  }

  async #start() {
    this.open(); // before the program is there
    const made = this.#made;
    const sent = Promise.all([made, compile(this.#program)]).then(([{worker}, module]) => worker.postMessage({start: true, role: this.#role, module, prefix}), e => {
      if (made === this.#made) this.#drop('');
      throw e;
    });
    await Promise.all([sent, made.then(m => m.up)]);
  }

  #ended(worker, text) {
    if (worker !== this.#worker) return;
    const wasReady = this.ready;
    this.#drop('The engine has stopped: ' + text.split('\n')[0]);
    if (wasReady) this.#onExit(text);
  }

  #drop(message) {
    this.#worker?.terminate();
    this.#worker = this.#made = null;
    this.#starting = null;
    this.ready = false;
    this.held = 0;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const w of waiting) w.reject(new RequestError({code: 'exited', message}));
  }

  /** Ends the program at once, whatever it does: for one that no longer answers. */
  terminate() { this.#drop('The engine was stopped because it did not answer.'); }

  #receive({header, buffer, blobs, held}) {
    this.held = held;
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
  }

  /** Sends a request. `arrays` are copied into the message, Blobs are read there; the answer is {result, arrays}. */
  async call(kind, args = {}, arrays = {}, onEvent = null) {
    await this.start();
    const id = this.#next++;
    const {slabs, buffer, blobs} = pack(arrays);
    const header = JSON.stringify({...args, v: 1, id, kind, slabs});
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, {resolve, reject, onEvent});
      this.#worker.postMessage({header, buffer, blobs}, buffer ? [buffer] : []);
    });
  }
}

/** A pool of compute workers with the whole program; see pool.js for the options. */
export const createPool = options => new Pool({connect: onExit => new Endpoint('compute', onExit, WHOLE), ...options});

/**
 * The Go program of the page itself, which writes status, tables and messages into the document.
 * What is sent before it runs is kept, the last of each kind, and handed over then.
 */
export class PageRole {
  #early = new Map();

  send(kind, fields) {
    if (globalThis.cademPage) globalThis.cademPage(JSON.stringify({v: 1, kind, ...fields}));
    else this.#early.set(kind, fields);
    return Boolean(globalThis.cademPage);
  }

  async start() {
    const module = await compile();
    await new Promise((resolve, reject) => {
      const script = h('script', {onload: resolve, onerror: () => reject(new Error('the start-up script of the engine did not load'))});
      script.src = scriptURL(__WASM_EXEC__);
      document.head.append(script);
    });
    const go = new globalThis.Go();
    go.argv = ['cadem', 'page'];
    const handOver = () => {
      for (const [kind, fields] of this.#early) this.send(kind, fields);
      this.#early.clear();
    };
    let page = null;
    Object.defineProperty(globalThis, 'cademPage', {
      configurable: true,
      get: () => page,
      set(f) {
        page = f;
        if (f) queueMicrotask(handOver);
      },
    });
    const instance = await link(go, module);
    go.run(instance).then(() => { page = null; });
  }
}
