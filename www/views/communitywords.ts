// What is known of communities: the class that colours one, and what is said of one that is pointed at, of a band, of all of them, and tables of their numbers.
import {h, tableOf} from '../dom/elements.js';
import {fixed, grouped, spaced} from '../dom/figures.js';
import {nth, sure} from '../dom/nth.js';
import {SHADES, legendMark, markOf} from './palette.js';
import type {Colouring, Communities, LabelSet} from '../types.js';

const wordsOf = (set: LabelSet) => spaced(set.name);
const TOLD = 3; // classes of a community, and neighbours in a table

/** How many of something, with its name in the singular. */
const many = (n: number, what: string) => `${grouped(n)} ${what}${n === 1 ? '' : 's'}`;

/** The classes of a label set in each community, the most frequent first: [class, nodes], -1 for missing. */
export function mixOf(of: Int32Array, k: number, set: {of: ArrayLike<number>, classes: string[]}) {
  const width = set.classes.length + 1, counts = new Int32Array(k * width);
  for (const [i, c] of of.entries()) {
    const at = c * width + sure(set.of[i]) + 1;
    if (c >= 0) counts[at] = sure(counts[at]) + 1;
  }
  return Array.from({length: k}, (_, c) => Array.from(counts.subarray(c * width, (c + 1) * width), (n, p): [number, number] => [p - 1, n])
    .filter(([, n]) => n > 0).sort((a, b) => b[1] - a[1]));
}

/** The colours that communities are drawn in: the mark of each, -1 if no class has more than half of its nodes, and their class. */
export function leading({of, k}: {of: Int32Array, k: number}, colouring: Pick<Colouring, 'of' | 'classes' | 'marks' | 'scale'>) {
  const {classes, scale} = colouring, all = Array.from({length: k}, () => ({counts: classes.map(() => 0), nodes: 0, known: 0, sum: 0}));
  for (const [i, c] of of.entries()) {
    const own = sure(colouring.of[i]), one = all[c];
    if (!one) continue;
    one.nodes++;
    if (own < 0) continue;
    one.counts[own] = sure(one.counts[own]) + 1;
    one.known++;
    one.sum += own;
  }
  return all.map(({counts, nodes, known, sum}) => {
    const own = scale ? known ? Math.min(SHADES - 1, Math.round(sum / known)) : -1 : counts.findIndex(n => 2 * n > nodes);
    return {own, mark: markOf(colouring, own)};
  });
}

export function inWords({of, rest, links}: Communities, {nodes, labels, titleOf}: {
  nodes: number[]; labels: LabelSet[]; titleOf: (layer: number) => string;
}) {
  const k = nodes.length, layers = Array.from({length: links.length / k / k}, (_, l) => l), mixes = labels.map(set => ({set, of: mixOf(of, k, set)}));
  const between = (l: number, c: number, d: number) => sure(links[(l * k + c) * k + d]), inside = (l: number, c: number) => between(l, c, c);
  const outside = (l: number, c: number) => nodes.reduce((sum, _, d) => d === c ? sum : sum + between(l, c, d), 0);
  const sum = (f: (l: number, c: number) => number, of = layers) => of.reduce((s, l) => nodes.reduce((s, _, c) => s + f(l, c), s), 0);
  const isRest = (c: number) => rest > 0 && c === k - 1;
  const name = (c: number) => isRest(c) ? `Others, ${grouped(rest)} communities` : `Community ${c + 1}`;
  const found = k - Number(rest > 0) + rest, linked = nodes.reduce((a, b) => a + b, 0), lone = of.length - linked;
  const share = (n: number, c: number) => `${fixed(100 * n / nth(nodes, c, 'communities'), 0)}\u00a0%`;
  const className = (set: LabelSet, own: number) => set.classes[own] ?? 'missing';

  return {
    /** What stands on its mark. */
    short: (c: number) => isRest(c) ? '\u2026' : String(c + 1),
    community: (c: number) => [
      h('strong', {}, name(c)), h('span', {}, many(nth(nodes, c, 'communities'), 'node')),
      ...layers.map(l => h('span', {}, `${titleOf(l)}: ${many(inside(l, c), 'link')} inside, ${grouped(outside(l, c))} to others`)),
      ...mixes.map(({set, of}) => h('span', {}, `${wordsOf(set)}: `, ...nth(of, c, 'communities').slice(0, TOLD).flatMap(([own, n], p) =>
        [p ? ', ' : '', legendMark(markOf(set, own)), `${className(set, own)} ${share(n, c)}`]))),
    ],
    band: (a: number, b: number) => [
      h('strong', {}, `${name(a)} and ${name(b).replace('Community ', '')}`),
      ...layers.map(l => h('span', {}, `${titleOf(l)}: ${many(between(l, a, b), 'link')}`)),
    ],
    /** What the pictures show, with numbers. */
    sentence({classes, scale}: Colouring) {
      const within = sum(inside), beyond = sum(outside) / 2, were = found === 1 ? '1 was' : `${grouped(found)} were`;
      const colour = scale ? '; colour: their mean' : classes.length > 1 ? '; colour: more than half of them, else hollow' : '';
      return [
        `Each mark is a community, at the same place in every layer: ${were} found by modularity in all layers together (Louvain).`,
        rest ? `The ${grouped(k - 1)} largest are drawn, and the other ${grouped(rest)} as one, \u201c\u2026\u201d.` : '',
        `Area: nodes${colour}; band: links; ring: the share of links that stay inside.`,
        `${many(within + beyond, 'link')} in all: ${grouped(within)} inside, ${grouped(beyond)} between.`,
        lone ? `${many(lone, 'node')} without links ${lone === 1 ? 'is' : 'are'} left out.` : '',
      ].filter(Boolean).join(' ');
    },
    /** The same in few words, of some layers. */
    note: (of: number[]) => `${grouped(found)} ${found === 1 ? 'community' : 'communities'}, ${many(sum(inside, of) + sum(outside, of) / 2, 'link')}`,
    tables: () => layers.map(l => {
      const row = (n: number, c: number) => {
        const others = nodes.map((_, d) => d).filter(d => d !== c && between(l, c, d) > 0).sort((p, q) => between(l, c, q) - between(l, c, p));
        return [isRest(c) ? name(c) : String(c + 1), grouped(n), grouped(inside(l, c)), grouped(outside(l, c)),
          others.slice(0, TOLD).map(d => `${isRest(d) ? 'others' : d + 1} (${grouped(between(l, c, d))})`).join(', '),
          ...mixes.map(({set, of}) => {
            const [own, most] = nth(nth(of, c, 'communities'), 0);
            return `${className(set, own)} ${share(most, c)}`;
          })];
      };
      return tableOf({
        caption: `${titleOf(l)}: communities and their links.`, of: c => c > 0 && c < 4 ? 'n' : null, rows: nodes.map(row),
        head: ['Community', 'Nodes', 'Links inside', 'Links to others', 'Strongest neighbours', ...labels.map(s => `Most of \u201c${wordsOf(s)}\u201d`)],
      });
    }),
  };
}
