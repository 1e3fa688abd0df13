// The reader's selection, the same in every view: the node pointed at, the chosen ones, and the colouring.
import {figure} from '../dom/figures.js';
import {nodeName} from '../run/model.js';

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
    return scale ? [`${scale.title}: ${Number.isNaN(scale.values[i]) ? 'missing' : figure(scale.values[i])}`] : [];
  }

  /** A node in words. */
  describe(i: number) {
    return i < 0 ? ''
      : [this.nameOf(i), ...this.labels.map(s => `${s.name}: ${s.of[i] < 0 ? 'missing' : s.classes[s.of[i]]}`), ...this.numberOf(i)].join(', ');
  }
}
