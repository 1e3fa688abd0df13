// Why a node is where it is, as a list, and where it would be with other links. The encoders are linear, so shares add up to all of it.
import {h, tableOf} from '../dom/elements.js';
import {fixed} from '../dom/figures.js';
import {nth} from '../dom/nth.js';
import {linear as summed} from '../run/model.js';
import {turn, turnedOfText, turnedToText} from '../settings/nodes.js';
import {legendMark, markOf} from './palette.js';
import {stacked} from './strip.js';
import {REST, laidOut, overOf, sumOf} from './sum.js';
import type {Child} from '../dom/elements.js';
import type {Turned} from '../settings/nodes.js';
import type {Adjacency} from './adjacency.js';
import type {Over} from './scatter.js';
import type {Laid, Part, Sum} from './sum.js';
import type {Colouring, ViewContext} from '../types.js';

/** The contributions to a place (`why` in wasm/PROTOCOL.md). */
interface Why extends Explained { places?: Float32Array; arrows?: Float32Array; from?: Int32Array }

const MOST = 8; // that are named
const FEW = 12; // links of a layer that are shown at once

const percent = (share: number) => fixed(100 * share, 1) + '\u00a0%';

/** The drawing of the last epoch: the planes of S and of every layer, of the common parts or the private ones. */
export interface Picture { xy: Float32Array; common: boolean }

/** An answer as the picture `of` shows it: the places of all nodes with other links, and the drawing above one of its planes. */
export interface Shown { of: Picture; places: Float32Array | null; plane: number; over(colouring: Colouring): Over | null }

interface WhyOptions extends Pick<ViewContext, 'session' | 'setup' | 'look' | 'attempt'> {
  /** The neighbours in each layer, once known. */
  linked(): Adjacency[] | null;
  picture(): Picture | null;
  /** Draws an answer in the pictures, null for none. */
  draw(shown: Shown | null): void;
  /** Shows the last epoch along the principal axes, with the common parts or the private ones. */
  linear(common: boolean): void;
}

