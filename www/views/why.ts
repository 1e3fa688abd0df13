// Why a node is where it is, as a list, and where it would be with other links. The encoders are linear, so shares add up to all of it.
import {h, tableOf} from '../dom/elements.js';
import {fixed} from '../dom/figures.js';
import {turn, turnedOfText, turnedToText} from '../settings/nodes.js';
import type {Child} from '../dom/elements.js';
import type {Turned} from '../settings/nodes.js';
import type {Adjacency} from './adjacency.js';

/** The contributions to a place (`why` in wasm/PROTOCOL.md). */
interface Why {
  terms: {node: number; feature: number; share: number}[]; count: number; rest: number;
  bias: number; mean: number; left: number; links: (Turned & {weight: number})[]; moved: number; length: number; places?: unknown;
}

const MOST = 8; // that are named
const FEW = 12; // links of a layer that are shown at once

const percent = (share: number) => fixed(100 * share, 1) + '\u00a0%';

/** The drawing of the last epoch: the planes of S and of every layer, of the common parts or the private ones. */
export interface Picture { xy: Float32Array; common: boolean }

interface WhyOptions extends Pick<ViewContext, 'session' | 'setup' | 'look' | 'attempt'> {
  /** The neighbours in each layer, once known. */
  linked(): Adjacency[] | null;
  picture(): Picture | null;
  /** Where all nodes would be in that picture; null if nothing is changed, or it is not a projection. */
  moved(places: Float32Array | null, of: Picture | null): void;
}

