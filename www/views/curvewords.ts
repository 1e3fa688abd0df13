// What is said of what is found at one gamma, and of a curve that was drawn and one that was measured. Pure.
import {fixed} from '../dom/figures.js';
import type {Found} from '../run/gammas.js';
import type {Guess} from '../settings/curves.js';

const CLOSE = 0.05; // what a hand draws no finer

/** How far apart the two are, on average and at most, and where; null until all of the curve is drawn. */
export function apart(guess: Guess, measured: number[]) {
  if (guess.some(v => v === null)) return null;
  const off = guess.map((v, k) => Math.abs(Number(v) - measured[k])), most = Math.max(...off);
  return {mean: off.reduce((a, b) => a + b, 0) / off.length, most, at: off.indexOf(most)};
}

/** The error in words; who is what was measured, and gammas are in per cent. */
export function errorWords(guess: Guess, measured: number[], who: string, gammas: number[]) {
  const by = apart(guess, measured);
  if (!by) return '';
  const least = `Your curve is off by ${fixed(by.mean, 2)} on average from that of ${who}`;
  if (by.most <= CLOSE) return `${least}, and by no more than ${fixed(by.most, 2)} anywhere.`;
  return `${least}, most at ${gammas[by.at]}\u00a0%: you drew ${fixed(Number(guess[by.at]), 2)}, and it is ${fixed(measured[by.at], 2)}.`;
}

/** Where a curve rises most, in words; '' where it does not rise. */
export function riseWords(measured: number[], who: string, gammas: number[]) {
  const rises = measured.slice(1).map((v, k) => v - measured[k]), most = Math.max(...rises), k = rises.indexOf(most);
  if (most <= CLOSE) return '';
  return `${who} rises most between ${gammas[k]} and ${gammas[k + 1]}\u00a0%: from ${fixed(measured[k], 2)} to ${fixed(measured[k + 1], 2)}.`;
}

/** What the closed form finds at a gamma, in per cent; null while that is not known, and may be on its way. */
export function closedWords(percent: number, closed: Found | null, busy: boolean) {
  if (!closed) return busy ? 'Computing\u2026 The first time, what computes it has to load.' : '';
  return `At ${percent}\u00a0%, ${closed.rank === 0 ? 'the closed form finds nothing that all layers share: its S is empty.'
    : `clusters in S match the shared groups with ${fixed(closed.shared, 2)} of 1 by the closed form.`}`;
}

/** The same of CaDeM, which the sentence before has as well. */
export const trainedWords = (trained: Found | null, busy: boolean) =>
  trained ? `CaDeM, trained, has ${fixed(trained.shared, 2)}, and untrained ${fixed(trained.untrained, 2)}.`
    : busy ? 'Training\u2026' : 'CaDeM is not trained here yet.';
