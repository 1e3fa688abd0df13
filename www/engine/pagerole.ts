import {compile} from './compile.js';
import {link} from './kernels.js';
import {h} from '../dom/elements.js';
import {scriptURL} from '../dom/scripts.js';
import type {Message} from '../types.js';

/** How many times the program may end before it is given up. */
const LIVES = 3;

/** The reader's actions while there is no program, by kind. */
export interface Plainly {
  status(fields: {text: string}): void; announce(fields: {text: string}): void; messages(fields: {list: Message[]}): void;
}

/**
 * The Go program of the page itself, which writes status, tables and messages into the document.
 * The newest of each kind is kept for a program that is not there yet: the first one, or one that takes the place of one that has ended.
 */
export class PageRole {
  #newest: Map<string, object> = new Map();
  #plainly: Record<string, ((fields: any) => void) | undefined>;

  constructor(plainly: Plainly) { this.#plainly = {...plainly}; }

  send(kind: string, fields: object) {
    if (kind !== 'announce') this.#newest.set(kind, fields); // what is said aloud is said once
    globalThis.cademPage?.(JSON.stringify({v: 1, kind, ...fields}));
    if (!globalThis.cademPage) this.#plainly[kind]?.(fields); // also when it has just ended
  }

  /** Runs the program, and rejects when there is none any more. `onAgain()` is called when another takes its place. */
  async start(onAgain: () => void) {
    const module = await compile();
    await new Promise((resolve, reject) => {
      const script = h('script', {onload: resolve, onerror: () => reject(new Error('the start-up script of the engine did not load'))}) as HTMLScriptElement;
      script.src = scriptURL(__WASM_EXEC__);
      document.head.append(script);
    });
    const sendAgain = () => {
      for (const [kind, fields] of this.#newest) this.send(kind, fields);
    };
    let page: typeof cademPage = null;
    Object.defineProperty(globalThis, 'cademPage', {
      configurable: true,
      get: () => page,
      set(f) {
        page = f;
        if (f) queueMicrotask(sendAgain);
      },
    });
    for (let lives = LIVES; lives > 0; lives--) {
      if (lives < LIVES) onAgain();
      const go = new globalThis.Go(), instance = await link(go, module);
      go.argv = ['cadem', 'page'];
      await new Promise(resolve => {
        const end = () => {
          page = null;
          resolve(undefined);
        };
        atEnd(go, end);
        go.run(instance).catch(end);
      });
    }
    sendAgain(); // it may have ended before it had shown all that it had taken
    throw new Error('their program has ended three times');
  }
}

/** Calls `f()` at the very moment when the program ends or the browser breaks it off. It is not entered again then. */
function atEnd(go: any, f: () => void) {
  const {_resume: resume, exit} = go;
  const end = () => {
    go._resume = () => {};
    go._scheduledTimeouts.clear(); // it would be entered until it had dealt with them
    f();
  };
  go.exit = (code: number) => {
    exit(code);
    end();
  };
  go._resume = () => {
    try {
      resume.call(go);
    } catch {
      end();
    }
  };
}
