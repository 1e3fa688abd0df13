// How long experiments would take here, of those whose cards have been in sight: asked for one after the other, as it takes some computing.

import type {Lab} from '../types.js';

/**
 * of(el, order) gives seconds, 'asked' while they are not known yet, null where they cannot be; found(el) is called when they may be, and when el has come in
 * sight.
 */
export function createEstimates({experiments, found}: Pick<Lab, 'experiments'> & {found: (el: Element) => void}) {
  const known: Map<string, number | 'asked' | null> = new Map(), seen = new WeakSet();
  let last: Promise<void> = Promise.resolve();
  const sight = new IntersectionObserver(entries => {
    for (const {isIntersecting, target} of entries) {
      if (!isIntersecting) continue;
      sight.unobserve(target);
      seen.add(target);
      found(target);
    }
  });

  return {
    watch(el: Element) { sight.observe(el); },
    /** Repeats the question about an order once more of it is known. */
    again(order: Order) { known.delete(JSON.stringify(order)); },
    saw(el: Element) { return seen.has(el); },
    of(el: Element, order: Order) {
      const key = JSON.stringify(order);
      if (!known.has(key) && seen.has(el)) {
        known.set(key, 'asked');
        // An order that cannot be carried out says so when it is run.
        last = last.then(() => experiments.estimate(order)).catch(() => null).then(s => {
          known.set(key, s);
          found(el);
        });
      }
      return known.get(key) ?? null;
    },
  };
}
