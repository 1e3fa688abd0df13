// The effect of losses, in words: of trainings that differ in nothing else. Pure functions of these.
import {fixed, inARow} from '../dom/figures.js';
import {beyondSpread, scoresOfBoth, scoresSentence} from '../run/differences.js';
import {answerOf} from './pairings.js';
import type {Way} from '../run/comparison.js';
import type {Exchange} from '../types.js';

const CLOSE = 0.02, CLOSE_PROBE = 0.05; // shares of swaps, and of cases of the fresh classifier, that count as the same

export const percent = (v: number) => `${fixed(100 * v, 1)} %`;

const ARMS = ['alone', 'guess', 'causal', 'all'];

type Trained = Pick<Way, 'exchange' | 'looks' | 'scores'>;

/** The number of graphs whose layer psi names correctly, each with its own parts. */
const namedRight = (e: Exchange) => e.layer.filter((l, i) => answerOf(e, i, i).layer === l).length;

/** The figures of both trainings beside each other, and the scores that both have; null while one is not there. */
export function figuresOf(loss: Trained | undefined, without: Trained | undefined) {
  if (!loss?.exchange || !without?.exchange) return null;
  const of = (e: Exchange, {looks}: Trained) =>
    ({kept: e.invariance, right: namedRight(e), probe: looks.at(-1)?.probe ?? NaN});
  return {
    loss: of(loss.exchange, loss), without: of(without.exchange, without), graphs: loss.exchange.layer.length, chance: 1 / loss.exchange.do.length,
    scores: scoresOfBoth({scores: without.scores ?? []}, {scores: loss.scores ?? []}),
  };
}

export function changed({loss: a, without: b, graphs, chance, scores}: NonNullable<ReturnType<typeof figuresOf>>, titleOf: (embedding: string) => string) {
  const parts: [boolean, string][] = [
    [Math.abs(a.kept - b.kept) > CLOSE || a.right !== b.right, 'what \u03c8 answers'],
    [Math.abs(a.probe - b.probe) > CLOSE_PROBE, 'how much C tells of its layer'],
    ...scores.length ? [[beyondSpread(scores).length > 0, 'what the embeddings tell of the labels'] as [boolean, string]] : [],
  ];
  const listed = (want: boolean) => parts.flatMap(([is, what]) => is === want ? [what] : []), other = listed(true), same = listed(false);
  return [
    (other.length ? `The causal loss changed ${inARow(other)}.` : '') + (other.length && same.length ? ' ' : '')
      + (same.length ? `It left ${inARow(same)} about as ${same.length > 1 ? 'they were' : 'it was'} without it.` : ''),
    `With it, \u03c8 keeps its answer in ${percent(a.kept)} of the swaps and names the right layer of ${a.right} of the ${graphs} graphs.`
      + ` Without it nothing trains \u03c8: ${percent(b.kept)} and ${b.right}.`,
    `A fresh classifier reads the layer from C in ${fixed(a.probe, 2)} of the cases with the loss, and in ${fixed(b.probe, 2)} without it.`
      + ` Chance is ${fixed(chance, 2)}.`,
    ...scores.length ? [scoresSentence(scores, titleOf, (one, two) => `${one} without it, ${two} with it`)] : [],
  ];
}

/** What the losses did to the layer in C: matching alone, and the further ones beside it. Nothing while a training is missing. */
export function layerWords(ways: Pick<Way, 'arm' | 'looks'>[], chance: number) {
  /** Of a training, the share of cases in which the layer is named: at first, and in the end. */
  const [alone, guess, causal, all] = ARMS.map(arm => {
    const looks = ways.find(w => w.arm === arm)?.looks ?? [], first = looks.at(0), last = looks.at(-1);
    return first && last && {first: first.probe, end: last.probe};
  });
  if (!alone || !guess || !causal || !all) return [];
  const change = (from: number, to: number, more: string, less: string, same: string) =>
    to > from + CLOSE_PROBE ? more : to < from - CLOSE_PROBE ? less : same;
  const matched = `With matching alone a linear classifier reads ${change(alone.first, alone.end, 'more', 'less', 'as much')} of the layer from C in the end`;
  const further = change(alone.end, all.end, 'After as many epochs it reads more with both further losses, which slow the matching.',
    'After as many epochs it reads less with both further losses.', 'The further losses hardly changed that.');
  return [
    `${matched}. ${further}`,
    `A fresh classifier names the layer of C in ${fixed(alone.first, 2)} of the cases after the first step of matching, and in`
      + ` ${fixed(alone.end, 2)} in the end. With the self-supervised loss beside it, it is ${fixed(guess.end, 2)}, with the causal`
      + ` loss ${fixed(causal.end, 2)}, and with both ${fixed(all.end, 2)}. Chance is ${fixed(chance, 2)}.`,
  ];
}
