// The numbers of a run that exercises speak of, by name: "probe common friends" is what a linear probe reads of the groups of friends from the
// common embedding. Sentences are filled in with them, and checks compare them.
import {fixed} from '../dom/figures.js';
import {insideOf} from '../views/adjacency.js';
import type {Check, DataSet, Exchange, Exercise, Model} from '../types.js';

/** What is known of a run, or of data alone. */
export interface Facts {
  scores: Score[] | null;
  data: DataSet | null;
  exchange: Exchange | null;
  /** how often a probe names the layer of C, at epochs from the first one to the last */
  looks?: {epoch: number, probe: number}[];
}

/** The facts of what is on screen. */
export const factsOf = ({scores, progress, data, exchange}: Model): Facts => ({
  scores, data, exchange: exchange?.step === progress?.step ? exchange : null,
});

/** @param cell embedding and target */
function score({scores}: Facts, [embedding, target]: string[], metric: string,
  field: 'value' | 'untrained' | 'probe' | 'untrained_probe' | 'trivial'): number | undefined {
  return scores?.find(r => r.embedding === embedding && r.target === target && r.metric === metric)?.[field] ?? undefined;
}

const setOf = (f: Facts, name: string) => f.data?.labels.find(s => s.name === name);
const layerOf = (f: Facts, name: string) => f.data?.summary?.layers?.findIndex(l => l.name === name) ?? -1;

/** The share of a layer's links that join two nodes of one group. */
function inside(f: Facts, [layer = '', set = '']: string[]) {
  const links = f.data?.drawing?.links[layerOf(f, layer)], of = setOf(f, set)?.of;
  return links && of && 2 * insideOf(links, of) / links.length;
}

/** The same of all pairs of nodes. */
function chance(f: Facts, [set = '']: string[]) {
  const of = setOf(f, set)?.of;
  if (!of) return undefined;
  const sizes = new Map();
  for (const c of of) sizes.set(c, (sizes.get(c) ?? 0) + 1);
  return [...sizes.values()].reduce((sum, n) => sum + n * (n - 1), 0) / (of.length * (of.length - 1));
}

const LINKS = 'held-out links'; // in the place of a label set

const QUANTITIES: [string, (f: Facts, args: string[]) => number | undefined][] = [
  ['clusters', (f, a) => score(f, a, 'ari', 'value')],
  ['clusters-before', (f, a) => score(f, a, 'ari', 'untrained')],
  ['probe', (f, a) => score(f, a, 'ari', 'probe')],
  ['probe-before', (f, a) => score(f, a, 'ari', 'untrained_probe')],
  ['held-out', (f, [e = '']) => score(f, [e, LINKS], 'auc_fitted', 'value')],
  ['held-out-before', (f, [e = '']) => score(f, [e, LINKS], 'auc_fitted', 'untrained')],
  ['held-out-degrees', (f, [e = '']) => score(f, [e, LINKS], 'auc_fitted', 'trivial')],
  ['inside', inside],
  ['chance', chance],
  ['kept', f => f.exchange?.invariance],
  ['layer-of-C', ({looks = []}) => looks.length > 1 ? looks.at(-1)?.probe : undefined],
  ['layer-of-C-before', ({looks = []}) => looks.length > 1 ? looks[0]?.probe : undefined],
  ['layer-by-chance', ({data}) => 1 / Number(data?.summary?.layers?.length)],
];

/** The value of an expression, a number or "RUN.QUANTITY ARGUMENTS"; a run that is left out is "now". Undefined where the run has not shown it. */
export function valueOf(expression: string | number, runs: (run: string) => Facts | null): number | undefined {
  if (typeof expression === 'number') return expression;
  const [head = '', ...args] = expression.split(' '), dot = head.indexOf('.');
  const quantity = QUANTITIES.find(([name]) => name === head.slice(dot + 1)), facts = runs(dot < 0 ? 'now' : head.slice(0, dot));
  if (!quantity) throw new RangeError(`an exercise asks for ${head}, which nobody measures`);
  const v = facts ? quantity[1](facts, args) : undefined;
  return Number.isFinite(v) ? v : undefined;
}

const PARTS = /\{([^}|]+)(\|%)?\}/g;

/**
 * A sentence with the values of its expressions in braces: two digits, as {a|%} in per cent; {=word} stands for one of `words`.
 * Null while one is missing.
 */
export function fill(text: string, runs: (run: string) => Facts | null, words: Record<string, string> = {}) {
  let missing = false;
  const filled = text.replace(PARTS, (_, expression, as) => {
    if (expression.startsWith('=')) {
      const word = words[expression.slice(1)];
      missing ||= !word;
      return word ?? '';
    }
    const v = valueOf(expression, runs);
    if (v === undefined) missing = true;
    if (v === undefined) return '';
    return as ? `${Math.round(100 * v)} %` : v > 0 && v < 0.005 ? 'less than 0.01' : fixed(v, 2);
  });
  return missing ? null : filled;
}

/** What follows from what a card's runs have shown: what it usually is, where its checks hold, or else the first of the others that holds. */
export function outcome({check, so = '', otherwise = []}: Exercise, runs: (run: string) => Facts | null) {
  if (holds(check, runs)) return so;
  return otherwise.find(([checks]) => holds(checks, runs))?.[1] ?? 'So here it came out otherwise than most times. Your numbers count.';
}

/**
 * Whether checks hold, each [a, relation, b, margin]: a is above b by more than the margin (">"), below it likewise ("<"), or within the margin of it
 * ("~"). Undefined while a value is missing.
 */
export function holds(checks: Check[], runs: (run: string) => Facts | null) {
  let all = true;
  for (const [a, relation, b, margin = 0] of checks) {
    const x = valueOf(a, runs), y = valueOf(b, runs);
    if (x === undefined || y === undefined) return undefined;
    all &&= relation === '>' ? x > y + margin : relation === '<' ? x < y - margin : Math.abs(x - y) <= margin;
  }
  return all;
}
