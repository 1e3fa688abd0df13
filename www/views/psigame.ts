// A game: the reader is psi and names the layers of six bags, while C was swapped on half of them. Pure functions of what psi answers.
import {answerOf} from './pairings.js';

/** A bag's P, and the bag that its C is of. */
export interface Turn { p: number; c: number }

export const TURNS = 6;

function shuffled<T>(list: T[], random: () => number) {
  const a = [...list];
  for (let i = a.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [a[i], a[j]] = [a[j], a[i]];
  }
  return a;
}

/** Six bags at most, as many of each layer as can be. Half of them have the C of a bag of another layer. */
export function deal(layer: number[], random: () => number): Turn[] {
  const bags = shuffled(layer.map((_, i) => i), random), rank = (i: number) => bags.slice(0, bags.indexOf(i)).filter(k => layer[k] === layer[i]).length;
  const dealt = [...bags].sort((a, b) => rank(a) - rank(b)).slice(0, TURNS);
  const swapped = shuffled(dealt, random).slice(0, Math.floor(dealt.length / 2));
  return shuffled(dealt, random).map(p => ({p, c: swapped.includes(p) ? shuffled(bags, random).find(c => layer[c] !== layer[p]) ?? p : p}));
}

/** What the reader and psi named, and how many of these layers are those of P: of all bags, and of the swapped ones. */
export function resultOf(e: Exchange, turns: Turn[], said: number[]) {
  const rows = turns.map(({p, c}, k) => ({p, c, swapped: p !== c, truth: e.layer[p], you: said[k], psi: answerOf(e, p, c).layer}));
  const right = (of: 'you' | 'psi', list = rows) => list.filter(r => r[of] === r.truth).length, swapped = rows.filter(r => r.swapped);
  return {rows, you: right('you'), psi: right('psi'), swapped: swapped.length, youSwapped: right('you', swapped), psiSwapped: right('psi', swapped)};
}
