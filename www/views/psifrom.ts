// Whose psi is shown: that of a run that ships with the page, by the weight of the causal loss and the pairs it was trained with, or that of the run on screen.
// Beside each stands how far psi ignores C, and how far C has forgotten its layer.
import {h, radios, setText, tableOf} from '../dom/elements.js';
import {figure, fixed} from '../dom/figures.js';
import {layerTold} from '../run/layertold.js';
import {MOST, among} from './psiplane.js';
import {untrained, whySwapped} from './psiwords.js';
import type {PsiRuns} from '../run/psiruns.js';

const SHIPPED = 'shipped', HERE = 'here';
const share = (v: number | undefined) => v === undefined ? '\u2013' : fixed(v, 2);

/** `layers` are those of the plane, which the reader chooses where there are more. */
export function createFrom({session, caption}: ViewContext, runs: PsiRuns | null, changed: () => void) {
  const betas = [...new Set(runs?.runs.map(r => r.beta))];
  let from = runs ? SHIPPED : HERE, beta = betas.length - 1, own = false, layers: number[] = [];
  const slider = h('input', {type: 'range', id: 'psi-beta', min: 0, max: betas.length - 1, step: 1, value: beta, oninput: () => {
    beta = Number(slider.value);
    changed();
  }});
  const pick = (title: string, name: string, choices: [string, string][], use: (value: string) => void) =>
    radios(title, name, choices, choices[0][0], (at: Event) => {
      use((at.target as HTMLInputElement).value);
      changed();
    });
  const value = h('output', {for: 'psi-beta'});
  const knobs = h('div', {}, h('div', {class: 'psi-knobs'}, h('label', {for: 'psi-beta'}, 'β, the weight of the causal loss'), slider, value),
    pick('Trained beside', 'psi-pairs', [['swapped', 'swapped C’s, as the method does'], ['own', 'its own C’s']], value => { own = value === 'own'; }));
  const why = h('p', {id: 'psi-why', class: 'verdict'}), figures = h('div', {class: 'psi-figures'}), three = h('div', {class: 'toolbar'});
  const el = h('div', {}, three,
    runs && pick('ψ of', 'psi-from', [[SHIPPED, `${runs.runs.length} finished runs of the town`], [HERE, 'the run on screen']], value => { from = value; }),
    knobs, figures);
  const shipped = (at: number, own: boolean) => runs?.runs.find(r => r.beta === betas[at] && r.own === own);

  /** The answers of psi, and the names of all layers of the run. */
  function source(): {whole: Exchange | null, all: string[]} {
    if (from === SHIPPED && runs) return {whole: shipped(beta, own)?.exchange ?? null, all: runs.names};
    const {exchange, data} = session.model, all = (data?.summary?.layers ?? []).map(l => l.name.replaceAll('_', ' '));
    return {whole: all.length > 1 && exchange?.observed.length === all.length ? exchange : null, all};
  }

  function choices(all: string[]) {
    three.hidden = all.length <= MOST;
    if (three.dataset.of !== all.join()) {
      three.dataset.of = all.join();
      layers = all.slice(0, MOST).map((_, l) => l);
      const use = (k: number) => (at: Event) => {
        const l = Number((at.target as HTMLSelectElement).value), other = layers.indexOf(l), next = [...layers];
        if (other >= 0) next[other] = layers[k]; // they change places
        next[k] = l;
        layers = next;
        changed();
      };
      three.replaceChildren('ψ is asked which of three layers: ', ...layers.map(k =>
        h('select', {'aria-label': `Layer ${k + 1} of the plane`, onchange: use(k)}, all.map((n, l) => h('option', {value: l}, n)))));
    }
    three.querySelectorAll('select').forEach((s, k) => { s.value = String(layers[k]); });
  }

  function words(whole: Exchange | null) {
    if (from === SHIPPED) return betas[beta] === 0 ? untrained(whole) : whySwapped(shipped(beta, true)?.exchange, shipped(beta, false)?.exchange);
    const e = whole && among(whole, layers);
    return session.model.record?.options?.pairing === 'own' ? whySwapped(e, null) : whySwapped(null, e);
  }

  return {
    el, why, source,
    get here() { return from === HERE; },
    get layers() { return layers; },
    /** The table of the runs as text, its head first. */
    get rows() { return [...figures.querySelectorAll('tr')].map(row => [...row.cells].map(cell => cell.textContent ?? '')); },
    /** Whose psi it is. */
    get caption() {
      if (from === HERE) return caption();
      const pairs = `${own ? 'own' : 'swapped'} C\u2019s`;
      return `The town as it ships, trained beside ${pairs} with \u03b2 = ${betas[beta]}. Fingerprint ${shipped(beta, own)?.hash}.`;
    },
    show() {
      const {whole, all} = source(), here = from === HERE, {record, progress} = session.model;
      choices(all);
      knobs.hidden = here;
      slider.setAttribute('aria-valuetext', `β = ${betas[beta]}`);
      value.value = String(betas[beta]);
      setText(why, words(whole) ?? (record && progress?.step ? 'Asking ψ…' : 'ψ has not been trained on this page yet. Press Train.'));
      const row = (name: string, kept?: number, told?: number) => [name, share(kept), share(told)];
      const weight = figure(Number(record?.options?.weight_causal ?? 0)), told = layerTold(session).at(-1)?.probe;
      const rows = here ? [row(`the run on screen, β = ${weight}`, whole?.invariance, told)]
        : betas.map((b, k) => row(`β = ${b}`, shipped(k, own)?.exchange.invariance, shipped(k, own)?.probe));
      figures.replaceChildren(tableOf({kind: 'ways', head: ['Run', 'ψ keeps its answer when C is swapped', 'a probe reads the layer from C'],
        of: k => k ? 'number' : null, rows}), h('p', {class: 'soft small'}, `Ignoring is not forgetting: 1.00 is ignored, and ${share(1 / (all.length || 1))}`
        + ' is forgotten. The probe is a fresh classifier that sees all of C.'));
      figures.querySelectorAll('tbody tr')[here ? 0 : beta]?.setAttribute('aria-current', 'true');
    },
  };
}
