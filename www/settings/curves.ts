// A drawn curve and a measured one as words of a link: what S is expected to tell of the shared groups at each of six gammas, and what it does tell.

import {GUESS, MEASURED} from './state.js';

export const POINTS = 6;
const ONE = 100, FINE = 1000;

/** A drawn curve, from 0 to 1, null where nothing is drawn. */
export type Guess = (number | null)[];

/** Measured curves, of CaDeM if it was trained; `of` names the settings, and `print` the embeddings. A link has thousandths of them. */
export interface Curves { of: string; closed: number[]; trained: number[] | null; untrained: number[] | null; print: string }

export const guessToText = (guess: Guess) => guess.some(v => v !== null) ? guess.map(v => v === null ? '-' : Math.round(ONE * v)).join('.') : null;

export function guessOfText(text: string | null | undefined): Guess {
  const parts = text && GUESS.test(text) ? text.split('.') : [];
  return Array.from({length: POINTS}, (_, k) => parts.length && parts[k] !== '-' ? Number(parts[k]) / ONE : null);
}

export function curvesToText({of, closed, trained, untrained, print}: Curves) {
  const list = (curve: number[]) => curve.map(v => Math.round(FINE * v) + 0).join('.'); // + 0: no minus before a zero
  return [of, list(closed), ...trained && untrained ? [list(trained), list(untrained)] : [], print].join('_');
}

/** The curves in such words; null where these are none. */
export function curvesOfText(text: string | null | undefined): Curves | null {
  if (!text || !MEASURED.test(text)) return null;
  const parts = text.split('_'), lists = parts.slice(1, -1).map(list => list.split('.').map(v => Number(v) / FINE));
  if (lists.flat().some(v => Math.abs(v) > 1)) return null;
  return {of: parts[0], closed: lists[0], trained: lists[1] ?? null, untrained: lists[2] ?? null, print: parts[parts.length - 1]};
}

/** A short name of a text, the same everywhere (FNV-1a of its UTF-16 codes). */
export function shortly(text: string) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
