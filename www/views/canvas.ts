// The host of a picture that draws marks: who is pointed at and chosen, and the keys that lead from one mark to the next.
import {Canvas} from '../dom/canvas.js';
import {throttleDraw} from '../dom/clock.js';
import {h} from '../dom/elements.js';
import {theme} from './palette.js';
import type {Theme} from '../types.js';

const TO = new Map(Object.entries({ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity}));

/** Where a key leads in a row that ends with `last`; undefined if it leads nowhere. */
export function along(key: string, from: number, last: number) {
  const by = TO.get(key);
  return by === undefined || last < 0 ? undefined : Math.min(Math.max(from + by, 0), last);
}

export interface Mark {
  kind: string; // its role for a screen reader
  draw(): void;
  /** Its pixels are no longer those of its size or colours. */
  stale?(): void;
  /** Draws on the canvas that has got a size, and is empty; without it, draw() does. `before` is what stood there. */
  sized?(before: HTMLCanvasElement | null): void;
  /** The height on a width; without it, the same. */
  height?(width: number): number;
  /** The mark that a key leads to from another one, -1 for none; undefined if it leads nowhere. */
  go(key: string, from: number): number | undefined;
  describe(mark: number): string;
  /** Enter has been pressed on a mark, or Escape, then -1. */
  choose(mark: number, add: boolean): void;
  hover(mark: number): void;
  pointer: {[type: string]: (e: PointerEvent) => void};
}

export class Host extends Canvas<Theme> {
  readonly redraw;
  /** The mark in focus, -1 for none; the node that is pointed at anywhere, and those that are chosen. */
  at = -1;
  hovered = -1;
  selected: Set<number> = new Set();
  #label = '';

  constructor(el: HTMLElement, private readonly mark: Mark) {
    const canvas = h('canvas', {tabindex: 0, role: 'application', 'aria-roledescription': mark.kind});
    super(canvas, {
      read: () => theme(canvas), grows: Boolean(mark.height),
      size() {
        const width = canvas.clientWidth;
        return [width, mark.height?.(width) ?? width];
      },
      changed: before => {
        mark.stale?.();
        if (!mark.sized) return mark.draw(); // at once: a canvas that was given a size is empty
        mark.sized(before);
        this.redraw();
      },
      pointer: mark.pointer, key: e => this.#key(e),
    });
    el.append(canvas);
    this.redraw = throttleDraw(() => { if (this.width) mark.draw(); });
    canvas.addEventListener('blur', () => this.#focus(-1));
  }

  /** Its side where it is a square, and its width. */
  get side() { return this.width; }

  /** Names the picture. */
  label(text: string) {
    this.#label = text;
    this.canvas.setAttribute('aria-label', text);
  }

  select(nodes: Iterable<number>) {
    this.selected = new Set(nodes);
    this.mark.stale?.();
    this.redraw();
  }

  highlight(node: number) {
    if (this.hovered === node) return;
    this.hovered = node;
    this.redraw();
  }

  #focus(at: number) {
    this.at = at;
    this.canvas.setAttribute('aria-label', at < 0 ? this.#label : `${this.#label}: ${this.mark.describe(at)}`);
    this.mark.hover(at);
    this.redraw();
  }

  #key(e: KeyboardEvent) {
    const to = this.mark.go(e.key, this.at);
    if (to !== undefined) this.#focus(to);
    else if (e.key === 'Enter' && this.at >= 0) this.mark.choose(this.at, e.shiftKey);
    else if (e.key === 'Escape') this.mark.choose(-1, false);
    else return false;
    this.redraw();
    return true;
  }
}
