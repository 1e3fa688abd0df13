// The one host of a canvas: its size, its colours, its pointer and its keys. Those who draw on it extend it.
import {h} from './elements.js';

const THEMES = ['(prefers-color-scheme: dark)', '(forced-colors: active)'];
const DENSEST = 3; // pixels of the canvas for one of the page

/** Calls f when the page has other colours; gives what ends that. */
export function followTheme(f: () => void) {
  const themes = THEMES.map(query => matchMedia(query));
  for (const theme of themes) theme.addEventListener('change', f);
  return () => { for (const theme of themes) theme.removeEventListener('change', f); };
}

/** What a canvas is asked for. */
export interface Drawn<C> {
  /** The colours that hold for it. */
  read(): C;
  /** Its size on the page; a width of 0 while it is out of sight. */
  size(): [width: number, height: number];
  /** Whether what is drawn says how high it is: then it follows in the next frame, as its height is watched, too. */
  grows?: boolean;
  /** It has got a size or colours, and is empty. `before` is what stood there; null if nothing did, or in other colours. */
  changed(before: HTMLCanvasElement | null): void;
  pointer: {[type: string]: (e: PointerEvent) => unknown};
  /** Takes a key; reports whether it meant anything here. */
  key(e: KeyboardEvent): boolean;
}

export class Canvas<C> {
  readonly ctx: CanvasRenderingContext2D;
  colours!: C;
  /** In CSS pixels; 0 before it is in sight. */
  width = 0;
  height = 0;
  /** Pixels of the canvas for one of these. */
  scale = 1;
  #ends: () => void;

  constructor(readonly canvas: HTMLCanvasElement, private readonly drawn: Drawn<C>) {
    this.ctx = canvas.getContext('2d') as CanvasRenderingContext2D; // not opaque: that would be black before it is painted
    for (const [type, f] of Object.entries(drawn.pointer)) canvas.addEventListener(type, f as EventListener);
    canvas.addEventListener('keydown', e => { if (drawn.key(e)) e.preventDefault(); });
    const resized = new ResizeObserver(() => drawn.grows ? requestAnimationFrame(() => this.fit()) : this.fit());
    resized.observe(canvas);
    const stop = followTheme(() => {
      this.width = 0; // or, out of sight, it would keep its colours
      this.fit();
    });
    this.#ends = () => {
      resized.disconnect();
      stop();
    };
  }

  /** Takes the size and the colours that it has on the page; `anew` even if it had that size before. */
  fit(anew = false) {
    const {canvas, drawn} = this, [width, height] = drawn.size(), scale = Math.min(DENSEST, devicePixelRatio || 1);
    if (!width || !anew && width === this.width && height === this.height && scale === this.scale) return; // out of sight, or seen again
    const before = this.width ? h('canvas', {width: canvas.width, height: canvas.height}) : null;
    before?.getContext('2d')?.drawImage(canvas, 0, 0);
    Object.assign(this, {width, height, scale});
    this.colours = drawn.read(); // not before: an element outside the document has no colours
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    this.ctx.setTransform(scale, 0, 0, scale, 0, 0);
    drawn.changed(before);
  }

  destroy() {
    this.#ends();
    this.canvas.remove();
  }
}
