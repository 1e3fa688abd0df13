// The effect of the causal loss: the present settings are trained with it and without it, and the figures of both are shown side by side.
import {h, scrolled, tableOf} from '../dom/elements.js';
import {fixed, spaced} from '../dom/figures.js';
import {verdictOf} from '../run/differences.js';
import {armsOf} from '../run/comparison.js';
import {trainer} from './arms.js';
import {changed, figuresOf, percent} from './causalwords.js';
import {embeddingTitle} from './names.js';
import type {ViewContext} from '../types.js';

export function create(el: HTMLElement, context: ViewContext) {
  const {session, setup} = context, comparison = armsOf(context);
  const trains = trainer(context, comparison, 'causality-without', way => way.arm === 'all' || way.arm === 'guess');
  const words = h('div', {id: 'causality-changed', role: 'status'});
  const table = scrolled('With the causal loss and without it');
  el.append(h('h3', {}, 'What did the causal loss change?'), trains.el, words, table);

  const titleOf = (name: string) => embeddingTitle(name, session.model.data?.summary).slice(0, 2).join(' ');

  function rows({loss: a, without: b, scores}: NonNullable<ReturnType<typeof figuresOf>>) {
    return [
      ['\u03c8 keeps its answer', percent(a.kept), percent(b.kept), ''], ['\u03c8 names the right layer', String(a.right), String(b.right), ''],
      ['layer read from C', fixed(a.probe, 2), fixed(b.probe, 2), ''],
      ...scores.map(s => [`${titleOf(s.embedding)} for ${spaced(s.target)}`, fixed(s.other, 2), fixed(s.one, 2), verdictOf(s)]),
    ];
  }

  let drawn = '';
  return {
    show() {
      const {current} = comparison, loss = comparison.arm('all'), without = comparison.arm('guess');
      const off = Number(setup.values.options.weight_causal) === 0;
      trains.show('Train with it and without it', off ? 'Its weight \u03b2 is 0: what is set up has no causal loss.' : '');
      const figures = figuresOf(loss, without), key = JSON.stringify([figures, current]);
      if (key === drawn) return;
      drawn = key;
      table.hidden = !figures;
      words.replaceChildren(...figures ? [
        ...current ? [] : [h('p', {class: 'soft'}, 'This was trained with other settings than those set up now.')],
        ...changed(figures, titleOf).map((text, k) => h('p', {class: k ? 'measure' : 'verdict'}, text)),
      ] : []);
      table.replaceChildren(...figures ? [tableOf({
        kind: 'ways', head: ['Figure', 'With the loss', 'Without it', 'Difference'], of: k => k % 3 ? 'number' : null, rows: rows(figures),
      })] : []);
    },
  };
}
