// The shapes that the page's modules exchange: the contents of options.json, the answers of the Go programs
// (wasm/PROTOCOL.md), runs, and the data of views. Nothing here is shipped; `tsc --noEmit` reads it.

// --- options.json

export type Options = Record<string, OptionValue>;
export type Seed = 'data_seed' | 'model_seed' | 'eval_seed';

/** The part of a property needed to read a value. */
export type Readable = Pick<Property, 'kind' | 'min' | 'max' | 'choices' | 'expected'> & { pattern?: RegExp };

// --- Settings

export type SettingsField = 'options' | 'dataOptions' | 'evaluation' | 'seeds';

/** How layers are shown. */
export type LayersAs = 'links' | 'matrices' | 'communities';

/** View settings of a link, by name (www/settings/state.ts); null removes one. */
export interface PageChoices {
  color?: string | null; layers?: LayersAs | null; lesson?: string | null; axes?: string | null; of?: string | null; knows?: string | null;
  show?: string | null; place?: string | null; select?: string | null; pace?: string | null; hide?: string | null; study?: string | null; order?: string | null;
  lock?: string | null; big?: string | null; embed?: string | null; why?: string | null; if?: string | null;
  k?: number | null; at?: number | null; log?: string | null; links?: string | null;
}

/** Choices: in each group only differences from the usual. */
export interface Settings {
  data: string;
  preset: string;
  /** In place of CaDeM; "" for that. */
  method: string;
  /** Of the method's settings; "" for its usual one in a tab. */
  level: string;
  options: Options;
  dataOptions: Options;
  evaluation: Options;
  seeds: Record<string, number>;
  recommended: Options | null;
  subject: boolean;
  view: PageChoices;
}

/** All values, defaults filled in. */
export type Values = Pick<Settings, 'options' | 'dataOptions' | 'evaluation' | 'preset' | 'method' | 'level'> & Record<Seed, number>;

export interface Message { level: string; message: string; file?: string; line?: number; field?: string }

// --- Messages to and from the Go programs

export type NumberArray = Float32Array | Float64Array | Int32Array | Uint8Array;
export type Arrays = Record<string, any>;

/** An array in a message: where it lies in the buffer, or which Blob it is, counted from 1. */
export interface ArrayHeader { name: string; type: 'f32' | 'f64' | 'i32' | 'u8'; shape: number[]; offset: number; blob?: number }

/** Progress of a study's order: done of total tasks, with parts of the running ones. */
export interface StudyProgress { done: number; total: number; finished: number; eta_s: number | null }

export interface Answer<R = any> { result: R; arrays: Arrays }

/** The result of a task of an experiment (core/lab/study), as it is kept: with its arrays. */
export interface StudyResult extends Omit<TaskResult, 'arrays'> { arrays?: StudyArray[] }

/** An event of a request that is under way. */
export type EngineEvent = {[K in keyof Events]: {event: K} & Events[K]}[keyof Events];

export type OnEvent = (event: EngineEvent, arrays: Arrays) => void;

/** A task of a study, of which what is left out has its usual value. */
export type Task = Partial<{[K in keyof StudyTask]: unknown}> & {name?: string; method?: string; data?: DataSpec};

/** What a request of a kind takes and is answered: anything, where the kind is a variable. */
export type Args<P, K> = K extends keyof P ? P[K] extends {args: infer A} ? A : never : object;
export type Result<P, K> = K extends keyof P ? P[K] extends {result: infer R} ? R : never : any;

/** A request function of a Go program. */
export interface Caller<P = ComputeRequests> {
  call<K extends string>(kind: K, args?: Args<P, K>, arrays?: Arrays, onEvent?: OnEvent | null): Promise<Answer<Result<P, K>>>;
}

export type WorkerCaller = Pick<import('./engine/endpoint.js').Endpoint, 'call' | 'memoryBytes' | 'terminate'>;

/** The part of a request that decides which program answers it. */
export interface Suited { data?: DataSpec; method?: string; options?: Options }

/** The compute program as a session sees it. */
export type ComputeProgram = Pick<import('./engine/engine.js').Engine, keyof WorkerCaller | 'waiting' | 'answers' | 'prepare' | 'swap' | 'answered'>;

export type FileContent = Uint8Array | Blob;

/** A file that was read. */
export interface ReadFile extends FileName { content: FileContent }

