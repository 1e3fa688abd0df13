// The present values of the loss beside the terms that explain it.
import {setText, figure} from '../dom/dom.js';

/**
 * createTerms(root) -> {show(values, live), options(values)}
 *
 * options(values) leaves of every formula, and of the words about it, what holds for the options of training: elements with data-option are there while the value
 * of that option is data-is, or begins with it where that ends in a colon.
 *
 * Writes values[term] to every element below root with data-loss. While a run goes on (`live`) they follow only as long as they
 * are on screen: every change of text is laid out and painted.
 */
export function createTerms(root) {
  const places = [...root.querySelectorAll('[data-loss]')];
  let values = null, seen = false;
  const write = () => {
    for (const el of places) {
      const v = values?.[el.dataset.loss];
      setText(el, Number.isFinite(v) ? figure(v) : '');
    }
  };
  new IntersectionObserver(entries => {
    seen = entries.at(-1).isIntersecting;
    if (seen) write();
  }).observe(root);
  return {
    options(values) {
      for (const el of root.querySelectorAll('[data-option]')) {
        const {option, is} = el.dataset, value = String(values[option]);
        el.toggleAttribute('hidden', is.endsWith(':') ? !value.startsWith(is) : value !== is);
      }
    },
    show(next, live) {
      values = next;
      if (seen || !live) write();
    },
  };
}
