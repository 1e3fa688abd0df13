// Gamma as a word of a sentence: the layers, what the closed form makes of them, and the trained embeddings follow it.
import {download, h, scrolled, setText, tableOf} from '../dom/elements.js';
import {fixed, grouped} from '../dom/figures.js';
import {Gammas} from '../run/gammas.js';
import {marked} from '../run/model.js';
import {adjacencyOf, orderOf, shareWithin} from './adjacency.js';
import {closedWords, trainedWords} from './curvewords.js';
import {createGammaWord} from './gammaword.js';
import {createGuess} from './guess.js';
import * as matrix from './matrix.js';
import {layerMark, lightTheme} from './palette.js';
import {plotSheet} from './plotsheet.js';
import {saveButtons, saved} from './saving.js';
import * as scatter from './scatter.js';
import type {Found, How, Picture} from '../run/gammas.js';

const MOVES = 250, MOST_MOVING = 300; // ms that dots take to their next place; more nodes jump
const STILL = matchMedia('(prefers-reduced-motion: reduce)');
const HOWS: [How, string][] = [['closed', 'Closed form'], ['trained', 'CaDeM, trained']];

/** A plane on screen, with where its dots are, and where they go to. */
interface Plane { caption: HTMLElement; view: NodePicture; k: number; at: Float32Array | null; from: Float32Array | null; to: Float32Array | null }

