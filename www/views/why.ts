// Why a node is where it is: what makes its place, as a list. The encoders are linear, so shares add up to all of it.
import {h, tableOf} from '../dom/elements.js';
import {fixed} from '../dom/figures.js';
import type {Child} from '../dom/elements.js';

/** What makes a place (`why` in wasm/PROTOCOL.md). */
interface Why {terms: {node: number; feature: number; share: number}[]; count: number; rest: number}

const MOST = 8; // that are named

const percent = (share: number) => fixed(100 * share, 1) + '\u00a0%';

export function createWhy({session, look, attempt}: Pick<ViewContext, 'session' | 'look' | 'attempt'>) {
  const choice = h('select', {id: 'why-of', 'aria-label': 'Place in'}), answer = h('div', {id: 'why-answer', 'aria-live': 'polite'});
  const ask = h('button', {type: 'button', id: 'why-ask', onclick: attempt(answered)}, 'Why here?');
  const el = h('div', {id: 'why'}, h('p', {}, choice, ' ', ask), answer);
  let node = -1;
  /** Links that are left out, of the node that is shown. */
  let links: {layer: number, i: number, j: number, weight: number}[] = [];

  async function answered() {
    const {data} = session.model, of = node;
    if (!data) return;
    const [target, layer] = choice.value.split(' ');
    const asked = {of: target, layer: Number(layer), node, most: MOST, links};
    const byNode = await session.why({...asked, by: 'node'});
    const byFeature = data.summary.features === data.summary.nodes ? null : await session.why({...asked, by: 'feature'});
    if (of !== node) return;
    const others = [['bias', byNode.bias], ['means taken off', byNode.mean], ['left by the split', byNode.left]].filter(([, share]) => share !== 0);
    const parts = (a: Why, name: (t: Why['terms'][number]) => Child[]): Child[][] => [
      ...a.terms.map(t => [name(t), [percent(t.share)]]),
      ...a.count > a.terms.length ? [[[`${a.count - a.terms.length} more`], [percent(a.rest)]]] : [],
      ...others.map(([what, share]) => [[what], [percent(share)]])];
    const without = (j: number) => target === 'S' || j === node ? [] : [' ', h('button', {type: 'button', class: 'quiet',
      onclick: () => { links = [...links, {layer: Number(layer), i: node, j, weight: 0}]; attempt(answered)(); }}, 'Take the link')];
    answer.replaceChildren(
      tableOf({caption: 'What makes this place, by node', head: ['Node', 'Share'], rows: parts(byNode, t => [look.nameOf(t.node), ...without(t.node)])}),
      ...byFeature ? [tableOf({caption: 'By feature', head: ['Feature', 'Share'], rows: parts(byFeature, t => [String(t.feature)])})] : [],
      ...links.length ? [h('p', {}, `Without ${links.length === 1 ? 'one link' : `${links.length} links`} the place moves by ` +
        `${percent(byNode.moved / (byNode.length || 1))} of its length. `, h('button', {type: 'button', class: 'quiet',
        onclick: () => { links = []; attempt(answered)(); }}, 'Give back'))] : [],
      h('p', {class: 'soft small'}, 'Shares add up to 100 %: the encoders are linear. Weights and whitening are those of training, and a share is no cause.'));
  }

  function show(next: number) {
    const {data, record, phase} = session.model;
    el.hidden = !data || !record || !!record.method || !['paused', 'finished'].includes(phase);
    if (next === node && choice.options.length) return;
    node = next;
    links = [];
    answer.replaceChildren();
    choice.replaceChildren(h('option', {value: 'S 0'}, 'S'), ...(data?.summary.layers ?? []).flatMap((l, k) => ['P', 'C'].map(of =>
      h('option', {value: `${of} ${k}`}, `${of}, ${l.name.replaceAll('_', ' ')}`))));
  }
  return {el, show};
}
