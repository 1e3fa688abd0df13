// Where things stand in each scene.
import {capital} from '../dom/figures.js';
import {nth} from '../dom/nth.js';
import {placeOf, plus} from '../views/psiplane.js';
import {DASHES} from './marks.js';
import {answerAt, bags, swap} from './plane.js';
import {arrows, bars, flow, hundredths, lengths, matrix, nameOf, scatter, star, thread} from './pictures.js';
import {grid, square} from './pose.js';
import {USUAL, groupOf, linksOf, sumOf} from './runs.js';
import type {Found, Score} from './live.js';
import type {Host} from './host.js';
import type {Caption, Look, Marks, Panel, Pose} from './pose.js';
import type {Point, Preset, PsiRun, Town, Trained} from './runs.js';

/** The reader's own networks, what they share, and a training for S and P of them. */
export interface OwnData {answer: string, pose(c: Context): Pose, train(say: (text: string) => void): Promise<void>}

export interface State {
  station: number; by: string; paint: string; share: number; epoch: number; pairs: string; run: Preset | 'syn1';
  bag: number; common: number; before: number;
  /** Whether what training did is seen, how far a training here is, and what it found; which mark the reader expects to rise. */
  trained: boolean; failed: boolean; training: string; found: Found | null; guess: number;
  /** The station of a training, 0 before it. */
  turn: number;
  /** The person that is pointed at, and on which marks. */
  who: number; on: number;
  /** Whose place is explained, and in which map. */
  why: number; map: number;
  /** The reader's files, how far their reading is or why it failed, and what they hold. */
  files: File[]; reading: string; own: OwnData | null;
  /** Whether a scene shows its depth. */
  deep: boolean;
  /** What the reader thinks that psi answers, and whether that is said. */
  pick: number; said: boolean;
}

export const fresh = (): State => ({
  station: LAST, by: 'shared', paint: 'each', share: 0, epoch: 0, pairs: 'own', run: 'released',
  bag: 6, common: 6, before: 6, trained: false, failed: false, training: '', found: null, guess: -1, turn: 0,
  who: -1, on: 0, why: -1, map: 0, files: [], reading: '', own: null, deep: false, pick: -1, said: false,
});

export interface Context {h: Host, town: Town, st: State}

/** The epochs at which the hero, and the bags, can be seen. */
export const STATIONS = [0, 1, 5, 21, 60], TURNS = [0, 1, 2, 5, 60], LAST = STATIONS.length;

const frameAt = (r: Trained, epoch: number) => Math.max(0, r.epochs.indexOf(epoch));
/** Where people are in a map at an epoch. */
const placesIn = (r: Trained, epoch: number, map: number) => nth(nth(r.frames, frameAt(r, epoch)), map);
/** How well a map matches a grouping, its own one unless another is named. */
export const matchOf = (rows: number[][], map: number, grouping = map) => nth(nth(rows, map), grouping);
const own = (layer: number): Look => ({by: 'own', layer});
const plain = (layer: number): Look => ({by: 'ink', layer});
const shared: Look = {by: 'shared', layer: 0};
export const layers = [0, 1, 2] as const;
const sheetCaption = (t: Town, l: number): Caption => ({text: capital(nth(t.layers, l)), mark: l});
const mapCaption = (k: number, right = ''): Caption =>
  k ? {text: `${nameOf(k)} private`, right, mark: k - 1} : {text: 'S common', right, mark: 'shared'};

