// The reader's own networks as a picture, and what a split finds that they share, in words.
import {fixed, inARow} from '../dom/figures.js';
import {nth, num} from '../dom/nth.js';
import {DASHES, mark, ownColour, ownLine, sharedColour} from './marks.js';
import {at, grid} from './pose.js';
import {empty} from './poses.js';
import type {Discs} from '../views/bands.js';
import type {Host} from './host.js';
import type {Drawing, Panel} from './pose.js';
import type {Context} from './poses.js';
import type {Point} from './runs.js';

/** Communities of nodes by number, the largest first: by all layers, and by each alone; -1 of a node without links. */
export interface Drawn {
  names: string[]; links: Int32Array[]; all: Int32Array; alone: Int32Array[]; discs: Discs;
  /** Where everybody is in S and in each P, once it was trained. */
  maps: Point[][];
}

const TONES = 3; // communities that have a hue or a tone; others are grey

/** Discs as large as they can be beside each other. */
export function full(discs: Discs): Discs {
  let by = 3;
  for (const [k, a] of discs.entries()) {
    for (const b of discs.slice(0, k)) by = Math.min(by, 0.96 * Math.hypot(a.x - b.x, a.y - b.y) / (a.r + b.r));
  }
  const reach = Math.max(...discs.flatMap(({x, y, r}) => [Math.abs(x) + by * r, Math.abs(y) + by * r]));
  return discs.map(({x, y, r}) => ({x: x / reach, y: y / reach, r: r * by / reach}));
}

/** What the layers share, what each keeps, and how sure that is. */
export function answer(names: string[], {evidence: e, agreement, chance, shared, ranks}: Shares) {
  const n = e ? e.share[0]?.length ?? 0 : shared, own = e?.own ?? ranks.map(r => r - shared);
  const passed = names.filter((_, l) => !e || nth(e.p, l) <= e.level);
  const by = passed.length > 1 ? `, by ${inARow(passed)}` : '';
  const what = n ? `${n} ${n === 1 ? 'direction is' : 'directions are'} shared${by}`
    : `Nothing is shared that ${e ? 'links' : 'features'} can show`;
  const kept = names.map((name, l) => `${name} ${own[l]}`).join(', ');
  const sure = e ? sureOf(e) : `the best one agrees to ${fixed(agreement[0] ?? 0, 2)}, `
    + `of independent layers to less than ${fixed(chance, 2)}`;
  return `${what}. Their own: ${kept}. How sure: ${sure}.`;
}

/** The p of layers that pass, and the least of the others. */
function sureOf({p, least, level}: NonNullable<Shares['evidence']>) {
  const most = Math.max(...p.filter(v => v <= level));
  const other = Math.min(...p.filter(v => v > level));
  const as = (v: number) => v < least ? `below ${fixed(least, 3)}` : fixed(v, 3);
  const rest = other < Infinity && `${fixed(other, 3)} or more`;
  return `layers that share nothing would do as well with p ${most < 0 ? rest : as(most)}`
    + `${most >= 0 && rest ? ` (the others: ${rest})` : ''}; at most ${fixed(level, 3)} counts`;
}

/** Blocks are communities of all layers; in a block columns follow those of the first layer, and rows those of the second. */
export function placed({all, alone, discs}: Drawn): Point[] {
  const at = Array.from(all, (): Point => [0, 0]);
  const lone = [...all.keys()].filter(i => num(all, i) < 0);
  const by = (l: number) => (i: number, j: number) => num(nth(alone, l), i) - num(nth(alone, l), j);
  lone.forEach((i, k) => { at[i] = [2 * (k + 0.5) / lone.length - 1, 0.98]; });
  const along = (k: number, of: number) => of > 1 ? 2 * k / (of - 1) - 1 : 0;
  for (const [c, {x, y, r}] of discs.entries()) {
    const members = [...all.keys()].filter(i => all[i] === c).sort(by(0));
    const high = Math.ceil(Math.sqrt(members.length)), wide = Math.ceil(members.length / high);
    const half = 0.64 * r;
    for (let k = 0; k < wide; k++) {
      const column = members.slice(k * high, (k + 1) * high).sort(by(1));
      column.forEach((i, row) => {
        at[i] = [x + half * along(k, wide), y + half * along(row, high)];
      });
    }
  }
  return at;
}

