// The one host of a canvas: its size, its colours, what points at it, and its keys.
const COLOURS = ['paper', 'card', 'ink', 'soft', 'line', 'wash', 'shared-0', 'shared-1', 'shared-2',
  'own-0', 'own-1', 'own-2', 'own-edge'] as const;
export type Colour = typeof COLOURS[number];

const FACE = 'system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",Arial,sans-serif';
const SMALLEST = 12; // px of a letter
const DENSEST = 3; // pixels of the canvas for one of the page

export interface Hands {
  /** Somebody points at x, y, or presses there. */
  point(x: number, y: number, pressed: boolean): void;
  /** An arrow key goes by one, Enter presses. */
  step(by: number): void;
  press(): void;
}

export class Host {
  readonly ctx: CanvasRenderingContext2D;
  readonly colours = {} as Record<Colour, string>;
  width = 1;
  height = 1;
  /** px of a letter. */
  rem = 16;

  constructor(readonly canvas: HTMLCanvasElement, readonly changed: () => void, hands: Hands) {
    this.ctx = canvas.getContext('2d') as CanvasRenderingContext2D;
    const at = (e: MouseEvent, pressed: boolean) => {
      const box = canvas.getBoundingClientRect();
      hands.point(e.clientX - box.left, e.clientY - box.top, pressed);
    };
    canvas.addEventListener('pointermove', e => { if (e.pointerType === 'mouse') at(e, false); });
    canvas.addEventListener('click', e => at(e, true));
    canvas.addEventListener('keydown', e => {
      const by = {ArrowRight: 1, ArrowLeft: -1}[e.key];
      if (!by && e.key !== 'Enter') return;
      e.preventDefault();
      e.stopPropagation();
      if (by) hands.step(by);
      else hands.press();
    });
    new ResizeObserver(() => this.fit()).observe(canvas.parentElement as HTMLElement);
    for (const theme of ['(prefers-color-scheme: dark)', '(forced-colors: active)']) {
      matchMedia(theme).addEventListener('change', () => this.fit());
    }
    this.measure();
  }

  /** Takes the size and the colours of the page. */
  measure() {
    const box = (this.canvas.parentElement as HTMLElement).getBoundingClientRect();
    const style = getComputedStyle(document.documentElement);
    const dense = Math.min(DENSEST, devicePixelRatio || 1);
    this.width = Math.max(1, box.width);
    this.height = Math.max(1, box.height);
    this.canvas.width = Math.round(this.width * dense);
    this.canvas.height = Math.round(this.height * dense);
    this.ctx.setTransform(dense, 0, 0, dense, 0, 0);
    this.rem = parseFloat(style.fontSize);
    for (const name of COLOURS) this.colours[name] = style.getPropertyValue('--' + name).trim();
  }

  fit() {
    this.measure();
    this.changed();
  }

  clear() { this.ctx.clearRect(0, 0, this.width, this.height); }

  font(rems: number, weight = 400) {
    this.ctx.font = `${weight} ${Math.max(SMALLEST, rems * this.rem)}px ${FACE}`;
  }

  text(words: string, x: number, y: number, {align = 'left', colour = 'ink', middle = false}: {
    align?: CanvasTextAlign, colour?: Colour, middle?: boolean,
  } = {}) {
    const {ctx} = this;
    ctx.textAlign = align;
    ctx.textBaseline = middle ? 'middle' : 'alphabetic';
    ctx.lineWidth = 4;
    ctx.lineJoin = 'round';
    ctx.strokeStyle = this.colours.paper;
    ctx.strokeText(words, x, y);
    ctx.fillStyle = this.colours[colour];
    ctx.fillText(words, x, y);
  }
}
