/** Disentangled embeddings of multiplex graphs, in a page. See docs/javascript.md. */

export type Numbers = Float32Array | Float64Array | Int32Array | Uint8Array;

/** A graph of arrays: two ends for each link, counted from 0. Names of layers, labels and nodes are texts. */
export interface Arrays {
  name?: string;
  nodes: number | string[];
  layers: Record<string, {edges: Int32Array; weights?: Float32Array | Float64Array}>;
  /** As many numbers for each node, node by node. */
  features?: Float32Array | Float64Array;
  labels?: Record<string, ArrayLike<string | number>>;
}

export interface Example { example: string; options?: Record<string, string | number | boolean>; data_seed?: number }
export interface NamedFile { name: string; data: BlobPart }
/** Where the folder dist is, if a bundler has moved the module out of it: an address, from that of the page. */
export interface Where { base?: string }

export interface Graph {
  readonly summary: {name: string; nodes: number; features: number; layers: {name: string; edges: number}[]; notes: string[]};
  readonly nodes: string[] | null;
  /** The class of each node, -1 for none. */
  readonly labels: Record<string, Int32Array>;
  /** Ends its worker. */
  close(): void;
}

export interface Progress { event: string; state?: string; epoch?: number; epochs?: number; step?: number; steps?: number; losses?: Record<string, number> }
export interface Watch { signal?: AbortSignal; onProgress?: (progress: Progress) => void }
export interface What {
  preset?: 'released' | 'refined' | 'printed' | 'evidence';
  method?: string;
  level?: string;
  seed?: number;
  options?: Record<string, string | number | boolean>;
}
export interface Score {
  embedding: string; target: string; metric: string; value: number; untrained: number; fold_std: number; folds: number[]; [more: string]: unknown;
}

export interface Run {
  readonly progress: Progress;
  /** A name of the embeddings by their bits. */
  readonly hash: string;
  /** S as common and P_1, P_2, ... as private_1, private_2, ..., each row by row with its shape. They are views of one buffer. */
  embeddings(): Promise<{names: string[]; byName: Record<string, Float32Array & {shape: [number, number]}>}>;
  /** The same along their principal axes: x and y of each node. */
  picture(): Promise<{names: string[]; byName: Record<string, Float32Array>}>;
  scores(how?: {seed?: number; options?: What['options']}): Promise<Score[]>;
  /** Is refused with an EngineError as long as the model cannot be asked. */
  explain(): Promise<never>;
  /** The file of the run, which the page and the command open, too. */
  save(): Promise<File>;
}

export function open(source: string | Example | Arrays | Blob | Iterable<File | NamedFile>, how?: Where & {choice?: Record<string, unknown>}): Promise<Graph>;
export function train(graph: Graph, what?: What, watch?: Watch): Promise<Run>;
export function load(file: Blob, watch?: Watch & Where): Promise<{graph: Graph; run: Run}>;
export function methods(where?: Where): Promise<{name: string; label: string; doc: string; [more: string]: unknown}[]>;

export class CademError extends Error { code: string; file?: string; line?: number; field?: string }
export class DataError extends CademError {}
export class OptionError extends CademError {}
export class TooLargeError extends CademError {}
export class EngineError extends CademError {}