/** Squares for all layers, as large as they can be, or for S and each P. */
export function pose(c: Context, own: Drawn) {
  const {h, st} = c, maps = st.deep ? own.maps : [], n = maps.length || own.names.length;
  const pose = empty(c), places = placed(own);
  const side = (columns: number) => Math.min(h.width / columns, h.height / Math.ceil(n / columns));
  let columns = 1;
  for (let k = 2; k <= n; k++) if (side(k) > side(columns)) columns = k;
  const squares = grid(h, Math.ceil(n / columns), columns);
  const put = (k: number, more: Partial<Panel>) => squares(Math.floor(k / columns), k % columns, more);
  for (const q of Object.values(pose.panels)) q.alpha = 0;
  maps.forEach((at, k) => {
    const text = k ? `P of ${own.names[k - 1]}` : 'S common', mark = k ? (k - 1) % 3 : 'shared';
    pose.panels['E' + k] = put(k, {
      frame: k ? nth(DASHES, (k - 1) % 3) : undefined, caption: {text, mark}, under: embedded(own, at, k),
    });
  });
  if (!maps.length) own.names.forEach((text, l) => {
    const list = nth(own.links, l), ends = [...list].map(i => own.all[i]);
    const inside = ends.filter((c, k) => k % 2 && c === ends[k - 1]).length;
    const right = `inside ${Math.round(200 * inside / (list.length || 1))}\u00a0%`;
    pose.panels['O' + l] = put(l, {
      frame: nth(DASHES, l % 3), under: sheet(own, places, l),
      caption: {text, short: text, right, mark: l % 3},
    });
  });
  return pose;
}

const sheet = (own: Drawn, places: Point[], l: number): Drawing => (h, q) => {
  const {ctx} = h, {all, discs} = own, mine = nth(own.alone, l), list = nth(own.links, l);
  const px = places.map(([x, y]) => at(q, [0.94 * x, 0.94 * y]));
  const hue = (c: number) => c >= 0 && c < TONES ? sharedColour(h, c) : h.colours.soft;
  discs.forEach(({x, y, r}, c) => {
    ctx.globalAlpha = 0.16 * q.alpha;
    ctx.fillStyle = hue(c);
    ctx.beginPath();
    ctx.arc(...at(q, [0.94 * x, 0.94 * y]), 0.94 * r * q.ux, 0, 7);
    ctx.fill();
  });
  const strokes = new Map<string, number[]>();
  for (let k = 0; k < list.length; k += 2) {
    const i = num(list, k), j = num(list, k + 1), group = num(mine, i);
    const alike = group === mine[j] && group < TONES;
    const colour = all[i] === all[j] ? hue(num(all, i)) : alike ? ownLine(h, group) : h.colours.soft;
    const of = strokes.get(colour);
    if (of) of.push(k);
    else strokes.set(colour, [k]);
  }
  ctx.globalAlpha = q.alpha * Math.min(0.5, Math.max(0.06, 120 / list.length));
  ctx.lineWidth = Math.max(0.4, q.ux / 170);
  const end = (k: number) => nth(px, num(list, k));
  for (const [colour, of] of strokes) line(h, colour, of.map(k => [end(k), end(k + 1)]));
  ctx.globalAlpha = q.alpha;
  const dense = Math.sqrt(all.filter(c => c === 0).length || 1) / (discs[0]?.r ?? 1);
  const r = Math.max(1.2, Math.min(6, 0.55 * q.ux / dense));
  px.forEach((p, i) => node(h, mine, l, i, p, r));
};

/** A node in the tone of its community in a layer. */
function node(h: Host, mine: Int32Array, l: number, i: number, p: Point, r: number) {
  const g = num(mine, i), toned = g >= 0 && g < TONES;
  if (toned) mark(h, l % 3, p, r, ownColour(h, g), g ? h.colours['own-edge'] : ownColour(h, 0));
  else mark(h, 'o', p, 0.8 * r, h.colours.soft, h.colours.card);
}

/** Everybody in S, in the hues of communities of all layers, or in the P of a layer, in the tones of those of it alone. */
const embedded = ({all, alone}: Drawn, places: Point[], k: number): Drawing => (h, q) => {
  const r = Math.max(1.6, Math.min(6, q.ux / 2 / Math.sqrt(places.length)));
  h.ctx.globalAlpha = q.alpha;
  for (const [i, [x, y]] of places.entries()) {
    const p = at(q, [0.94 * x, 0.94 * y]), c = num(all, i);
    if (k) node(h, nth(alone, k - 1), k - 1, i, p, r);
    else mark(h, 'o', p, r, c >= 0 && c < TONES ? sharedColour(h, c) : h.colours.soft, h.colours.card);
  }
};

function line(h: Host, colour: string, pairs: [Point, Point][]) {
  h.ctx.strokeStyle = colour;
  h.ctx.beginPath();
  for (const [a, b] of pairs) {
    h.ctx.moveTo(...a);
    h.ctx.lineTo(...b);
  }
  h.ctx.stroke();
}
