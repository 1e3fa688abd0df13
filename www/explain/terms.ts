// The present values of the loss beside the terms that explain it.
import {setText} from '../dom/elements.js';
import {figure} from '../dom/figures.js';

import {curveOf} from '../views/palette.js';
import type {Options} from '../types.js';

/**
 * Fills in the cards of the loss terms below root. A card has the colour of its curve. options(values) keeps of every formula, and of the words about
 * it, what holds for the options of training: an element with data-option is shown while the value of that option is its data-is, or begins with it
 * where that ends in a colon. show(values, live) writes values[term] to every element with data-loss. While a run goes on (live) they follow only
 * as long as they are on screen: every change of text is laid out and painted.
 */
export function createTerms(root: HTMLElement, terms: Term[]) {
  const places = [...root.querySelectorAll('[data-loss]')] as HTMLElement[];
  terms.forEach(({name}, k) => root.querySelector(`.term[data-term="${name}"]`)?.classList.add(curveOf(k, terms.length).mark));
  let values: Record<string, number> | null | undefined = null;
  let seen = false;
  const write = () => {
    for (const el of places) {
      const v = values?.[el.dataset.loss ?? ''];
      setText(el, Number.isFinite(v) ? figure(Number(v)) : '');
    }
  };
  new IntersectionObserver(entries => {
    seen = Boolean(entries.at(-1)?.isIntersecting);
    if (seen) write();
  }).observe(root);
  return {
    /** @param there which terms are: what is said with one that is not is hidden */
    options(values: Options, there: boolean[]) {
      terms.forEach(({name}, k) => {
        for (const el of (root.closest('.how') ?? root).querySelectorAll(`[data-with="${name}"]`)) el.toggleAttribute('hidden', !there[k]);
      });
      for (const el of (root.querySelectorAll('[data-option]') as NodeListOf<HTMLElement>)) {
        const {option = '', is = ''} = el.dataset, value = String(values[option]);
        el.toggleAttribute('hidden', is.endsWith(':') ? !value.startsWith(is) : value !== is);
      }
    },
    show(next: Record<string, number> | null | undefined, live: boolean) {
      values = next;
      if (seen || !live) write();
    },
  };
}
