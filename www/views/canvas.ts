// The host of a canvas that draws marks: its size, its colours, the pointer, and the keys that lead from one mark to the next.
import {throttleDraw} from '../dom/clock.js';
import {h} from '../dom/elements.js';
import {theme} from './palette.js';

const TO = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity} as Record<string, number>;

/** Where a key leads in a row that ends with `last`; undefined if it leads nowhere. */
export const along = (key: string, from: number, last: number) =>
  key in TO && last >= 0 ? Math.min(Math.max(from + TO[key], 0), last) : undefined;

/** Calls f with the colours that hold at an element whenever the theme changes; gives what ends that. */
export function followTheme(el: HTMLElement, f: (colours: Theme) => void) {
  const dark = matchMedia('(prefers-color-scheme: dark)'), recolour = () => f(theme(el));
  dark.addEventListener('change', recolour);
  return () => dark.removeEventListener('change', recolour);
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

export class Host {
  readonly canvas: HTMLCanvasElement;
  readonly ctx: CanvasRenderingContext2D;
  readonly redraw;
  colours!: Theme;
  /** In CSS pixels; 0 before it is in sight. */
  side = 0;
  /** Pixels of the canvas for one of these. */
  scale = 1;
  /** The mark in focus, -1 for none; the node that is pointed at anywhere, and those that are chosen. */
  at = -1;
  hovered = -1;
  selected: Set<number> = new Set();
  #label = '';
  #ends: () => void;

  constructor(el: HTMLElement, private readonly mark: Mark) {
    const canvas = this.canvas = h('canvas', {tabindex: 0, role: 'application', 'aria-roledescription': mark.kind});
    el.append(canvas);
    this.ctx = canvas.getContext('2d') as CanvasRenderingContext2D; // not opaque: that would be black before it is painted
    this.redraw = throttleDraw(() => this.#draw());
    for (const [name, f] of Object.entries(mark.pointer)) canvas.addEventListener(name, f as EventListener);
    canvas.addEventListener('keydown', e => this.#key(e));
    canvas.addEventListener('blur', () => this.#focus(-1));
    // In the next frame where that changes the height, which is watched, too.
    const resized = new ResizeObserver(() => mark.height ? requestAnimationFrame(() => this.fit()) : this.fit());
    resized.observe(canvas);
    const stop = followTheme(canvas, t => {
      this.colours = t;
      mark.stale?.();
      this.redraw();
    });
    this.#ends = () => {
      resized.disconnect();
      stop();
    };
  }

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

  destroy() {
    this.#ends();
    this.canvas.remove();
  }

  #draw() {
    if (!this.side) return;
    this.ctx.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    this.mark.draw();
  }

  /** Takes the size that the canvas has on the page; `anew` even if it had that before. */
  fit(anew = false) {
    const {canvas, mark} = this;
    if (!canvas.clientWidth || !anew && canvas.clientWidth === this.side && this.scale === devicePixelRatio) return; // out of sight, or seen again
    const before = this.side && mark.sized ? copyOf(canvas) : null;
    this.side = canvas.clientWidth;
    this.scale = devicePixelRatio || 1;
    this.colours = theme(canvas); // not before: an element outside the document has no colours
    canvas.width = Math.round(this.side * this.scale);
    canvas.height = Math.round((mark.height?.(this.side) ?? this.side) * this.scale);
    mark.stale?.();
    if (!mark.sized) return this.#draw(); // at once: a canvas that was given a size is empty
    this.ctx.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    mark.sized(before);
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
    else return;
    e.preventDefault();
    this.redraw();
  }
}

/** The pixels of a canvas in another one. */
function copyOf(canvas: HTMLCanvasElement) {
  const copy = h('canvas', {width: canvas.width, height: canvas.height});
  copy.getContext('2d')?.drawImage(canvas, 0, 0);
  return copy;
}
