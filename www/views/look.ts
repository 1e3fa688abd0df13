// The reader's selection, the same in every view: the node pointed at, the chosen ones, and the colouring.
import {figure} from '../dom/figures.js';
import {nodeName} from '../run/model.js';
import {markOf} from './palette.js';
import type {Colouring, LabelSet, NodePicture} from '../types.js';

type LookChange = 'node' | 'selection' | 'colours' | 'time';

export class Look {
  #followers: ((what: LookChange) => void)[] = [];
  #names: string[] | undefined;
  labels: LabelSet[] = [];
  /** The node that is pointed at, or -1. */
  node = -1;
  /** Those that are chosen. */
  selection: Set<number> = new Set();
  /** The class that is singled out. */
  isolated: number | null = null;
  /** The step whose picture is looked back at, or -1 for the last one. */
  step = -1;
  /** The classes in force: a label set, or clusters. */
  colouring: Colouring = {of: new Int32Array(), classes: ['nodes']};

  /** Has f(what) called after every change. */
  follow(f: (what: LookChange) => void) { this.#followers.push(f); }

  /** Has pictures show who is pointed at and chosen; colours() is called when these change. */
  pictured(list: () => Pick<NodePicture, 'select' | 'highlight'>[], colours = () => {}) {
    this.follow(what => {
      if (what === 'selection') for (const p of list()) p.select(this.selection);
      else if (what === 'node') for (const p of list()) p.highlight(this.node);
      else colours();
    });
  }

  #tell(what: LookChange) { for (const f of this.#followers) f(what); }

  /** Other data are on screen, with nodes of them chosen. */
  open(names: string[] | undefined, count: number, labels: LabelSet[], nodes: Iterable<number>) {
    this.#names = names;
    this.count = count;
    this.labels = labels;
    this.isolated = null;
    this.point(-1);
    this.choose(nodes);
  }

  point(node: number) {
    if (node === this.node) return;
    this.node = node;
    this.#tell('node');
  }

  /** Chooses nodes; with `add`, those that were not chosen beside those that were. */
  choose(nodes: Iterable<number>, add = false) {
    if (!add) this.selection = new Set(nodes);
    else for (const i of nodes) this.selection.has(i) ? this.selection.delete(i) : this.selection.add(i);
    this.#tell('selection');
  }

  /** Looks back at a step, or with -1 at the last one. */
  lookBack(step: number) {
    if (step === this.step) return;
    this.step = step;
    this.#tell('time');
  }

  /** Singles a class out, or no longer. */
  isolate(c: number) {
    this.isolated = this.isolated === c ? null : c;
    this.#tell('colours');
  }

  /** Has colours show something; reports whether that is new. */
  colour(colouring: Colouring) {
    const {of, classes} = this.colouring;
    if (colouring.of === of && colouring.classes.length === classes.length) return false;
    this.colouring = colouring;
    this.#tell('colours');
    return true;
  }

  /** The one that is chosen, -1 if that is none or several. */
  get chosen() {
    const [node = -1, ...others] = this.selection;
    return others.length ? -1 : node;
  }

  nameOf(i: number) { return nodeName(this.#names, i); }

  /** The number of nodes of the data on screen. */
  count = 0;

  /** The node of a name or, where none has it, of a number; -1 for none. */
  numbered(text: string) {
    const wanted = text.trim().toLowerCase();
    for (const name of [(i: number) => this.nameOf(i).toLowerCase(), String]) {
      for (let i = 0; wanted !== '' && i < this.count; i++) if (name(i) === wanted) return i;
    }
    return -1;
  }

  /** The number that colours show of a node, in words; none if they show classes. */
  numberOf(i: number) {
    const {scale} = this.colouring;
    const v = scale?.values[i] ?? NaN;
    return scale ? [`${scale.title}: ${Number.isNaN(v) ? 'missing' : figure(v)}`] : [];
  }

  /** The class of a node in every label set: the name of the set, the mark, and that of the class. */
  classesOf(i: number) {
    return this.labels.map(set => ({set: set.name, mark: markOf(set, set.of[i] ?? -1), name: set.classes[set.of[i] ?? -1] ?? 'missing'}));
  }

  /** A node in words. */
  describe(i: number) {
    return i < 0 ? ''
      : [this.nameOf(i), ...this.classesOf(i).map(({set, name}) => `${set}: ${name}`), ...this.numberOf(i)].join(', ');
  }
}
