// Layers that the reader paints: in each a table of blocks by blocks, whose cells say how probable a link is, and the layer that is drawn of it. The painting
// is an option of the data, so that links, runs and files have it as they have any other.
import {h, setText} from '../dom/elements.js';
import {grouped} from '../dom/figures.js';
import {nth, sure} from '../dom/nth.js';
import {BLOCKS, CHANCES, LAYERS, STRENGTHS, painted, paintingOf, textOf, withBlocks, withLayers} from './blocks.js';
import * as matrix from './matrix.js';
import {markOf} from './palette.js';
import {ground, write} from './pen.js';
import {plotSheet} from './plotsheet.js';
import {keeps} from './saving.js';
import type {Painting} from './blocks.js';
import type {NodePicture, PageView, Pen, Theme, ViewContext} from '../types.js';

const USUAL = 8; // the digit of the brush
const DARK = 8; // from this digit on, a number stands on a dark ground

/** Draws the table of a layer: a cell for each two blocks, with its chance. */
const exportTable = (digits: number[][]) => (to: Pen, side: number, colours: Theme) => {
  const each = side / digits.length, size = Math.min(16, each / 3);
  digits.forEach((row, a) => row.forEach((digit, b) => {
    const [left, top] = [b * each, a * each];
    for (const [colour, strength, rim] of [[colours.line, 1, 0], [colours.card, 1, 1], [colours.accent, nth(STRENGTHS, digit), 1]] as const) {
      to.globalAlpha = strength;
      if (strength) ground(to, each - rim, each - rim, colour, left + rim / 2, top + rim / 2);
    }
    to.globalAlpha = 1;
    const colour = digit < DARK ? colours.ink : colours.card, x = left + each / 2, y = top + each / 2;
    write(to, colours, String(CHANCES[digit]), x, y + size / 3, {font: `${size}px`, colour, align: 'center'});
  }));
};

/** Has an element drawn as strongly as its digit. */
function toned(cell: HTMLElement, digit: number) {
  cell.dataset.digit = String(digit);
  cell.style.setProperty('--strong', `${100 * nth(STRENGTHS, digit)}%`);
  return cell;
}

