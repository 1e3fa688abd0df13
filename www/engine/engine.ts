// The compute program of the page. The one of a first visit knows the examples; the whole one is loaded when something asks
// for more, and takes its place; that of other methods takes it where one of these is to be trained.
import {METHODS, WHOLE, compile} from './compile.js';
import {Endpoint} from './endpoint.js';
import type {Caller, Suited} from '../types.js';

export class Engine {
  #onExit; #endpoint;
  /** Another program beside the current one, and which one it is. */
  #next: {program: Program, begun: Promise<Endpoint>} | null = null;

  /** onExit(text): the program has ended without being asked to. */
  constructor(onExit: (text: string) => void) {
    this.#onExit = onExit;
    this.#endpoint = new Endpoint('compute', onExit);
  }

  get ready() { return this.#endpoint.ready; }
  get waiting() { return this.#endpoint.waiting; }
  get memoryBytes() { return this.#endpoint.memoryBytes; }
  answered() { return this.#endpoint.answered(); }
  open() { this.#endpoint.open(); }
  start() { return this.#endpoint.start(); }
  terminate() { this.#endpoint.terminate(); }
  call: Caller['call'] = (...request) => this.#endpoint.call(...request);

  /** Whether the current program answers such a request. */
  async answers(kind: string, args?: Suited) {
    await this.#endpoint.start();
    return this.#endpoint.answers(kind, args);
  }

  /** Starts the whole program beside the current one, or that of other methods, once; a failure may be tried again. */
  prepare(methods: boolean) {
    const program = methods ? METHODS : WHOLE;
    if (this.#next?.program !== program) {
      this.#next?.begun.then(e => e.terminate(), () => {}); // nobody waits for it any more
      const begun = this.#begin(program).catch(e => {
        this.#next = null;
        throw e;
      });
      this.#next = {program, begun};
    }
    return this.#next.begun;
  }

  async #begin(program: Program) {
    await compile(program); // before there is a worker, which nobody may need
    const endpoint: Endpoint = new Endpoint('compute', text => { if (endpoint === this.#endpoint) this.#onExit(text); }, program);
    await endpoint.start();
    return endpoint;
  }

  /** Puts the program that was prepared in the place of the current one, which ends. */
  async swap() {
    const before = this.#endpoint, next = this.#next;
    if (!next) throw new Error('no program was prepared');
    this.#endpoint = await next.begun;
    this.#next = null;
    before.terminate();
  }
}
