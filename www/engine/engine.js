// @ts-check
// The compute program of the page. The one of a first visit knows the examples; the whole one is loaded when something asks
// for more, and takes its place.
import {WHOLE, compile} from './compile.js';
import {Endpoint} from './endpoint.js';

export class Engine {
  #onExit; #endpoint;
  /** The whole program, beside the present one. @type {Promise<Endpoint> | null} */
  #whole = null;

  /** onExit(text): the program has ended without being asked to.
   * @param {(text: string) => void} onExit
   */
  constructor(onExit) {
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
  /** @type {Caller['call']} */
  call(...request) { return this.#endpoint.call(...request); }

  /** Whether the present program answers such a request.
   * @param {string} kind
   * @param {any} args
   */
  async answers(kind, args = undefined) {
    await this.#endpoint.start();
    return this.#endpoint.answers(kind, args);
  }

  /** Starts the whole program beside the present one, once; a failure may be tried again. */
  prepare() {
    this.#whole ||= this.#begin().catch(e => {
      this.#whole = null;
      throw e;
    });
    return this.#whole;
  }

  async #begin() {
    await compile(WHOLE); // before there is a worker, which nobody may need
    /** @type {Endpoint} */
    const endpoint = new Endpoint('compute', text => { if (endpoint === this.#endpoint) this.#onExit(text); }, WHOLE);
    await endpoint.start();
    return endpoint;
  }

  /** Puts the program that was prepared in the place of the present one, which ends. */
  async swap() {
    const before = this.#endpoint;
    this.#endpoint = await this.prepare();
    before.terminate();
  }
}
