// The answers of psi when the private part of one pooled graph meets the common part of another: a cell for every pair, and one pair by hand.
import {h, holdHeight, scrolled, setText} from '../dom/elements.js';
import {fixed} from '../dom/figures.js';
import {nth} from '../dom/nth.js';
import {layerMark} from './palette.js';
import {STEPS} from './points.js';
import type {Exchange} from '../types.js';

/** The answer of psi for private part i beside common part j: the layer that it names, how probable that is, and every layer. */
export function answerOf(exchange: Exchange, i: number, j: number) {
  const own = nth(exchange.private, i, 'private parts'), other = nth(exchange.common, j, 'common parts');
  const logits = own.map((v, k) => v + nth(other, k, 'layers')), top = Math.max(...logits), e = logits.map(v => Math.exp(v - top));
  const sum = e.reduce((a, b) => a + b, 0), all = e.map(v => v / sum), p = Math.max(...all);
  return {all, p, layer: all.indexOf(p)};
}

export const percent = (p: number) => p > 0.995 && p < 1 ? 'over 99 %' : `${Math.round(100 * p)} %`;

/** `pair` was chosen by hand, [row, column], and `said` is the answer of ψ. Arrow keys go from cell to cell. */
export function create(el: HTMLElement, {onPair}: {onPair: () => void}) {
  const table = h('table', {class: 'pairings'}), note = h('p', {class: 'soft small'});
  const votes = h('div', {class: 'votes'}), caption = h('p', {class: 'figures votes-caption', 'aria-live': 'polite'});
  const todo = h('p', {class: 'soft small'});
  const byHand = h('div', {}, h('h3', {}, 'One swap by hand'), todo, caption, votes);
  el.append(
    h('div', {class: 'pairings-matrix'}, h('h3', {}, 'Every private part beside every common part'), note,
      scrolled('What psi answers about every pair', table)),
    byHand);
  let exchange: Exchange | null = null;
  let names: string[] = [];
  let cells: HTMLButtonElement[][] = [];
  let built = '';
  let pair: [number, number] | null = null;
  let focus: [number, number] = [0, 0];

  const part = (kind: string, i: number) => {
    const layer = exchange?.layer ?? [], own = nth(layer, i), copy = layer.slice(0, i).filter(l => l === own).length + 1;
    return `${kind} part of ${names[own]}, graph ${copy}`;
  };

  function build() {
    const {layer} = exchange as Exchange, key = layer.join() + names.join('\n');
    if (built === key) return;
    built = key;
    pair = null;
    focus = [0, 0];
    const n = layer.length, first: (i: number) => boolean = i => i === 0 || layer[i] !== layer[i - 1];
    const spans = names.map((_, l) => layer.filter(k => k === l).length);
    cells = layer.map((_, i) => layer.map((_, j) => h('button', {
      type: 'button', tabindex: i + j === 0 ? 0 : -1, class: 'cell', onclick: () => choose(i, j), onfocus: () => move(i, j),
    })));
    table.replaceChildren(
      h('thead', {},
        h('tr', {}, h('td', {rowspan: 1}), h('th', {colspan: n, scope: 'colgroup', class: 'soft'}, 'common part of')),
        h('tr', {}, h('td', {class: 'soft'}, 'private part of'),
          names.map((name, l) => h('th', {colspan: spans[l], scope: 'colgroup', class: 'starts'}, name)))),
      h('tbody', {}, layer.map((l, i) => h('tr', {class: first(i) ? 'starts' : null},
        first(i) ? h('th', {rowspan: spans[l], scope: 'rowgroup'}, names[l]) : null,
        cells[i]?.map((cell, j) => h('td', {class: first(j) ? 'starts' : null}, cell))))));
  }

  function move(i: number, j: number) {
    for (const cell of cells.flat()) cell.tabIndex = cell === cells[i]?.[j] ? 0 : -1;
    focus = [i, j];
  }
  function choose(i: number, j: number) {
    pair = [i, j];
    draw();
    onPair();
  }
  table.addEventListener('keydown', e => {
    const step = STEPS.get(e.key), cell = step && cells[focus[0] + step[1]]?.[focus[1] + step[0]];
    if (!cell) return;
    e.preventDefault();
    cell.focus();
  });

  function draw() {
    holdHeight(el, !exchange);
    setText(todo, exchange ? 'Press a cell: its private part then meets the common part of its column.'
      : '\u03c8 has no answers yet. Press Train, or Train and compare. Then you can swap the common part of one graph here.');
    if (!exchange) {
      table.replaceChildren();
      votes.replaceChildren();
      built = '';
      setText(note, 'There are no answers yet.');
      setText(caption, '');
      return;
    }
    build();
    const found = exchange, n = found.layer.length;
    setText(note, `${n} pooled graphs, ${n / names.length} of each layer. A cell shows the layer that ψ names; the fuller the colour, the surer it is.`
      + ' The diagonal is what was observed. Rows of one number: the answer does not depend on the common part.');
    for (const [i, row] of cells.entries()) {
      for (const [j, cell] of row.entries()) {
        const {p, layer} = answerOf(found, i, j), wrong = layer !== found.layer[i];
        setText(cell, String(layer + 1));
        cell.className = `cell${i === j ? ' own' : ''}${wrong ? ' wrong' : ''}`;
        cell.dataset.layer = String(layerMark(layer));
        cell.style.setProperty('--sure', percent(p).replace(/\D/g, '') + '%');
        cell.setAttribute('aria-pressed', String(pair?.[0] === i && pair[1] === j));
        cell.setAttribute('aria-label', `${part('private', i)}, ${part('common', j)}: ψ says ${layer + 1} ${names[layer]}, ${percent(p)}`);
      }
    }
    const [i, j] = pair ?? [0, Math.max(0, found.layer.findIndex(l => l !== found.layer[0]))], {all, p, layer} = answerOf(found, i, j);
    setText(caption, `${part('private', i)}; ${part('common', j)}${i === j ? ', its own' : ''}. ψ says ${names[layer]} (${percent(p)}).`
      .replace(/^p/, 'P'));
    // Logits count up to a constant, so that each part is shown around its mean.
    const around = (x: number[] = []) => x.map(v => v - x.reduce((a, b) => a + b, 0) / x.length);
    const own = around(found.private[i]), other = around(found.common[j]);
    const parts = names.map((name, k) => ({name, a: nth(own, k), b: nth(other, k), answer: nth(all, k)}));
    const most = Math.max(...parts.map(({a, b}) => Math.abs(a) + Math.abs(b)), 1e-9);
    const bar = (v: number) => {
      const fill = h('span', {class: v < 0 ? 'bar against' : 'bar'});
      fill.style.setProperty('--long', `${(50 * Math.abs(v) / most).toFixed(1)}%`);
      return h('td', {class: 'number'}, fixed(v, 1), h('span', {class: 'track', 'aria-hidden': 'true'}, fill));
    };
    votes.replaceChildren(h('table', {},
      h('thead', {}, h('tr', {}, ['Votes for', 'private part', 'common part', 'both', 'ψ\u2019s answer'].map((t, k) =>
        h('th', {scope: 'col', class: k ? 'number' : null}, t)))),
      h('tbody', {}, parts.map(({name, a, b, answer}, k) => h('tr', {}, h('th', {scope: 'row'}, `${k + 1} ${name}`),
        bar(a), bar(b), bar(a + b), h('td', {class: 'number'}, percent(answer)))))));
  }

  return {
    get pair() { return pair; },
    get said() { return caption.textContent ?? ''; },
    update(next: {exchange: Exchange | null, names: string[]}) {
      ({exchange, names} = next);
      draw();
    },
    choose,
  };
}