/** A caught error: of a request that failed, with its code and place, or any other. */
export interface Thrown extends Error, Failure {
  aside?: boolean; // no run has stopped of it
}

/** Why a request failed. */
export interface Failure { code?: string; message: string; file?: string; line?: number; field?: string; options?: Options }

// --- A data set and its run

export interface LabelSet { name: string; classes: string[]; of: Int32Array; marks?: number[] }

export interface DataSet {
  spec: DataSpec | null;
  name: string;
  summary: Summary;
  task: string;
  expect: string;
  labels: LabelSet[];
  nodes?: string[];
  /** Columns of the reader's table of nodes, NaN if one is missing. */
  numbers?: {name: string, of: Float32Array}[];
  defaults?: Options;
  /** The preset that fits the data, and why. */
  advice?: Advice;
  places?: Float32Array | null;
  drawing?: Drawing;
  communities?: Communities;
}

export type Phase = 'idle' | 'shipped' | 'opening' | 'paused' | 'running' | 'finished' | 'failed';
export type PhaseEvent = 'show' | 'open' | 'withdraw' | 'pause' | 'run' | 'finish' | 'fail';

/** How far a run is, as it is kept. */
export interface Progress extends Omit<TrainingProgress, 'from_step' | 'losses' | 'rank_S' | 'guessing'> {
  losses?: Record<string, number> | null;
  rank_S?: number;
  guessing?: number;
  seconds?: number;
}

export interface SurveyedLabels { classes: string[]; counts: number[]; more?: number; missing?: number }

/** An entry stored under an id: when it was made and changed, and how far it is. */
export interface Kept { run: string; name: string; created: string; updated: string; state: string; kind?: string }

/** A stored run. */
export interface RunRecord extends Kept, Pick<Made, 'data' | 'options' | 'preset' | 'model_seed' | 'eval_seed' | 'evaluation'> {
  method?: string;
  level?: string;
  progress: Progress | null;
  changes: Record<string, OptionValue>[];
  summary: Summary;
  task: string;
  expect: string;
  hash?: string;
  rank_S?: number;
  frame?: {epoch: number; step: number; embeddings: string[]; dots?: string; classes?: string};
  /** The earlier epochs whose pictures are kept with it. */
  kept?: {epoch: number; step: number; explained?: number[]}[];
  first_step?: number;
  loss_columns?: number;
  scores?: Score[];
  scored_step?: number;
  reason?: string;
}

/** Colours by class: one for every node. */
export interface Colouring { of: Int32Array; classes: string[]; marks?: number[]; scale?: Scale }

/** Colours by number: a value for every node, NaN if missing, and their explanation. */
export interface Scale { title: string; values: ArrayLike<number>; low: number; high: number; missing: number; legend: Element }

/** The drawn layers of a data set: links as pairs of nodes, how many there are, and one place for every node. */
export interface Drawing { links: Int32Array[]; of: number[]; places: Float32Array | null }

/** Communities of a data set, the largest first, as wasm/PROTOCOL.md has them: of every node, -1 for none; rest of them are the last one. */
export interface Communities { of: Int32Array; rest: number; links: Int32Array; places: Float32Array }

/**
 * The planes of all embeddings at one step, (1 + N) x M x 2. A stored one has them as drawn before they were turned, too, and, unless
 * they are too large, the embeddings themselves: S, P_1 .. P_N, C_1 .. C_N, each M x d.
 */
export interface Snapshot { epoch: number; step: number; xy: Float32Array; explained?: number[]; plane?: Float32Array; tokens?: Float32Array; axes?: string }

export interface Clusters { embedding: string; k: number; of: Int32Array; scores: Clustered['scores']; step?: number; epoch?: number }

/** The regions of a brain that the private embedding of a layer marks. */
export interface RegionLayer extends MarkedLayer { values: Float32Array; top: Int32Array; edges: Int32Array }

export interface Regions { share: number; step?: number; epoch: number; layers: RegionLayer[] }

/** The answers of psi about a few pooled graphs when their common parts are exchanged. */
export interface Exchange extends Omit<Exchanged, 'step' | 'epoch'> { step?: number; epoch?: number }

/** The model of a data set and its run that the views draw. */
export interface Model {
  phase: Phase;
  scoring: {done: number; total: number; of?: string} | null;
  preparing: {done: number; total: number} | null;
  shares: Shares | null;
  ending: boolean;
  data: DataSet | null;
  names: string[];
  record: RunRecord | null;
  progress: Progress | null;
  losses: import('./run/model.js').Losses;
  snapshots: Snapshot[];
  keptEvery: number;
  clusters: Clusters | null;
  regions: Regions | null;
  exchange: Exchange | null;
  scores: Score[] | null;
  hash?: string;
}