export function createWhy({session, setup, look, attempt, linked, picture, draw, linear}: WhyOptions) {
  const choice = h('select', {id: 'why-of', 'aria-label': 'Place in', onchange: () => { if (setup.settings.view.why) asked(); }});
  const ask = h('button', {type: 'button', id: 'why-ask', onclick: asked}, 'Why here?');
  const answer = h('div', {id: 'why-answer', 'aria-live': 'polite'}), byClass = h('div'), drawnAs = h('div', {id: 'why-drawn'});
  const other = h('div', {id: 'what-if'}), whatIf = h('details', {ontoggle: () => links()}, h('summary', {}, 'What if it had other links?'), other);
  const el = h('div', {id: 'why'}, h('p', {}, choice, ' ', ask), answer, whatIf);
  let node = -1, told: Picture | null = null, asking = false, again = false;
  let shown: Shown | null = null, laid: Laid | null = null, colouring: Colouring | null = null;
  /** The arrows of a row of the tables, by its key. `on` is the row at the pointer or with the focus, and `held` the row that was pressed. */
  const rows: Map<string, (p: Part) => boolean> = new Map();
  let on: string | null = null, held: string | null = null;

  const layers = () => session.model.data?.summary.layers ?? [];
  const layerName = (l: number) => layers()[l]?.name.replaceAll('_', ' ') ?? '';
  const changes = () => turnedOfText(setup.settings.view.if ?? '', layers().length, session.model.data?.summary.nodes ?? 0);

  /** What is asked about: S, or P or C of a layer. */
  const wanted = () => {
    const [target = 'S', layer] = choice.value.split(' ');
    return {target, layer: Number(layer)};
  };

  /** Asks, and puts the question into the address. */
  function asked() {
    const {target, layer} = wanted();
    setup.setView({why: target === 'S' ? 'S' : target + (layer + 1)});
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
      const {target, layer} = wanted(), list = changes(), drawn = picture();
      const args = {of: target, layer, node, most: MOST, links: list};
      const byNode: Why = await session.why({...args, by: 'node', common: drawn?.common}, drawn?.xy);
      const byFeature = data.summary.features === data.summary.nodes ? null : await session.why({...args, by: 'feature'});
      if (of !== node || data !== session.model.data) return;
      told = drawn;
      clear();
      tell(byNode, byFeature, target, layer);
      picturedAs(byNode, target === 'S' ? 0 : layer + 1);
    } finally {
      asking = false;
    }
    if (again) await answered();
  }

  /** Forgets the drawn answer. */
  function clear() {
    [shown, laid, colouring, on, held] = [null, null, null, null, null];
    rows.clear();
    byClass.replaceChildren();
    drawnAs.replaceChildren();
  }

  /** Draws an answer in plane k of the picture and explains the arrows, or says why there are none. */
  function picturedAs({arrows, from, places}: Why, k: number) {
    const {target} = wanted(), at = told, n = session.model.data?.summary.nodes ?? 0;
    const plane = (places ?? at?.xy)?.subarray(2 * k * n, 2 * (k + 1) * n), line = plane && stacked(plane) !== plane;
    const sum = arrows && from && !line ? sumOf(arrows, from) : null;
    const press = (text: string, common: boolean) => h('button', {type: 'button', class: 'quiet', id: 'why-linear', onclick: () => linear(common)}, text);
    const common = setup.settings.view.of === 'C';
    drawnAs.replaceChildren(h('p', {class: 'small'}, ...sum ? [`Arrows in the picture of ${choice.selectedOptions[0]?.text} add up to its dot.`
      + ' They begin where 0 is and are sorted by colour.', session.model.record?.method ? ''
      : ' The pale ring with a dotted line is where the untrained model has it, drawn the same way.']
    : !at ? ['Arrows are drawn at the last epoch. ', press('Go there', common)]
    : target !== 'S' && at.common !== (target === 'C') ? [`The pictures show ${at.common ? 'C' : 'P'}. `, press(`Show ${target}`, target === 'C')]
    : line ? ['This embedding has one dimension and is drawn as a stack of marks, without arrows.']
    : ['Arrows need linear axes, and these are none. ', press('Show principal axes', common)]));
    shown = at && {of: at, places: changes().length ? places ?? null : null, plane: k, over: next => sum && over(sum, next)};
    draw(shown);
  }

  /** The arrows in the colours of a picture. The table of classes follows these colours. */
  function over(sum: Sum, next: Colouring) {
    if (next.of !== colouring?.of || next.scale !== colouring?.scale || !laid) {
      const {classes, of, scale} = colouring = next; // numbers part nodes into no classes
      const by = scale ? {names: ['nodes'], marks: [0]} : {names: classes, marks: classes.map((_, c) => markOf(next, c))};
      laid = laidOut(sum, i => scale ? 0 : of[i] ?? -1, by);
      tellClasses(laid, Boolean(scale));
    }
    const {arrows} = laid;
    return overOf(sum, laid, k => lit(nth(arrows, k, 'arrows')), k => {
      const p = arrows[k];
      on = p && p.node < 0 ? p.what : held;
      follow();
    });
  }

  const lit = (p: Part) => {
    const row = on === null ? null : rows.get(on);
    return row ? row(p) : look.node >= 0 && p.node === look.node;
  };

  /** Lights the rows of the arrows that are lit. */
  function follow() {
    const all = laid?.arrows.filter(lit) ?? [];
    for (const button of el.querySelectorAll<HTMLElement>('[data-lights]')) {
      button.closest('tr')?.classList.toggle('lit', all.some(rows.get(button.dataset.lights ?? '') ?? (() => false)));
      button.setAttribute('aria-pressed', String(button.dataset.lights === held));
    }
  }
  look.follow(what => { if (what === 'node') follow(); });

  /** Lights the arrows of a row. */
  function light(key: string | null) {
    if (key === on) return;
    on = key;
    follow();
    draw(shown);
  }
  for (const [begin, end] of [['pointerover', 'pointerleave'], ['focusin', 'focusout']] as const) {
    el.addEventListener(begin, e => light((e.target as Element).closest('tr')?.querySelector<HTMLElement>('[data-lights]')?.dataset.lights ?? held));
    el.addEventListener(end, () => light(held));
  }

  /** The name of a row. It lights the arrows of the row until it is pressed again. */
  function named(key: string, of: (p: Part) => boolean, ...text: Child[]) {
    rows.set(key, of);
    return h('button', {type: 'button', class: 'points', 'data-lights': key, 'aria-pressed': 'false', onclick: () => {
      held = held === key ? null : key;
      on = null;
      light(held ?? key);
      follow();
    }}, ...text);
  }

  function tellClasses({arrows, bundles}: Laid, numbers: boolean) {
    const all = bundles.filter(b => b.mark !== null || b.name === REST);
    byClass.replaceChildren(numbers ? '' : tableOf({
      caption: 'By colour, as arrows come', head: ['Nodes', 'Share'], rows: all.map(b => {
        const own = new Set(arrows.slice(b.first, b.end));
        const text = b.mark === null ? ['all weaker ones'] : [legendMark(b.mark), `${b.name}, ${own.size}`];
        return [[named(`class ${b.name}`, p => own.has(p), ...text)], [percent(b.share)]];
      }),
    }));
  }

  function tell(byNode: Why, byFeature: Why | null, target: string, layer: number) {
    const others = ([['bias', byNode.bias], ['means taken off', byNode.mean], ['left by the split', byNode.left]] as const).filter(([, share]) => share !== 0);
    const first = new Set(byNode.terms.map(t => t.node));
    const parts = (a: Why, name: (t: Why['terms'][number]) => (Node | string)[], lights: boolean): Child[][] => {
      const button = (key: string, of: (p: Part) => boolean, text: string) => lights ? named(key, of, text) : text;
      return [
        ...a.terms.map(t => [name(t), [percent(t.share)]]),
        ...a.count > a.terms.length
          ? [[[button('more', p => p.node >= 0 ? !first.has(p.node) : p.what === REST, `${a.count - a.terms.length} more`)], [percent(a.rest)]]] : [],
        ...others.map(([what, share]) => [[button(what, p => p.what === what, what)], [percent(share)]])];
    };
    const joined = (j: number) => target !== 'S' && linked()?.[layer]?.joins(node, j);
    const taken = (j: number) => joined(j) && !changes().some(l => l.layer === layer && (l.i === j || l.j === j))
      ? [' ', h('button', {type: 'button', class: 'quiet take', onclick: () => change(turn(changes(), {layer, i: node, j}))}, 'Take the link')] : [];
    const made = byNode.links.map(l =>
      `${l.weight ? 'a link' : 'no link'} to ${look.nameOf(l.i === node ? l.j : l.i)} in ${layerName(l.layer)}`);
    answer.replaceChildren(
      drawnAs, tableOf({caption: 'What makes this place, by node', head: ['Node', 'Share'], rows: parts(byNode, t => [
        named(`node ${t.node}`, p => p.node === t.node, look.nameOf(t.node)), ...taken(t.node)], true)}),
      byClass, ...byFeature ? [tableOf({caption: 'By feature', head: ['Feature', 'Share'], rows: parts(byFeature, t => [String(t.feature)], false)})] : [],
      ...made.length ? [h('p', {id: 'what-if-moved'},
        `With ${made.join(', ')} the place moves by ${percent(byNode.moved / (byNode.length || 1))} of its length. `,
        byNode.places ? 'Nodes are drawn where they would be, with pale marks where they were. '
          : told ? 'These pictures are no projections and cannot show it. ' : '',
        h('button', {type: 'button', class: 'quiet', onclick: () => change([])}, 'As it was'))] : [],
      h('p', {class: 'soft small'}, 'Shares add up to 100 %: the encoders are linear. Weights and whitening are those of training, and a share is no cause.'));
  }

  /** Every link of the node as a button that takes it or gives it back, and a line to make another. */
  function links() {
    const among = linked();
    if (!whatIf.open || !among) return;
    const list = changes();
    const turned = (layer: number, j: number) => list.some(l => l.layer === layer && (l.i === j || l.j === j));
    const there = (layer: number, j: number) => nth(among, layer, 'layers').joins(node, j) !== turned(layer, j);
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

  /** Whether a place can be explained: of a run that rests, of what is linear. */
  const possible = () => {
    const {data, record, phase} = session.model;
    return Boolean(data && record && summed(record) && ['paused', 'finished'].includes(phase));
  };

  function show(next: number) {
    el.hidden = !possible();
    const another = next !== node;
    node = next;
    if (node < 0) return;
    if (another || !choice.options.length) {
      told = null;
      clear();
      draw(null);
      answer.replaceChildren();
      other.replaceChildren();
      choice.replaceChildren(h('option', {value: 'S 0'}, session.model.record?.method ? 'R' : 'S'),
        ...session.model.record?.method ? [] : layers().flatMap((_, k) => ['P', 'C'].map(of => h('option', {value: `${of} ${k}`}, `${of}, ${layerName(k)}`))));
      const why = setup.settings.view.why ?? '', value = why === 'S' ? 'S 0' : `${why[0]} ${Number(why.slice(1)) - 1}`;
      if ([...choice.options].some(o => o.value === value)) choice.value = value;
      if (changes().some(l => l.i !== node && l.j !== node)) {
        setup.setView({if: null}); // they were another node's
      }
      whatIf.open = changes().length > 0;
      links();
    } else if (!other.firstChild) links(); // layers are known now
    if (!possible() || !setup.settings.view.why) return;
    if (!answer.firstChild || picture()?.xy !== told?.xy) attempt(answered)();
  }

  return {
    el, show,
    /** Nothing is asked any more. */
    close() {
      node = -1;
      setup.setView({why: null, if: null});
      clear();
      draw(null);
    },
  };
}
