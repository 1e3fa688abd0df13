// Differences of two runs, in words: the settings they were made with, and their scores, with differences within the spread of the scores
// kept apart from larger ones. Pure functions of two runs.
import {figure, fixed, inARow, spaced} from '../dom/figures.js';
import type {Catalogue} from '../settings/catalogue.js';
import type {Beside, Made} from '../types.js';

interface SettingDifference {label: string; one: string; other: string}
interface ScoreDifference {embedding: string; target: string; metric: string; one: number; other: number; spread: number | null; within: boolean | null}

const TOLD = ['ari', 'macro_f1']; // metrics; the others say the same with other numbers
const PRESET = 'Preset'; // what it is called in the form
const FLOOR = 0.005; // what two digits after the point do not show

const written = (v: OptionValue | undefined) => typeof v === 'number' ? figure(v) : typeof v === 'boolean' ? v ? 'on' : 'off' : String(v ?? 'as in the files');

/** The settings in which two runs differ, in the order of the form. */
export function settingsThatDiffer({made: a}: Beside, {made: b}: Beside, catalogue: Catalogue): SettingDifference[] {
  const list: SettingDifference[] = [];
  const differ = (label: string, one: OptionValue | undefined, other: OptionValue | undefined) => {
    if (written(one) !== written(other)) list.push({label, one: written(one), other: written(other)});
  };
  const dataOf = (m: Made) => catalogue.titleOf(m.data.example) ?? m.data.example
    ?? (m.data.files ?? []).map(f => f.name).join(', ');
  differ('Data', dataOf(a), dataOf(b));
  const {example} = a.data;
  if (example === b.data.example) {
    const of = example ?? 'files';
    const whole = (m: Made) => ({...example && catalogue.defaults('data', {data: of}), ...catalogue.typed('data', of, m.data.options)});
    const one = whole(a), other = whole(b);
    for (const p of catalogue.properties('data', of)) differ(p.label, one[p.name], other[p.name]);
    differ('Data seed', a.data.data_seed ?? 0, b.data.data_seed ?? 0);
  }
  differ(PRESET, a.preset, b.preset);
  for (const p of catalogue.properties('training')) differ(p.label, a.options[p.name] ?? p.default, b.options[p.name] ?? p.default);
  differ('Model seed', a.model_seed, b.model_seed);
  for (const p of catalogue.properties('evaluation')) differ(p.label, a.evaluation?.[p.name] ?? p.default, b.evaluation?.[p.name] ?? p.default);
  differ('Seed of the scores', a.eval_seed, b.eval_seed);
  return list;
}

/**
 * The scores that both runs have. A difference lies within their spread if it is no larger than the deviation of a difference of two such
 * scores; of what has no spread nobody knows that.
 */
export function scoresOfBoth({scores: a}: Pick<Beside, 'scores'>, {scores: b}: Pick<Beside, 'scores'>): ScoreDifference[] {
  return a.flatMap(one => {
    if (!TOLD.includes(one.metric)) return [];
    const other = b.find(r => r.embedding === one.embedding && r.target === one.target && r.metric === one.metric);
    if (typeof one.value !== 'number' || typeof other?.value !== 'number') return [];
    const spread = typeof one.fold_std === 'number' && typeof other.fold_std === 'number' ? Math.hypot(one.fold_std, other.fold_std) : null;
    const by = Math.abs(other.value - one.value);
    return [{
      embedding: one.embedding, target: one.target, metric: one.metric, one: one.value, other: other.value, spread,
      within: spread === null ? by < FLOOR ? true : null : by <= Math.max(spread, FLOOR),
    }];
  });
}

/** A difference of scores in words. */
export function verdictOf({one, other, spread, within}: ScoreDifference) {
  const by = other - one, amount = `${by > 0 ? '+' : ''}${fixed(by, 2)}`;
  if (Math.abs(by) < FLOOR) return 'the same';
  if (within === null) return `${amount}, of unknown spread`;
  const range = `\u00b1${fixed(spread ?? 0, 2)}`;
  return within ? `${amount}, within the spread (${range})` : `${amount}, beyond the spread (${range})`;
}

/** Scores that differ by more than their spread, the largest difference first. */
export const beyondSpread = (scores: ScoreDifference[]) =>
  scores.filter(s => s.within === false).sort((x, y) => Math.abs(y.other - y.one) - Math.abs(x.other - x.one));

/** How many scores differ by more than their spread, and which most of all; both() writes the figures of the two runs. */
export function scoresSentence(scores: ScoreDifference[], titleOf: (embedding: string) => string,
  both = (one: string, other: string) => `${one}, then ${other}`) {
  const beyond = beyondSpread(scores);
  const most = beyond.slice(0, 3).map(s => `${titleOf(s.embedding)} for ${spaced(s.target)} (${both(fixed(s.one, 2), fixed(s.other, 2))})`);
  const which = `${beyond.length > most.length ? ', most of all' : ':'} ${inARow(most)}.`;
  if (scores.length === 1) return `The one score that both have differs by ${beyond.length ? `more than its spread${which}` : 'no more than its spread.'}`;
  if (beyond.length === 0) return `None of the ${scores.length} scores that both have differs by more than its spread.`;
  const differ = beyond.length > 1 ? 'differ by more than their' : 'differs by more than its';
  return `Of the ${scores.length} scores that both have, ${beyond.length} ${differ} spread${which}`;
}

/** The sentences above a comparison. */
export function sentences(a: Beside, b: Beside, {settings, scores, titleOf}: {
  settings: SettingDifference[]; scores: ScoreDifference[]; titleOf: (embedding: string) => string;
}) {
  const list = [];
  if (settings.length === 0) list.push('The two runs were made with the same settings.');
  else if (settings.length <= 3) list.push(`The runs differ in ${inARow(settings.map(s => `\u201c${s.label}\u201d (${s.one}, then ${s.other})`))}.`);
  else {
    const preset = settings.find(s => s.label === PRESET), others = settings.length - 1;
    list.push(preset ? `\u201c${PRESET}\u201d differs (${preset.one}, then ${preset.other}), and so do ${others} other settings, which are listed below.`
      : `The runs differ in ${settings.length} settings, which are listed below.`);
  }
  if (a.hash && b.hash) {
    if (a.hash === b.hash) list.push(`They ended with the same bits: both have the fingerprint ${a.hash}.`);
    else if (settings.length === 0) list.push('They still ended with different bits.');
  }
  if (scores.length === 0) {
    const missing = [a, b].filter(r => !r.scores.length).map(r => `\u201c${r.name}\u201d`);
    list.push(missing.length ? `${inARow(missing)} ${missing.length > 1 ? 'have' : 'has'} no scores yet.` : 'The runs have no score in common.');
    return list;
  }
  list.push(scoresSentence(scores, titleOf));
  return list;
}
