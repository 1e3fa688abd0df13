// The game of psi: six bags, one after the other, and then how it went.
import {button, h, scrolled, tableOf} from '../dom/elements.js';
import {deal, resultOf} from './psigame.js';
import {wentSo} from './psiwords.js';
import type {Bags} from './psibags.js';
import type {Turn} from './psigame.js';

/** changed() is called after every move, and over() when the reader leaves. */
export function createGame({changed, over}: {changed: () => void, over: () => void}) {
  const el = h('div', {id: 'psi-game', hidden: true});
  let bags: Bags | null = null, turns: Turn[] = [], said: number[] = [];

  function begin(of: Bags) {
    [bags, turns, said] = [of, deal(of.layer, Math.random), []];
    el.hidden = false;
    el.replaceChildren(h('div', {class: 'toolbar'},
      of.names.map((n, k) => button(n, () => name(k), {'data-layer': k})), button('Stop', leave, {class: 'quiet'})));
    el.querySelector('button')?.focus();
    changed();
  }

  function name(layer: number) {
    said.push(layer);
    if (bags && said.length === turns.length) tell(bags);
    changed();
  }

  function tell({e, names, nameOf}: Bags) {
    const found = resultOf(e, turns, said), title = h('h3', {tabindex: -1}, 'How it went');
    el.replaceChildren(title, h('p', {id: 'psi-went'}, wentSo(found)), scrolled('The six bags', tableOf({
      head: ['Bag', 'P of', 'C of', 'you', 'ψ'], rows: found.rows.map((r, k) => [String(k + 1), nameOf(r.p), nameOf(r.c) + (r.swapped ? ', swapped' : ''),
        ...[r.you, r.psi].map(l => names[l] + (l === r.truth ? ' ✓' : ' ✗'))]),
    })), h('div', {class: 'toolbar'}, button('Again', () => { if (bags) begin(bags); }), button('Swap by hand', leave)));
    title.focus();
  }

  function stop() {
    bags = null;
    el.hidden = true;
  }

  function leave() {
    stop();
    over();
  }

  return {
    el, begin, stop,
    get on() { return bags !== null; },
    /** The bag that is shown, and what is asked about it. */
    get turn() { return turns[Math.min(said.length, turns.length - 1)]; },
    get asks() { return said.length < turns.length ? `Bag ${said.length + 1} of ${turns.length}. Which layer is its P of? C may be another bag’s.` : ''; },
  };
}
