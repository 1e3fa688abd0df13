// The arrays and tables in files, in words and small tables.
import {nth} from '../dom/nth.js';
import {scrolled, svg, tableOf} from '../dom/elements.js';
import type {SurveyedLabels} from '../types.js';

export const number = new Intl.NumberFormat('en');
export const count = (n: number, one: string, many = one + 's') => `${number.format(n)} ${n === 1 ? one : many}`;
export const shape = (s: number[]) => s.map((n: number) => number.format(n)).join(' \u00d7 ') || 'one number';

/** How links are stored. The trained graph is always symmetric. */
const STORED = {
  both: 'undirected, each link stored in both directions',
  'one way': 'undirected, each link stored once',
  directed: 'some links in one direction only, or with two weights',
};

/** The size of a layer, in words; self loops are counted apart, so that nobody wonders which count it is. */
export function layerText(l: LayerCounts) {
  const loops = l.self_loops ? `, ${number.format(l.nnz - l.self_loops)} without the ${count(l.self_loops, 'self loop')}` : ', no self loops';
  return [count(l.nnz, 'entry', 'entries') + loops, STORED[l.stored],
    count(l.isolated, 'isolated node'), `largest degree ${number.format(l.max_degree)}`].join(' \u00b7 ');
}

export function labelText(v: SurveyedLabels) {
  const classes = v.classes.slice(0, 12).map((c, k) => `${c}: ${number.format(nth(v.counts, k))}`);
  const more = v.classes.length - classes.length + (v.more || 0);
  return `${count(v.classes.length + (v.more || 0), 'class', 'classes')} \u00b7 ${classes.join(', ')}`
    + (more ? `, and ${number.format(more)} more` : '') + (v.missing ? ` \u00b7 ${number.format(v.missing)} missing` : '');
}

/** The first rows. */
export function rowsTable({name, kind, rows}: Pick<Surveyed, 'name' | 'kind' | 'rows'>) {
  if (!rows?.length) return null;
  const wide = Math.max(...rows.map(r => r.length)), caption = kind === 'sparse' ? 'First rows: columns that are not 0' : 'First rows';
  return scrolled(`First rows of ${name}`,
    tableOf({kind: 'first-rows', caption, rows: rows.map(r => Array.from({length: wide}, (_, i) => r[i] ?? ''))}));
}

/** How many nodes have how many neighbours, in bins that double. */
export function degreeTable({degrees: bins}: {degrees?: number[]}) {
  if (!bins?.length) return null;
  const most = Math.max(...bins), from = (k: number) => k === 0 ? 0 : 2 ** (k - 1), to = (k: number) => k === 0 ? 0 : 2 ** k - 1;
  const bar = (n: number) => svg('svg', {width: 120, height: 10, 'aria-hidden': 'true'},
    svg('rect', {class: 'bar', width: n ? Math.max(1, (120 * n) / most) : 0, height: 10}));
  return tableOf({kind: 'degrees', caption: 'Nodes by degree', of: k => k === 1 ? 'n' : null,
    rows: bins.map((n, k) => [from(k) === to(k) ? String(from(k)) : `${from(k)}\u2013${to(k)}`, number.format(n), bar(n)])});
}