/** A picture of nodes on a canvas that can be drawn into another one. */
export interface NodePicture {
  label(text: string): void;
  update(next: object): void;
  select(nodes: Iterable<number>): void;
  highlight(node: number): void;
  exportImage(to: Pen, side: number, colours: Theme): void;
  destroy(): void;
}

/** How a run was made. */
export interface Made { name?: string; data: DataSpec; options: Options; preset: string; model_seed: number; eval_seed: number; evaluation: Options }

/** The parts of a run that can stand beside another one; without an id, the one that ships with the page. */
export interface Beside extends Pick<DataSet, 'summary' | 'labels' | 'nodes'> {
  run: string | null;
  name: string;
  made: Made;
  names: string[];
  xy: Float32Array | null;
  epoch: number;
  step: number;
  losses: import('./run/model.js').Losses;
  scores: Score[];
  hash?: string;
}

/** A finished run that ships with the page. */
export interface ShippedRun extends Pick<DataSet, 'summary' | 'task' | 'expect' | 'labels' | 'drawing' | 'nodes'> {
  example: string;
  options: Options;
  data_options?: Options;
  preset: string;
  model_seed: number;
  data_seed: number;
  epochs: number;
  steps: number;
  seconds: number;
  guessing: number;
  hash: string;
  rank_S: number;
  embeddings: string[];
  losses: {steps: number[]; values: Float32Array};
  snapshots: Snapshot[];
  scores: Score[];
}

/** A question about the embeddings of an epoch: its scores, or leaks ("past" and "leak" in wasm/PROTOCOL.md). */
export type Asked = keyof Found;
export interface Found { past: Scored; leak: Leak }

/** How a new run is made: its data, the contents of its files, and its settings once the data are open. */
export interface RunPlan {
  data: DataSpec;
  method?: string;
  options?: Options;
  files?: FileContent[];
  values(data: DataSet): Pick<RunRecord, 'name' | 'options' | 'preset' | 'method' | 'level' | 'model_seed' | 'eval_seed' | 'evaluation'>;
}

/** A stored order: how far it is, and how long that number of its tasks took, that many at a time (www/run/experiments.ts). */
export interface StudyRecord extends Kept {
  order: Order;
  tasks: number;
  finished: number;
  seconds: number;
  timed: number;
  workers: number;
}

/** The output of `cadem study merge -json`, as far as the page reads it. */
export interface Merged { order: Order; results: StudyResult[]; seconds: number }
export interface StudyArray { name: string; shape: number[]; data: ArrayLike<number> }

/** The result of an order: reports for the page, and as files. */
export interface Reports {
  reports: Report[]; results: StudyResult[]; predictions?: Uint8Array<ArrayBuffer>;
  html: Uint8Array<ArrayBuffer>; csv: Uint8Array<ArrayBuffer>; latex: Uint8Array<ArrayBuffer>; markdown: Uint8Array<ArrayBuffer>;
}

/** How much the combiner looks at each embedding: the means of classes, and of each node. */
export interface Attention extends Attentions { weights: Float32Array }

/** The reader's own open data set. */
export interface OwnData { named: FileName[]; contents: FileContent[]; choice?: Choice }

/** The example that is open, and its options. */
export type DrawnData = Pick<Order, 'example' | 'options'>;

/** A card of the experiments: its study, its order as it stands, and its elements. */
export type Card = import('./panels/cardstate.js').Card;

/** The basis of a report. */
export type ReportCard = Pick<Card, 'study' | 'urls' | 'sorted' | 'shown' | 'report'>;

// --- The page

/** Kinds of changes; views subscribe to those they show. */
export type Concern = 'data' | 'run' | 'progress' | 'losses' | 'frame' | 'scores' | 'record' | 'saved' | 'regions' | 'exchange' | 'layers' | 'shares' | 'past'
  | 'studies' | 'settings' | 'pin';

export interface SessionListener {
  changed(...what: Concern[]): void;
  error(e: Thrown): void;
  notice(text: string): void;
  loading(promise: Promise<unknown>, methods: boolean): void;
  /** Whether the end of a run is scored; without it, it is. */
  scores?(): boolean;
  /** Scores to stand beside those of a run. */
  beside?(record: RunRecord, files: FileContent[]): Promise<Score[]>;
}

