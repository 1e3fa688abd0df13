// The scenes: what each says and what can be done in it. A sentence has a check on the shipped runs, and what stands there otherwise.
import {capital, inARow} from '../dom/figures.js';
import {nth} from '../dom/nth.js';
import {SHAPES} from './marks.js';
import {hundredths, inAll, linkedTo, nameOf} from './pictures.js';
import {
  COMMON_BETA, LAST, STATIONS, STRONG, TURNS, answer, asks, answersAt, empty, groupings, guessing, hero,
  inside, layers, maps, matchOf, misled, psiOf, right, scores, sheets, slipping, swapping, trainedOrEasy, turnsOf,
} from './poses.js';
import {USUAL, groupOf, linksOf, sumOf} from './runs.js';
import type {Context} from './poses.js';
import type {Pose} from './pose.js';
import type {Town} from './runs.js';

export type Control =
  | {kind: 'scrub', key: 'station' | 'share' | 'epoch' | 'turn', label: string, ticks: string[]}
  | {kind: 'choice', key: 'by' | 'paint' | 'pairs' | 'run', label: string, options: [string, string][]}
  | {kind: 'button', name: string, words: string, main?: boolean}
  | {kind: 'file', words: string};

/** Stations of a training that ships. */
export const TWO = ['untrained', 'trained'];

const TRAINED = 'Trained here. S in the hues of communities of all layers, each P in the tones of those of its own layer: '
  + 'where a colour stands together, the map has found it.';

export interface Scene {
  title: string; words: string; ask?: string;
  holds(town: Town): boolean;
  otherwise: string;
  controls: Control[];
  pose(c: Context): Pose;
  says(c: Context): string;
}

const percent = (v: number) => `${Math.round(100 * v)}\u00a0%`.replace('-', '\u2212');
const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;

function saysHero({town, st}: Context) {
  const r = town.runs.refined, k = st.station - 1;
  if (k < 0) return 'Only links are known. The model is never given a group.';
  if (k === 0) {
    return r.before.every((_, m) => matchOf(r.before, m) > 0.7)
      ? 'First weights, at random. Linear algebra split the layers before: most is done.' : 'First weights, at random.';
  }
  if (k < LAST - 1) return `Epoch ${STATIONS[k]} of ${r.epochs.at(-1)}.`;
  return `Trained, split first. Match: 0 is chance, 1 perfect. One run, ${r.hash.slice(0, 8)}.`;
}

function saysSheets({town, st}: Context) {
  const i = Math.max(0, st.who), at = (l: number) => linkedTo(town, USUAL, l, i).length;
  const all = inAll(town, USUAL, i).length;
  return `${town.names[i]}: ${count(at(0), 'friend', 'friends')}, ${count(at(1), 'colleague', 'colleagues')}, `
    + `${count(at(2), 'lunch companion', 'lunch companions')}; ${count(all, 'person is', 'people are')} all three (\u25ce).`;
}

function saysGroupings({town, st}: Context) {
  const byOwn = st.by === 'own', links = layers.map(l => linksOf(town, USUAL, l).length);
  return `${byOwn ? 'Each layer makes other blocks: its own groups.' : 'All three make the same blocks: shared groups.'} `
    + `Rows and columns are people; ${inARow(links.map(String))} links. Chance would put a third inside.`;
}

function saysMaps({town, st}: Context) {
  const sum = st.why < 0 ? null : sumOf(town.runs.refined, st.map, st.why);
  if (sum) {
    const own = nth(sum.parts, groupOf(town, st.map, st.why));
    return `${nameOf(st.map)}: their own group takes ${town.names[st.why]} ${percent(own)} `
      + `of the way from the middle, others ${percent(1 - own)}. `
      + `Most: ${inARow(sum.named.map(n => `${town.names[n.who]} ${percent(n.part)}`))}.`;
  }
  if (st.paint === 'each') return 'Each map by its own grouping. Match: 0 is chance, 1 perfect. Model: split first.';
  const g = Number(st.paint);
  const found = [0, 1, 2, 3].filter(k => matchOf(town.runs.refined.ari, k, g) > 0.9).map(nameOf);
  const name = g ? `${capital(nth(town.layers, g - 1))}\u2019s groups` : 'Shared groups';
  return found.length ? `${name}: ${inARow(found)} sorts them. The others do not.` : `${name}: no map sorts them.`;
}

