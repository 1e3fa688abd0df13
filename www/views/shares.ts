// The shared part of the layers: their agreement on each direction of their features, beside the thresholds of a shared direction
// and of chance alone.
import {throttleDraw} from '../dom/clock.js';
import {download, h, scrolled, setText, tableOf} from '../dom/elements.js';
import {fixed} from '../dom/figures.js';
import {sentence} from './sharewords.js';
import {lightTheme, theme} from './palette.js';
import {saveButtons, saved} from './saving.js';

const HEIGHT = 240, WIDE = 760; // of the picture on the page, and the width of one that leaves it
const MARGIN = {left: 40, right: 12, top: 28, bottom: 34};
const ROWS = 12; // of the text twin

/** Draws into a context of width by HEIGHT, that of a canvas or an SVGContext; at is the direction that is pointed at, -1 for none. */
function paint(pen: Pen, {shares: {agreement: c, chance, least, shared}, width, at, t, caption = ''}: {
  shares: Shares; width: number; at: number; t: Theme; caption?: string;
}) {
  const left = MARGIN.left, right = width - MARGIN.right, bottom = HEIGHT - MARGIN.bottom, low = Math.min(0, ...c);
  const x = (k: number) => left + (right - left) * (k + 0.5) / Math.max(1, c.length);
  const y = (v: number) => bottom - (bottom - MARGIN.top) * (v - low) / (1 - low);
  const line = (v: number, colour: string, dash: number[]) => {
    pen.strokeStyle = colour;
    pen.lineWidth = 1.5;
    pen.setLineDash(dash);
    pen.beginPath();
    pen.moveTo(left, y(v));
    pen.lineTo(right, y(v));
    pen.stroke();
    pen.setLineDash([]);
  };
  const write = (text: string, px: number, py: number, align = 'left') => {
    pen.font = `11px ${t.font}`;
    pen.fillStyle = t.soft;
    pen.textAlign = align;
    pen.fillText(text, px, py);
  };
  for (const v of [0, 0.5, 1]) write(fixed(v, 1), left - 6, y(v) + 4, 'right');
  write('agreement of the layers', left, 14);
  write(`directions, 1 to ${c.length}`, left, HEIGHT - 18);
  if (caption) write(caption, left, HEIGHT - 4);
  line(0, t.line, []);
  line(least, t.ink, []);
  write('shared above', right, y(least) - 5, 'right');
  if (chance !== least) {
    line(chance, t.soft, [4, 4]);
    write('chance', right, y(chance) + 13, 'right');
  }
  const r = Math.min(4, Math.max(1.5, (right - left) / c.length / 3));
  c.forEach((v, k) => { // shared ones are filled
    pen.beginPath();
    pen.arc(x(k), y(v), k === at ? r + 3 : r, 0, 2 * Math.PI);
    pen.strokeStyle = pen.fillStyle = k < shared ? t.accent : t.soft;
    pen.lineWidth = 1.25;
    if (k < shared) pen.fill();
    pen.stroke();
  });
}

/** The directions around the last shared one, and the last of all, as a table. */
function twin({agreement: c, shared}: Shares) {
  const from = Math.max(0, Math.min(shared - ROWS / 2, c.length - ROWS));
  const rows = c.slice(from, from + ROWS).map((v, k) => [String(from + k + 1), fixed(v, 3), from + k < shared ? 'shared' : 'not shared']);
  return tableOf({kind: 'figures', caption: `Directions ${from + 1} to ${from + rows.length} of ${c.length}`, head: ['Direction', 'Agreement', ''], rows});
}

/** The result of a split by evidence for every layer, as a table. */
function layersTwin({p, least, own, share}: NonNullable<Shares['evidence']>, layers: {name: string}[]) {
  const rows = p.map((v, l) => [layers[l]?.name ?? String(l + 1), v < least ? `below ${fixed(least, 3)}` : fixed(v, 3),
    ...share[l].map(x => fixed(x, 2)), String(own[l])]);
  const head = ['Layer', 'p', ...(share[0] ?? []).map((_, k) => `Share of ${k + 1}`), 'Of its own'];
  return tableOf({kind: 'figures', caption: 'By chance alone others would explain a layer as well with probability p', head, rows});
}

export function mount(el: HTMLElement, {session, attempt, caption}: ViewContext): PageView {
  let shares: Shares | null = null;
  let at = -1;
  const words = h('p', {class: 'shares-words'}), readout = h('p', {class: 'readout figures', 'aria-live': 'polite'});
  const canvas = h('canvas', {
    class: 'shares-chart', tabindex: 0, role: 'img', 'aria-label': 'Agreement of the layers on each direction; left and right arrow keys move the cursor',
  });
  const table = scrolled('Agreement as a table');
  const toolbar = h('div', {class: 'toolbar'}, saveButtons('agreement', attempt(async type => {
    const s = shares;
    if (!s) return;
    const picture = await saved(WIDE, HEIGHT, type, caption(), (pen: Pen) => {
      pen.fillStyle = '#fff';
      pen.fillRect(0, 0, WIDE, HEIGHT);
      paint(pen, {shares: s, width: WIDE, at: -1, t: lightTheme(), caption: caption()});
    });
    download(picture, 'cadem-agreement.' + type);
  })));
  const summary = h('summary', {}, '');
  el.append(words, canvas, readout, toolbar, h('details', {class: 'twin'}, summary, table));

  const draw = throttleDraw(() => {
    const width = canvas.clientWidth;
    if (!shares || !width) return;
    const scale = globalThis.devicePixelRatio || 1;
    canvas.width = width * scale;
    canvas.height = HEIGHT * scale;
    const pen = canvas.getContext('2d') as CanvasRenderingContext2D;
    pen.scale(scale, scale);
    paint(pen, {shares, width, at, t: theme(el)});
  });
  function point(k: number) {
    const c = shares?.agreement ?? [];
    at = Math.max(-1, Math.min(c.length - 1, k));
    setText(readout, at < 0 ? '' : `direction ${at + 1}: agreement ${fixed(c[at], 3)}, ${at < Number(shares?.shared) ? 'shared' : 'not shared'}`);
    draw();
  }
  canvas.addEventListener('keydown', e => {
    const move = ({ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity} as Record<string, number>)[e.key];
    if (move === undefined) return;
    e.preventDefault();
    point(Math.max(0, at + move));
  });
  canvas.addEventListener('pointermove', e => {
    const n = shares?.agreement.length ?? 0, width = canvas.clientWidth - MARGIN.left - MARGIN.right;
    point(Math.floor(n * (e.offsetX - MARGIN.left) / width));
  });
  canvas.addEventListener('pointerleave', () => point(-1));
  new ResizeObserver(draw).observe(canvas);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);

  function show() {
    if (session.model.shares === shares) return;
    shares = session.model.shares;
    if (!shares) return;
    setText(words, sentence(shares, session.model.data?.summary));
    for (const part of [canvas, readout, toolbar]) part.hidden = Boolean(shares.evidence);
    setText(summary, shares.evidence ? 'Layers and directions as a table' : 'Agreement as a table');
    table.replaceChildren(shares.evidence ? layersTwin(shares.evidence, session.model.data?.summary.layers ?? []) : twin(shares));
    point(-1);
  }
  show();
  return {show};
}