/** Three by three: S above, the layers, each P under its layer; all faint, as scenes change what they need. */
function ground({h, town}: Context) {
  const g = grid(h, 3, 3), faint = {alpha: 0}, {refined} = town.runs, common = g(0, 1, faint);
  const put = (panel: string, map: number, look: Look): Marks =>
    ({panel, at: placesIn(refined, 60, map), look, alpha: 0});
  const columns = layers.map(l => ({
    l, sheet: g(1, l, {...faint, frame: DASHES[l]}), map: g(2, l, {...faint, frame: DASHES[l]}),
    people: {...put('L' + l, 0, own(l)), at: town.sheet},
    inS: put('S', 0, shared), inP: put('P' + l, l + 1, own(l)),
    seen: {shared: 0, own: 0, rest: 0},
  }));
  const panels: Pose['panels'] = {S: common};
  for (const {l, sheet, map} of columns) Object.assign(panels, {['L' + l]: sheet, ['P' + l]: map});
  const pose: Pose = {
    panels, links: columns.map(c => c.seen), numbers: {}, share: USUAL, pixels: [], radii: [], way: 1,
    marks: [...columns.map(c => c.people), ...columns.map(c => c.inS), ...columns.map(c => c.inP)],
  };
  return {pose, common, columns};
}

type Column = ReturnType<typeof ground>['columns'][number];

const show = (q: Panel, more: Partial<Panel> = {}) => Object.assign(q, {alpha: 1}, more);
const stand = (m: Marks, more: Partial<Marks> = {}) => Object.assign(m, {alpha: 1}, more);

export function hero(c: Context): Pose {
  const {town, st} = c, {pose, common, columns} = ground(c), r = town.runs.refined;
  const k = st.station - 1, epoch = nth(STATIONS, Math.max(0, k));
  const found = k === 0 ? r.before : k === LAST - 1 ? r.ari : null;
  const score = (map: number) => found ? hundredths(matchOf(found, map)) : '';
  show(common, {alpha: k < 0 ? 0.35 : 1, caption: mapCaption(0, score(0)), over: k < 0 ? undefined : flow});
  for (const column of columns) {
    const {l, sheet, map, people, inS, inP, seen} = column;
    show(sheet, {ground: k < 0 ? 0 : 1, caption: sheetCaption(town, l)});
    show(map, {alpha: k < 0 ? 0.35 : 1, caption: mapCaption(l + 1, score(l + 1))});
    stand(people, {look: k < 0 ? plain(l) : own(l)});
    Object.assign(seen, k < 0 ? {shared: 0.13, own: 0.13, rest: 0.1} : {shared: 0.16, own: 0.2});
    if (k < 0) home(column, town.sheet);
    else {
      stand(inS, {at: placesIn(r, epoch, 0)});
      stand(inP, {at: placesIn(r, epoch, l + 1)});
    }
  }
  return pose;
}

/** Hides the marks of maps on the sheets, from where they set out. */
function home({people, inS, inP}: Column, at: Point[]) {
  for (const marks of [inS, inP]) Object.assign(marks, {panel: people.panel, at});
}

export function sheets(c: Context): Pose {
  const {h, town, st} = c, {pose, columns} = ground(c), line = 1.75 * h.rem;
  const high = Math.min((h.height - 3 * line - 4) / 3, h.width * 0.34);
  const wide = Math.min(h.width - 6, high * 3.5);
  const skew = wide * 0.17, top = (h.height - 3 * (high + line)) / 2, i = Math.max(0, st.who);
  for (const column of columns) {
    const {l, sheet, people, seen} = column;
    pose.panels.thread = {...show(sheet, {
      x: h.width / 2, y: top + line + high / 2 + l * (high + line), ux: (wide - skew) / 2, vx: -skew / 2, vy: high / 2,
      ground: 0.6, caption: sheetCaption(town, l), over: star(town, USUAL, l, i),
    }), frame: 'none', ground: 0, caption: undefined, over: thread(town, USUAL, i)}; // on the last sheet
    stand(people, {look: plain(l)});
    Object.assign(seen, {shared: 0.035, own: 0.035, rest: 0.035});
    home(column, town.sheet);
  }
  return pose;
}

/** The part of a layer's links that join people of one group. */
export const inside = (t: Town, l: number, byOwn: boolean) => {
  const g = nth(t.groups, byOwn ? l + 1 : 0), list = linksOf(t, USUAL, l);
  return list.filter(([a, b]) => g[a] === g[b]).length / list.length;
};

