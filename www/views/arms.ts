// How much of the layer is read from C by the losses: what is set up is trained with matching alone, with each of the further losses, and with
// both. A probe looks for the layer in C of each, and in that of the run on screen.
import {button, h, scrolled, setText, tableOf} from '../dom/elements.js';
import {fixed} from '../dom/figures.js';
import {armsOf} from '../run/comparison.js';
import {askLayer, layerTold, rests} from '../run/layertold.js';
import {layerWords} from './causalwords.js';
import {probeCurve} from './probecurve.js';
import type {Comparison, Way} from '../run/comparison.js';
import type {ViewContext} from '../types.js';

/** The button of a comparison, its progress, and why it cannot be pressed. */
export function trainer({session, setup, attempt}: ViewContext, comparison: Comparison, id: string, wanted?: (way: Way) => boolean) {
  const go = button('', () => comparison.running ? comparison.cancel() : attempt(() => comparison.run(wanted))(), {id});
  const progress = h('progress', {max: 1, value: 0, 'aria-label': 'Trainings done', hidden: true}), why = h('span', {class: 'soft'});
  return {el: h('div', {class: 'toolbar'}, go, progress, why), show(text: string, off = '') {
    const {running, done} = comparison;
    setText(go, running ? 'Stop' : text);
    go.disabled = !running && (off !== '' || !setup.possible || !session.model.data);
    setText(why, off);
    progress.hidden = !running;
    progress.value = done;
  }};
}

export function create(el: HTMLElement, context: ViewContext) {
  const {session, setup, attempt, usable} = context, comparison = armsOf(context), trains = trainer(context, comparison, 'causality-arms');
  const words = h('div', {id: 'arms-said', role: 'status'}), table = scrolled('How often a probe names the layer of C, by the losses');
  el.append(trains.el, table,
    h('p', {class: 'soft small measure'}, 'The share of cases in which a fresh classifier names the layer of a common part. At first: after one step; of the'
      + ' run on screen, untrained. Dotted is chance.'), words);

  const row = (name: string, looks: {epoch: number, probe: number}[], chance: number, otherwise: string) => [
    name, ...[looks[0], looks.slice(1).at(-1)].map(l => l ? fixed(l.probe, 2) : '\u2013'),
    looks.length > 1 ? probeCurve(looks, chance) : h('span', {class: 'leak-room'}, otherwise), // as high as a curve, so that nothing moves when it comes
  ];

  let drawn = '';
  return {
    /** What is known of the layer in C, and in words what follows of it. */
    get found() {
      const chance = 1 / Math.max(1, session.model.data?.summary?.layers?.length ?? 1), ways = comparison.current ? comparison.ways : [];
      return {probed: [{name: 'the run on screen', looks: layerTold(session)}, ...ways], words: layerWords(ways, chance), chance};
    },
    show() {
      const {model} = session, {running, current, ways} = comparison, off = Number(setup.values.options.weight_matching) === 0;
      const own = layerTold(session), chance = 1 / Math.max(1, model.data?.summary?.layers?.length ?? 1);
      trains.show('Train all four', off ? 'w is 0: nothing is matched in what is set up.' : '');
      if (own.length < 2 && model.progress?.step && usable() && rests(model) && el.checkVisibility()) attempt(() => askLayer(session))();
      const key = JSON.stringify([own, ways.map(w => w.looks), running, current, chance]);
      if (key === drawn) return;
      drawn = key;
      const state = running ? 'training\u2026' : 'not trained yet';
      table.replaceChildren(tableOf({
        kind: 'ways', head: ['Losses', 'at first', 'at the end', 'over the epochs'], of: k => k && k < 3 ? 'number' : null,
        rows: [row('the run on screen', own, chance, rests(model) ? 'not asked yet' : 'not trained yet'),
          ...comparison.planned.map(w => row(w.name, w.looks, chance, state))],
      }));
      words.classList.toggle('awaited', running);
      words.replaceChildren(
        ...ways.length && !current ? [h('p', {class: 'soft'}, 'This was trained with other settings than those set up now.')] : [],
        ...layerWords(ways, chance).map((text, k) => h('p', {class: k ? 'measure' : 'verdict'}, text)));
    },
  };
}
