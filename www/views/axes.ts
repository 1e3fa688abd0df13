// Pictures of embeddings along other axes than the principal ones, and of the C_l: requested from the engine for the epoch on screen, while
// the run rests. Drawn pictures are kept.
import {h, setText} from '../dom/elements.js';
import {grouped} from '../dom/figures.js';
import {rests} from '../run/layertold.js';
import type {Lab, PageChoices, Snapshot} from '../types.js';

/** A picture of an epoch. */
interface Drawn extends Plotted {
  names: string[]; // of the embeddings
  xy: Float32Array;
  axes: string; // in words
}

/** A link's choice of axes. */
export function choiceOf({axes, of}: PageChoices) {
  const [kind, columns = ''] = (axes ?? '').split(':');
  return {kind: kind || 'principal', columns: columns ? columns.split('.').map(Number) : [1, 2], common: of === 'C', usual: !axes && !of};
}

export const wordsOf = ({kind, columns}: ReturnType<typeof choiceOf>) =>
  kind === 'separating' ? 'Axes chosen with labels, to separate the colours' : kind === 'tsne' ? 't-SNE'
  : kind === 'columns' ? `Columns ${columns[0]} and ${columns[1]}` : 'Two principal axes';

/** The note on a finished t-SNE. */
const aboutLayout = ({aside = 0, sampled = 0}: Drawn) => 'distances between groups mean little'
  + (sampled ? `; a sample of ${grouped(sampled)}, others put beside it` : '')
  + (aside ? `; ${aside === 1 ? '1 node without links stands' : `${aside} nodes without links stand`} aside, below` : '');

/**
 * el says what is being done; redraw() is called when there is something new to see. colours(names) gives what colours the pictures of such
 * embeddings: a key, and a class for every node of each.
 */
export function create(el: HTMLElement, {session, setup, attempt, redraw, colours}: Pick<Lab, 'session' | 'setup' | 'attempt'> & {
  redraw: () => void; colours: (names: string[]) => {key: string, of: ArrayLike<number>[]};
}) {
  const drawn: WeakMap<Float32Array, Map<string, Drawn>> = new WeakMap();
  let asking = false, held = '';
  /** The present layout. */
  let moving: {key: string, xy: Float32Array} | null = null;
  const said = h('span', {class: 'soft', role: 'status'});
  const button = h('button', {type: 'button', class: 'quiet', hidden: true, onclick: attempt(async () => {
    const key = held ? '' : wanted?.key ?? '';
    held = key;
    if (held) await session.stopAsking();
    redraw();
  })});
  const columns = [0, 1].map(k => h('input', {type: 'number', min: 1, class: 'column', 'aria-label': `Column ${k ? 'up' : 'across'}`, onchange: () => {
    const chosen = columns.map(c => Math.max(1, Math.floor(Number(c.value)) || 1));
    setup.setView({axes: `columns:${chosen.join('.')}`});
    redraw();
  }}));
  const pair = h('span', {hidden: true}, columns[0], ' and ', columns[1]);
  el.append(pair, said, button);
  /** The last request. */
  let wanted: {key: string, snapshot: Snapshot} | null = null;

  const ask = attempt(async (snapshot: Snapshot, choice: ReturnType<typeof choiceOf>, names: string[],
    key: string, of: ArrayLike<number>[]) => {
    asking = true;
    try {
      const m = snapshot.xy.length / 2 / names.length, xy = new Float32Array(snapshot.xy.length);
      const classes = new Int32Array(m * names.length);
      of.forEach((list: ArrayLike<number>, k: number) => classes.set(list, k * m));
      const answer = await session.draw(snapshot, {axes: choice.kind, common: choice.common, columns: choice.columns, of: key},
        choice.kind === 'separating' ? {classes} : {}, (event, arrays) => {
          if (event.event !== 'layout') return;
          xy.set(arrays.xy, 2 * m * event.embedding);
          moving = {key, xy: xy.slice()};
          setText(said, `t-SNE, ${Math.floor(100 * event.done / event.total)} %`);
          redraw();
        });
      if (!answer) return;
      const at = snapshot.tokens ?? snapshot.xy, all = drawn.get(at) ?? new Map();
      const {explained, aside, sampled} = answer.result;
      all.set(key, {names, xy: answer.arrays.xy, explained, aside, sampled, axes: wordsOf(choice)});
      drawn.set(at, all);
    } catch (e) {
      held = key; // it would fail again
      throw e;
    } finally {
      asking = false;
      moving = null;
    }
    redraw();
  });

  return {
    /** The chosen picture of an epoch, null while there is none. */
    picture(snapshot: Snapshot): Drawn | null {
      const m = session.model, choice = choiceOf(setup.settings.view);
      pair.hidden = choice.kind !== 'columns';
      if (!pair.hidden) columns.forEach((c, k) => { if (document.activeElement !== c) c.value = String(choice.columns[k]); });
      const names = choice.common ? m.names.map((_, l) => l ? `common_${l}` : 'common') : m.names;
      const {key: by, of} = choice.kind === 'separating' ? colours(names) : {key: '', of: []};
      const key = JSON.stringify([m.record?.run, snapshot.step, choice.kind, choice.columns, choice.common, by]);
      const found = drawn.get(snapshot.tokens ?? snapshot.xy)?.get(key);
      const last = snapshot === m.snapshots.at(-1), still = rests(m);
      wanted = {key, snapshot};
      button.hidden = Boolean(found) || choice.kind !== 'tsne' || !still || choice.usual;
      setText(button, held === key ? 'Go on' : 'Pause');
      if (choice.usual) setText(said, '');
      else if (found) setText(said, choice.kind === 'separating' ? 'chosen with labels' : choice.kind === 'tsne' ? aboutLayout(found) : '');
      else if (!still) setText(said, m.record ? 'when the run rests' : 'press Train first');
      else if (!snapshot.tokens && !last) setText(said, 'the embeddings of this epoch were not kept');
      else if (held === key) setText(said, 'paused');
      else if (!asking && of.every(list => list.length === snapshot.xy.length / 2 / names.length)) ask(snapshot, choice, names, key, of);
      if (choice.usual) return null;
      return found ?? (moving?.key === key ? {names, xy: moving.xy, axes: wordsOf(choice)} : null);
    },
  };
}
