// A brain's regions on a surface of the cortex that the reader has brought along. Loaded with the first one.
import {followTheme} from '../dom/canvas.js';
import {throttleDraw} from '../dom/clock.js';
import {h, setText} from '../dom/elements.js';
import {figure} from '../dom/figures.js';
import {nth, sure} from '../dom/nth.js';
import * as drawing from './mesh.js';
import {shaded} from './numbers.js';
import {fillOf, markOf, theme} from './palette.js';
import {plotSheet} from './plotsheet.js';
import {STEPS} from './points.js';
import {keeps} from './saving.js';
import type {Colouring, LabelSet, Pen, RegionLayer, Theme, ViewContext} from '../types.js';

const FROM: [string, number, number][] = [['Left', -90, 0], ['Right', 90, 0], ['Above', 0, 90], ['Behind', 0, 0], ['Front', 180, 0], ['Below', 0, -90]];
const STEP = 10;      // degrees that an arrow key turns
const PER_PIXEL = 0.5; // degrees that a drag turns

interface Mesh {vertices: Float32Array<ArrayBuffer>; triangles: Int32Array; region: Int32Array; notes: string[]}
interface Painted {layers: RegionLayer[]; networks?: LabelSet; describe(layer: number, region: number): string}

/** A CSS colour as three bytes. */
function bytesOf(colour: string) {
  const ctx = document.createElement('canvas').getContext('2d', {willReadFrequently: true}) as CanvasRenderingContext2D;
  ctx.fillStyle = colour;
  ctx.fillRect(0, 0, 1, 1);
  const [r = 0, g = 0, b = 0] = ctx.getImageData(0, 0, 1, 1).data;
  return [r, g, b] as const;
}

/**
 * mesh takes the engine's output (`surface` in wasm/PROTOCOL.md). In an update, networks are those of the regions. onPick gets a region, or -1.
 */