/** How the page speaks: the status line, announcements, messages. */
export type Say = ReturnType<typeof import('./start/say.js').createSay>;

export type Notices = ReturnType<typeof import('./panels/notices.js').createNotices>;

/** Wraps a function so that its errors are shown to the reader. */
export type Attempt = <A extends unknown[], R>(f: (...args: A) => R | Promise<R>) => (...args: A) => Promise<R | undefined>;

/** An exercise's condition on the numbers of runs: www/exercises/measures.ts says how it is read. */
export type Check = [string | number, '>' | '<' | '~', string | number, number?];

/**
 * A run that an exercise is about: settings of an example, or the number of trainings with held-out links. `press` is the label of the button that has
 * it trained, unless that is "Train with" and the run's label.
 */
export interface CardRun { label: string; press?: string; data?: string; preset?: string; options?: Options; dataOptions?: Options; links?: number }

export interface Exercise {
  name: string; // in links and in what is kept
  title: string;
  /** Sentences. [[words|target]] lights a part of the page: the name of a view, or term: and that of a term of the loss. */
  text: string[];
  data?: string;
  /** View settings when it is opened. */
  view?: Record<string, string | null>;
  light?: string[];
  do: string;
  runs?: Record<string, CardRun>;
  /** The target of scrolling. */
  scroll?: string;
  /** A question; an answer is a label set, named neutrally, which colours show then. In sentence and checks @ stands for it. */
  ask?: {question: string; choices: [string, string][]; right: string};
  /** Measured on the runs beside their scores: ψ's answers about exchanged parts, and how often a probe names the layer of C; or the latter in trainings
   * with matching alone and with more of the losses, of what its run is set up with. */
  measure?: ('exchange' | 'layer' | 'arms')[];
  see: string;
  /** Text shown if the checks hold. */
  so?: string;
  check: Check[];
  /** What follows elsewhere, where others hold; what a reader's own seed shows is an answer, whatever it is. */
  otherwise?: [Check[], string][];
}

/** The parts of the Lab. */
export interface Lab {
  session: import('./run/session.js').Session;
  setup: import('./settings/setup.js').Setup;
  catalogue: import('./settings/catalogue.js').Catalogue;
  pool: import('./engine/pool.js').Pool;
  experiments: import('./run/experiments.js').Experiments;
  saveQueue: import('./run/savequeue.js').SaveQueue;
  storage: import('./engine/endpoint.js').Endpoint<StorageRequests>;
  /** The run that is pinned, to be seen behind the one on screen and compared with it. */
  pinned: import('./run/pinned.js').Pinned;
  changes: import('./start/changes.js').Changes;
  say: Say;
  notices: Notices;
  attempt: Attempt;
}

/** The inputs of a view. */
export interface ViewContext extends Pick<Lab, 'session' | 'setup' | 'catalogue' | 'pool' | 'experiments' | 'pinned' | 'attempt'> {
  caption(): string;
  changed(...what: Concern[]): void;
  /** Changes an option, of training unless another field is named, at once where that is possible. */
  change(name: string, value: OptionValue, field?: SettingsField): void;
  usable(): boolean;
  /** Tells the page's Go program, which writes tables. */
  send(kind: string, fields: object): void;
  highlight(term: string | null): void;
  /** The reader's view: points, choice, colours. */
  look: import('./views/look.js').Look;
  runStudy(name: string): Promise<void>;
  /** Puts the untrained run of such settings on screen. */
  stage(settings: Settings): Promise<boolean>;
  /** Has views show something, as a link would. */
  showView(view: PageChoices): void;
}

/** The module of a view. */
export interface ViewModule { mount(el: HTMLElement, context: ViewContext): PageView }

/** A view as the table of views has it. */
export interface PageView {
  show(model: Model): void;
  /** Follows a link's view settings. */
  follow?(settings: Settings): void;
  /** Lets a loss term stand out. */
  highlight?(term: string | null): void;
}

/** Colours that hold at an element. */
export interface Theme {
  ink: string;
  card: string;
  soft: string;
  line: string;
  missing: string;
  accent: string;
  font: string;
  classes: string[];
  stops: string[];
}

/** A drawing target: a canvas, or an SVGContext in its place. */
export type Pen = CanvasRenderingContext2D | import('./views/svgcontext.js').SVGContext;
