// @ts-check
import {compile} from './compile.js';
import {link} from './kernels.js';
import {h} from '../dom/elements.js';
import {scriptURL} from '../dom/scripts.js';

/**
 * The Go program of the page itself, which writes status, tables and messages into the document.
 * What is sent before it runs is kept, the last of each kind, and handed over then.
 */
export class PageRole {
  /** @type {Map<string, object>} */
  #early = new Map();

  /**
   * @param {string} kind
   * @param {object} fields
   */
  send(kind, fields) {
    if (globalThis.cademPage) globalThis.cademPage(JSON.stringify({v: 1, kind, ...fields}));
    else this.#early.set(kind, fields);
    return Boolean(globalThis.cademPage);
  }

  async start() {
    const module = await compile();
    await new Promise((resolve, reject) => {
      const script = /** @type {HTMLScriptElement} */ (
        h('script', {onload: resolve, onerror: () => reject(new Error('the start-up script of the engine did not load'))})
      );
      script.src = scriptURL(__WASM_EXEC__);
      document.head.append(script);
    });
    const go = new globalThis.Go();
    go.argv = ['cadem', 'page'];
    const handOver = () => {
      for (const [kind, fields] of this.#early) this.send(kind, fields);
      this.#early.clear();
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
    const instance = await link(go, module);
    go.run(instance).then(() => { page = null; });
  }
}