export function mount(el: HTMLElement, context: ViewContext): PageView {
  const {session, setup, attempt, look, change} = context, gammas = new Gammas({...context, changed: show});
  let layers: string[] = [], built = '', moved = 0, moving = false;
  let places: Float32Array | null = null;
  let matrices: {caption: HTMLElement, view: NodePicture}[] = [];
  const planes: Record<How, Plane[]> = {closed: [], trained: []};
  const rows = {closed: h('h3', {class: 'predict-row'}), trained: h('h3', {class: 'predict-row'})};
  const pictured: Record<How, {percent: number, picture: Picture, colours: LabelSet[]} | null> = {closed: null, trained: null};

  const {scrub, sentence: gammaSentence} = createGammaWord({value: gammas.now, input: follow, settled(v) {
    change('gamma', v / 100, 'dataOptions');
    if (always.checked) follow(v);
  }});
  const said = h('p', {id: 'predict-said', role: 'status'});
  const grid = h('div', {class: 'predict-grid', role: 'group', 'aria-label': 'Layers and embeddings at this gamma'});
  const train = h('button', {type: 'button', id: 'predict-train', onclick: () => ask(scrubbed(), 'trained')}, 'Train CaDeM here');
  const always = h('input', {type: 'checkbox', id: 'predict-always', onchange: () => follow(scrubbed())});
  const lines = h('input', {type: 'checkbox', id: 'predict-links', onchange: () => {
    built = '';
    show();
  }});
  const table = scrolled('This gamma as numbers'), twin = h('details', {class: 'twin', ontoggle: figures}, h('summary', {}, 'This gamma as numbers'), table);

  const pictures = h('div'), expected = h('div');
  el.append(
    gammaSentence, said, h('div', {class: 'predict-halves'}, pictures, expected));
  pictures.append(grid, h('div', {class: 'toolbar'}, train, h('label', {class: 'check'}, always, 'train wherever I stop'), h('label', {class: 'check'}, lines,
    'layers as links'), saveButtons('pictures at this gamma', attempt(save))), twin);
  const guess = createGuess(expected, {gammas, setup, attempt, sets: () => there() ? sets() : null, changed: show});

  const scrubbed = () => Number(scrub.el.getAttribute('aria-valuenow'));
  /** The shared groups and those of each layer's own, by name. */
  const sets = () => (session.model.data?.summary?.labels ?? []).map((l: {name: string}) => l.name);
  const titleOf = (l: number) => (session.model.data?.summary?.layers?.[l]?.name ?? `layer ${l + 1}`).replaceAll('_', ' ');
  /** The data on screen are those of the settings, if at another gamma. */
  const there = () => gammas.possible && sets().length === layers.length + 1 && layers.length > 0;
  const ask = (percent: number, how: How) => {
    if (there()) attempt(() => gammas.look(percent, how, sets()))();
    show();
  };

  function follow(percent: number) {
    ask(percent, 'closed');
    if (always.checked && !scrub.moving) ask(percent, 'trained');
  }

  // --- Pictures

  function build() {
    if (built === layers.join('\n')) return;
    built = layers.join('\n');
    for (const {view} of [...matrices, ...planes.closed, ...planes.trained]) view.destroy();
    const describe = (i: number) => look.describe(i), onSelect = (nodes: number[], add: boolean) => look.choose(nodes, add);
    const onHover = (i: number) => look.point(i), figure = (list: HTMLElement[]) => {
      const caption = h('figcaption'), box = h('figure', {class: 'plot'}, caption);
      list.push(box);
      return {caption, box};
    };
    const boxes: HTMLElement[] = [];
    grid.style.setProperty('--columns', String(layers.length + 1));
    matrices = ['', ...layers].map((_, k) => {
      const {caption, box} = figure(boxes), options = {onHover, onSelect, describe};
      const view = lines.checked ? scatter.create(box, {...options, kind: 'graph'}) : matrix.create(box, options);
      view.label(`${k ? titleOf(k - 1) : 'All layers'}, ${lines.checked ? 'links' : 'matrix of links'}; arrow keys go from node to node`);
      setText(caption, k ? titleOf(k - 1) : 'All layers');
      return {caption, view};
    });
    for (const [how, title] of HOWS) {
      boxes.push(rows[how]);
      planes[how] = ['', ...layers].map((_, k) => {
        const {caption, box} = figure(boxes), view = scatter.create(box, {onHover, onSelect, describe});
        view.label(`${title}, ${k ? `P of ${titleOf(k - 1)}` : 'S'}; arrow keys go from node to node`);
        return {caption, view, k, at: null, from: null, to: null};
      });
    }
    grid.replaceChildren(h('h3', {class: 'predict-row'}, 'Links'), ...boxes);
    pictured.closed = pictured.trained = null;
  }

  /** Classes and marks of the shared groups and the layers' own. */
  function coloursOf({of}: Picture) {
    const classes = (list: ArrayLike<number>) => Array.from({length: Math.max(0, ...Array.from(list)) + 1}, String);
    return marked(of.map(list => ({name: '', classes: classes(list), of: list as Int32Array} as LabelSet)));
  }

  function draw(how: How, percent: number, {picture}: Found) {
    if (!picture || pictured[how]?.picture === picture) return;
    const colours = coloursOf(picture), [shared] = colours;
    if (how === 'closed') {
      if (places?.length !== 2 * shared.of.length) places = session.model.data?.drawing?.places ?? null; // nodes stay where they are, whatever gamma is
      matrices.forEach(({view}, k) => {
        const common = {classes: shared.of, marks: shared.marks ?? [], dim: null};
        if (lines.checked) {
          const links = picture.links.map((pairs, l) => ({pairs, layer: layerMark(l), among: adjacencyOf(shared.of.length, pairs)}));
          if (places?.length === 2 * shared.of.length) view.update({xy: places, links: k ? [links[k - 1]] : links, within: false, ...common});
          return;
        }
        const own = colours[k].of, order = Int32Array.from(orderOf(shared.of)).sort((a, b) => shared.of[a] - shared.of[b] || own[a] - own[b] || a - b);
        view.update({layers: k ? [picture.links[k - 1]] : picture.links, order, ...common});
      });
    }
    pictured[how] = {percent, picture, colours};
    const quick = STILL.matches || shared.of.length > MOST_MOVING;
    for (const p of planes[how]) {
      [p.from, p.to] = [quick ? null : p.at, picture.planes[p.k]];
      if (p.from?.length !== p.to.length) p.from = null;
    }
    moved = performance.now();
    if (!moving) move();
  }

  /** Brings dots nearer to where they go, until they are there. */
  function move() {
    const part = Math.min(1, (performance.now() - moved) / MOVES), eased = part * (2 - part);
    moving = false;
    for (const [how] of HOWS) {
      const now = pictured[how];
      if (!now) continue;
      for (const p of planes[how]) {
        const {from, to} = p;
        if (!to || p.at === to) continue;
        if (from && part < 1) {
          moving = true;
          p.at = Float32Array.from(to, (v, i) => from[i] + eased * (v - from[i]));
        } else p.at = to;
        const {of, marks} = now.colours[p.k];
        p.view.update({xy: p.at, classes: of, marks: marks ?? [], dim: look.isolated});
      }
    }
    if (moving) requestAnimationFrame(move);
  }

  // --- Words

  const score = (v: number) => fixed(v, 2);

  /** Says what the pictures show. While they are those of another gamma they are pale, with its scores. */
  function captions(how: How, found: Found | null) {
    const shown = pictured[how], title = HOWS.find(([name]) => name === how)?.[1], here = found !== null && found.picture === shown?.picture;
    setText(rows[how], `${title}${here ? '' : shown ? ` at ${shown.percent}\u00a0%, not here` : ', not yet'}`);
    for (const p of planes[how]) {
      if (here) setText(p.caption, `${p.k ? 'P' : 'S'} ${score(p.k ? found.own[p.k - 1] : found.shared)}`);
      else if (!shown) setText(p.caption, p.k ? 'P' : 'S');
      p.caption.closest('figure')?.classList.toggle('late', !here);
    }
  }

  function sentence(percent: number, {closed, trained}: Record<How, Found | null>) {
    if (!there()) return '';
    return closedWords(percent, closed, gammas.busy('closed')) + (closed ? ` ${trainedWords(trained, gammas.busy('trained'))}` : '');
  }

  /** Saves what is found at this gamma, with the curve. */
  async function save(type: string) {
    const percent = scrubbed(), known = {closed: gammas.at(percent, 'closed'), trained: gammas.at(percent, 'trained')}, {closed} = pictured;
    if (closed?.percent !== percent) return; // its pictures are on their way
    const titled = ({caption, view}: {caption: HTMLElement, view: NodePicture}, before = '') => ({title: before + caption.textContent, view});
    const found = HOWS.flatMap(([how, title]) => known[how] ? planes[how].map(p => titled(p, `${title}: `)) : []);
    const plots = [...matrices.map(m => titled(m)), ...found, ...guess.plots];
    const {data} = session.model, classes = data?.labels.map(l => l.classes) ?? [], {model_seed} = setup.values;
    const text = `CaDeM, ${setup.runName(data)}. Model seed ${model_seed}. ${known.trained ? `Fingerprint ${known.trained.hash}. ` : ''}`
      + sentence(percent, known) + guess.said;
    const {width, height, paint} = plotSheet({
      plots, sets: closed.colours.map((c, k) => ({...c, name: sets()[k], classes: classes[k] ?? c.classes})), t: lightTheme(), caption: text,
      columns: layers.length + 1,
    });
    download(await saved(width, height, type, text, paint), `cadem-predict.${type}`);
  }

  function figures() {
    const percent = scrubbed(), closed = gammas.at(percent, 'closed'), trained = gammas.at(percent, 'trained');
    if (!twin.open || !closed?.picture) return;
    const {links, of} = closed.picture, share = (v: number) => Number.isNaN(v) ? '' : `${fixed(100 * v, 0)}\u00a0%`;
    table.replaceChildren(tableOf({
      caption: `At ${percent} %. P: how well clusters in P match the layer's own groups, 1 for all and 0 by chance.${trained
        ? ` Fingerprint of the trained embeddings: ${trained.hash}.` : ''}`,
      head: ['Layer', 'Links', 'Inside shared groups', 'Inside its own', 'P, closed form', 'P, trained'], of: k => k ? 'n' : null,
      rows: links.map((pairs, l) => [titleOf(l), grouped(pairs.length / 2), share(shareWithin(pairs, of[0])), share(shareWithin(pairs, of[l + 1])),
        score(closed.own[l]), trained ? score(trained.own[l]) : '\u2013']),
    }));
  }

  function show() {
    layers = (session.model.data?.summary?.layers ?? []).map((l: {name: string}) => l.name);
    if (!gammas.possible || !layers.length) return;
    build();
    if (!scrub.moving) scrub.set(gammas.now);
    const percent = scrubbed(), closed = gammas.at(percent, 'closed'), trained = gammas.at(percent, 'trained');
    if (closed) draw('closed', percent, closed);
    if (trained) draw('trained', percent, trained);
    captions('closed', closed);
    captions('trained', trained);
    if (!scrub.moving || scrub.held && closed) setText(said, sentence(percent, {closed, trained}));
    train.disabled = !there() || Boolean(trained) || gammas.busy('trained');
    figures();
    guess.show();
    if (!closed?.picture && !gammas.busy('closed') && !gammas.failed(percent, 'closed') && there() && el.checkVisibility()) ask(percent, 'closed');
  }

  look.follow(what => {
    const all = [...matrices, ...planes.closed, ...planes.trained];
    if (what === 'selection') for (const {view} of all) view.select(look.selection);
    else if (what === 'node') for (const {view} of all) view.highlight(look.node);
  });
  show();
  return {show, follow: show};
}
