// @ts-check
// What a reader looks at, the same in every view: the node that is pointed at, those that are chosen, and what colours show.
import {figure} from '../dom/figures.js';
import {nodeName} from '../run/model.js';

/** @typedef {'node' | 'selection' | 'colours' | 'time'} LookChange */

export class Look {
  /** @type {((what: LookChange) => void)[]} */
  #followers = [];
  /** @type {string[] | undefined} */
  #names;
  /** @type {LabelSet[]} */
  labels = [];
  /** The node that is pointed at, or -1. */
  node = -1;
  /** Those that are chosen. @type {Set<number>} */
  selection = new Set();
  /** The class that is singled out. @type {number | null} */
  isolated = null;
  /** The step whose picture is looked back at, or -1 for the last one. */
  step = -1;
  /** The classes in force: a label set, or clusters. @type {Colouring} */
  colouring = {of: new Int32Array(), classes: ['nodes']};

  /** Has f(what) called after every change.
   * @param {(what: LookChange) => void} f
   */
  follow(f) { this.#followers.push(f); }

  /** @param {LookChange} what */
  #tell(what) { for (const f of this.#followers) f(what); }

  /** Other data are on screen, with nodes of them chosen.
   * @param {string[] | undefined} names
   * @param {LabelSet[]} labels
   * @param {Iterable<number>} nodes
   */
  open(names, labels, nodes) {
    this.#names = names;
    this.labels = labels;
    this.isolated = null;
    this.point(-1);
    this.choose(nodes);
  }

  /** @param {number} node */
  point(node) {
    if (node === this.node) return;
    this.node = node;
    this.#tell('node');
  }

  /** Chooses nodes; with `add`, those that were not chosen beside those that were.
   * @param {Iterable<number>} nodes
   */
  choose(nodes, add = false) {
    if (!add) this.selection = new Set(nodes);
    else for (const i of nodes) this.selection.has(i) ? this.selection.delete(i) : this.selection.add(i);
    this.#tell('selection');
  }

  /** Looks back at a step, or with -1 at the last one.
   * @param {number} step
   */
  lookBack(step) {
    if (step === this.step) return;
    this.step = step;
    this.#tell('time');
  }

  /** Singles a class out, or no longer.
   * @param {number} c
   */
  isolate(c) {
    this.isolated = this.isolated === c ? null : c;
    this.#tell('colours');
  }

  /** @param {Colouring} colouring */
  colour(colouring) {
    const {of, classes} = this.colouring;
    if (colouring.of === of && colouring.classes.length === classes.length) return;
    this.colouring = colouring;
    this.#tell('colours');
  }

  /** @param {number} i */
  nameOf(i) { return nodeName(this.#names, i); }

  /** The number that colours show of a node, in words; none where they show classes.
   * @param {number} i
   */
  numberOf(i) {
    const {scale} = this.colouring;
    return scale ? [`${scale.title}: ${Number.isNaN(scale.values[i]) ? 'missing' : figure(scale.values[i])}`] : [];
  }

  /** A node in words.
   * @param {number} i
   */
  describe(i) {
    return i < 0 ? ''
      : [this.nameOf(i), ...this.labels.map(s => `${s.name}: ${s.of[i] < 0 ? 'missing' : s.classes[s.of[i]]}`), ...this.numberOf(i)].join(', ');
  }
}
