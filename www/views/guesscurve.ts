// A curve that the reader draws before it is measured, and the measured one over it. Six points are sliders that stand upright; a pointer draws across all.
import {h, svg} from '../dom/elements.js';
import {fixed} from '../dom/figures.js';
import {POINTS} from '../settings/curves.js';
import {paintSvg} from './svgpaint.js';
import type {Curves, Guess} from '../settings/curves.js';

const WIDE = 360, HIGH = 220, LEFT = 46, RIGHT = WIDE - 24, TOP = 14, BOTTOM = HIGH - 34;
const STEP = 0.05, PAGE = 0.2, FIRST = 0.5; // of the keys; and where a point begins that they move
const DRAWS = 1200; // ms
const STILL = matchMedia('(prefers-reduced-motion: reduce)');

const x = (k: number) => LEFT + (RIGHT - LEFT) * k / (POINTS - 1), y = (v: number) => BOTTOM - (BOTTOM - TOP) * v;

/** The corners of a line, without those that are missing. */
const path = (list: Guess) => list.flatMap((v, k) => v === null ? [] : [`${x(k).toFixed(1)} ${y(v).toFixed(1)}`]).map((p, i) => (i ? 'L' : 'M') + p).join('');

/** The lines that are measured, as the style sheet and the key name them. */
export const LINES = [['trained', 'S by CaDeM, trained'], ['closed', 'S by the closed form'], ['untrained', 'S untrained']] as const;

