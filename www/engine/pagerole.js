// @ts-check
import {compile} from './compile.js';
import {link} from './kernels.js';
import {h} from '../dom/elements.js';
import {scriptURL} from '../dom/scripts.js';

/** How many times the program may end before it is given up. */
const LIVES = 3;

/**
 * The Go program of the page itself, which writes status, tables and messages into the document.
 * The newest of each kind is kept for a program that is not there yet: the first one, or one that takes the place of one that has ended.
 */
export class PageRole {
  /** @type {Map<string, object>} */
  #newest = new Map();

  /**
   * Tells whether a program has taken it.
   * @param {string} kind
   * @param {object} fields
   */
  send(kind, fields) {
    if (!globalThis.cademPage || kind !== 'announce') this.#newest.set(kind, fields); // what is said aloud is said once
    globalThis.cademPage?.(JSON.stringify({v: 1, kind, ...fields}));
    return Boolean(globalThis.cademPage);
  }

  /** Runs the program, and rejects when there is none any more. `onAgain()` is called when another takes its place.
   * @param {() => void} onAgain
   */
  async start(onAgain) {
    const module = await compile();
    await new Promise((resolve, reject) => {
      const script = /** @type {HTMLScriptElement} */ (
        h('script', {onload: resolve, onerror: () => reject(new Error('the start-up script of the engine did not load'))})
      );
      script.src = scriptURL(__WASM_EXEC__);
      document.head.append(script);
    });
    const handOver = () => {
      for (const [kind, fields] of this.#newest) this.send(kind, fields);
      this.#newest.delete('announce');
    };
    /** @type {typeof cademPage} */
    let page = null;
    Object.defineProperty(globalThis, 'cademPage', {
      configurable: true,
      get: () => page,
      set(f) {
        page = f;
        if (f) queueMicrotask(handOver);
      },
    });
    for (let lives = LIVES; lives > 0; lives--) {
      if (lives < LIVES) onAgain();
      const go = new globalThis.Go(), instance = await link(go, module), end = brokenOff(go);
      go.argv = ['cadem', 'page'];
      await Promise.race([go.run(instance), end]).catch(() => {});
      page = null;
    }
    throw new Error('their program has ended three times');
  }
}

/** Rejects when the browser breaks off the program, or it is entered after its end. It is not entered again then.
 * @param {any} go
 */
const brokenOff = go => new Promise((_, reject) => {
  const resume = go._resume;
  go._resume = () => {
    try {
      resume.call(go);
    } catch (e) {
      go._resume = () => {};
      go._scheduledTimeouts.clear(); // it would be entered until it had dealt with them
      reject(e);
    }
  };
});
