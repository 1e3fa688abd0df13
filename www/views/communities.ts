// Layers of more links than can be drawn, as communities: a mark for each, and bands for the links between them. What is told of them in words
// is in communitywords.ts.
import {h} from '../dom/elements.js';
import {nth, sure} from '../dom/nth.js';
import {RING, bandsOf, discsOf, hit} from './bands.js';
import {inWords, leading} from './communitywords.js';
import {Host} from './canvas.js';
import {drawMark, fillOf, rgb} from './palette.js';
import {ground as clear, line, ring, write} from './pen.js';
import {stepped} from './points.js';
import type {Band, Discs} from './bands.js';
import type {Look} from './look.js';
import type {Colouring, Communities, DataSet, NodePicture, Pen, Theme} from '../types.js';

const MARGIN = 4; // around all, in CSS pixels
const FADED = 0.2; // how strongly marks are drawn beside those that are pointed at or chosen
const FAINT = 0.12; // and bands
const [WEAK, STRONG] = [0.25, 0.75]; // of the thinnest band and of the widest
const THINNEST = 0.75; // of a band, in pixels: thinner ones are fainter instead
const NAMED = 8; // least radius of a mark with a number

/** What is pointed at, in all pictures: a community, or two that a band joins. */
type Pointed = [] | [number] | [number, number];

interface Options {
  look: Look; tip: {show(content: Element[]): void, hide(): void};
  titleOf: (layer: number) => string;
}

