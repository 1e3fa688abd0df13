// Where things stand in each scene.
import {capital} from '../dom/figures.js';
import {placeOf, plus} from '../views/psiplane.js';
import {DASHES} from './marks.js';
import {answerAt, bags, swap} from './plane.js';
import {arrows, bars, flow, hundredths, lengths, matrix, nameOf, scatter, star, thread} from './pictures.js';
import {grid, square} from './pose.js';
import {USUAL, sumOf} from './runs.js';
import type {Found, Score} from './live.js';
import type {Host} from './host.js';
import type {Caption, Look, Marks, Panel, Pose} from './pose.js';
import type {Point, PsiRun, Town, Trained} from './runs.js';

/** The reader's own networks, and what they share. */
export interface OwnData {answer: string, pose(c: Context): Pose}

export interface State {
  station: number; by: string; paint: string; share: number; epoch: number; pairs: string; run: string;
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
const own = (layer: number): Look => ({by: 'own', layer});
const plain = (layer: number): Look => ({by: 'ink', layer});
const shared: Look = {by: 'shared', layer: 0};
export const layers = [0, 1, 2];
const sheetCaption = (t: Town, l: number): Caption => ({text: capital(t.layers[l]), mark: l});
const mapCaption = (k: number, right = ''): Caption =>
  k ? {text: `${nameOf(k)} private`, right, mark: k - 1} : {text: 'S common', right, mark: 'shared'};

/** Three by three: S above, the layers, each P under its layer; all faint, as scenes change what they need. */
function ground({h, town}: Context): Pose {
  const g = grid(h, 3, 3), faint = {alpha: 0}, last = frameAt(town.runs.refined, 60);
  const panels: Pose['panels'] = {S: g(0, 1, faint)}, maps = town.runs.refined.frames[last];
  const put = (panel: string, at: Point[], look: Look): Marks => ({panel, at, look, alpha: 0});
  for (const l of layers) {
    panels['L' + l] = g(1, l, {...faint, frame: DASHES[l]});
    panels['P' + l] = g(2, l, {...faint, frame: DASHES[l]});
  }
  const marks = [
    ...layers.map(l => put('L' + l, town.sheet, own(l))), ...layers.map(() => put('S', maps[0], shared)),
    ...layers.map(l => put('P' + l, maps[l + 1], own(l))),
  ];
  const links = layers.map(() => ({shared: 0, own: 0, rest: 0}));
  return {panels, marks, links, numbers: {}, share: USUAL, pixels: [], radii: [], way: 1};
}

const show = (q: Panel, more: Partial<Panel> = {}) => Object.assign(q, {alpha: 1}, more);
const stand = (m: Marks, more: Partial<Marks> = {}) => Object.assign(m, {alpha: 1}, more);

export function hero(c: Context): Pose {
  const {town, st} = c, pose = ground(c), {panels, marks} = pose, r = town.runs.refined;
  const k = st.station - 1, f = r.frames[frameAt(r, STATIONS[Math.max(0, k)])];
  const found = k === 0 ? r.before : k === LAST - 1 ? r.ari : null;
  const score = (map: number) => found ? hundredths(found[map][map]) : '';
  show(panels.S, {alpha: k < 0 ? 0.35 : 1, caption: mapCaption(0, score(0)), over: k < 0 ? undefined : flow});
  for (const l of layers) {
    show(panels['L' + l], {ground: k < 0 ? 0 : 1, caption: sheetCaption(town, l)});
    show(panels['P' + l], {alpha: k < 0 ? 0.35 : 1, caption: mapCaption(l + 1, score(l + 1))});
    stand(marks[l], {look: k < 0 ? plain(l) : own(l)});
    pose.links[l] = k < 0 ? {shared: 0.13, own: 0.13, rest: 0.1} : {shared: 0.16, own: 0.2, rest: 0};
    if (k < 0) {
      Object.assign(marks[3 + l], {panel: 'L' + l, at: town.sheet});
      Object.assign(marks[6 + l], {panel: 'L' + l, at: town.sheet});
    } else {
      stand(marks[3 + l], {at: f[0]});
      stand(marks[6 + l], {at: f[l + 1]});
    }
  }
  return pose;
}

/** Hides the marks of maps on the sheets, from where they set out. */
function home(pose: Pose, l: number, at: Point[]) {
  Object.assign(pose.marks[3 + l], {panel: 'L' + l, at});
  Object.assign(pose.marks[6 + l], {panel: 'L' + l, at});
}

export function sheets(c: Context): Pose {
  const {h, town, st} = c, pose = ground(c), line = 1.75 * h.rem;
  const high = Math.min((h.height - 3 * line - 4) / 3, h.width * 0.34);
  const wide = Math.min(h.width - 6, high * 3.5);
  const skew = wide * 0.17, top = (h.height - 3 * (high + line)) / 2, i = Math.max(0, st.who);
  for (const l of layers) {
    show(pose.panels['L' + l], {
      x: h.width / 2, y: top + line + high / 2 + l * (high + line), ux: (wide - skew) / 2, vx: -skew / 2, vy: high / 2,
      ground: 0.6, caption: sheetCaption(town, l), over: star(town, USUAL, l, i),
    });
    stand(pose.marks[l], {look: plain(l)});
    pose.links[l] = {shared: 0.035, own: 0.035, rest: 0.035};
    home(pose, l, town.sheet);
  }
  pose.panels.thread = show({...pose.panels.L2}, {frame: 'none', ground: 0, caption: undefined, over: thread(town, USUAL, i)});
  return pose;
}

/** The part of a layer's links that join people of one group. */
export const inside = (t: Town, l: number, byOwn: boolean) => {
  const g = t.groups[byOwn ? l + 1 : 0], list = t.shares[USUAL].links[l];
  return list.filter(([a, b]) => g[a] === g[b]).length / list.length;
};

export function groupings(c: Context): Pose {
  const {h, town, st} = c, pose = ground(c), g = grid(h, 2, 3), byOwn = st.by === 'own';
  const n = town.names.length;
  pose.numbers.rank = new Array(3 * n).fill(0);
  for (const l of layers) {
    const [first, second] = byOwn ? [l + 1, 0] : [0, l + 1];
    const order = town.names.map((_, i) => i).sort((a, b) =>
      town.groups[first][a] - town.groups[first][b] || town.groups[second][a] - town.groups[second][b]);
    order.forEach((i, k) => { pose.numbers.rank[l * n + i] = k; });
    Object.assign(pose.panels['L' + l], g(0, l, {ground: byOwn ? 0 : 1, caption: sheetCaption(town, l)}));
    const caption = {text: `${Math.round(100 * inside(town, l, byOwn))} % inside`};
    pose.panels['M' + l] = g(1, l, {frame: DASHES[l], caption, under: matrix(town, USUAL, l, byOwn)});
    const at = byOwn ? town.own[l] : town.sheet;
    stand(pose.marks[l], {at, look: {by: 'both', layer: l}});
    pose.links[l] = byOwn ? {shared: 0.03, own: 0.3, rest: 0.02} : {shared: 0.3, own: 0.03, rest: 0.02};
    home(pose, l, at);
  }
  return pose;
}

export function maps(c: Context): Pose {
  const {h, town, st} = c, pose = ground(c), g = grid(h, 2, 2), r = town.runs.refined;
  const sum = st.why < 0 ? null : sumOf(r, st.map, st.why);
  const by = (map: number) => st.paint === 'each' || sum && st.map === map ? map : Number(st.paint);
  for (const k of [0, 1, 2, 3]) {
    const name = k ? 'P' + (k - 1) : 'S', grouping = by(k);
    const look = grouping ? own(grouping - 1) : shared;
    const caption: Caption = {...mapCaption(k, hundredths(r.ari[k][grouping])), text: k ? `${nameOf(k)} ${town.layers[k - 1]}` : 'S common'};
    const hit = st.paint !== 'each' && k === grouping;
    pose.panels[name] = g(k >> 1, k & 1, {caption, frame: hit ? 'strong' : k ? DASHES[k - 1] : undefined});
    for (const m of k ? [5 + k] : [3, 4, 5]) stand(pose.marks[m], {look});
    if (k) Object.assign(pose.marks[k - 1], {panel: name, at: pose.marks[5 + k].at, look});
    if (sum && k === st.map) pose.panels[name].over = arrows(town, sum, k, st.why);
  }
  return pose;
}

function longer(c: Context): Pose {
  const {h, town} = c, pose = ground(c), left = 2.6 * h.rem, low = 3 * h.rem, top = 2 * h.rem;
  const wide = h.width - left - 3 * h.rem, high = Math.min(h.height - low - top, 0.8 * wide);
  pose.panels.D = square(left + wide / 2, top + (h.height - low - top) / 2, wide, {vy: high / 2, over: lengths(town.longer)});
  return pose;
}

export function slipping(c: Context): Pose {
  if (c.st.deep) return longer(c);
  const {h, town, st} = c, pose = ground(c), share = town.shares[st.share];
  const gap = Math.max(10, h.rem), line = 1.6 * h.rem;
  const small = Math.min((h.width - 2 * gap) / 3, h.height * 0.27), bar = 3.1 * h.rem;
  const large = Math.min((h.width - gap) / 2 - 2, h.height - small - 2.4 * line - bar - gap);
  const high = line * 2.2 + small + gap / 2 + large + bar, top = (h.height - high) / 2;
  const mid = h.width / 2;
  pose.share = st.share;
  for (const l of layers) {
    pose.panels['L' + l] = square(mid + (l - 1) * (small + gap), top + line + small / 2, small,
      {ground: share.gamma, caption: sheetCaption(town, l), frame: DASHES[l]});
    stand(pose.marks[l]);
    pose.links[l] = {shared: 0.09 + 0.1 * share.gamma, own: 0.13 + 0.16 * share.gamma, rest: 0};
    Object.assign(pose.marks[6 + l], {panel: 'L' + l, at: town.sheet});
  }
  const sorted = share.gamma < 0.5 ? own(0) : shared;
  const y = top + line * 2.2 + small + gap / 2 + large / 2;
  const put = (name: string, preset: 'released' | 'refined', side: number, text: string, short: string) => {
    const {rank, probe, before} = share.s[preset];
    const right = rank ? '' : `${town.names.length} on one dot`;
    pose.panels[name] = square(mid + side * (large + gap) / 2, y, large,
      {caption: {text, short, right, mark: rank ? sorted.by === 'own' ? 0 : 'shared' : undefined}, over: bars(preset)});
    pose.numbers[preset] = [...probe, ...before];
    return {panel: name, at: share.s[preset].places, look: rank ? sorted : plain(0)};
  };
  stand(pose.marks[3], put('S', 'released', -1, 'S as published', 'published'));
  const split = put('R', 'refined', 1, 'S split first', 'split');
  for (const m of [4, 5]) stand(pose.marks[m], split);
  return pose;
}

export const right = (answers: number[][]) =>
  answers.filter((z, i) => z.indexOf(Math.max(...z)) === Math.floor(i * 3 / answers.length)).length;

export const answersAt = (t: Town, turn: number) => {
  const r = t.runs.released;
  return r.bags?.[frameAt(r, TURNS[turn])] ?? [];
};

export function guessing(c: Context): Pose {
  const {h, town, st} = c, pose = ground(c), line = 1.5 * h.rem, gap = Math.max(8, h.rem * 0.9);
  const small = Math.min((h.width - 2 * gap) / 3, h.height * 0.27);
  const large = Math.min(h.width - 4, h.height - small - 2 * line - gap);
  const top = (h.height - large - small - 2 * line - gap / 2) / 2, r = town.runs.released;
  const mid = h.width / 2;
  const answers = answersAt(town, st.epoch), places = answers.map(placeOf);
  const far = 1.35 * Math.max(...(r.bags ?? []).flat().map(z => Math.hypot(...placeOf(z))));
  const caption = {text: 'One mark: one bag', right: `named ${right(answers)}/${answers.length}`};
  pose.panels.B = square(mid, top + line + large / 2, large, {caption, over: bags(town.layers.map(capital), r.filled?.[0] ?? [])});
  pose.numbers.bags = places.flatMap(([x, y]) => [x / far, y / far]);
  for (const l of layers) {
    const at = r.frames[frameAt(r, TURNS[st.epoch])][l + 1];
    pose.panels['P' + l] = square(mid + (l - 1) * (small + gap), top + line * 2 + gap / 2 + large + small / 2, small,
      {caption: {text: `${nameOf(l + 1)} people`, mark: l}, frame: DASHES[l]});
    stand(pose.marks[6 + l], {at});
    Object.assign(pose.marks[l], {panel: 'P' + l, at});
  }
  return pose;
}

export const STRONG = 50, COMMON_BETA = 0.5;
export const psiOf = (t: Town, pairs: string, beta = STRONG) => t.psi.find(r => r.beta === beta && r.own === (pairs === 'own')) as PsiRun;
export const answer = (r: PsiRun, bag: number, common: number) => answerAt(plus(placeOf(r.private[bag]), placeOf(r.common[common])));

/** How many swaps mislead psi, and of how many. */
export function misled(r: PsiRun) {
  const all = r.layer.flatMap((l, i) => r.layer.map((_, j): [number, number, number] => [l, i, j])).filter(([, i, j]) => i !== j);
  return {of: all.length, wrong: all.filter(([l, i, j]) => answer(r, i, j) !== l).length};
}

/** psi's answer is asked of the reader first. */
export const asks = (st: State) => st.deep && !st.said;

export function swapping(c: Context): Pose {
  const {h, town, st} = c, pose = ground(c), r = psiOf(town, st.pairs);
  const large = Math.min(h.width - 4, h.height - 2 * h.rem);
  const mine = placeOf(r.private[st.bag]), commons = r.common.map(placeOf);
  const far = 1.1 * Math.max(Math.hypot(...mine), ...commons.map(q => Math.hypot(...plus(mine, q))));
  pose.numbers.psi = [mine, commons[st.common], plus(mine, commons[st.before]), ...commons].flat().map(x => x / far);
  pose.panels.X = square(h.width / 2, h.height / 2 + h.rem / 2, large, {
    caption: {text: '\u03c8\u2019s answer', right: `causal loss \u00d7 ${STRONG / COMMON_BETA}`},
    over: swap(town.layers.map(capital), r.layer, st.common, asks(st) ? st.pick : null),
  });
  return pose;
}

const TARGETS = ['shared', 'friends', 'work', 'lunch'];
const MAPS = ['common', 'private_1', 'private_2', 'private_3'];
const rounded = (v: number) => Math.round(100 * v) / 100;

/** The scores of a training here, in the place of those that ship. */
function measured(list: Score[], syn1: boolean) {
  const of = (embedding: string, target: string) =>
    list.find(s => s.embedding === embedding && s.target === target && s.metric === (syn1 ? 'macro_f1' : 'ari'));
  return MAPS.map((map, k) => {
    const s = syn1 ? of(k ? map : 'combined', k ? `layer_${k}` : 'final') : of(map, TARGETS[k]);
    return {name: syn1 && !k ? 'all maps' : nameOf(k), before: rounded(s?.untrained ?? 0), after: rounded(s?.value ?? 0)};
  });
}

/** How many stations a training has; of one that ships, before and after. */
export const turnsOf = ({found}: State) => found?.stations.length ?? 2;

/** Scores before training and at a station of it, map by map. */
export function scores({town, st}: Context, turn = st.turn): {name: string, before: number, after: number}[] {
  if (st.found) return measured(st.found.stations[turn].scores, st.run === 'syn1');
  const r = town.runs[st.run as 'released'], after = (v: number[]) => v[Math.min(1, turn)];
  return ['combined', 'private_1', 'private_2', 'private_3'].map((e, k) => {
    const v = r ? [r.before[k][k], r.ari[k][k]] : town.syn1[e];
    return {name: k || r ? nameOf(k) : 'all maps', before: v[0], after: after(v)};
  });
}

export function trainedOrEasy(c: Context): Pose {
  const {h, st} = c, pose = ground(c);
  const large = Math.min(h.width - 4.4 * h.rem, h.height - 4.4 * h.rem), list = scores(c);
  const from = st.run === 'released' ? 0 : st.run === 'refined' ? 0.7 : 0.4;
  pose.panels.T = square(h.width / 2 + h.rem, h.height / 2 - h.rem * 0.9, large, {over: scatter(from, list.map(s => s.name), st.guess)});
  pose.numbers.dots = list.flatMap(s => [s.before, s.after, 1]);
  return pose;
}

/** The hero's panels, with nothing on them. */
export function empty(c: Context): Pose {
  const pose = ground(c);
  show(pose.panels.S, {caption: mapCaption(0)});
  for (const l of layers) {
    show(pose.panels['L' + l], {caption: {text: `Layer ${l + 1}`, mark: l}});
    show(pose.panels['P' + l], {caption: mapCaption(l + 1)});
  }
  return pose;
}
