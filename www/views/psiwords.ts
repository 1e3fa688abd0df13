// What psi's plane shows, in words that are computed from its answers.
import {grouped} from '../dom/figures.js';
import {answerOf} from './pairings.js';
import type {resultOf} from './psigame.js';

/** How many swaps there are, how many lead psi to another layer than P's, and how many to another one than it names beside P's own C. */
export function swapsOf(e: Exchange) {
  let all = 0, wrong = 0, crossed = 0;
  for (let i = 0; i < e.layer.length; i++) {
    const own = answerOf(e, i, i).layer;
    for (let j = 0; j < e.layer.length; j++) {
      if (i === j) continue;
      const {layer} = answerOf(e, i, j);
      all++;
      if (layer !== e.layer[i]) wrong++;
      if (layer !== own) crossed++;
    }
  }
  return {all, wrong, crossed};
}

const misled = ({all, wrong}: ReturnType<typeof swapsOf>) => `${grouped(wrong)} of ${grouped(all)} swaps mislead \u03c8`;

/** What is said of a psi that nothing trains. */
export const untrained = (e: Exchange | null) => e && `At \u03b2 = 0 nothing trains \u03c8, and its answers are guesses: ${misled(swapsOf(e))}.`;

/** Why common parts are swapped in training: how often swaps mislead a psi that was trained beside own ones, and one trained beside swapped ones. */
export function whySwapped(own?: Exchange | null, swapped?: Exchange | null) {
  const [a, b] = [own, swapped].map(e => e && swapsOf(e)), question = 'Why is C swapped in training? ';
  if (a && b) {
    return `${question}Trained beside own C\u2019s, ${misled(a)}; trained beside swapped C\u2019s, ${grouped(b.wrong)}. `
      + (a.wrong > b.wrong ? 'Swapping makes it go by P.' : a.wrong < b.wrong ? 'Here swapping does not help.' : 'Here it makes no difference.');
  }
  const one = a ?? b;
  return one && `${question}This \u03c8 was trained beside ${a ? 'own' : 'swapped'} C\u2019s, and ${misled(one)}: `
    + (one.wrong ? 'it goes by C, too.' : 'no C here outweighs P.');
}

/** How a game of six bags went. */
export function wentSo({rows, you, psi, swapped, youSwapped, psiSwapped}: ReturnType<typeof resultOf>) {
  const bags = rows.flatMap((r, k) => r.swapped ? [k + 1] : []).join(', ').replace(/, (\d+)$/, ' and $1');
  return `You named ${you} of ${rows.length} layers, \u03c8 ${psi}. C was swapped on bags ${bags}: of these you named ${youSwapped} and \u03c8 ${psiSwapped}`
    + ` of ${swapped}.`;
}