export function groupings(c: Context): Pose {
  const {h, town, st} = c, {pose, columns} = ground(c), g = grid(h, 2, 3), byOwn = st.by === 'own';
  const n = town.names.length, rank: number[] = pose.numbers.rank = new Array(3 * n).fill(0);
  for (const column of columns) {
    const {l, sheet, people, seen} = column, [first, second] = byOwn ? [l + 1, 0] : [0, l + 1];
    const by = (k: number, a: number, b: number) => groupOf(town, k, a) - groupOf(town, k, b);
    const order = [...town.names.keys()].sort((a, b) => by(first, a, b) || by(second, a, b));
    order.forEach((i, k) => { rank[l * n + i] = k; });
    Object.assign(sheet, g(0, l, {ground: byOwn ? 0 : 1, caption: sheetCaption(town, l)}));
    const caption = {text: `${Math.round(100 * inside(town, l, byOwn))} % inside`};
    pose.panels['M' + l] = g(1, l, {frame: DASHES[l], caption, under: matrix(town, USUAL, l, byOwn)});
    const at = byOwn ? nth(town.own, l) : town.sheet;
    stand(people, {at, look: {by: 'both', layer: l}});
    Object.assign(seen, byOwn ? {shared: 0.03, own: 0.3, rest: 0.02} : {shared: 0.3, own: 0.03, rest: 0.02});
    home(column, at);
  }
  return pose;
}

export function maps(c: Context): Pose {
  const {h, town, st} = c, {pose, common, columns} = ground(c), g = grid(h, 2, 2);
  const r = town.runs.refined;
  const sum = st.why < 0 ? null : sumOf(r, st.map, st.why);
  const by = (map: number) => st.paint === 'each' || sum && st.map === map ? map : Number(st.paint);
  const put = (k: number, panel: Panel, marks: Marks[], text: string, frame?: number[]) => {
    const grouping = by(k), look = grouping ? own(grouping - 1) : shared;
    const hit = st.paint !== 'each' && k === grouping;
    const caption: Caption = {...mapCaption(k, hundredths(matchOf(r.ari, k, grouping))), text};
    Object.assign(panel, g(k >> 1, k & 1, {caption, frame: hit ? 'strong' : frame}));
    for (const m of marks) stand(m, {look});
    if (sum && k === st.map) panel.over = arrows(town, sum, k, st.why);
    return look;
  };
  put(0, common, columns.map(c => c.inS), 'S common');
  for (const {l, map, people, inP} of columns) {
    const look = put(l + 1, map, [inP], `${nameOf(l + 1)} ${nth(town.layers, l)}`, DASHES[l]);
    Object.assign(people, {panel: inP.panel, at: inP.at, look});
  }
  return pose;
}

function longer(c: Context): Pose {
  const {h, town} = c, {pose} = ground(c), left = 2.6 * h.rem, low = 3 * h.rem, top = 2 * h.rem;
  const wide = h.width - left - 3 * h.rem, high = Math.min(h.height - low - top, 0.8 * wide);
  pose.panels.D = square(left + wide / 2, top + (h.height - low - top) / 2, wide, {vy: high / 2, over: lengths(town.longer)});
  return pose;
}

