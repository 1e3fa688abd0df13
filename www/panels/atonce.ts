// Shown before anybody runs an experiment: the result of its first task, if that takes no noticeable time.

import type {createEstimates} from './estimates.js';
import type {Card, Lab} from '../types.js';

interface Parts extends Pick<Lab, 'experiments'> {
  estimates: ReturnType<typeof createEstimates>;
  /** Has the order name the open files, and reports whether they are still the same. */
  settled: (c: Card) => Promise<boolean>;
  show: (c: Card) => Promise<void>;
}

/** Shows it on a card, once for every order. */
export async function atOnce(c: Card, {experiments, estimates, settled, show}: Parts) {
  const order = () => JSON.stringify(c.order);
  if (!c.study.at_once || c.bare || c.shown || c.begun === order()) return;
  const begun = c.begun = order();
  if (!await settled(c) || order() !== begun) return; // which begins anew with the files' names
  await experiments.begin(c.order);
  estimates.again(c.order);
  if (order() !== begun || c.shown || experiments.state(c.order).running) return;
  await show(c);
  // The focused element stays in sight while the content above it finds its height, and the experiment that somebody was led to at the top.
  for (const end = performance.now() + 1000; performance.now() < end; await new Promise(requestAnimationFrame)) {
    const focus = document.querySelector(':focus-visible, h3:focus'), led = focus?.matches('h3');
    const r = focus?.getBoundingClientRect();
    if (r && (r.bottom <= 0 || r.top >= (led ? innerHeight / 2 : innerHeight))) focus?.scrollIntoView({block: led ? 'start' : 'nearest'});
  }
}
