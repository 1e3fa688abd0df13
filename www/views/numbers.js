// @ts-check
// Colours of numbers: a column of the reader's table, how many links a node has, how far its layers agree about it, a column of S.
import {h} from '../dom/elements.js';
import {figure} from '../dom/figures.js';
import {Adjacency} from './adjacency.js';
import {numbersOf} from './colourby.js';
import {SHADES, shades} from './palette.js';
import {askWhole, wholeOf} from './whole.js';

/** How far layers agree about a node: of those that it is linked to in any layer, the mean share of the other layers in which it is linked to them, too.
 * NaN for a node without links.
 * @param {Adjacency[]} among
 * @param {number} n nodes
 */
export function agreement(among, n) {
  return Float64Array.from({length: n}, (_, i) => {
    /** @type {Map<number, number>} */
    const times = new Map();
    for (const a of among) for (const j of a.neighbours(i)) times.set(j, (times.get(j) ?? 0) + 1);
    let sum = 0;
    for (const c of times.values()) sum += (c - 1) / (among.length - 1);
    return sum / times.size;
  });
}

/** Numbers in shades, from the least to the largest; those that are missing have none, which is -1.
 * @param {ArrayLike<number>} values
 */
export function shadesOf(values) {
  let low = Infinity, high = -Infinity, missing = 0;
  for (let i = 0; i < values.length; i++) {
    const v = values[i];
    if (!Number.isFinite(v)) missing++;
    else [low, high] = [Math.min(low, v), Math.max(high, v)];
  }
  if (missing === values.length) low = high = 0;
  const span = high - low;
  const of = Int32Array.from(values, v => Number.isFinite(v) ? span > 0 ? Math.min(SHADES - 1, Math.floor((v - low) / span * SHADES)) : SHADES >> 1 : -1);
  return {of, low, high, missing};
}

/** What colours show of numbers.
 * @param {ArrayLike<number>} values
 * @param {string} title
 * @returns {Colouring}
 */
function shaded(values, title) {
  const {of, low, high, missing} = shadesOf(values), edge = (/** @type {number} */ k) => figure(low + (high - low) * k / SHADES);
  const legend = h('span', {class: 'scale', role: 'img', 'aria-label': `${title}, from ${figure(low)} to ${figure(high)}`},
    `${title}: ${figure(low)} `, h('span', {class: 'ramp', 'aria-hidden': 'true'}), ` ${figure(high)}`, missing ? `, ${missing} missing` : '');
  return {
    of, classes: Array.from({length: SHADES}, (_, k) => `${edge(k)} to ${edge(k + 1)}`), marks: shades(),
    scale: {title, values, low, high, missing, legend},
  };
}

/**
 * create({session, attempt, redraw}) -> {colouring(value, snapshot)}: what colours show of a number, null while it is not there; redraw() is called
 * when it is.
 * @param {{session: import('../run/session.js').Session, attempt: Attempt, redraw: () => void}} parts
 */
export function create({session, attempt, redraw}) {
  /** What was made last. @type {{key: string, from: object, made: Colouring} | null} */
  let last = null;

  /** The values, and what they are made from; null while they are not there.
   * @param {DataSet} data
   * @param {string[]} name
   * @param {Snapshot | undefined} snapshot
   * @returns {[object, () => ArrayLike<number>] | null}
   */
  function valuesOf(data, [, kind, ...rest], snapshot) {
    const name = rest.join(':'), k = Number(name) - 1, n = data.summary.nodes, {drawing} = data;
    if (kind === 'column') {
      const column = data.numbers?.find(c => c.name === name);
      return column ? [column.of, () => column.of] : null;
    }
    if (kind === 'label') {
      const set = data.labels.find(s => s.name === name);
      return set ? [data, () => Float64Array.from(set.of, c => c < 0 ? NaN : Number(set.classes[c]))] : null;
    }
    if (kind === 'S') {
      const tokens = snapshot && wholeOf(snapshot);
      if (snapshot && !tokens) attempt(() => askWhole(session, snapshot, redraw))();
      if (!tokens) return null;
      const d = tokens.length / n / (2 * session.model.names.length - 1);
      return k >= 0 && k < d ? [tokens, () => Float64Array.from({length: n}, (_, i) => tokens[i * d + k])] : null;
    }
    if (!drawing) return null;
    if (kind === 'agreement') return [drawing, () => agreement(drawing.links.map((_, l) => linkedIn(data, l)), n)];
    return drawing.links[k] ? [drawing, () => Float64Array.from({length: n}, (_, i) => linkedIn(data, k).neighbours(i).length)] : null;
  }

  /** @type {WeakMap<Int32Array, Adjacency>} */
  const layers = new WeakMap();
  /** @param {DataSet} data @param {number} l */
  function linkedIn(data, l) {
    const pairs = /** @type {Drawing} */ (data.drawing).links[l];
    const known = layers.get(pairs) ?? new Adjacency(data.summary.nodes, pairs);
    layers.set(pairs, known);
    return known;
  }

  return {
    /** @param {string} value @param {Snapshot | undefined} snapshot @returns {Colouring | null} */
    colouring(value, snapshot) {
      const {data} = session.model;
      const found = data?.summary && valuesOf(data, value.split(':'), snapshot);
      if (!data || !found) return null;
      const [from, values] = found;
      if (last?.key !== value || last.from !== from) {
        const title = numbersOf(data, 0).find(([v]) => v === value)?.[1] ?? `column ${value.split(':')[2]} of S`;
        last = {key: value, from, made: shaded(values(), title)};
      }
      return last.made;
    },
  };
}