export function slipping(c: Context): Pose {
  if (c.st.deep) return longer(c);
  const {h, town, st} = c, {pose, common, columns} = ground(c), share = nth(town.shares, st.share);
  const gap = Math.max(10, h.rem), line = 1.6 * h.rem;
  const small = Math.min((h.width - 2 * gap) / 3, h.height * 0.27), bar = 3.1 * h.rem;
  const large = Math.min((h.width - gap) / 2 - 2, h.height - small - 2.4 * line - bar - gap);
  const high = line * 2.2 + small + gap / 2 + large + bar, top = (h.height - high) / 2;
  const mid = h.width / 2;
  pose.share = st.share;
  for (const {l, sheet, people, inP, seen} of columns) {
    Object.assign(sheet, square(mid + (l - 1) * (small + gap), top + line + small / 2, small,
      {ground: share.gamma, caption: sheetCaption(town, l), frame: DASHES[l]}));
    stand(people);
    Object.assign(seen, {shared: 0.09 + 0.1 * share.gamma, own: 0.13 + 0.16 * share.gamma});
    Object.assign(inP, {panel: people.panel, at: town.sheet});
  }
  const sorted = share.gamma < 0.5 ? own(0) : shared;
  const y = top + line * 2.2 + small + gap / 2 + large / 2;
  const put = (panel: Panel, marks: Partial<Marks>, preset: Preset, side: number, text: string, short: string) => {
    const {rank, probe, before, places} = share.s[preset];
    const right = rank ? '' : `${town.names.length} on one dot`;
    Object.assign(panel, square(mid + side * (large + gap) / 2, y, large,
      {caption: {text, short, right, mark: rank ? sorted.by === 'own' ? 0 : 'shared' : undefined}, over: bars(preset)}));
    pose.numbers[preset] = [...probe, ...before];
    return {...marks, at: places, look: rank ? sorted : plain(0)};
  };
  const split = pose.panels.R = square(0, 0, 0);
  const published = put(common, {}, 'released', -1, 'S as published', 'published');
  const parted = put(split, {panel: 'R'}, 'refined', 1, 'S split first', 'split');
  for (const {l, inS} of columns) stand(inS, l ? parted : published);
  return pose;
}

export const right = (answers: number[][]) =>
  answers.filter((z, i) => z.indexOf(Math.max(...z)) === Math.floor(i * 3 / answers.length)).length;

export const answersAt = (t: Town, turn: number) => {
  const r = t.runs.released;
  return r.bags?.[frameAt(r, nth(TURNS, turn))] ?? [];
};

export function guessing(c: Context): Pose {
  const {h, town, st} = c, {pose, columns} = ground(c);
  const line = 1.5 * h.rem, gap = Math.max(8, h.rem * 0.9);
  const small = Math.min((h.width - 2 * gap) / 3, h.height * 0.27);
  const large = Math.min(h.width - 4, h.height - small - 2 * line - gap);
  const top = (h.height - large - small - 2 * line - gap / 2) / 2, r = town.runs.released;
  const mid = h.width / 2;
  const answers = answersAt(town, st.epoch), places = answers.map(placeOf);
  const far = 1.35 * Math.max(...(r.bags ?? []).flat().map(z => Math.hypot(...placeOf(z))));
  const caption = {text: 'One mark: one bag', right: `named ${right(answers)}/${answers.length}`};
  pose.panels.B = square(mid, top + line + large / 2, large, {caption, over: bags(town.layers.map(capital), r.filled?.[0] ?? [])});
  pose.numbers.bags = places.flatMap(([x, y]) => [x / far, y / far]);
  for (const {l, map, people, inP} of columns) {
    const at = placesIn(r, nth(TURNS, st.epoch), l + 1);
    Object.assign(map, square(mid + (l - 1) * (small + gap), top + line * 2 + gap / 2 + large + small / 2, small,
      {caption: {text: `${nameOf(l + 1)} people`, mark: l}, frame: DASHES[l]}));
    stand(inP, {at});
    Object.assign(people, {panel: inP.panel, at});
  }
  return pose;
}

export const STRONG = 50, COMMON_BETA = 0.5;
export const psiOf = (t: Town, pairs: string, beta = STRONG) => t.psi.find(r => r.beta === beta && r.own === (pairs === 'own')) as PsiRun;
export const answer = (r: PsiRun, bag: number, common: number) =>
  answerAt(plus(placeOf(nth(r.private, bag)), placeOf(nth(r.common, common))));