/** Own groups rise into S with training and sink again, and shared ones stay. */
export const sinks = ({longer: {own: [untrained, some, many], shared}}: Town) =>
  some > untrained + 0.1 && many < some - 0.1 && Math.min(...shared.slice(1)) > 0.9;

function saysLonger({longer: {epochs, trainings, own, shared}}: Town, holds: boolean) {
  const [a, b, c] = own.map(hundredths);
  return `Own groups in S: ${a} untrained, ${b} after ${epochs[1]} epochs, ${c} after ${epochs[2]}`
    + `${holds ? ': they rise and sink again, shared ones stay' : ''}. As published, by a probe, ${trainings} trainings.`;
}

function saysSlipping({town, st}: Context) {
  if (st.deep) return saysLonger(town, sinks(town));
  const {gamma, s} = nth(town.shares, st.share);
  const shared = (list: number[]) => hundredths(nth(list, 0));
  const most = (list: number[]) => hundredths(Math.max(...list.slice(1)));
  const {released: a, refined: b} = s, k = a.probe.indexOf(Math.max(...a.probe.slice(1)));
  if (gamma === 0) {
    return `A probe of the published S finds ${nth(town.layers, k - 1)}\u2019s groups at ${hundredths(nth(a.probe, k))}, untrained at `
      + `${hundredths(nth(a.before, k))} (tick). S is seen from the side that parts friends\u2019 groups best.`;
  }
  const split = b.rank ? `shared ${shared(b.probe)}, own up to ${most(b.probe)}` : 'nothing, what is shared included';
  return `A probe finds in S as published: shared ${shared(a.probe)}, own up to ${most(a.probe)}. Split first: ${split}.`;
}

function saysGuessing({town, st}: Context) {
  const n = TURNS.map((_, k) => right(answersAt(town, k))), r = town.runs.released;
  const people = layers.map(l => hundredths(matchOf(r.ari, l + 1)));
  if (st.epoch < TURNS.length - 1) {
    return `${st.epoch ? `Epoch ${TURNS[st.epoch]}` : 'Untrained'}: \u03c6 names ${n[st.epoch]} of ${answersAt(town, 0).length} bags.`;
  }
  return `Right: ${n[0]} untrained, ${n[1]} after epoch 1, ${n[2]} after 2. Trained as published, P still matches own groups at `
    + `${inARow(people)}.`;
}

function saysSwapping({town, st}: Context) {
  const r = psiOf(town, st.pairs), said = answer(r, st.bag, st.common);
  const own = nth(r.layer, st.bag), other = nth(r.layer, st.common);
  const name = (l: number) => nth(town.layers, l);
  const pick = st.pick < 0 ? '' : ` ${capital(name(st.pick))}?`;
  if (asks(st)) {
    return `Private of ${name(own)}, common of ${name(other)}. Add the hollow arrow: which sector does `
      + `\u03c8 end in? Press it, or choose by arrow keys and Enter.${pick}`;
  }
  if (st.deep) {
    return `You said ${name(st.pick)}, \u03c8 says ${name(said)}${said === own ? '' : ', misled'}: `
      + `you were ${st.pick === said ? 'right' : 'wrong'}. Causal loss ${STRONG / COMMON_BETA} times the usual weight. Swap for another.`;
  }
  const a = misled(psiOf(town, 'own')), b = misled(psiOf(town, 'swapped'));
  const usual = ['own', 'swapped'].map(p => misled(psiOf(town, p, COMMON_BETA)).wrong);
  return `Private of ${name(own)}, common of ${name(other)}: \u03c8 ${said === own ? 'says' : 'is misled to'} ${name(said)}. `
    + `Of ${a.of} swaps, ${a.wrong} mislead \u03c8 trained on true pairs, ${b.wrong} on swapped; at the usual weight ${inARow(usual.map(String))}.`;
}