export function mount(el: HTMLElement, {session, setup, look, change, attempt, caption}: ViewContext): PageView {
  let painting: Painting = [], brush = USUAL, stroke = -1, built = '';
  let due: (() => void) | null = null; // saves a picture once the layers are those that are painted
  let layers: {cells: HTMLElement[][], view: NodePicture, caption: HTMLElement}[] = [];
  let order = new Int32Array();
  const levels = h('div', {class: 'paint-brush', role: 'radiogroup', 'aria-label': 'Chance of a link that is painted'}, CHANCES.map((c, digit) => {
    const input = h('input', {type: 'radio', name: 'paint-brush', value: digit, checked: digit === USUAL, onchange: () => { brush = digit; }});
    return h('label', {}, input, toned(h('span', {class: 'paint-swatch', 'aria-hidden': 'true'}), digit), ` ${c}\u00a0%`);
  }));
  const count = (id: string, [low, high]: readonly [number, number], text: string, f: (n: number) => Painting) => {
    const input = h('select', {id, onchange: () => put(f(Number(input.value)), true)},
      Array.from({length: high - low + 1}, (_, k) => h('option', {value: low + k}, String(low + k))));
    return {input, el: h('label', {}, `${text} `, input)};
  };
  const blocks = count('paint-blocks', BLOCKS, 'Blocks', n => withBlocks(painting, n));
  const many = count('paint-layers', LAYERS, 'Layers', n => withLayers(painting, n));
  const grid = h('div', {class: 'paint-layers'}), said = h('p', {class: 'unseen', role: 'status'});
  el.append(
    h('p', {class: 'measure'}, 'Choose a chance and paint it into the cells: how probable is a link between people of two blocks? The layer beside is'
      + ' drawn of it.'),
    h('div', {class: 'toolbar'}, blocks.el, many.el, levels, keeps({attempt, caption}, 'painted layers', 'painted', picture)), grid, said,
    h('p', {class: 'small measure'}, 'With the keyboard: arrow keys go from cell to cell, Space paints, and a digit from 0 to 9 sets a chance of its own.'
      + ' Both halves of a table are one. Then press Train, and see whether S tells what all layers have in common.'));

  /** The tables over the layers that are drawn of them, once these are there. */
  function picture(t: Theme, caption: string, again: () => void) {
    const painted = look.colouring.of.length === order.length && session.model.data?.spec?.options?.blocks === textOf(painting);
    due = painted ? null : again;
    if (!painted) return null;
    const tables = painting.map((digits, l) => ({title: `Layer ${l + 1}: chance of a link, %`, view: {exportImage: exportTable(digits)}}));
    const plots = [...tables, ...layers.map(({view, caption}) => ({title: caption.textContent ?? '', view}))];
    return plotSheet({plots, sets: [look.colouring], t, caption, columns: layers.length});
  }

  /** Takes another painting; once it is finished, the data are drawn anew. */
  function put(next: Painting, finished: boolean) {
    painting = next;
    draw();
    if (finished && textOf(painting) !== String(setup.values.dataOptions.blocks)) change('blocks', textOf(painting), 'dataOptions');
  }

  function dab(layer: number, a: number, b: number, digit: number, finished: boolean) {
    put(painted(painting, layer, a, b, digit), finished);
    setText(said, `Layer ${layer + 1}, blocks ${a + 1} and ${b + 1}: ${CHANCES[digit]} %`);
  }

  const blocksNow = () => painting[0]?.length ?? 0;
  const cellAt = (layer: number, a: number, b: number) => nth(nth(nth(layers, layer, 'layers').cells, a, 'blocks'), b, 'blocks');

  function build() {
    const k = blocksNow(), key = `${painting.length} ${k}`;
    if (built === key) return;
    built = key;
    for (const l of layers) l.view.destroy();
    layers = painting.map((_, layer) => {
      const cells = Array.from({length: k}, (_, a) => Array.from({length: k}, (_, b) => h('td', {
        role: 'gridcell', tabindex: a || b ? -1 : 0, 'data-cell': `${layer} ${a} ${b}`,
      })));
      const table = h('table', {role: 'grid', class: 'paint', 'aria-label': `Layer ${layer + 1}, blocks by blocks`},
        h('tbody', {}, cells.map(row => h('tr', {role: 'row'}, row))));
      const caption = h('figcaption', {}, `Layer ${layer + 1}`), box = h('figure', {class: 'plot'});
      const view = matrix.create(box, {
        onHover: i => look.point(i), onSelect: (nodes, add) => look.choose(nodes, add), describe: i => look.describe(i),
      });
      view.label(`Layer ${layer + 1}, matrix of links; arrow keys go from node to node`);
      return {cells, view, caption, el: h('div', {class: 'paint-layer'}, h('div', {}, caption, table), box)};
    }).map(({el, ...rest}, l) => {
      if (!l) grid.replaceChildren();
      grid.append(el);
      return rest;
    });
  }

  const placed = (target: EventTarget | null) => {
    const cell = (target as Element | null)?.closest?.<HTMLElement>('[data-cell]');
    const [layer = 0, a = 0, b = 0] = cell?.dataset.cell?.split(' ').map(Number) ?? [];
    return cell && grid.contains(cell) ? {layer, a, b} : null;
  };
  grid.addEventListener('pointerdown', e => {
    const at = placed(e.target);
    if (!at || e.button !== 0) return;
    e.preventDefault();
    const target = e.target as Element;
    if (target.hasPointerCapture(e.pointerId)) target.releasePointerCapture(e.pointerId); // a finger moves on to other cells
    stroke = at.layer;
    cellAt(at.layer, at.a, at.b).focus();
    dab(at.layer, at.a, at.b, brush, false);
  });
  grid.addEventListener('pointermove', e => {
    if (stroke < 0) return;
    const at = placed(document.elementFromPoint(e.clientX, e.clientY));
    if (at?.layer === stroke && painting[stroke]?.[at.a]?.[at.b] !== brush) dab(stroke, at.a, at.b, brush, false);
  });
  for (const end of ['pointerup', 'pointercancel']) {
    addEventListener(end, () => {
      if (stroke < 0) return;
      stroke = -1;
      put(painting, true);
    });
  }
  grid.addEventListener('keydown', e => {
    const at = placed(e.target);
    if (!at) return;
    const {layer, a, b} = at, last = blocksNow() - 1;
    const to: Map<string, [number, number]> = new Map([['ArrowRight', [a, b + 1]], ['ArrowLeft', [a, b - 1]], ['ArrowDown', [a + 1, b]],
      ['ArrowUp', [a - 1, b]], ['Home', [a, 0]], ['End', [a, last]]]);
    const [row, column] = to.get(e.key) ?? [-1, -1], within = (k: number) => Math.min(last, Math.max(0, k));
    if (to.has(e.key)) cellAt(layer, within(row), within(column)).focus();
    else if (e.key === ' ' || e.key === 'Enter') dab(layer, a, b, brush, true);
    else if (/^[0-9]$/.test(e.key) && !e.ctrlKey && !e.metaKey && !e.altKey) dab(layer, a, b, Number(e.key), true);
    else return;
    e.preventDefault();
  });
  grid.addEventListener('focusin', e => {
    const at = placed(e.target);
    if (at) for (const cell of nth(layers, at.layer).cells.flat()) cell.tabIndex = cell === e.target ? 0 : -1;
  });

  function draw() {
    if (!painting.length) return;
    build();
    blocks.input.value = String(blocksNow());
    many.input.value = String(painting.length);
    painting.forEach((rows, l) => rows.forEach((row, a) => row.forEach((digit, b) => {
      const cell = cellAt(l, a, b);
      if (cell.dataset.digit === String(digit)) return;
      toned(cell, digit);
      setText(cell, String(CHANCES[digit]));
      cell.setAttribute('aria-label', `Blocks ${a + 1} and ${b + 1}: ${CHANCES[digit]} %`);
    })));
    const {data} = session.model, drawing = data?.drawing, {of, classes, marks} = look.colouring;
    if (!drawing || drawing.links.length !== layers.length || of.length !== data?.summary?.nodes) return;
    if (order.length !== of.length) order = Int32Array.from(of.keys()); // blocks are dealt in order
    const common = {order, classes: of, marks: classes.map((_, c) => markOf({marks}, c)), dim: look.isolated};
    layers.forEach(({view, caption}, l) => {
      view.update({layers: [nth(drawing.links, l, 'layers')], ...common});
      setText(caption, `Layer ${l + 1}: ${grouped(sure(drawing.of[l]))} links`);
    });
    due?.();
  }

  function show() {
    const next = paintingOf(String(setup.values.dataOptions.blocks ?? ''));
    if (next && stroke < 0) painting = next;
    draw();
  }

  look.pictured(() => layers.map(l => l.view), draw);
  show();
  return {show, follow: show};
}
