// Nodes that the run has not seen: files with their links, their places by the model, and their classes by its classifier.
import {button, byId, download, h, scrolled, setText, tableOf} from '../dom/elements.js';
import {fixed, spaced} from '../dom/figures.js';
import {single} from '../dom/idle.js';
import {linear} from '../run/model.js';
import {markOf} from './palette.js';
import {createSubjects} from './subjects.js';
import type {Added} from './scatter.js';
import type {Colouring, DataSet, ViewContext} from '../types.js';

const MOST = 200; // that are listed

/** The results on the nodes of files. */
interface Found {
  nodes: Newcomer[];
  predicted: Prediction[];
  /** Of each of these, a class for every new node. */
  classes: Int32Array[];
  /** In the planes that were drawn then. */
  places: Float32Array | null;
  of: Float32Array | null;
}

interface NewNodesOptions extends Pick<ViewContext, 'session' | 'look' | 'attempt' | 'catalogue' | 'experiments' | 'pool' | 'setup'> {
  /** The planes that are drawn of the last epoch. */
  picture(): Float32Array | null;
  redraw(): void;
}

/** createNewNodes(el, options) -> {show(), update(), added(names)} */
export function createNewNodes(el: HTMLElement, {picture, redraw, ...context}: NewNodesOptions) {
  const {session, look, attempt, catalogue} = context;
  const title = h('h3', {id: 'new-nodes-title', tabindex: -1}, 'Nodes that this run has not seen');
  const input = h('input', {type: 'file', id: 'new-nodes-files', class: 'unseen', multiple: true, onchange: () => {
    files = [...input.files ?? []];
    input.value = '';
    asked();
  }});
  const words = h('div', {id: 'new-nodes-notes', role: 'status'}), list = scrolled('Nodes that this run has not seen');
  const exports = catalogue.exports.map(({name, label}) => button(label, attempt(() => save(name)), {class: 'quiet'}));
  const saving = h('p', {hidden: true}, 'All nodes, the new ones flagged: ', ...exports);
  const section = h('section', {id: 'new-nodes', 'aria-labelledby': 'new-nodes-title', hidden: true},
    h('div', {class: 'section-head'}, title, button('Close', close, {class: 'quiet'})),
    h('p', {}, 'Open files with the same layers, in which new nodes are linked to those of this run, by their names. Nothing is trained. ',
      h('label', {class: 'button'}, 'Files with new nodes', input)),
    words, saving, list, createSubjects(context));
  section.addEventListener('keydown', e => { if (e.key === 'Escape') close(); });
  el.append(section);
  let files: File[] = [], found: Found | null = null, of: DataSet | null = null;

  function close() {
    section.hidden = true;
    forget();
    byId('add-nodes').focus({preventScroll: true});
  }

  function forget() {
    files = [];
    found = null;
    words.replaceChildren();
    list.replaceChildren();
    saving.hidden = true;
    redraw();
  }

  /** The score of the run's own classifier in its folds, by label set. */
  const scores = () => Object.fromEntries((session.model.record?.scores ?? [])
    .filter(s => s.embedding === 'combined' && s.metric === 'macro_f1' && s.value !== null).map(s => [s.target, s.value]));

  const asked = attempt(single(async () => {
    const {data} = session.model, xy = picture();
    if (!files.length || !data) return;
    setText(words, 'Embedding\u2026');
    try {
      const {result, arrays} = await session.newcomers(files, {scores: scores()}, xy ?? undefined);
      if (data !== session.model.data) return;
      of = data;
      found = {nodes: result.new, predicted: result.predicted, places: arrays.places?.slice() ?? null, of: xy,
        classes: result.predicted.map((_: unknown, k: number) => arrays[`classes:${k}`].slice())};
      tell(result.notes);
      redraw();
    } catch (e) {
      forget();
      throw e;
    }
  }));

  function tell(notes: string[]) {
    const {nodes, predicted, places} = found as Found, layers = session.model.data?.summary.layers ?? [];
    const scored = predicted.map(p => spaced(p.target) + ': ' +
      (p.macro_f1 ? `macro-F1 ${fixed(p.macro_f1, 3)} in the folds of this run` : 'not scored yet'));
    const drawn = places ? 'Hollow marks in the pictures show the new nodes.' : 'The pictures are no projections, so that they cannot show new nodes.';
    words.replaceChildren(...[...notes.map(n => `${n}.`), scored.length ? `Classes are those of the run\u2019s own classifier. ${scored.join('; ')}.` : '',
      nodes.length ? drawn : ''].filter(Boolean).map(text => h('p', {class: 'soft small'}, text)));
    saving.hidden = nodes.length === 0;
    const layer = (l: number) => layers[l]?.name.replaceAll('_', ' ') ?? 'features as they are';
    const from = (n: Newcomer) => n.from.map(c =>
      `${c.node < 0 ? 'its features' : look.nameOf(c.node)} (${layer(c.layer)}) ${fixed(100 * c.share, 0)}\u00a0%`).join(', ');
    const rows = nodes.slice(0, MOST).map(n => [[n.node], [String(n.links)], ...predicted.map(p => [n.classes[p.target] ?? '']), [from(n)]]);
    list.replaceChildren(nodes.length ? tableOf({caption: nodes.length > MOST ? `The first ${MOST} of ${nodes.length} new nodes` : 'New nodes',
      head: ['Node', 'Links', ...predicted.map(p => spaced(p.target)), `${session.model.record?.method ? 'R' : 'S'} comes most from`], rows}) : '');
  }

  async function save(format: string) {
    const {result, arrays} = await session.newcomers(files, {scores: scores(), format});
    download(arrays.file, result.name, result.type);
  }

  return {
    show() {
      section.hidden = false;
      title.focus({preventScroll: true});
      section.scrollIntoView({block: 'nearest'});
    },
    /** Follows the run: other data have other nodes, and other weights other places. */
    update() {
      const {data, phase, record} = session.model, rests = ['paused', 'finished'].includes(phase) && record && linear(record);
      input.disabled = !rests;
      if (section.hidden || !found) return;
      if (data !== of) forget();
      else if (rests && picture() !== found.of) asked();
    },
    /** The new nodes in the picture of an embedding, of such names. */
    added(names: string[], name: string, colouring: Colouring): Added | null {
      const n = found?.nodes.length ?? 0, k = names.indexOf(name);
      if (!found?.places || !n || found.of !== picture()) return null;
      const set = session.model.data?.labels.find(s => s.of === colouring.of), t = found.predicted.findIndex(p => p.target === set?.name);
      return {xy: found.places.subarray(2 * n * k, 2 * n * (k + 1)), marks: Array.from({length: n}, (_, i) => markOf(set ?? {}, found?.classes[t]?.[i] ?? -1))};
    },
  };
}
