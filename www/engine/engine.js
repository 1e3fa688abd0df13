// The compute program of the page. The one of a first visit knows the examples; the whole one is loaded when something asks
// for more, and takes its place.
import {Endpoint, WHOLE, compile} from './runclient.js';

export class Engine {
  #onExit; #end; #next = null;

  /** onExit(text): the program has ended without being asked to. */
  constructor(onExit) {
    this.#onExit = onExit;
    this.#end = new Endpoint('compute', onExit);
  }

  get ready() { return this.#end.ready; }
  get waiting() { return this.#end.waiting; }
  get held() { return this.#end.held; }
  open() { this.#end.open(); }
  start() { return this.#end.start(); }
  terminate() { this.#end.terminate(); }
  call(...request) { return this.#end.call(...request); }

  /** Whether the present program answers such a request. */
  async answers(kind, args) {
    await this.#end.start();
    return this.#end.answers(kind, args);
  }

  /** Starts the whole program beside the present one, once; a failure may be tried again. */
  prepare() {
    this.#next ||= this.#begin().catch(e => {
      this.#next = null;
      throw e;
    });
    return this.#next;
  }

  async #begin() {
    await compile(WHOLE); // before there is a worker, which nobody may need
    const end = new Endpoint('compute', text => { if (end === this.#end) this.#onExit(text); }, WHOLE);
    await end.start();
    return end;
  }

  /** Puts the program that was prepared in the place of the present one, which ends. */
  async swap() {
    const before = this.#end;
    this.#end = await this.prepare();
    before.terminate();
  }
}
