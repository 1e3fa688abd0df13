// The host of the figure: the colours of the essay, and words on it.
import {Canvas} from '../dom/canvas.js';

const COLOURS = ['paper', 'card', 'ink', 'soft', 'line', 'wash', 'shared-0', 'shared-1', 'shared-2',
  'own-0', 'own-1', 'own-2', 'own-edge'] as const;
export type Colour = typeof COLOURS[number];

const FACE = 'system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",Arial,sans-serif';
const SMALLEST = 12; // px of a letter

export interface Hands {
  /** Somebody points at x, y, or presses there. */
  point(x: number, y: number, pressed: boolean): void;
  /** An arrow key goes by one, Enter presses. */
  step(by: number): void;
  press(): void;
}

export class Host extends Canvas<Record<Colour, string>> {
  /** px of a letter. */
  rem = 16;

  constructor(canvas: HTMLCanvasElement, changed: () => void, hands: Hands) {
    let made = false;
    const at = (e: MouseEvent, pressed: boolean) => {
      const box = canvas.getBoundingClientRect();
      hands.point(e.clientX - box.left, e.clientY - box.top, pressed);
    };
    super(canvas, {
      read: () => {
        const style = getComputedStyle(document.documentElement);
        this.rem = parseFloat(style.fontSize);
        const list = COLOURS.map(name => [name, style.getPropertyValue('--' + name).trim()]);
        return Object.fromEntries(list) as Record<Colour, string>;
      },
      size: () => {
        const {width, height} = canvas.getBoundingClientRect();
        return [Math.max(1, width), Math.max(1, height)];
      },
      changed: () => { if (made) changed(); },
      pointer: {pointermove: e => e.pointerType === 'mouse' && at(e, false), click: e => at(e, true)},
      key: e => {
        const by = {ArrowRight: 1, ArrowLeft: -1}[e.key];
        if (by) hands.step(by);
        else if (e.key === 'Enter') hands.press();
        else return false;
        e.stopPropagation();
        return true;
      },
    });
    this.fit();
    made = true;
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
