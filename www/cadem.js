// @ts-check
// The module for pages of one's own (docs/javascript.md, cadem.d.ts): it opens graphs, trains, and gives embeddings and scores. Each graph has a
// worker with the program, which close() ends.
import {METHODS, WHOLE} from './engine/compile.js';
import {Endpoint, RequestError} from './engine/endpoint.js';
import {npz} from './engine/npz.js';
import {addressOf, place} from './engine/place.js';

place.base = new URL('.', import.meta.url || document.baseURI).href;

/** What went wrong; `code` is that of the protocol. */
export class CademError extends Error {
  /** @param {RequestError} e */
  constructor(e) {
    super(e.message);
    this.name = 'CademError';
    this.code = e.code;
    this.file = e.file;
    this.line = e.line;
    this.field = e.field;
  }
}
/** The data cannot be read, or make no graph. */
export class DataError extends CademError { name = 'DataError'; }
/** An option that there is not, or a value that it cannot have. */
export class OptionError extends CademError { name = 'OptionError'; }
/** The graph needs more memory than a page has. */
export class TooLargeError extends CademError { name = 'TooLargeError'; }
/** The program has ended, or could not be loaded. */
export class EngineError extends CademError { name = 'EngineError'; }

const KINDS = new Map(Object.entries({'bad-data': DataError, corrupt: DataError, version: DataError, 'no-data': DataError,
  'bad-option': OptionError, 'too-large': TooLargeError}));

/** @param {string} message */
const engineError = message => new EngineError(new RequestError({code: 'no-run', message}));

/** @param {unknown} e */
const own = e => e instanceof RequestError ? new (KINDS.get(e.code ?? '') ?? EngineError)(e) : e;

/** Says where the files of the site are, if they are not beside this module, as where a bundler has moved it.
 * @param {string | undefined} base
 */
function at(base) {
  if (base) place.base = new URL(base.replace(/\/?$/, '/'), document.baseURI).href;
}

/** An open graph, in a worker of its own, which holds one run at a time. */
class Graph {
  #spec; #files; #program = WHOLE; #closed = false;
  /** @type {Endpoint | null} */
  #endpoint = null;
  /** @type {Run | null} */
  run = null;
  summary = /** @type {any} */ (null);
  /** @type {string[] | null} */
  nodes = null;
  /** @type {Record<string, Int32Array>} */
  labels = {};

  /**
   * @param {DataSpec} spec
   * @param {Arrays} files
   */
  constructor(spec, files) {
    this.#spec = spec;
    this.#files = files;
  }

