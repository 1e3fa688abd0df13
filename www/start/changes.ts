// Subscriptions: each part of the page subscribes to the concerns that it shows, and is called when one of them has changed.
// The page's one clock draws all that is due together.
import {followDraw} from '../dom/clock.js';
import type {Concern} from '../types.js';

export class Changes {
  #due: Set<Concern> = new Set();
  #subscribers: {concerns: Concern[], show: () => void}[] = [];
  #draw;

  constructor() { this.#draw = followDraw(() => this.#flush()); }

  /** Has show() called when one of the concerns has changed; in the order of subscriptions. */
  subscribe(concerns: Concern[], show: () => void) { this.#subscribers.push({concerns, show}); }

  /** Tells what has changed. A run that begins or ends is shown at once. */
  tell(...what: Concern[]) {
    for (const w of what) this.#due.add(w);
    this.#draw(what.includes('run'));
  }

  #flush() {
    const due = new Set(this.#due);
    this.#due.clear();
    for (const {concerns, show} of this.#subscribers) if (concerns.some(c => due.has(c))) show();
  }
}
