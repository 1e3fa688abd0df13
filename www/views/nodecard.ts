// All about one node: its groups, whom it is linked to in every layer, and who is nearest in S and in each private embedding.
import {button, byId, h, setText, tableOf} from '../dom/elements.js';
import {spaced} from '../dom/figures.js';
import {adjacencyOf, type Adjacency} from './adjacency.js';
import {nearestIn} from './near.js';
import {embeddingTitle} from './names.js';
import {aboutNode} from './tip.js';
import {askWhole, wholeOf} from './whole.js';
import {createWhy} from './why.js';
import type {Model} from '../types.js';

const MOST_LINKS = 8, MOST_NEAR = 5; // that are named

type CardOptions = Omit<Parameters<typeof createWhy>[0], 'linked'>;

/** show(-1) closes it; update() draws it again, of what is on screen then. picture, draw and linear are those of what is asked there (why.ts). */
export function createCard(el: HTMLElement, options: CardOptions) {
  const {session, look, attempt} = options;
  const title = h('h3', {id: 'node-card-title', tabindex: -1}), groups = h('div'), body = h('div'), why = createWhy({...options, linked: () => among()});
  const card = h('section', {id: 'node-card', 'aria-labelledby': 'node-card-title', hidden: true},
    h('div', {class: 'section-head'}, title, button('Close', () => show(-1), {class: 'quiet'})), groups, why.el, body);
  card.addEventListener('keydown', e => { if (e.key === 'Escape') show(-1); });
  el.append(card);
  let node = -1, drawn: unknown[] = [];
  let pairs: Int32Array[] | undefined, adjacency: Adjacency[] | null = null;

  /** Nodes to go to. */
  const named = (list: Iterable<number>) => [...list].flatMap((i, k) => [k ? ', ' : '',
    button(look.nameOf(i), () => look.choose([i]), {class: 'points'})]);

  /** The neighbours in each layer, once the layers are known. */
  function among() {
    const {data} = session.model, now = data?.drawing?.links;
    if (now !== pairs) adjacency = now?.map(p => adjacencyOf(data?.summary.nodes ?? 0, p)) ?? null;
    pairs = now;
    return adjacency;
  }

  function links() {
    const {data} = session.model, all = among();
    if (!data || !all) return [];
    return [tableOf({caption: 'Links', head: ['Layer', 'How many', 'With'], rows: all.map((a, l) => {
      const all = [...a.neighbours(node)], more = all.length - MOST_LINKS;
      return [[spaced(data.summary.layers[l]?.name ?? '')], [String(all.length)],
        [...named(all.slice(0, MOST_LINKS)), more > 0 ? ` and ${more} more` : '']];
    })})];
  }

  const epoch = (m: Model, t = look.step) => m.snapshots.findLast(s => t < 0 || s.step <= t);

  function near() {
    const {names, data} = session.model, shown = epoch(session.model);
    if (!shown || !data || !names.length) return [];
    // Whole embeddings, where they are known; else what the picture shows of them.
    const m = shown.xy.length / 2 / names.length, whole = wholeOf(shown), wide = whole ? whole.length / (2 * names.length - 1) / m : 2;
    if (!whole) attempt(() => askWhole(session, shown, draw))();
    const from = whole ?? shown.xy, caption = whole ? 'Nearest' : 'Nearest in the pictures, which show two axes of each embedding';
    return [tableOf({caption: `${caption}, epoch ${shown.epoch}`, head: ['Embedding', 'Nodes'], rows: names.map((name, k) => [
      [embeddingTitle(name, data.summary).slice(0, 2).join(' ')], named(nearestIn(from.subarray(k * m * wide, (k + 1) * m * wide), wide, node, MOST_NEAR)),
    ])})];
  }

  function draw() {
    if (node < 0 || node >= (session.model.data?.summary?.nodes ?? 0)) return;
    setText(title, look.nameOf(node));
    groups.replaceChildren(h('p', {class: 'soft small'}, `Number ${node}, as in files and links.`),
      h('p', {class: 'node-groups'}, ...aboutNode(look, node).slice(1)));
    const {data, names, phase, scoring, ending} = session.model, at = epoch(session.model);
    const next = [node, data, names, among(), at, at && wholeOf(at), phase, scoring, ending];
    // Else a picture alone was drawn anew.
    if (next.some((v, k) => v !== drawn[k])) body.replaceChildren(...links(), ...near());
    drawn = next;
    why.show(node);
  }

  /** @param goes whether the focus goes along: to the card, or back to what opened it */
  function show(next: number, goes: boolean = true) {
    node = next;
    card.hidden = node < 0;
    if (node < 0) why.close();
    draw();
    if (goes) (node < 0 ? byId('about-node') : title)?.focus({preventScroll: true});
  }
  look.follow(what => {
    if (what === 'selection' && node >= 0) show(look.chosen, card.contains(document.activeElement));
    if (what === 'time') draw();
  });
  return {show, update: draw};
}