/** changed(guess) is called when a stroke or a key has changed it. */
export function createGuessCurve(el: HTMLElement, {gammas, changed}: {gammas: number[]; changed: (guess: Guess) => void}) {
  let guess: Guess = new Array(POINTS).fill(null), shown = '', drag = -1;
  const line = svg('path', {class: 'guess-line'}), clip = svg('rect', {x: 0, y: 0, width: WIDE, height: HIGH});
  const measured = svg('g', {'clip-path': 'url(#guess-clip)'});
  const points = gammas.map((g, k) => {
    const mark = svg('circle', {cx: x(k), cy: y(FIRST), r: 6});
    const point = svg('g', {
      role: 'slider', tabindex: 0, class: 'guess-point', 'aria-orientation': 'vertical', 'aria-valuemin': 0, 'aria-valuemax': 100,
      'aria-label': `What S tells of the shared groups at ${g} %, as you expect it`,
    }, svg('rect', {x: x(k) - 22, y: TOP, width: 44, height: BOTTOM - TOP, class: 'guess-reach'}), mark);
    point.addEventListener('keydown', e => key(e as KeyboardEvent, k));
    return {point, mark};
  });
  const grid = [0, 0.25, 0.5, 0.75, 1].flatMap(v => [
    svg('line', {x1: LEFT, x2: RIGHT, y1: y(v), y2: y(v), class: 'guess-grid'}),
    svg('text', {x: LEFT - 8, y: y(v) + 4, 'text-anchor': 'end'}, v === 0 || v === 1 ? String(v) : fixed(v, 2)),
  ]);
  const ticks = gammas.map((g, k) => svg('text', {x: x(k), y: BOTTOM + 17, 'text-anchor': 'middle'}, `${g} %`));
  const root = svg('svg', {viewBox: `0 0 ${WIDE} ${HIGH}`, class: 'guess', role: 'group', 'aria-label': 'What S tells of the shared groups, over gamma'},
    svg('clipPath', {id: 'guess-clip'}, clip), ...grid, ...ticks,
    svg('text', {x: (LEFT + RIGHT) / 2, y: HIGH - 3, 'text-anchor': 'middle'}, 'of each layer follows groups that all share'),
    measured, line, ...points.map(p => p.point)) as unknown as SVGSVGElement;
  el.append(root);

  function key(e: KeyboardEvent, k: number) {
    const now = guess[k], from = now ?? FIRST;
    if (e.key === 'ArrowRight' || e.key === 'ArrowLeft') {
      points[Math.min(POINTS - 1, Math.max(0, k + (e.key === 'ArrowRight' ? 1 : -1)))].point.focus();
      e.preventDefault();
      return;
    }
    const to = ({
      ArrowUp: from + STEP, ArrowDown: from - STEP, PageUp: from + PAGE, PageDown: from - PAGE, Home: 0, End: 1, Enter: from, ' ': from,
    } as Record<string, number>)[e.key];
    if (to === undefined) return;
    e.preventDefault();
    put(k, now === null && e.key.startsWith('Arrow') ? FIRST : to);
    changed(guess);
  }

  function put(k: number, v: number) {
    guess = guess.map((old, i) => i === k ? Math.round(100 * Math.min(1, Math.max(0, v))) / 100 : old);
    drawGuess();
  }

  /** The point below the pointer, and all that were passed since the one before. */
  function stroke(e: PointerEvent) {
    const box = root.getBoundingClientRect(), scale = WIDE / box.width;
    const at = (e.clientX - box.left) * scale, v = (BOTTOM - (e.clientY - box.top) * scale) / (BOTTOM - TOP);
    const k = Math.min(POINTS - 1, Math.max(0, Math.round((at - LEFT) / (RIGHT - LEFT) * (POINTS - 1))));
    const from = drag < 0 ? k : drag, before = guess[from] ?? v;
    for (let i = from; i !== k; i += Math.sign(k - from)) if (i !== from) put(i, before + (v - before) * (i - from) / (k - from));
    put(k, v);
    drag = k;
  }
  root.addEventListener('pointerdown', e => {
    if (e.button !== 0) return;
    root.setPointerCapture(e.pointerId);
    stroke(e);
    e.preventDefault();
  });
  root.addEventListener('pointermove', e => { if (drag >= 0) stroke(e); });
  for (const end of ['pointerup', 'pointercancel']) {
    root.addEventListener(end, () => {
      if (drag < 0) return;
      drag = -1;
      changed(guess);
    });
  }

  function drawGuess() {
    line.setAttribute('d', path(guess));
    for (const [k, {point, mark}] of points.entries()) {
      const v = guess[k];
      mark.setAttribute('cy', y(v ?? FIRST).toFixed(1));
      point.classList.toggle('empty', v === null);
      point.setAttribute('aria-valuenow', String(Math.round(100 * (v ?? FIRST))));
      point.setAttribute('aria-valuetext', v === null ? 'not drawn yet' : `${fixed(v, 2)} of 1`);
    }
  }

  drawGuess();
  return {
    set(next: Guess) {
      if (drag >= 0 || next.join() === guess.join()) return;
      guess = next;
      drawGuess();
    },
    /** Draws the curves into another context. */
    exportImage(to: Pen, {x, y, side}: {x: number, y: number, side: number}) { paintSvg(to, root, {x, y, width: side}); },
    /** Draws measured curves from left to right, once for each. */
    measured(curves: Pick<Curves, 'closed' | 'trained' | 'untrained'> | null) {
      const key = JSON.stringify(curves);
      if (key === shown) return;
      shown = key;
      measured.replaceChildren(...LINES.flatMap(([name]) => curves?.[name] ? [svg('path', {d: path(curves[name] as number[]), class: `guess-${name}`})] : []));
      if (curves && !STILL.matches) clip.animate([{transform: 'scaleX(0)'}, {transform: 'scaleX(1)'}], {duration: DRAWS, easing: 'ease-in-out'});
    },
  };
}

/** What the lines are, with a piece of each. */
export const keyOf = (there: string[]) => h('p', {class: 'small guess-key'},
  [['line', 'your curve'], ...LINES].filter(([name]) => there.includes(name)).map(([name, text]) => h('span', {},
    svg('svg', {viewBox: '0 0 28 10', width: 28, height: 10, 'aria-hidden': 'true'}, svg('path', {d: 'M1 5H27', class: `guess-${name}`})), ` ${text}`)));