/** mount(options) -> {show, create, words, note, tables}: show(found, summary) tells what there is, create(el, layers) gives a picture of layers. */
export function mount({look, tip, titleOf}: Options) {
  let found: Communities | null = null, discs: Discs | null = null, members: number[][] = [], pointed: Pointed = [];
  let coloured: {by: Colouring, marks: {own: number, mark: number}[]} | null = null, words: ReturnType<typeof inWords> | null = null;
  const pictures = new Set<{redraw(): void}>();

  const marks = () => {
    const by = look.colouring, k = members.length;
    if (coloured?.by.of !== by.of || coloured.marks.length !== k) coloured = {by, marks: by.of.length === found?.of.length ? leading({of: found.of, k}, by)
      : Array.from({length: k}, () => ({own: -1, mark: -1}))};
    return coloured.marks;
  };
  const linksOf = (layers: number[]) => {
    const size = members.length ** 2, all = new Float64Array(size);
    for (const l of layers) found?.links.subarray(l * size, (l + 1) * size).forEach((n, p) => { all[p] = sure(all[p]) + n; });
    return all;
  };

  function point(at: Pointed) {
    if (String(at) === String(pointed)) return;
    pointed = at;
    if (at.length) {
      look.point(-1);
      tip.show((at.length === 2 ? words?.band(...at) : words?.community(...at)) ?? []);
    } else tip.hide();
    for (const p of pictures) p.redraw();
  }
  const choose = (at: Pointed, add: boolean) => look.choose(at.flatMap(c => members[c] ?? []), add);

  /** A picture of layers, all at once if there are several. */
  function create(el: HTMLElement, layers: number[]): NodePicture {
    let chosen: Iterable<number> = [];
    let bands: Band[] = [], links = new Float64Array(), of: Communities | null = null, kept: HTMLCanvasElement | null = null;

    const unit = (size: number) => size / 2 - MARGIN;
    /** How a disc is drawn on a square of that size: where, and how large. */
    const placed = (c: number, size: number) => {
      const {x, y, r} = nth(discs ?? [], c, 'communities');
      return {x: size / 2 + x * unit(size), y: size / 2 - y * unit(size), r: r * unit(size)};
    };
    const count = () => of ? members.length : 0;
    const communityOf = (node: number) => node >= 0 && of ? sure(of.of[node]) : -1;
    const linksBetween = (c: number, d: number) => sure(links[c * members.length + d]);
    const markOf = (c: number) => nth(marks(), c, 'communities');

    /** Communities that others fade beside, or none. */
    function lit(): Set<number> | null {
      const {hovered, selected} = on, own = communityOf(hovered), at: Pointed = pointed.length || own < 0 ? pointed : [own];
      const all = at.length === 1 ? [...at, ...[...members.keys()].filter(d => linksBetween(at[0], d) > 0)] : at;
      if (all.length) return new Set(all);
      const {isolated} = look;
      if (isolated === null) return selected.size ? selected : null;
      return new Set(marks().flatMap(({own}, c) => own === isolated && (!selected.size || selected.has(c)) ? [c] : []));
    }

    function paintBands(pen: Pen, size: number, t: Theme, list: Band[]) {
      const most = bands.at(-1)?.n ?? 1;
      for (const {a, b, n, width} of list) {
        const wide = width * unit(size), one = markOf(a), ends = [a, b].map(c => placed(c, size));
        pen.globalAlpha = (WEAK + (STRONG - WEAK) * n / most) * Math.min(1, wide / THINNEST);
        line(pen, ends.map(({x, y}) => [x, y]), one.own >= 0 && one.own === markOf(b).own ? fillOf(t, one.mark) : t.soft, Math.max(THINNEST, wide));
      }
      pen.globalAlpha = 1;
    }

    function paintMarks(pen: Pen, size: number, t: Theme, faded: (c: number) => boolean) {
      for (const c of members.keys()) {
        const {x, y, r} = placed(c, size), {mark} = markOf(c), rim = RING * r, wide = Math.max(1.25, 0.09 * r);
        ring(pen, x, y, rim, t.line, 0, t.card);
        pen.globalAlpha = faded(c) ? FADED : 1;
        ring(pen, x, y, rim, t.line, wide);
        const ends = members.reduce((sum, _, d) => sum + linksBetween(c, d), 0);
        const share = ends ? linksBetween(c, c) / ends : 0, steps = Math.ceil(60 * share);
        const turn = (s: number) => 2 * Math.PI * share * s / Math.max(1, steps);
        if (steps) line(pen, Array.from({length: steps + 1}, (_, s) => [x + rim * Math.sin(turn(s)), y - rim * Math.cos(turn(s))]), t.ink, wide);
        drawMark(pen, t, mark, x, y, r);
        if (r >= NAMED) number(pen, t, words?.short(c) ?? '', x, y, Math.min(14, 0.8 * r), mark);
        pen.globalAlpha = 1;
      }
    }

    /** The number of a community, in what can be read on its colour, on a disc: marks of other shapes have too little room. */
    function number(pen: Pen, t: Theme, text: string, px: number, py: number, tall: number, mark: number) {
      const fill = mark < 0 ? t.card : fillOf(t, mark), [r, g, b] = rgb(fill);
      ring(pen, px, py, 0.8 * tall, fill, 0, fill);
      const colour = 0.299 * r + 0.587 * g + 0.114 * b > 140 ? '#000' : '#fff';
      write(pen, t, text, px, py + 0.35 * tall, {font: `600 ${Math.round(tall)}px`, colour, align: 'center'});
    }

    /** The bands, which are thousands of lines: drawn once for all places of the pointer. */
    function base() {
      if (kept) return kept;
      kept = h('canvas', {width: on.canvas.width, height: on.canvas.height});
      const to = kept.getContext('2d') as CanvasRenderingContext2D;
      to.scale(on.scale, on.scale);
      paintBands(to, on.side, on.colours, bands);
      return kept;
    }

    function draw() {
      const {ctx, side, colours} = on;
      clear(ctx, side, side, colours.card);
      if (!of || !discs) return;
      const some = lit(), at: Pointed = pointed.length || !some || on.hovered < 0 ? pointed : [communityOf(on.hovered)];
      ctx.globalAlpha = some ? FAINT : 1;
      ctx.drawImage(base(), 0, 0, side, side);
      ctx.globalAlpha = 1;
      if (some) {
        paintBands(ctx, side, colours, bands.filter(({a, b}) => at.length > 1 ? a === at[0] && b === at[1] : at.length ? a === at[0] || b === at[0]
          : some.has(a) && some.has(b)));
      }
      paintMarks(ctx, side, colours, c => some !== null && !some.has(c));
      for (const c of at) {
        const {x, y, r} = placed(c, side);
        ring(ctx, x, y, RING * r + 3, colours.ink, on.at === c ? 2.5 : 1.5);
      }
    }
    const under = (e: PointerEvent): Pointed => {
      if (!of || !discs) return [];
      const there = hit(discs, bands, (e.offsetX - on.side / 2) / unit(on.side), (on.side / 2 - e.offsetY) / unit(on.side));
      return !there ? [] : 'disc' in there ? [there.disc] : [there.band.a, there.band.b];
    };
    const on: Host = new Host(el, {
      kind: 'graph of communities', draw, describe: c => words?.community(c).map(e => e.textContent).join(', ') ?? '',
      stale() { kept = null; },
      pointer: {
        pointermove: e => point(under(e)),
        pointerleave: () => point([]),
        pointerup(e) {
          choose(under(e), e.shiftKey);
          if (e.pointerType === 'touch') point(under(e));
        },
      },
      go: (key, from) => stepped(key, from, count(), c => placed(c, on.side).x, c => placed(c, on.side).y, on.side / 2),
      choose: (c, add) => choose(c < 0 ? [] : [c], add),
      hover: c => point(c < 0 ? [] : [c]),
    });

    pictures.add(on);
    const {destroy} = on;

    return Object.assign(on, {
      update() {
        if (of !== found) on.at = -1;
        on.select(chosen);
        of = found;
        links = linksOf(layers);
        bands = discs ? bandsOf(links, discs) : [];
        kept = null;
        on.redraw();
      },
      select(nodes: Iterable<number>) {
        chosen = nodes;
        on.selected = new Set();
        for (const i of nodes) if ((found?.of[i] ?? -1) >= 0) on.selected.add(sure(found?.of[i]));
        on.redraw();
      },
      exportImage(to: Pen, size: number, t: Theme) {
        if (!of || !discs) return;
        paintBands(to, size, t, bands);
        paintMarks(to, size, t, () => false);
      },
      destroy() {
        pictures.delete(on);
        destroy.call(on);
      },
    });
  }

  return {
    create,
    /** Tells what there is: the communities of a data set, once they are known. */
    show(data: DataSet) {
      if (found === (data.communities ?? null)) return;
      found = data.communities ?? null;
      [pointed, coloured, words, discs] = [[], null, null, null];
      members = Array.from({length: (found?.places.length ?? 0) / 2}, () => []);
      if (!found) return;
      found.of.forEach((c, i) => members[c]?.push(i));
      const nodes = members.map(list => list.length);
      discs = discsOf(nodes, found.places);
      words = inWords(found, {nodes, labels: data.labels, titleOf});
    },
    sentence: () => words?.sentence(look.colouring) ?? '',
    note: (layers: number[]) => words?.note(layers) ?? '',
    tables: () => words?.tables() ?? [],
  };
}
