// The module for pages of one's own (docs/javascript.md, cadem.d.ts): it opens graphs, trains, and gives embeddings and scores. Each graph has a
// worker with the program, which close() ends.
import {METHODS, WHOLE} from './engine/compile.js';
import {Endpoint, RequestError, readOnce} from './engine/endpoint.js';
import {addressOf, place} from './engine/place.js';
import {READER} from './engine/reader.js';
import {arraysOf, checkTraining} from './engine/source.js';
import type {Arrays, EngineEvent, Options} from './types.js';

place.base = new URL('.', import.meta.url || document.baseURI).href;

/** An error; `code` is that of the protocol. */
export class CademError extends Error {
  readonly code; readonly file; readonly line; readonly field;

  constructor(e: RequestError) {
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
/** An option that does not exist, or a value that it cannot have. */
export class OptionError extends CademError { name = 'OptionError'; }
/** The graph needs more memory than a page has. */
export class TooLargeError extends CademError { name = 'TooLargeError'; }
/** The program has ended, or could not be loaded. */
export class EngineError extends CademError { name = 'EngineError'; }

const KINDS = new Map(Object.entries({'bad-data': DataError, corrupt: DataError, version: DataError, 'no-data': DataError,
  'bad-option': OptionError, 'bad-request': OptionError, 'too-large': TooLargeError}));

const engineError = (message: string) => new EngineError(new RequestError({code: 'no-run', message}));

const own = (e: unknown) => e instanceof RequestError ? new (KINDS.get(e.code ?? '') ?? EngineError)(e) : e;

/** Says where the files of the site are, if they are not beside this module, as where a bundler has moved it. */
function at(base: string | undefined) {
  if (base) place.base = new URL(base.replace(/\/?$/, '/'), document.baseURI).href;
}

/** An open graph, in a worker of its own, which holds one run at a time. */
class Graph {
  #spec; #files; #program = WHOLE; #closed = false;
  #endpoint: Endpoint | null = null;
  run: Run | null = null;
  summary = null as any;
  nodes: string[] | null = null;
  labels: Record<string, Int32Array> = {};

  constructor(spec: DataSpec, files: Arrays) {
    this.#spec = spec;
    this.#files = files;
  }

  async call(...request: Parameters<Endpoint['call']>) {
    if (this.#closed) throw engineError('The graph was closed.');
    try {
      return await (this.#endpoint as Endpoint).call(...request);
    } catch (e) {
      throw own(e);
    }
  }

  /**
   * Opens it for a run in the program that trains CaDeM, or in that of other methods. The run before
   * stays as it is until the new one has begun: back() brings it back, keep() lets it go.
   */
  async begin(methods: boolean, run: Run | null = null) {
    const before = {endpoint: this.#endpoint, program: this.#program, run: this.run};
    const program = methods ? METHODS : WHOLE, same = before.endpoint && program === before.program;
    const endpoint = same ? before.endpoint : new Endpoint('compute', () => {}, program);
    [this.#endpoint, this.#program, this.run] = [endpoint, program, run];
    const end = (one: Endpoint | null) => { if (!same) one?.terminate(); };
    const back = () => {
      end(endpoint);
      if (this.#closed) end(before.endpoint);
      if (this.run === run) [this.#endpoint, this.#program, this.run] = [before.endpoint, before.program, before.run];
    };
    try {
      if (!same) await this.#open();
    } catch (e) {
      back();
      throw e;
    }
    return {back, keep: () => end(before.endpoint)};
  }

  async #open() {
    const {result, arrays} = await this.call('open', {data: this.#spec}, this.#files);
    this.summary = result.summary;
    this.nodes = result.nodes ?? null;
    const sets = (result.summary.labels ?? []) as {name: string}[];
    this.labels = Object.fromEntries(sets.map((set, i) => [set.name, arrays[`labels:${i}`]]));
  }

  get data() { return this.#spec; }

  close() {
    this.#closed = true;
    this.#endpoint?.terminate();
  }
}

/** A training on a graph, until something else is trained there. */
class Run {
  #graph; #begun;
  progress: any = null;
  hash = '';

  /** @param begun a record's description of the training */
  constructor(graph: Graph, begun: any) {
    this.#graph = graph;
    this.#begun = begun;
  }

  #call(...request: Parameters<Endpoint['call']>) {
    if (this.#graph.run !== this) throw engineError('Something else was trained on this graph since: open the graph again for a second run.');
    return this.#graph.call(...request);
  }

  /** Sends what trains, and waits for the end of it. */
  async go(request: [string, any, Arrays?], {signal, onProgress}: {signal?: AbortSignal, onProgress?: (progress: any) => void}) {
    signal?.throwIfAborted();
    const {keep, back} = await this.#graph.begin(Boolean(this.#begun.method), this);
    let begun = false;
    const began = () => { begun = true; keep(); };
    const cancel = () => { this.#graph.call('cancel').catch(() => {}); this.#graph.call('control', {action: 'cancel'}).catch(() => {}); };
    signal?.addEventListener('abort', cancel);
    try {
      signal?.throwIfAborted();
      const {result} = await this.#graph.call(request[0], request[1], request[2] ?? {}, (event: EngineEvent) => {
        if (event.event === 'progress') began();
        if (event.event === 'progress' || event.event === 'preparing') onProgress?.(event);
      });
      began();
      signal?.throwIfAborted();
      this.progress = result.progress;
      this.hash = result.hash;
      return this;
    } catch (e) {
      if (!begun) back();
      signal?.throwIfAborted();
      throw e;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  async embeddings() {
    const {result, arrays} = await this.#call('embeddings', {whole: true});
    return {names: result.embeddings as string[], byName: arrays};
  }

  async picture() {
    const {result, arrays: {xy}} = await this.#call('frame');
    const names = result.embeddings as string[], size = xy.length / names.length;
    return {names, byName: Object.fromEntries(names.map((name, k) => [name, xy.subarray(k * size, (k + 1) * size)]))};
  }

  async scores({seed = 1, options = {}}: {seed?: number, options?: Options} = {}) {
    return (await this.#call('evaluate', {options, eval_seed: seed})).result.scores;
  }

  /** What makes the place of a node, as it is when this is asked. */
  async explain(node: number | string, {of = 'S', layer = '', by = 'node', most = 2 ** 31 - 1}: {
    of?: string; layer?: string; by?: string; most?: number;
  } = {}) {
    const {summary, nodes} = this.#graph, layers = summary.layers.map((l: {name: string}) => l.name) as string[];
    const at = typeof node === 'string' ? nodes?.indexOf(node) ?? -1 : node, l = of === 'S' ? 0 : layers.indexOf(layer);
    if (!Number.isInteger(at) || at < 0 || at >= summary.nodes) {
      throw new RangeError(`node: found ${node}, expected 0 to ${summary.nodes - 1}${nodes ? ', or the name of a node' : ''}`);
    }
    const {method} = this.#begun;
    if (method) throw own(new RequestError({code: 'bad-option', message: `method: found ${method}, expected cadem, whose places are sums`}));
    if (l < 0) throw new RangeError(`layer: found ${layer || 'none'}, expected one of ${layers.join(', ')}`);
    const {result, arrays: {parts}} = await this.#call('why', {of, layer: l, node: at, by, most, links: []});
    const d = result.place.length, known = (k: number) => k < 0 ? null : k;
    const part = (k: number, share: number) => ({x: parts.subarray(k * d, (k + 1) * d) as Float64Array, share});
    const terms = (result.terms as any[]).map((t, k) => (
      {node: known(t.node), feature: known(t.feature), layer: layers[t.layer] ?? null, ...part(k, t.share)}));
    const [rest, bias, mean, left] = ['rest', 'bias', 'mean', 'left'].map((name, k) => part(terms.length + k, result[name]));
    return {place: Float64Array.from(result.place), terms, count: result.count as number, rest, bias, mean, left};
  }

  async save() {
    const now = new Date().toISOString(), {summary, data} = this.#graph;
    const record = {...this.#begun, run: crypto.randomUUID(), name: summary.name, created: now, updated: now, data, summary,
      state: this.progress.state, progress: this.progress, hash: this.hash, changes: []};
    const {result, arrays} = await this.#call('export', {what: 'run', record});
    return new File([arrays.file], result.name, {type: result.type});
  }
}

export async function open(source: any, {base, choice}: {base?: string, choice?: Choice} = {}) {
  at(base);
  let files = [] as {name: string, data: Blob}[], spec = {} as any;
  if (typeof source === 'string') spec = {example: source};
  else if (source.example) spec = source;
  else if (source.layers || source.nodes) {
    const made = arraysOf(source);
    files = [{name: `${source.name ?? 'graph'}.npz`, data: made.file}];
    choice = {...choice, ...made.choice};
  } else {
    const list = Array.from(source instanceof Blob ? [source] : source) as any[];
    files = list.map(f => ({name: f.name, data: f instanceof Blob ? f : new Blob([f.data])}));
  }
  if (files.length) spec = {files: files.map(({name, data}) => ({name, size: data.size})), reader: READER, ...choice && {choice}};
  const graph = new Graph(spec, Object.fromEntries(files.map(({data}, i) => [`file:${i}`, data])));
  return opened(graph, false);
}

async function opened(graph: Graph, methods: boolean) {
  try {
    await graph.begin(methods);
    return graph;
  } catch (e) {
    graph.close();
    throw e;
  }
}

export async function train(graph: Graph, what: {
  preset?: string; method?: string; level?: string; seed?: number; options?: Options;
} = {}, watch: {signal?: AbortSignal; onProgress?: (progress: EngineEvent) => void} = {}) {
  checkTraining(what);
  const {preset = 'released', method, level, seed = 0, options = {}} = what;
  const other = method && method !== 'cadem' ? {method, level} : {};
  return new Run(graph, {preset, ...other, options, model_seed: seed}).go(['train', {options, preset, model_seed: seed, paused: false, ...other}], watch);
}

/** Brings a saved run back, and goes on with it if it had not ended. */
export async function load(file: Blob, {base, ...watch}: {base?: string, signal?: AbortSignal, onProgress?: (progress: any) => void} = {}) {
  at(base);
  const stored = await readOnce('import', {name: (file as File).name ?? 'run.zip'}, {file}).catch(e => { throw own(e); });
  const {result: {record}, arrays} = stored;
  const graph = new Graph(record.data, Object.fromEntries(Object.entries(arrays).filter(([name]) => name.startsWith('file:'))));
  await opened(graph, Boolean(record.method));
  const {preset, method, level, options, model_seed} = record;
  const run = new Run(graph, {preset, ...method && {method, level}, options, model_seed});
  return {graph, run: await run.go(['resume', {paused: false, method, level, options, model_seed}, {checkpoint: arrays.checkpoint}], watch)};
}

export async function methods({base}: {base?: string} = {}) {
  at(base);
  return (await (await fetch(addressOf('options.json'))).json()).methods;
}
