// @ts-check
// Who shows what: each part of the page subscribes to the concerns that it shows, and is called when one of them has changed.
// All that is due is drawn together, by the page's one clock.
import {followDraw} from '../dom/clock.js';

export class Changes {
  /** @type {Set<Concern>} */
  #due = new Set();
  /** @type {{concerns: Concern[], show: () => void}[]} */
  #subscribers = [];
  #draw;

  constructor() { this.#draw = followDraw(() => this.#flush()); }

  /** Has show() called when one of the concerns has changed; in the order of subscriptions.
   * @param {Concern[]} concerns
   * @param {() => void} show
   */
  subscribe(concerns, show) { this.#subscribers.push({concerns, show}); }

  /** Tells what has changed. A run that begins or ends is shown at once.
   * @param {...Concern} what
   */
  tell(...what) {
    for (const w of what) this.#due.add(w);
    this.#draw(what.includes('run'));
  }

  #flush() {
    const due = new Set(this.#due);
    this.#due.clear();
    for (const {concerns, show} of this.#subscribers) if (concerns.some(c => due.has(c))) show();
  }
}
