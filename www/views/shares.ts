// The shared part of the layers: their agreement on each direction of their features, beside the thresholds of a shared direction
// and of chance alone.
import {h, scrolled, setText, tableOf} from '../dom/elements.js';
import {fixed} from '../dom/figures.js';
import {sentence} from './sharewords.js';
import {Host, along} from './canvas.js';
import {ground, line, ring, write} from './pen.js';
import {keeps} from './saving.js';
import type {PageView, Pen, Theme, ViewContext} from '../types.js';

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
  const level = (v: number, colour: string, dash: number[] = []) => line(pen, [[left, y(v)], [right, y(v)]], colour, 1.5, dash);
  const say = (text: string, px: number, py: number, align: CanvasTextAlign = 'left') =>
    write(pen, t, text, px, py, {font: '11px', colour: t.soft, align});
  for (const v of [0, 0.5, 1]) say(fixed(v, 1), left - 6, y(v) + 4, 'right');
  say('agreement of the layers', left, 14);
  say(`directions, 1 to ${c.length}`, left, HEIGHT - 18);
  say(caption, left, HEIGHT - 4);
  level(0, t.line);
  level(least, t.ink);
  say('shared above', right, y(least) - 5, 'right');
  if (chance !== least) {
    level(chance, t.soft, [4, 4]);
    say('chance', right, y(chance) + 13, 'right');
  }
  const r = Math.min(4, Math.max(1.5, (right - left) / c.length / 3));
  // Shared ones are filled.
  c.forEach((v, k) => {
    const [rim, fill] = k < shared ? [t.accent, t.accent] : [t.soft, ''];
    ring(pen, x(k), y(v), k === at ? r + 3 : r, rim, 1.25, fill);
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
    ...share[l]?.map(x => fixed(x, 2)) ?? [], String(own[l])]);
  const head = ['Layer', 'p', ...(share[0] ?? []).map((_, k) => `Share of ${k + 1}`), 'Of its own'];
  return tableOf({kind: 'figures', caption: 'By chance alone others would explain a layer as well with probability p', head, rows});
}

export function mount(el: HTMLElement, {session, attempt, caption}: ViewContext): PageView {
  let shares: Shares | null = null;
  const words = h('p', {class: 'shares-words'}), chart = h('div', {class: 'shares-chart'});
  const readout = h('p', {class: 'readout figures', 'aria-live': 'polite'});
  const table = scrolled('Agreement as a table');
  const toolbar = h('div', {class: 'toolbar'}, keeps({attempt, caption}, 'agreement', 'agreement', (t, text) => {
    const s = shares;
    return s && {width: WIDE, height: HEIGHT, text, paint: pen => {
      ground(pen, WIDE, HEIGHT);
      paint(pen, {shares: s, width: WIDE, at: -1, t, caption: text});
    }};
  }));
  const summary = h('summary', {}, '');
  el.append(words, chart, readout, toolbar, h('details', {class: 'twin'}, summary, table));

  const describe = (k: number) =>
    `direction ${k + 1}: agreement ${fixed(shares?.agreement[k] ?? 0, 3)}, ${k < Number(shares?.shared) ? 'shared' : 'not shared'}`;
  const last = () => (shares?.agreement.length ?? 0) - 1;
  function point(k: number) {
    setText(readout, k < 0 ? '' : describe(k));
    on.highlight(k);
  }
  const on: Host = new Host(chart, {
    kind: 'chart', height: () => HEIGHT, describe, hover: point, choose: point, go: (key, from) => along(key, from, last()),
    draw() {
      on.ctx.clearRect(0, 0, on.side, HEIGHT);
      if (shares) paint(on.ctx, {shares, width: on.side, at: on.hovered, t: on.colours});
    },
    pointer: {
      pointermove(e) {
        const part = (e.offsetX - MARGIN.left) / (on.side - MARGIN.left - MARGIN.right);
        point(Math.max(-1, Math.min(last(), Math.floor((last() + 1) * part))));
      },
      pointerleave: () => point(-1),
    },
  });
  on.label('Agreement of the layers on each direction; left and right arrow keys move the cursor');

  function show() {
    if (session.model.shares === shares) return;
    shares = session.model.shares;
    if (!shares) return;
    setText(words, sentence(shares, session.model.data?.summary));
    for (const part of [chart, readout, toolbar]) part.hidden = Boolean(shares.evidence);
    setText(summary, shares.evidence ? 'Layers and directions as a table' : 'Agreement as a table');
    table.replaceChildren(shares.evidence ? layersTwin(shares.evidence, session.model.data?.summary.layers ?? []) : twin(shares));
    point(-1);
    on.redraw();
  }
  show();
  return {show};
}
