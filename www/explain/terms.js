// The present values of the loss beside the terms that explain it.
import {setText, figure} from '../dom.js';

/**
 * createTerms(root) -> {show(values, live)}
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
    show(next, live) {
      values = next;
      if (seen || !live) write();
    },
  };
}
