// Be psi: a bag of nodes is two arrows in the plane of psi's answer, and the sector where they end is the layer that it names. The reader swaps the C of bags
// by hand, names layers in a game, and sees what the causal loss makes of the arrows.
import {download, h, scrolled, setText, tableOf} from '../dom/elements.js';
import {figure} from '../dom/figures.js';
import {askExchange} from '../run/exchanged.js';
import {askLayer, layerTold, rests} from '../run/layertold.js';
import {loadPsiRuns} from '../run/psiruns.js';
import {lightTheme} from './palette.js';
import {bagsOf} from './psibags.js';
import {createPlane} from './psidraw.js';
import {createFrom} from './psifrom.js';
import {psiPicture} from './psipicture.js';
import {createGame} from './psiplay.js';
import {createSwap} from './psiswap.js';
import {saveButtons, saved} from './saving.js';
import type {Bags} from './psibags.js';

export function mount(el: HTMLElement, context: ViewContext): PageView {
  const {session, attempt, usable} = context;
  let from: ReturnType<typeof createFrom> | null = null, visible = false;
  let bags: Bags | null = null, p = 0, c = 0; // the bags whose P and whose C are shown
  let of: unknown[] = []; // what the bags were made of

  const picture = createPlane('The plane of ψ’s answer: “In figures” says the same', i => choose(i, i));
  const said = h('p', {id: 'psi-said', 'aria-live': 'polite'}), rim = h('p', {class: 'soft small'}), twin = scrolled('Bags and answers');
  const swap = createSwap({picture, pair: () => ({p, c}), choose, play: () => { if (bags) game.begin(bags); }});
  const game = createGame({changed: draw, over: () => {
    draw();
    swap.focus();
  }});

  attempt(async () => {
    from = createFrom(context, await loadPsiRuns(), show);
    el.append( // all at once, so that nothing moves
      h('p', {class: 'small measure'}, 'You are ψ. Of a bag of nodes you get two arrows: P, and C from its tip. The sector where they end is your answer.'
        + ' Small dots are all P’s beside all other C’s; a ring is one that ends in a wrong sector.'),
      h('div', {class: 'psi'}, h('div', {}, picture.el, said), h('div', {}, from.why, swap.el, game.el, from.el, rim)),
      h('div', {class: 'toolbar'}, saveButtons('plane', attempt(save))), h('details', {class: 'twin'}, h('summary', {}, 'In figures'), twin));
    show();
  })();
  new IntersectionObserver(entries => {
    visible = Boolean(entries.at(-1)?.isIntersecting);
    if (visible) show();
  }).observe(el);

  /** Saves the plane, with what is said of it. */
  async function save(type: string) {
    if (!from || !bags) return;
    const words = [from.why, said, rim].map(p => p.textContent ?? ''), {caption} = from;
    const {width, height, paint} = psiPicture({plane: picture.el, words, rows: from.rows, caption, t: lightTheme()});
    download(await saved(width, height, type, [...words, caption].join(' '), paint), `cadem-psi.${type}`);
  }

  function choose(i: number, j: number) {
    if (game.on) return;
    [p, c] = [i, j];
    draw();
  }

  function draw() {
    swap.el.hidden = game.on || !bags;
    picture.el.toggleAttribute('hidden', !bags);
    for (const part of [said, rim, twin]) if (!bags) part.replaceChildren();
    if (!bags) return;
    const {plane, names, layer, nameOf, named} = bags;
    picture.draw({...bags, bare: game.on, wrong: (i, j) => named(i, j) !== layer[i]}, game.on ? game.turn : {p, c});
    setText(rim, plane.n === 2 ? 'Two layers: one difference of logits decides, and every bag has a line of its own. ψ’s bias is in C.'
      : `From the middle to the rim: ${figure(Number(plane.reach.toPrecision(2)))} logits above the mean. ψ’s bias is in C.`);
    if (game.on) {
      setText(said, game.asks);
      twin.replaceChildren(tableOf({caption: 'Logits above the mean', head: ['Layer', 'P', 'C', 'both'], rows: bags.parts(game.turn.p, game.turn.c)}));
      return;
    }
    swap.mark();
    setText(said, `P of ${nameOf(p)} beside ${p === c ? 'its own C' : `C of ${nameOf(c)}`}: ψ says ${bags.said(p, c)}.${p === c ? ''
      : named(p, c) === named(p, p) ? ' The swap crosses no border.' : ` The swap crosses a border: beside its own C it says ${names[named(p, p)]}.`}`);
    twin.replaceChildren(tableOf({
      caption: `What ψ says of every bag beside its own C, and of P of ${nameOf(p)} beside the C of that bag.`,
      head: ['Bag', 'beside its own C', `its C beside P of ${nameOf(p)}`], rows: layer.map((_, i) => [nameOf(i), bags!.said(i, i), bags!.said(p, i)]),
    }));
  }

  function show() {
    if (!from) return;
    from.show();
    const {whole, all} = from.source();
    if ([whole, from.layers, all.join()].some((x, k) => x !== of[k])) {
      of = [whole, from.layers, all.join()];
      bags = whole && bagsOf(whole, from.layers, all);
      game.stop();
      if (Math.max(p, c) >= (bags?.layer.length ?? 0)) [p, c] = [0, 0];
      if (bags) swap.offer(bags);
      draw();
    }
    if (!from.here || !visible) return;
    askExchange(context);
    if (rests(session.model) && session.model.progress?.step && usable() && !layerTold(session).length) attempt(() => askLayer(session))();
  }

  return {show};
}
