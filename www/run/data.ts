// The data set that is open in the engine, and the files that were inspected there and are not open yet.
import {breath} from '../dom/idle.js';
import {RequestError} from '../engine/endpoint.js';
import {fileArrays} from '../engine/pool.js';
import {marked} from './model.js';
import type {ComputeProgram, DataSet, FileContent, LayersAs, OnEvent, Options,
  Suited} from '../types.js';

export class OpenData {
  /** The open data: its description as text, and the engine's report. */
  #open: {key: string, data: DataSet} | null = null;
  /** Contents of the reader's own files, when the data came from files. */
  files: FileContent[] = [];
  // Two selections of files with the same names and lengths are still two data sets: these are the identities of contents.
  #identities: WeakMap<FileContent, number> = new WeakMap();
  #known = 0;
  /** Identities of the files that were inspected and are not open. */
  #inspected: string | null = null;
  /** And of those that are open. */
  #held: string | null = null;
  #endInspection = () => {};

  /** `programs` sees to it that the program answers a request (programs.ts). */
  constructor(private readonly parts: {compute: ComputeProgram, programs: {suit(kind: string, args?: Suited): Promise<void>}}) {}

  /** Files were inspected and wait to be used. */
  get inspected() { return this.#inspected !== null; }

  /** The engine's program has ended: nothing is open there any more, nor inspected. */
  lost() { this.#open = this.#held = this.#inspected = null; }

  /** Something else is open in the engine now. */
  replaced() { this.#open = this.#held = null; }

  #identify(files: FileContent[]) {
    return files.map(f => {
      if (!this.#identities.has(f)) this.#identities.set(f, ++this.#known);
      return this.#identities.get(f);
    }).join();
  }

  /** Opens a data set in the engine unless it is open there: spec as in the protocol, `files` the contents of its files. */
  async load(spec: DataSpec, files: FileContent[]) {
    const identities = this.#identify(files), key = JSON.stringify(spec) + identities;
    if (key === this.#open?.key) return this.#open.data;
    this.#open = null;
    // Data just inspected, or open, are still there, in a program that reads files.
    const there = files.length && (identities === this.#inspected || identities === this.#held) && await this.parts.compute.answers('inspect');
    const sent = there ? {} : fileArrays(files);
    const {result, arrays} = await this.parts.compute.call('open', {data: spec}, sent);
    this.#inspected = null;
    this.#held = identities;
    const {summary, task, expect, defaults, advice, nodes} = result;
    const labels = marked((summary.labels || []).map((s, i) => ({...s, of: arrays[`labels:${i}`].slice()})));
    const numbers = (result.numbers ?? []).map((name, i) => ({name, of: arrays[`numbers:${i}`].slice()}));
    const data = {spec, name: summary.name, summary, task, expect, defaults, advice, nodes, labels, numbers, places: arrays.places?.slice() ?? null};
    this.#open = {key, data};
    this.files = files;
    await breath(); // the names of many nodes take a while to parse, and who follows has more to do
    return data;
  }

  /** Has the engine say how the data set that is open there is drawn as such. */
  async draw(data: DataSet, as: LayersAs, onEvent: OnEvent) {
    if (!data.drawing) {
      const {result, arrays} = await this.parts.compute.call('layers');
      if (String(result.links) !== String(data.summary.layers.map(l => l.edges))) return; // others were opened meanwhile
      const links = result.links.map((_, l) => arrays[`links:${l}`].slice());
      data.drawing = {links, of: result.links, places: null};
    }
    if (as === 'links' && !data.drawing.places) data.drawing.places = (await this.parts.compute.call('places')).arrays.places.slice();
    if (as !== 'communities' || data.communities) return;
    const {result: {rest}, arrays: {of, links, places}} = await this.parts.compute.call('communities', {}, {}, onEvent);
    data.communities = {rest, of, links, places};
  }

  /** Describes the content of files, as in the protocol, given their names, sizes and contents; columns are those of edge lists. The open data set
   * and its run do not change. */
  async inspect(named: FileName[], files: FileContent[], onReading: (done: number, total: number) => void, columns?: string):
    Promise<Survey> {
    this.#inspected = null;
    const ended = new Promise((_, reject) => {
      this.#endInspection = () => reject(new RequestError({code: 'cancelled', message: 'Reading the files was ended.'}));
    });
    await Promise.race([this.parts.programs.suit('inspect'), ended]);
    const {result} = await this.parts.compute.call('inspect', {data: {files: named, ...(columns && {choice: {columns}})}}, fileArrays(files), e => {
      if (e.event === 'reading') onReading(e.done, e.total);
    });
    this.#inspected = this.#identify(files);
    return result;
  }

  /** Ends an inspection that is going on; it then fails with the code "cancelled". */
  async endInspection() {
    this.#endInspection();
    await this.parts.compute.call('cancel');
  }

  /** Releases inspected files. */
  async forget() {
    if (!this.inspected) return;
    this.#inspected = null;
    await this.parts.compute.call('inspect', {data: {}});
  }

  /** The memory that training on a choice among the inspected files would take: {bytes, most, refused?}. */
  async estimate(choice: Choice, {options, preset}: {options: Options, preset: string}) {
    return (await this.parts.compute.call('estimate', {choice, options, preset})).result;
  }
}