export function createWhy({session, setup, look, attempt, linked, picture, moved}: WhyOptions) {
  const choice = h('select', {id: 'why-of', 'aria-label': 'Place in', onchange: () => { if (setup.settings.view.why) asked(); }});
  const ask = h('button', {type: 'button', id: 'why-ask', onclick: asked}, 'Why here?');
  const answer = h('div', {id: 'why-answer', 'aria-live': 'polite'});
  const other = h('div', {id: 'what-if'}), whatIf = h('details', {ontoggle: () => links()}, h('summary', {}, 'What if it had other links?'), other);
  const el = h('div', {id: 'why'}, h('p', {}, choice, ' ', ask), answer, whatIf);
  let node = -1, told: Picture | null = null, asking = false, again = false;

  const layers = () => session.model.data?.summary.layers ?? [];
  const layerName = (l: number) => layers()[l]?.name.replaceAll('_', ' ') ?? '';
  const changes = () => turnedOfText(setup.settings.view.if ?? '', layers().length, session.model.data?.summary.nodes ?? 0);

  /** Asks, and puts the question into the address. */
  function asked() {
    const [target, layer] = choice.value.split(' ');
    setup.setView({why: target === 'S' ? 'S' : target + (Number(layer) + 1)});
    attempt(answered)();
  }

  function change(list: Turned[]) {
    setup.setView({if: turnedToText(list) || null});
    links();
    asked();
  }

  async function answered() {
    const {data} = session.model, of = node;
    if (!data) return;
    again = asking; // with what is asked now
    if (asking) return;
    asking = true;
    try {
      const [target, layer] = choice.value.split(' '), list = changes(), drawn = list.length ? picture() : null;
      const args = {of: target, layer: Number(layer), node, most: MOST, links: list};
      const byNode = await session.why({...args, by: 'node', common: drawn?.common}, drawn?.xy);
      const byFeature = data.summary.features === data.summary.nodes ? null : await session.why({...args, by: 'feature'});
      if (of !== node || data !== session.model.data) return;
      told = drawn;
      tell(byNode, byFeature, target, Number(layer));
      moved(byNode.places ?? null, drawn);
    } finally {
      asking = false;
    }
    if (again) await answered();
  }

  function tell(byNode: Why, byFeature: Why | null, target: string, layer: number) {
    const others = ([['bias', byNode.bias], ['means taken off', byNode.mean], ['left by the split', byNode.left]] as const).filter(([, share]) => share !== 0);
    const parts = (a: Why, name: (t: Why['terms'][number]) => (Node | string)[]): Child[][] => [
      ...a.terms.map(t => [name(t), [percent(t.share)]]),
      ...a.count > a.terms.length ? [[[`${a.count - a.terms.length} more`], [percent(a.rest)]]] : [],
      ...others.map(([what, share]) => [[what], [percent(share)]])];
    const joined = (j: number) => target !== 'S' && linked()?.[layer]?.joins(node, j);
    const taken = (j: number) => joined(j) && !changes().some(l => l.layer === layer && (l.i === j || l.j === j))
      ? [' ', h('button', {type: 'button', class: 'quiet', onclick: () => change(turn(changes(), {layer, i: node, j}))}, 'Take the link')] : [];
    const made = byNode.links.map(l =>
      `${l.weight ? 'a link' : 'no link'} to ${look.nameOf(l.i === node ? l.j : l.i)} in ${layerName(l.layer)}`);
    answer.replaceChildren(
      tableOf({caption: 'What makes this place, by node', head: ['Node', 'Share'], rows: parts(byNode, t => [look.nameOf(t.node), ...taken(t.node)])}),
      ...byFeature ? [tableOf({caption: 'By feature', head: ['Feature', 'Share'], rows: parts(byFeature, t => [String(t.feature)])})] : [],
      ...made.length ? [h('p', {id: 'what-if-moved'},
        `With ${made.join(', ')} the place moves by ${percent(byNode.moved / (byNode.length || 1))} of its length. `,
        byNode.places ? 'Pale marks in the pictures show where nodes would be. ' : told ? 'These pictures are no projections and cannot show it. ' : '',
        h('button', {type: 'button', class: 'quiet', onclick: () => change([])}, 'As it was'))] : [],
      h('p', {class: 'soft small'}, 'Shares add up to 100 %: the encoders are linear. Weights and whitening are those of training, and a share is no cause.'));
  }

  /** Every link of the node as a button that takes it or gives it back, and a line to make another. */
  function links() {
    const among = linked();
    if (!whatIf.open || !among) return;
    const list = changes();
    const turned = (layer: number, j: number) => list.some(l => l.layer === layer && (l.i === j || l.j === j));
    const there = (layer: number, j: number) => among[layer].joins(node, j) !== turned(layer, j);
    const button = (layer: number, j: number) => {
      const key = `${layer}.${j}`;
      return h('button', {type: 'button', class: 'key', 'aria-pressed': String(there(layer, j)), 'data-link': key, onclick: () => {
        change(turn(list, {layer, i: node, j}));
        (other.querySelector(`[data-link="${key}"]`) as HTMLElement | null)?.focus(); // the button was made anew
      }}, look.nameOf(j));
    };
    const rows = among.map((a, layer) => {
      const all = [...a.neighbours(node)], changed = list.filter(l => l.layer === layer).map(l => l.i === node ? l.j : l.i);
      const shown = [...changed, ...all.filter(j => !changed.includes(j))].map(j => button(layer, j)), rest = shown.splice(FEW + changed.length);
      return [[layerName(layer)], [h('span', {role: 'group', 'aria-label': `Links in ${layerName(layer)}`}, ...shown,
        ...rest.length ? [h('details', {}, h('summary', {}, `${rest.length} more`), ...rest)] : [])]];
    });
    const to = h('input', {type: 'text', id: 'what-if-node', size: 8, autocomplete: 'off', 'aria-label': 'Node to link to', placeholder: 'node'});
    const within = h('select', {id: 'what-if-layer', 'aria-label': 'Layer of the new link'},
      among.map((_, l) => h('option', {value: String(l)}, layerName(l))));
    const problem = h('span', {role: 'status', class: 'soft small'});
    const make = h('form', {onsubmit: (e: Event) => {
      e.preventDefault();
      const j = look.numbered(to.value), layer = Number(within.value);
      if (j < 0 || j === node) problem.textContent = j < 0 ? `no node "${to.value}"` : 'the node itself';
      else if (there(layer, j)) problem.textContent = `${look.nameOf(j)} is linked already`;
      else change(turn(list, {layer, i: node, j}));
    }}, h('label', {}, 'Link it to ', to), ' in ', within, ' ', h('button', {type: 'submit', id: 'what-if-link'}, 'Link'), ' ', problem);
    other.replaceChildren(
      h('p', {class: 'soft small'}, 'Press a link to take it, and again to give it back. Nothing is trained: weights stay as they are.'),
      tableOf({caption: 'Links of this node', head: ['Layer', 'With'], rows}), make);
  }

  /** Whether a place can be explained: of a run of CaDeM that rests. */
  const possible = () => {
    const {data, record, phase} = session.model;
    return Boolean(data && record && !record.method && ['paused', 'finished'].includes(phase));
  };

  function show(next: number) {
    el.hidden = !possible();
    const another = next !== node;
    node = next;
    if (node < 0) return;
    if (another || !choice.options.length) {
      told = null;
      answer.replaceChildren();
      other.replaceChildren();
      choice.replaceChildren(h('option', {value: 'S 0'}, 'S'), ...layers().flatMap((_, k) => ['P', 'C'].map(of =>
        h('option', {value: `${of} ${k}`}, `${of}, ${layerName(k)}`))));
      const why = setup.settings.view.why ?? '', value = why === 'S' ? 'S 0' : `${why[0]} ${Number(why.slice(1)) - 1}`;
      if ([...choice.options].some(o => o.value === value)) choice.value = value;
      if (changes().some(l => l.i !== node && l.j !== node)) {
        setup.setView({if: null}); // they were another node's
        moved(null, null);
      }
      whatIf.open = changes().length > 0;
      links();
    } else if (!other.firstChild) links(); // layers are known now
    if (!possible() || !setup.settings.view.why) return;
    const drawn = changes().length ? picture() : null;
    if (!answer.firstChild || drawn && drawn.xy !== told?.xy) attempt(answered)();
  }

  return {
    el, show,
    /** Nothing is asked any more. */
    close() {
      node = -1;
      setup.setView({why: null, if: null});
      moved(null, null);
    },
  };
}
