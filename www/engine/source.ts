// The arrays of a page of one's own, checked, as the file that the program reads.
import {num} from '../dom/nth.js';
import {npz} from './npz.js';

/** How many nodes the programs read. */
const MOST = 100_000;

/** Words that the programs take for no label. */
const NONE = ['na', 'n/a', 'nan', 'null', 'none', '?'];

function wrong(where: string, found: string, expected: string, Kind: ErrorConstructor = TypeError): never {
  throw new Kind(`${where}: found ${found}, expected ${expected}`);
}

const shown = (x: any) =>
  typeof x === 'string' ? JSON.stringify(x) : typeof x === 'object' && x ? 'an object' : String(x);

/** Refuses what is no list, and the first entry that does not fit. */
function list(where: string, x: any, expected: string, fits: (entry: any) => boolean) {
  if (typeof x !== 'object' || !Number.isInteger(x?.length)) wrong(where, shown(x), 'a list');
  for (let k = 0; k < x.length; k++) if (!fits(x[k])) wrong(`${where}[${k}]`, shown(x[k]), expected);
}

/** What an object has by name, which is among those that are known. */
function named(where: string, x: any, known?: string[]): [string, any][] {
  if (x === null || typeof x !== 'object' || Symbol.iterator in x) wrong(where, shown(x), 'names and what they name');
  const strange = Object.keys(x).find(name => known ? !known.includes(name) : !name);
  if (strange !== undefined) wrong(where, shown(strange), known?.join(', ') ?? 'a name');
  return Object.entries(x);
}

/** Refuses what is no description of a training; what its options may be is for the program to say. */
export function checkTraining(what: any) {
  named('training', what, ['preset', 'method', 'level', 'seed', 'options']);
  const {seed = 0, options = {}} = what;
  if (!Number.isSafeInteger(seed) || seed < 0) wrong('seed', shown(seed), 'a whole number from 0');
  for (const [name, v] of named('options', options)) {
    if (!Number.isFinite(v) && !['string', 'boolean', 'undefined'].includes(typeof v)) {
      wrong(`options: ${name}`, shown(v), 'a finite number, text, true or false');
    }
  }
}

const numbers = (x: any) => (x instanceof Float32Array ? x : Float64Array.from(x));

/** The number of nodes, and their names if there are any. */
function nodesOf(nodes: any): [number, string[] | null] {
  if (typeof nodes === 'number' ? nodes % 1 !== 0 : typeof nodes !== 'object' || nodes === null) {
    wrong('nodes', shown(nodes), 'how many there are, or a list of their names');
  }
  const n = typeof nodes === 'number' ? nodes : nodes.length;
  if (n < 1 || n > MOST) wrong('nodes', `${n}`, `from 1 to ${MOST}`, RangeError);
  if (typeof nodes === 'number') return [n, null];
  const seen = new Set();
  const fresh = (name: unknown) => typeof name === 'string' && name !== '' && seen.size < seen.add(name).size;
  list('nodes', nodes, 'another name for each node', fresh);
  return [n, Array.from(nodes)];
}

/** A layer as the parts of a sparse matrix. */
function layerOf(where: string, layer: any, n: number) {
  named(where, layer, ['edges', 'weights']);
  const {edges, weights} = layer;
  list(`${where}: edges`, edges, 'the number of a node', Number.isInteger);
  const fits = (w: unknown) => Number.isFinite(w) && w as number >= 0;
  if (weights !== undefined) list(`${where}: weights`, weights, '0 or a finite number above', fits);
  if (edges.length % 2 || weights && 2 * weights.length !== edges.length) {
    const found = `${edges.length} ends and ${weights?.length ?? 0} weights`;
    wrong(where, found, 'two ends for each weight', RangeError);
  }
  const starts = new Int32Array(n + 1), indices = new Int32Array(edges.length / 2);
  for (let k = 0; k < edges.length; k++) {
    if (edges[k] < 0 || edges[k] >= n) wrong(where, `the node ${edges[k]}`, `0 to ${n - 1}`, RangeError);
    if (k % 2 === 0) starts[edges[k] + 1] = num(starts, edges[k] + 1) + 1;
  }
  for (let i = 0; i < n; i++) starts[i + 1] = num(starts, i + 1) + num(starts, i);
  const next = starts.slice();
  const data = weights ? numbers(weights).slice() : new Float32Array(indices.length).fill(1);
  for (let k = 0; k < indices.length; k++) {
    const from = edges[2 * k], to = num(next, from);
    next[from] = to + 1;
    indices[to] = edges[2 * k + 1];
    if (weights) data[to] = weights[k];
  }
  return {data, indices, indptr: starts, shape: Int32Array.of(n, n)};
}

/** The classes of the nodes as text, which is empty where there is none. */
function classesOf(where: string, values: any, n: number) {
  const none = (v: any) => v === -1 || v === '-1' || Number.isNaN(v ?? NaN);
  const fits = (v: any) => none(v) || Number.isInteger(v) && v >= 0 || ['string', 'boolean'].includes(typeof v);
  list(where, values, 'text or a whole number, -1 for no label', fits);
  if (values.length !== n) wrong(where, `${values.length} entries`, `${n}, one a node`, RangeError);
  const classes = Array.from(values, v => none(v) ? '' : String(v)), all = new Set(classes.filter(Boolean));
  if (all.size === 1 && all.has('1') && Array.from(values, String).includes('-1')) {
    wrong(where, 'the classes -1 and 1', 'other names of them: -1 means no label');
  }
  for (const c of all) {
    if (NONE.includes(c.trim().toLowerCase())) console.warn(`${where}: ${shown(c)} means no label`);
  }
  return classes;
}

/**
 * The file of a source of arrays, and the choice of what is what there. Names of layers, labels and nodes may
 * be any text, and stand beside the arrays, which have names of their own.
 */
export function arraysOf(source: any) {
  named('source', source, ['name', 'nodes', 'layers', 'features', 'labels']);
  const [n, names] = nodesOf(source.nodes), {features, labels = {}} = source;
  const arrays: Parameters<typeof npz>[0] = {}, titles: string[] = [];
  const keys = (what: string, x: any, add: (key: string, name: string, of: any) => void) =>
    named(what, x).map(([name, of], k) => {
      const key = `${what}_${k + 1}`;
      add(key, name, of);
      titles.push(key, name);
      return key;
    });
  const layers = keys('layers', source.layers, (key, name, layer) => {
    for (const [part, values] of Object.entries(layerOf(`layer ${name}`, layer, n))) {
      arrays[`${key}_${part}`] = {values, shape: [values.length]};
    }
  });
  if (!layers.length) wrong('layers', 'none', 'at least two', RangeError);
  const sets = keys('labels', labels, (key, name, of) => {
    arrays[key] = {values: classesOf(`labels ${name}`, of, n), shape: [n]};
  });
  if (features !== undefined) {
    list('features', features, 'a finite number', Number.isFinite);
    if (features.length % n || !features.length) {
      wrong('features', `${features.length} numbers`, `as many for each of ${n} nodes`, RangeError);
    }
    arrays.features = {values: numbers(features), shape: [n, features.length / n]};
  }
  arrays.cadem_names = {values: titles, shape: [titles.length / 2, 2]};
  if (names) arrays.cadem_nodes = {values: names, shape: [n]};
  const choice = {layers, features: features ? 'features' : 'none', labels: sets.length ? sets : ['none']};
  return {file: npz(arrays), choice};
}
