// Layers of more links than can be drawn, as communities: a mark for each, and bands for the links between them. What is told of them in words
// is in communitywords.ts.
import {h} from '../dom/elements.js';
import {RING, bandsOf, discsOf, hit} from './bands.js';
import {inWords, leading} from './communitywords.js';
import {Host} from './canvas.js';
import {drawMark, fillOf, rgb} from './palette.js';
import {line, ring} from './pen.js';
import {nearest, toward} from './points.js';
import type {Band, Discs} from './bands.js';
import type {Look} from './look.js';

const MARGIN = 4; // around all, in CSS pixels
const FADED = 0.2; // how strongly marks are drawn beside those that are pointed at or chosen
const FAINT = 0.12; // and bands
const [WEAK, STRONG] = [0.25, 0.75]; // of the thinnest band and of the widest
const THINNEST = 0.75; // of a band, in pixels: thinner ones are fainter instead
const NAMED = 8; // least radius of a mark with a number
const STEPS: Record<string, number[]> = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]};

/** What is pointed at, in all pictures: a community, or two that a band joins. */
type Pointed = number[];

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
    for (const l of layers) found?.links.subarray(l * size, (l + 1) * size).forEach((n, p) => { all[p] += n; });
    return all;
  };

  function point(at: Pointed) {
    if (String(at) === String(pointed)) return;
    pointed = at;
    if (at.length) {
      look.point(-1);
      tip.show(at.length > 1 ? words?.band(at[0], at[1]) ?? [] : words?.community(at[0]) ?? []);
    } else tip.hide();
    for (const p of pictures) p.redraw();
  }
  const choose = (at: Pointed, add: boolean) => look.choose(at.flatMap(c => members[c]), add);

  /** A picture of layers, all at once if there are several. */
  function create(el: HTMLElement, layers: number[]): NodePicture {
    let chosen: Iterable<number> = [];
    let bands: Band[] = [], links = new Float64Array(), of: Communities | null = null, ground: HTMLCanvasElement | null = null;

    const unit = (size: number) => size / 2 - MARGIN;
    const count = () => of ? members.length : 0;

    /** Communities that others fade beside, or none. */
    function kept(): Set<number> | null {
      const {hovered: node, selected} = on, at = pointed.length ? pointed : node >= 0 && of && of.of[node] >= 0 ? [of.of[node]] : [], k = count();
      const all = at.length === 1 ? [...at, ...Array.from({length: k}, (_, d) => d).filter(d => links[at[0] * k + d] > 0)] : at;
      if (all.length) return new Set(all);
      const {isolated} = look;
      if (isolated === null) return selected.size ? selected : null;
      return new Set(marks().flatMap(({own}, c) => own === isolated && (!selected.size || selected.has(c)) ? [c] : []));
    }

    function paintBands(pen: Pen, size: number, t: Theme, list: Band[]) {
      const each = unit(size), most = bands.at(-1)?.n ?? 1, of = marks(), {x, y} = discs as Discs;
      for (const {a, b, n, width} of list) {
        const wide = width * each, own = of[a].own >= 0 && of[a].own === of[b].own ? fillOf(t, of[a].mark) : t.soft;
        pen.globalAlpha = (WEAK + (STRONG - WEAK) * n / most) * Math.min(1, wide / THINNEST);
        line(pen, [a, b].map(c => [size / 2 + x[c] * each, size / 2 - y[c] * each]), own, Math.max(THINNEST, wide));
      }
      pen.globalAlpha = 1;
    }

    function paintMarks(pen: Pen, size: number, t: Theme, faded: (c: number) => boolean) {
      const each = unit(size), all = marks(), k = count(), {x, y, r} = discs as Discs;
      for (let c = 0; c < k; c++) {
        const px = size / 2 + x[c] * each, py = size / 2 - y[c] * each, radius = r[c] * each;
        const rim = RING * radius, wide = Math.max(1.25, 0.09 * radius);
        ring(pen, px, py, rim, t.line, 0, t.card);
        pen.globalAlpha = faded(c) ? FADED : 1;
        ring(pen, px, py, rim, t.line, wide);
        let ends = 0;
        for (let d = 0; d < k; d++) ends += links[c * k + d];
        const share = ends ? links[c * k + c] / ends : 0, steps = Math.ceil(60 * share);
        const turn = (s: number) => 2 * Math.PI * share * s / Math.max(1, steps);
        if (steps) line(pen, Array.from({length: steps + 1}, (_, s) => [px + rim * Math.sin(turn(s)), py - rim * Math.cos(turn(s))]), t.ink, wide);
        drawMark(pen, t, all[c].mark, px, py, radius);
        if (radius >= NAMED) number(pen, t, words?.short(c) ?? '', px, py, Math.min(14, 0.8 * radius), all[c].mark);
        pen.globalAlpha = 1;
      }
    }

    /** The number of a community, in what can be read on its colour, on a disc: marks of other shapes have too little room. */
    function number(pen: Pen, t: Theme, text: string, px: number, py: number, tall: number, mark: number) {
      const fill = mark < 0 ? t.card : fillOf(t, mark), [r, g, b] = rgb(fill);
      ring(pen, px, py, 0.8 * tall, fill, 0, fill);
      pen.font = `600 ${Math.round(tall)}px ${t.font}`;
      pen.fillStyle = 0.299 * r + 0.587 * g + 0.114 * b > 140 ? '#000' : '#fff';
      pen.textAlign = 'center';
      pen.textBaseline = 'middle';
      pen.fillText(text, px, py);
      pen.textAlign = 'left';
      pen.textBaseline = 'alphabetic';
    }

    /** The bands, which are thousands of lines: drawn once for all places of the pointer. */
    function base() {
      if (ground) return ground;
      ground = h('canvas', {width: on.canvas.width, height: on.canvas.height});
      const to = ground.getContext('2d') as CanvasRenderingContext2D;
      to.scale(on.scale, on.scale);
      paintBands(to, on.side, on.colours, bands);
      return ground;
    }

    function draw() {
      const {ctx, side, colours} = on;
      ctx.fillStyle = colours.card;
      ctx.fillRect(0, 0, side, side);
      if (!of || !discs) return;
      const some = kept(), at = pointed.length ? pointed : some && on.hovered >= 0 ? [of.of[on.hovered]] : [];
      ctx.globalAlpha = some ? FAINT : 1;
      ctx.drawImage(base(), 0, 0, side, side);
      ctx.globalAlpha = 1;
      if (some) {
        paintBands(ctx, side, colours, bands.filter(({a, b}) => at.length > 1 ? a === at[0] && b === at[1] : at.length ? a === at[0] || b === at[0]
          : some.has(a) && some.has(b)));
      }
      paintMarks(ctx, side, colours, c => some !== null && !some.has(c));
      for (const c of at) {
        const each = unit(side), {x, y, r} = discs;
        ring(ctx, side / 2 + x[c] * each, side / 2 - y[c] * each, RING * r[c] * each + 3, colours.ink, on.at === c ? 2.5 : 1.5);
      }
    }
    const under = (e: PointerEvent): Pointed => {
      if (!of || !discs) return [];
      const there = hit(discs, bands, (e.offsetX - on.side / 2) / unit(on.side), (on.side / 2 - e.offsetY) / unit(on.side));
      return !there ? [] : 'disc' in there ? [there.disc] : [there.band.a, there.band.b];
    };
    const on: Host = new Host(el, {
      kind: 'graph of communities', draw, describe: c => words?.community(c).map(e => e.textContent).join(', ') ?? '',
      stale() { ground = null; },
      pointer: {
        pointermove: e => point(under(e)),
        pointerleave: () => point([]),
        pointerup(e) {
          choose(under(e), e.shiftKey);
          if (e.pointerType === 'touch') point(under(e));
        },
      },
      go(key, from) {
        const step = discs && count() > 0 && STEPS[key];
        if (!step) return undefined;
        const {x, y} = discs as Discs, [px, py] = [(c: number) => x[c], (c: number) => y[c]];
        return from < 0 ? nearest(count(), px, py, 0, 0) : toward(count(), px, py, from, step[0], step[1]);
      },
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
        ground = null;
        on.redraw();
      },
      select(nodes: Iterable<number>) {
        chosen = nodes;
        on.selected = new Set();
        for (const i of nodes) if (found && found.of[i] >= 0) on.selected.add(found.of[i]);
        on.redraw();
      },
      exportImage(to: Pen, {x, y, side: size, colours: t}: {x: number, y: number, side: number, colours: Theme}) {
        to.save();
        to.translate(x, y);
        to.fillStyle = t.card;
        to.fillRect(0, 0, size, size);
        if (of && discs) {
          paintBands(to, size, t, bands);
          paintMarks(to, size, t, () => false);
        }
        to.restore();
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
      found.of.forEach((c, i) => { if (c >= 0) members[c].push(i); });
      const nodes = members.map(list => list.length);
      discs = discsOf(nodes, found.places);
      words = inWords(found, {nodes, labels: data.labels, titleOf});
    },
    sentence: () => words?.sentence(look.colouring) ?? '',
    note: (layers: number[]) => words?.note(layers) ?? '',
    tables: () => words?.tables() ?? [],
  };
}
