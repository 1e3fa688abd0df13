// Shared directions of the layers, to look along: a table of layers by shared directions under their picture. Its buttons colour the nodes of the
// page by a direction, and choose those whose links in a layer it explains.
import {cell} from '../dom/csv.js';
import {button, download, h, scrolled, setText} from '../dom/elements.js';
import {figure, fixed, inARow} from '../dom/figures.js';
import {nth, num} from '../dom/nth.js';
import type {DataSet, StudyResult} from '../types.js';

/** Actions on a direction: colours by its values, and a choice of nodes, null for none. */
export interface Along {data: () => DataSet | null; look: (name: string, values: Float32Array, nodes: number[] | null) => void}

const BEST = 8; // links that are named

/** At most `most` of the links of a layer that values explain best: those of the largest 2 f_i f_j, none below 0. pairs holds i and j of each. */
export function explained(values: ArrayLike<number>, pairs: ArrayLike<number>, most: number) {
  const list: [number, number, number][] = [];
  for (let k = 0; k < pairs.length; k += 2) {
    const i = num(pairs, k), j = num(pairs, k + 1), x = 2 * num(values, i) * num(values, j);
    if (x > 0) list.push([x, i, j]);
  }
  return list.sort(([a], [b]) => b - a).slice(0, most).map(([, i, j]): [number, number] => [i, j]);
}

/** A direction in words.   @param names of the layers */
export const told = ({layers, strength}: SharedDirection, k: number, names: string[]) => `Direction ${k + 1}, of strength ${figure(strength)}, is carried by `
  + `${layers.length ? inARow(layers.map(l => nth(names, l))) : 'no layer for the larger part'}.`;

/** The values of direction k, a column of the task's result. */
export function valuesOf(found: StudyResult, k: number) {
  const a = found.arrays?.find(x => x.name === 'directions');
  return Float32Array.from({length: a?.shape[0] ?? 0}, (_, i) => Number(a?.data[i * Number(a?.shape[1]) + k]));
}

/**
 * S of the directions that each of some layers carries, as CSV: a row a node, a column for each of them, scaled by the root of its strength. Null where
 * no direction is carried by all of the chosen layers, which are numbers.
 */
export function cut(found: StudyResult, chosen: number[], names: string[], nodes: string[]) {
  const list = found.sharing?.directions ?? [];
  const columns = [...list.entries()].filter(([, {layers}]) => chosen.every(l => layers.includes(l)));
  if (!columns.length) return null;
  const values = columns.map(([k, {strength}]) => valuesOf(found, k).map(v => v * Math.sqrt(strength)));
  const head = ['node', ...columns.map(([k, {layers}]) => `direction ${k + 1}, ${inARow(layers.map(l => nth(names, l)))}`)];
  const rows = nodes.map((name, i) => [name, ...values.map(v => String(Number(num(v, i).toPrecision(7))))]);
  return [head, ...rows].map(row => row.map(cell).join()).join('\n') + '\n';
}

/** Which layers S is to be cut to, and the file of it. */
function cutting(found: StudyResult, names: string[], nodes: string[], said: HTMLElement) {
  const boxes = names.map(() => h('input', {type: 'checkbox'}));
  const save = () => {
    const chosen = boxes.flatMap((b, l) => b.checked ? [l] : []);
    const csv = cut(found, chosen, names, nodes), whose = inARow(chosen.map(l => nth(names, l)));
    if (csv) download(csv, 'cadem-shared.csv', 'text/csv');
    else setText(said, `No direction is carried by ${whose}${chosen.length > 1 ? ' together' : ''}.`);
  };
  return h('fieldset', {class: 'small'}, h('legend', {}, 'Cut S to what these layers share'),
    names.map((name, l) => h('label', {class: 'check'}, boxes[l], ' ' + name)), button('Save as CSV', save, {class: 'quiet'}));
}

/** The table of a split's result, for the data on screen; null if the result is of others. */
export function directions(found: StudyResult, along: Along) {
  const list = found.sharing?.directions ?? [], data = along.data(), [first] = list;
  const names = data?.summary.layers.map(l => l.name) ?? [];
  if (!data || !first || names.length !== first.share.length || valuesOf(found, 0).length !== data.summary.nodes) return null;
  const said = h('p', {class: 'small', role: 'status'});
  const nameOf = (i: number) => data.nodes?.[i] ?? String(i);
  const look = (pressed: HTMLElement, k: number, l: number | null) => {
    const values = valuesOf(found, k);
    const best = l === null ? [] : explained(values, data.drawing?.links[l] ?? [], BEST);
    for (const b of table.querySelectorAll('button')) b.setAttribute('aria-pressed', String(b === pressed));
    let text = `${told(nth(list, k), k, names)} The pictures show nodes in its colours.`;
    if (best.length) {
      const pairs = best.map(([i, j]) => `${nameOf(i)} \u2013 ${nameOf(j)}`);
      text += ` Of the links of ${names[l ?? 0]} it explains these best: ${inARow(pairs)}.`;
    }
    setText(said, text);
    along.look(`shared direction ${k + 1}`, values, l === null ? null : [...new Set(best.flat())]);
  };
  const chooser = (text: string, label: string, k: number, l: number | null) => button(text,
    (e: Event) => look(e.currentTarget as HTMLElement, k, l), {class: 'quiet', 'aria-pressed': 'false', 'aria-label': label});
  const head = list.map((_, k) => h('th', {scope: 'col', class: 'number'}, chooser(`${k + 1}`, `Colour nodes by direction ${k + 1}`, k, null)));
  const table = h('table', {},
    h('thead', {}, h('tr', {}, h('td'), head)),
    h('tbody', {}, names.map((name, l) => h('tr', {}, h('th', {scope: 'row'}, name), list.map((d, k) => {
      const share = fixed(nth(d.share, l), 2);
      return h('td', {class: 'number'}, chooser(share, `Links of ${name} that direction ${k + 1} explains, share ${share}`, k, l));
    })))));
  return h('div', {class: 'directions'}, h('p', {class: 'small'}, 'Look along a direction: its number colours the nodes of the pictures, '
    + 'the share of a layer chooses the ends of the links that it explains best there.'), scrolled('Layers by shared directions', table),
    cutting(found, names, Array.from({length: data.summary.nodes}, (_, i) => nameOf(i)), said), said);
}