export function create(el: HTMLElement, context: ViewContext, onPick: (region: number) => void) {
  let shown: Mesh,
    model: Painted,
    colours: ReturnType<typeof read>,
    about = -90,
    tilt = 0,
    held: {x: number, y: number, about: number, tilt: number, moved: boolean} | null = null;
  const canvas = h('canvas', {
    tabindex: 0,
    role: 'application',
    'aria-roledescription': 'surface of the cortex',
    'aria-label': 'Surface of the cortex; arrow keys turn it',
  });
  const layer = h('select', {'aria-label': 'Layer on the surface', onchange: recolour}),
    kind = h(
      'select',
      {'aria-label': 'Colour of the surface', onchange: recolour},
      h('option', {value: 'network'}, 'networks of the marked regions'),
      h('option', {value: 'length'}, 'length of the private embedding'),
    );
  const said = h('p', {class: 'small', role: 'status'}),
    notes = h('p', {class: 'small soft'}),
    scale = h('p', {class: 'small soft'});
  const drawn = drawing.create(canvas);
  if (!drawn) {
    el.replaceChildren(h('p', {class: 'caution'}, 'This browser has no WebGL 2, so that no surface can be drawn. The regions are in the table.'));
    return {mesh() {}, update() {}};
  }
  const gl = drawn;
  el.replaceChildren(
    h('div', {class: 'toolbar'}, layer, kind, FROM.map(([name, a, t]) => h('button', {type: 'button', onclick: () => look(a, t)}, name)),
      keeps(context, 'surface', 'surface', picture)),
    canvas, said, scale, notes);

  function look(a: number, t: number) {
    about = ((a + 180) % 360 + 360) % 360 - 180;
    tilt = Math.min(90, Math.max(-90, t));
    redraw();
  }

  const redraw = throttleDraw(() => {
    if (!shown || !canvas.clientWidth) return;
    const ratio = devicePixelRatio || 1, width = Math.round(canvas.clientWidth * ratio), height = Math.round(canvas.clientHeight * ratio);
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, {width, height});
    gl.draw(about, tilt, colours.ground);
  });

  /** The colours of a theme as bytes, and the theme. */
  const read = (t: Theme) => {
    const [r, g, b] = bytesOf(t.card), ground: [number, number, number] = [r / 255, g / 255, b / 255];
    // Regions that are not marked are most of a brain: in either theme they have the grey that is lighter.
    const line = bytesOf(t.line), missing = bytesOf(t.missing), dark = g < 128;
    return {t, ground, none: dark ? line : missing, low: dark ? missing : line};
  };

  /** The values of regions as colours: the networks of those that are marked, or numbers. */
  function colouring(): Colouring {
    const {values, top, name} = nth(model.layers, layer.selectedIndex, 'layers'), {networks} = model, marked = new Set(top);
    if (kind.value !== 'length') {
      const classes = networks?.classes ?? [];
      return {of: Int32Array.from(values, (_, i) => !marked.has(i) ? -2 : networks?.of[i] ?? -1), classes,
        marks: classes.map((_, k) => markOf(networks ?? {}, k))};
    }
    const full = values[top.at(-1) ?? 0] || 1; // of the least of the marked; a single large one would pale all others
    return shaded(Array.from(values, v => Math.min(v, full)), `length, ${name}`);
  }

  /** Colours the vertices by what their regions have. */
  function paint({t, none, low}: ReturnType<typeof read>) {
    const c = colouring(), rgba = new Uint8Array(4 * shown.region.length).fill(255);
    const of = c.classes.map((_, k) => bytesOf(fillOf(t, c.marks?.[k] ?? 0)));
    shown.region.forEach((r: number, i: number) => rgba.set(r < 0 ? none : of[sure(c.of[r])] ?? (c.of[r] === -2 ? low : none), 4 * i));
    gl.colour(rgba);
    scale.replaceChildren(c.scale ? c.scale.legend.cloneNode(true) : 'Coloured are the marked regions, by network as above.',
      `${c.scale ? ` and more, full colour: from ${figure(c.scale.high)} on, the marked regions.` : ''} Dark grey has no region.`);
    return c;
  }

  function recolour() {
    if (!shown || !model) return;
    paint(colours);
    redraw();
  }

  const hover = (r: number) => setText(said, r < 0 ? '' : model.describe(layer.selectedIndex, r));

  const regionAt = (e: PointerEvent) => {
    const v = shown ? gl.vertexAt(e.offsetX, e.offsetY) : -1;
    return v < 0 ? -1 : nth(shown.region, v, 'vertices');
  };
  const listeners = {
    pointerdown(e: PointerEvent) {
      held = {x: e.clientX, y: e.clientY, about, tilt, moved: false};
      canvas.setPointerCapture(e.pointerId);
    },
    pointermove(e: PointerEvent) {
      if (!held) {
        hover(regionAt(e));
        return;
      }
      const [dx, dy] = [e.clientX - held.x, e.clientY - held.y];
      held.moved ||= Math.hypot(dx, dy) > 3;
      if (held.moved) look(held.about - dx * PER_PIXEL, held.tilt + dy * PER_PIXEL);
    },
    pointerup(e: PointerEvent) {
      if (held && !held.moved) onPick(regionAt(e));
      held = null;
    },
    pointercancel() { held = null; },
    pointerleave() { hover(-1); },
    keydown(e: KeyboardEvent) {
      const turn = STEPS.get(e.key);
      if (turn) look(about + STEP * turn[0], tilt - STEP * turn[1]);
      else if (e.key === 'Home') look(-90, 0);
      else return;
      e.preventDefault();
    },
    webglcontextlost() { setText(said, 'The browser has taken the drawing away; open the surface again.'); },
  };
  for (const [name, f] of Object.entries(listeners)) canvas.addEventListener(name, f as EventListener);
  new ResizeObserver(redraw).observe(canvas);
  followTheme(() => {
    colours = read(theme(canvas));
    recolour();
  });

  /** Each hemisphere from the side and from the middle, with the meaning of the colours; null before there is a surface. */
  function picture(theme: Theme, caption: string) {
    if (!shown || !model) return null;
    const light = read(theme), c = paint(light), side = 1063; // 9 cm in print
    [canvas.width, canvas.height] = [side, side];
    const parts = drawing.partsOf(shown.vertices, shown.triangles).sort((a, b) => Number(b.left) - Number(a.left));
    const plots = parts.flatMap(part => [-90, 90].map(at => {
      gl.draw(part.left ? at : -at, 0, light.ground, part);
      const copy = h('canvas', {width: side, height: side});
      copy.getContext('2d')?.drawImage(canvas, 0, 0);
      const exportImage = (pen: Pen, side: number) => pen.drawImage(copy, 0, 0, side, side);
      return {title: `${part.left ? 'Left' : 'Right'}, ${at < 0 ? 'lateral' : 'medial'}`, view: {exportImage}};
    }));
    recolour();
    return {...plotSheet({plots, sets: [c], t: theme, caption, columns: 2}), print: true};
  }

  return {
    mesh(next: Mesh) {
      shown = next;
      colours = read(theme(canvas));
      gl.mesh(next.vertices, next.triangles);
      setText(notes, next.notes.join(' '));
      recolour();
    },
    update(next: Painted) {
      const names = next.layers.map(l => l.name);
      if (names.join() !== model?.layers.map(l => l.name).join())
        layer.replaceChildren(...names.map(name => h('option', {}, name)));
      model = next;
      recolour();
    },
  };
}