  /** @type {Caller['call']} */
  async call(...request) {
    if (this.#closed) throw engineError('The graph was closed.');
    try {
      return await /** @type {Endpoint} */ (this.#endpoint).call(...request);
    } catch (e) {
      throw own(e);
    }
  }

  /** Opens it in the program that trains CaDeM, or in that of other methods.
   * @param {boolean} methods
   */
  async begin(methods) {
    const program = methods ? METHODS : WHOLE;
    if (this.#endpoint && program === this.#program) return;
    this.#endpoint?.terminate();
    this.#program = program;
    this.#endpoint = new Endpoint('compute', () => {}, program);
    const {result, arrays} = await this.call('open', {data: this.#spec}, this.#files);
    this.summary = result.summary;
    this.nodes = result.nodes ?? null;
    const sets = /** @type {{name: string}[]} */ (result.summary.labels ?? []);
    this.labels = Object.fromEntries(sets.map((set, i) => [set.name, arrays[`labels:${i}`]]));
  }

  get data() { return this.#spec; }

  close() {
    this.#closed = true;
    this.#endpoint?.terminate();
  }
}

/** What was trained on a graph, until something else is trained there. */
class Run {
  #graph; #begun;
  /** @type {any} */
  progress = null;
  hash = '';

  /**
   * @param {Graph} graph
   * @param {any} begun what a record says of the training
   */
  constructor(graph, begun) {
    this.#graph = graph;
    this.#begun = begun;
  }

  /** @type {Caller['call']} */
  #call(...request) {
    if (this.#graph.run !== this) throw engineError('Something else was trained on this graph since: open the graph again for a second run.');
    return this.#graph.call(...request);
  }

  /** Sends what trains, and waits for the end of it.
   * @param {[string, any, Arrays?]} request
   * @param {{signal?: AbortSignal, onProgress?: (progress: any) => void}} watch
   */
  async go(request, {signal, onProgress}) {
    signal?.throwIfAborted();
    this.#graph.run = this;
    const cancel = () => { this.#graph.call('cancel').catch(() => {}); this.#graph.call('control', {action: 'cancel'}).catch(() => {}); };
    signal?.addEventListener('abort', cancel);
    try {
      const {result} = await this.#graph.call(request[0], request[1], request[2] ?? {}, event => {
        if (event.event === 'progress' || event.event === 'preparing') onProgress?.(event);
      });
      signal?.throwIfAborted();
      this.progress = result.progress;
      this.hash = result.hash;
      return this;
    } catch (e) {
      signal?.throwIfAborted();
      throw e;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  async embeddings() {
    const {result, arrays} = await this.#call('embeddings', {whole: true});
    return {names: /** @type {string[]} */ (result.embeddings), byName: arrays};
  }

  async picture() {
    const {result, arrays: {xy}} = await this.#call('frame');
    const names = /** @type {string[]} */ (result.embeddings), size = xy.length / names.length;
    return {names, byName: Object.fromEntries(names.map((name, k) => [name, xy.subarray(k * size, (k + 1) * size)]))};
  }

  /** @param {{seed?: number, options?: Options}} [how] */
  async scores({seed = 1, options = {}} = {}) { return (await this.#call('evaluate', {options, eval_seed: seed})).result.scores; }

  async explain() { throw engineError('This version cannot be asked why: it knows embeddings and scores.'); }

  async save() {
    const now = new Date().toISOString(), {summary, data} = this.#graph;
    const record = {...this.#begun, run: crypto.randomUUID(), name: summary.name, created: now, updated: now, data, summary,
      state: this.progress.state, progress: this.progress, hash: this.hash, changes: []};
    const {result, arrays} = await this.#call('export', {what: 'run', record});
    return new File([arrays.file], result.name, {type: result.type});
  }
}

/** @param {any} layers
 * @param {any} source
 */
function arraysOf(layers, {nodes, features, labels = {}}) {
  const names = Array.isArray(nodes) ? nodes : null, n = names?.length ?? nodes;
  if (!Number.isInteger(n) || n < 1) throw new RangeError(`nodes: found ${n}, expected how many there are, or a list of their names`);
  /** @type {Record<string, {values: NumberArray | string[], shape: number[]}>} */
  const arrays = {};
  for (const [name, {edges, weights}] of Object.entries(layers)) {
    if (edges.length % 2 || weights && 2 * weights.length !== edges.length) {
      throw new RangeError(`layer ${name}: found ${edges.length} ends and ${weights?.length ?? 0} weights, expected two ends for each weight`);
    }
    const wrong = edges.findIndex((/** @type {number} */ i) => i < 0 || i >= n);
    if (wrong >= 0) throw new RangeError(`layer ${name}: found the node ${edges[wrong]}, expected 0 to ${n - 1}`);
    const starts = new Int32Array(n + 1), indices = new Int32Array(edges.length / 2), data = new Float32Array(indices.length).fill(1);
    for (let k = 0; k < edges.length; k += 2) starts[edges[k] + 1]++;
    for (let i = 0; i < n; i++) starts[i + 1] += starts[i];
    const next = starts.slice();
    for (let k = 0; k < indices.length; k++) {
      const to = next[edges[2 * k]]++;
      indices[to] = edges[2 * k + 1];
      if (weights) data[to] = weights[k];
    }
    for (const [part, values] of Object.entries({data, indices, indptr: starts, shape: Int32Array.of(n, n)})) {
      arrays[`${name}_${part}`] = {values, shape: [values.length]};
    }
  }
  if (features) {
    if (features.length % n) throw new RangeError(`features: found ${features.length} numbers, expected as many for each of ${n} nodes`);
    arrays.features = {values: features, shape: [n, features.length / n]};
  }
  for (const [name, values] of Object.entries(labels)) {
    if (values.length !== n) throw new RangeError(`labels ${name}: found ${values.length}, expected ${n}`);
    arrays[name] = {values: Array.from(values, String), shape: [n]};
  }
  if (names) arrays.nodes = {values: names, shape: [n]};
  const choice = {layers: Object.keys(layers), features: features ? 'features' : 'none', labels: Object.keys(labels)};
  return {file: npz(arrays), choice: {...choice, labels: choice.labels.length ? choice.labels : ['none']}};
}

/** @param {any} source
 * @param {{base?: string, choice?: Choice}} [how]
 */
export async function open(source, {base, choice} = {}) {
  at(base);
  let files = /** @type {{name: string, data: Blob}[]} */ ([]), spec = /** @type {any} */ ({});
  if (typeof source === 'string') spec = {example: source};
  else if (source.example) spec = source;
  else if (source.layers) {
    const made = arraysOf(source.layers, source);
    files = [{name: `${source.name ?? 'graph'}.npz`, data: made.file}];
    choice = made.choice;
  } else {
    const list = /** @type {any[]} */ (Array.from(source instanceof Blob ? [source] : source));
    files = list.map(f => ({name: f.name, data: f instanceof Blob ? f : new Blob([f.data])}));
  }
  if (files.length) spec = {files: files.map(({name, data}) => ({name, size: data.size})), reader: 2, ...choice && {choice}};
  const graph = new Graph(spec, Object.fromEntries(files.map(({data}, i) => [`file:${i}`, data])));
  return opened(graph, false);
}

/** @param {Graph} graph
 * @param {boolean} methods
 */
async function opened(graph, methods) {
  try {
    await graph.begin(methods);
    return graph;
  } catch (e) {
    graph.close();
    throw e;
  }
}

/** @param {Graph} graph
 * @param {{preset?: string, method?: string, level?: string, seed?: number, options?: Options}} [what]
 * @param {{signal?: AbortSignal, onProgress?: (progress: any) => void}} [watch]
 */
export async function train(graph, {preset = 'released', method, level, seed = 0, options = {}} = {}, watch = {}) {
  const other = method && method !== 'cadem' ? {method, level} : {};
  await graph.begin('method' in other);
  return new Run(graph, {preset, ...other, options, model_seed: seed}).go(['train', {options, preset, model_seed: seed, paused: false, ...other}], watch);
}

/** Brings a saved run back, and goes on with it if it had not ended.
 * @param {Blob} file
 * @param {{base?: string, signal?: AbortSignal, onProgress?: (progress: any) => void}} [watch]
 */
export async function load(file, {base, ...watch} = {}) {
  at(base);
  const reader = new Endpoint('compute', () => {}, WHOLE);
  let stored;
  try {
    stored = await reader.call('import', {name: /** @type {File} */ (file).name ?? 'run.zip'}, {file});
  } catch (e) {
    throw own(e);
  } finally {
    reader.terminate();
  }
  const {result: {record}, arrays} = stored;
  const graph = new Graph(record.data, Object.fromEntries(Object.entries(arrays).filter(([name]) => name.startsWith('file:'))));
  await opened(graph, Boolean(record.method));
  const {preset, method, level, options, model_seed} = record;
  const run = new Run(graph, {preset, ...method && {method, level}, options, model_seed});
  return {graph, run: await run.go(['resume', {paused: false, method, level, options, model_seed}, {checkpoint: arrays.checkpoint}], watch)};
}

/** @param {{base?: string}} [where] */
export async function methods({base} = {}) {
  at(base);
  return (await (await fetch(addressOf('options.json'))).json()).methods;
}