function moves(list: ReturnType<typeof scores>) {
  const move = (s: typeof list[0]) => `${s.name} ${hundredths(s.before)} to ${hundredths(s.after)}`;
  const rose = list.filter(s => s.after > s.before).map(move);
  const fell = list.filter(s => s.after < s.before).map(move);
  return (rose.length ? `Rose: ${rose.join(', ')}.` : 'None rose.') + (fell.length ? ` Fell: ${fell.join(', ')}.` : '');
}

function saysTrained(c: Context) {
  const {st} = c, last = turnsOf(st) - 1, list = scores(c), ends = scores(c, last);
  const gains = ends.map(s => s.after - s.before), most = gains.indexOf(Math.max(...gains));
  const guessed = list[st.guess]?.name;
  if (st.training) return st.training;
  if (!st.trained) return st.guess < 0 ? 'Each mark stands where it was before training.' : `Your guess: ${guessed}.`;
  if (st.turn < last) {
    return st.turn ? `After epoch ${st.found?.stations[st.turn]?.epoch}. ${moves(list)}` : 'Before training.';
  }
  const guess = st.guess < 0 ? '' : st.guess === most ? 'You were right. ' : `You chose ${guessed}. `;
  const failed = st.failed ? ' This tab could not train: these came with the page.' : '';
  return guess + moves(list) + (st.found ? ` Trained here, ${st.found.hash.slice(0, 8)}.` : failed);
}

const diagonal = (rows: number[][], least: number, most: number) =>
  rows.every((row, k) => row.every((v, j) => k === j ? v >= least : v <= most));

