// @ts-check
// How long experiments would take here, of those whose cards have been in sight: asked for one after the other, as it takes some computing.

/**
 * createEstimates({experiments, found}) -> {watch(el), saw(el), again(order), of(el, order)}; of() gives seconds, null while that is not known; found(el)
 * is called when it may be, and when el has come in sight.
 * @param {{experiments: import('../run/experiments.js').Experiments, found: (el: Element) => void}} parts
 */
export function createEstimates({experiments, found}) {
  /** @type {Map<string, number | null>} */
  const known = new Map(), seen = new WeakSet();
  /** @type {Promise<void>} */
  let last = Promise.resolve();
  const sight = new IntersectionObserver(entries => {
    for (const {isIntersecting, target} of entries) {
      if (!isIntersecting) continue;
      sight.unobserve(target);
      seen.add(target);
      found(target);
    }
  });

  return {
    /** @param {Element} el */
    watch(el) { sight.observe(el); },
    /** Has it asked for again of an order of which more is known. @param {Order} order */
    again(order) { known.delete(JSON.stringify(order)); },
    /** @param {Element} el */
    saw(el) { return seen.has(el); },
    /** @param {Element} el @param {Order} order */
    of(el, order) {
      const key = JSON.stringify(order);
      if (!known.has(key) && seen.has(el)) {
        known.set(key, null);
        last = last.then(() => experiments.estimate(order)).then(s => {
          known.set(key, s);
          found(el);
        }, () => {}); // an order that cannot be carried out says so when it is run
      }
      return known.get(key) ?? null;
    },
  };
}