/** How many swaps mislead psi, and of how many. */
export function misled(r: PsiRun) {
  const all = r.layer.flatMap((l, i) => r.layer.map((_, j): [number, number, number] => [l, i, j])).filter(([, i, j]) => i !== j);
  return {of: all.length, wrong: all.filter(([l, i, j]) => answer(r, i, j) !== l).length};
}

/** psi's answer is asked of the reader first. */
export const asks = (st: State) => st.deep && !st.said;

export function swapping(c: Context): Pose {
  const {h, town, st} = c, {pose} = ground(c), r = psiOf(town, st.pairs);
  const large = Math.min(h.width - 4, h.height - 2 * h.rem);
  const mine = placeOf(nth(r.private, st.bag)), commons = r.common.map(placeOf);
  const far = 1.1 * Math.max(Math.hypot(...mine), ...commons.map(q => Math.hypot(...plus(mine, q))));
  pose.numbers.psi = [mine, nth(commons, st.common), plus(mine, nth(commons, st.before)), ...commons].flat().map(x => x / far);
  pose.panels.X = square(h.width / 2, h.height / 2 + h.rem / 2, large, {
    caption: {text: '\u03c8\u2019s answer', right: `causal loss \u00d7 ${STRONG / COMMON_BETA}`},
    over: swap(town.layers.map(capital), r.layer, st.common, asks(st) ? st.pick : null),
  });
  return pose;
}

/** Maps, and the grouping of the town that each is about. */
const MAPS = [
  ['common', 'shared'], ['private_1', 'friends'], ['private_2', 'work'], ['private_3', 'lunch'],
] as const;
const rounded = (v: number) => Math.round(100 * v) / 100;

/** The scores of a training here, in the place of those that ship. */
function measured(list: Score[], syn1: boolean) {
  const of = (embedding: string, target: string) =>
    list.find(s => s.embedding === embedding && s.target === target && s.metric === (syn1 ? 'macro_f1' : 'ari'));
  return MAPS.map(([map, grouping], k) => {
    const s = syn1 ? of(k ? map : 'combined', k ? `layer_${k}` : 'final') : of(map, grouping);
    return {name: syn1 && !k ? 'all maps' : nameOf(k), before: rounded(s?.untrained ?? 0), after: rounded(s?.value ?? 0)};
  });
}

/** How many stations a training has; of one that ships, before and after. */
export const turnsOf = ({found}: State) => found?.stations.length ?? 2;

/** Scores before training and at a station of it, map by map. */
export function scores({town, st}: Context, turn = st.turn): {name: string, before: number, after: number}[] {
  if (st.found) return measured(nth(st.found.stations, turn).scores, st.run === 'syn1');
  const r = st.run === 'syn1' ? null : town.runs[st.run];
  return MAPS.map(([map], k) => {
    const [before, after] = r ? [matchOf(r.before, k), matchOf(r.ari, k)]
      : town.syn1[k ? map : 'combined'] ?? [0, 0];
    return {name: k || r ? nameOf(k) : 'all maps', before, after: turn ? after : before};
  });
}

export function trainedOrEasy(c: Context): Pose {
  const {h, st} = c, {pose} = ground(c);
  const large = Math.min(h.width - 4.4 * h.rem, h.height - 4.4 * h.rem), list = scores(c);
  const from = st.run === 'released' ? 0 : st.run === 'refined' ? 0.7 : 0.4;
  pose.panels.T = square(h.width / 2 + h.rem, h.height / 2 - h.rem * 0.9, large, {over: scatter(from, list.map(s => s.name), st.guess)});
  pose.numbers.dots = list.flatMap(s => [s.before, s.after, 1]);
  return pose;
}

/** The hero's panels, with nothing on them. */
export function empty(c: Context): Pose {
  const {pose, common, columns} = ground(c);
  show(common, {caption: mapCaption(0)});
  for (const {l, sheet, map} of columns) {
    show(sheet, {caption: {text: `Layer ${l + 1}`, mark: l}});
    show(map, {caption: mapCaption(l + 1)});
  }
  return pose;
}