export const SCENES: Scene[] = [
  {
    title: 'Three networks of one town. What do they share, and what is each one\u2019s own?',
    words: '120 invented people, linked as friends, at work and at lunch. A model parts these: shared groups rise into S, private ones '
      + 'fall into P.',
    holds: t => t.names.length === 120 && diagonal(t.runs.refined.ari, 0.9, 0.2),
    otherwise: 'Invented people, linked as friends, at work and at lunch. A model tries to part these: not every map finds its groups.',
    controls: [
      {kind: 'button', name: 'play', words: 'Play', main: true},
      {kind: 'scrub', key: 'station', label: 'Station', ticks: ['links', 'random', '1', '5', '21', 'trained']},
    ],
    pose: hero, says: saysHero,
  },
  {
    title: 'The same people, three kinds of links',
    words: 'Each sheet is a layer. A person has the same place on all three; only the links differ. That is a multiplex graph.',
    ask: 'Point at someone. Follow the thread.',
    holds: t => layers.every(l => inAll(t, USUAL, 0).length < linkedTo(t, USUAL, l, 0).length),
    otherwise: 'Each sheet is a layer, with everybody at the same place on all three. That is a multiplex graph.',
    controls: [], pose: sheets, says: saysSheets,
  },
  {
    title: 'Every layer mixes two groupings',
    words: 'Some links follow groups that all layers share, others follow groups of that layer alone. The model knows neither.',
    holds: t => layers.every(l => inside(t, l, false) > 0.4 && inside(t, l, true) > 0.4),
    otherwise: 'Links may follow groups that all layers share, or groups of that layer alone. Here one of them hardly matters.',
    controls: [{kind: 'choice', key: 'by', label: 'People stand by',
      options: [['shared', '\u25cf shared groups'], ['own', '\u25a0 groups of its own']]}],
    pose: groupings, says: saysGroupings,
  },
  {
    title: 'Four maps, one secret each',
    words: 'The model draws one common map, S, and a private map, P, for each layer. Colour them by any grouping: only one falls into place.',
    holds: t => diagonal(t.runs.refined.ari, 0.9, 0.2),
    otherwise: 'The model draws one common map, S, and a private map, P, for each layer. Colour them by any grouping.',
    ask: 'Press a dot: who moves it there?',
    controls: [{kind: 'choice', key: 'paint', label: 'Colour by', options: [['each', 'each its own'], ['0', '\u25cf shared'],
      ...layers.map((l): [string, string] => [String(l + 1), `${SHAPES[l]} ${['friends', 'work', 'lunch'][l]}`])]}],
    pose: maps, says: saysMaps,
  },
  {
    title: 'Private groups slip into S',
    words: 'Choose how much the layers share. With nothing in common, S as published still sorts people by private groups. Split first, it '
      + 'stays empty.',
    holds: t => {
      const {released: {probe, before}, refined} = nth(t.shares, 0).s, most = Math.max(...probe.slice(1));
      return most > 0.4 && refined.rank === 0 && most > Math.max(...before.slice(1));
    },
    otherwise: 'Choose how much the layers share, and compare S as published with S after splitting the layers first.',
    controls: [{kind: 'scrub', key: 'share', label: 'Shared part of the links', ticks: ['0 %', '25', '50', '75', '100 %']},
      {kind: 'button', name: 'deep', words: 'Train longer'}],
    pose: slipping, says: saysSlipping,
  },
  {
    title: 'Guess the layer: won in two epochs',
    words: 'A bag adds up the private numbers of 72 people; \u03c6, a small classifier, must name the layer. The bags fly apart; the people '
      + 'stay mixed.',
    holds: t => right(answersAt(t, 2)) === answersAt(t, 2).length && t.runs.released.filled?.[0]?.length === 72
      && layers.every(l => matchOf(t.runs.released.ari, l + 1) < 0.2),
    otherwise: 'A bag adds up the private numbers of many people; \u03c6, a small classifier, must name the layer.',
    controls: [{kind: 'scrub', key: 'epoch', label: 'Epoch', ticks: ['untrained', '1', '2', '5', 'epoch 60']}],
    pose: guessing, says: saysGuessing,
  },
  {
    title: 'Swap the common part',
    words: '\u03c8, another classifier, adds two arrows, private then common, and answers with the sector where they end. Swapped pairs teach '
      + 'it to ignore the second.',
    holds: t => misled(psiOf(t, 'own')).wrong > 0 && misled(psiOf(t, 'swapped')).wrong === 0,
    otherwise: '\u03c8, another classifier, adds two arrows, private then common, and answers with the sector where they end.',
    controls: [
      {kind: 'choice', key: 'pairs', label: '\u03c8 was trained on', options: [['own', 'trained on true pairs'], ['swapped', 'on swapped pairs']]},
      {kind: 'button', name: 'swap', words: 'Swap', main: true}, {kind: 'button', name: 'bag', words: 'Another bag'},
      {kind: 'button', name: 'deep', words: 'Be \u03c8'},
    ],
    pose: swapping, says: saysSwapping,
  },
  {
    title: 'Was it trained, or was it easy?',
    words: 'On the diagonal, training added nothing. A stem above it was learned; below, lost.',
    ask: 'Tap the mark that will rise most.',
    holds: () => true, otherwise: '',
    controls: [
      {kind: 'choice', key: 'run', label: 'Run', options: [['released', 'as published'], ['refined', 'split first'], ['syn1', 'paper\u2019s Syn1']]},
      {kind: 'button', name: 'after', words: 'Train', main: true},
      {kind: 'scrub', key: 'turn', label: 'Epoch', ticks: TWO},
    ],
    pose: trainedOrEasy, says: saysTrained,
  },
  {
    title: 'Now your own networks',
    words: 'One row a link: from, to, layer. The file stays on this computer.',
    holds: () => true, otherwise: '',
    controls: [{kind: 'file', words: 'Choose files'}, {kind: 'button', name: 'deep', words: 'Train: S and P'},
      {kind: 'button', name: 'lab', words: 'Open the Lab'}],
    pose: c => c.st.own?.pose(c) ?? empty(c),
    says: ({st}) => st.reading || st.own && (st.deep ? TRAINED : st.own.answer)
      || 'Nothing is uploaded. Files of nodes and labels, GraphML, NumPy and Matlab open too; the Lab trains on them in this tab.',
  },
];
