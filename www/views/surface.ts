// A brain's regions on a surface of the cortex that the reader has brought along. Loaded with the first one.
import {throttleDraw} from '../dom/clock.js';
import {h, setText} from '../dom/elements.js';
import {figure} from '../dom/figures.js';
import * as drawing from './mesh.js';
import {colourOf, lightTheme, theme} from './palette.js';

const FROM: [string, number, number][] = [['Left', -90, 0], ['Right', 90, 0], ['Above', 0, 90], ['Behind', 0, 0], ['Front', 180, 0], ['Below', 0, -90]];
const STEP = 10;      // degrees that an arrow key turns
const PER_PIXEL = 0.5; // degrees that a drag turns

interface Mesh {vertices: Float32Array<ArrayBuffer>; triangles: Int32Array; region: Int32Array; notes: string[]}
interface Painted {layers: RegionLayer[]; marks: ArrayLike<number>; describe(layer: number, region: number): string}

/** A CSS colour as three bytes. */
function bytesOf(colour: string) {
  const ctx = document.createElement('canvas').getContext('2d', {willReadFrequently: true}) as CanvasRenderingContext2D;
  ctx.fillStyle = colour;
  ctx.fillRect(0, 0, 1, 1);
  return [...ctx.getImageData(0, 0, 1, 1).data].slice(0, 3);
}

/**
 * mesh takes the engine's output (`surface` in wasm/PROTOCOL.md). In an update, marks has the mark of each region's network, -1 for none. onPick gets a
 * region, or -1.
 */
export function create(el: HTMLElement, {onPick, onSave}: {onPick(region: number): void, onSave(): void}) {
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
    return {mesh() {}, update() {}, exportImage: async (): Promise<Blob | null> => null};
  }
  const gl = drawn;
  el.replaceChildren(
    h('div', {class: 'toolbar'}, layer, kind, FROM.map(([name, a, t]) => h('button', {type: 'button', onclick: () => look(a, t)}, name)),
      h('button', {type: 'button', class: 'quiet', 'aria-label': 'Save picture of the surface', onclick: () => onSave()}, 'Save picture')),
    canvas, said, scale, notes);

  function look(a: number, t: number) {
    about = ((a + 180) % 360 + 360) % 360 - 180;
    tilt = Math.min(90, Math.max(-90, t));
    redraw();
  }

  const redraw = throttleDraw(() => {
    if (!shown || !canvas.clientWidth) return;
    const ratio = globalThis.devicePixelRatio || 1, [w, t] = [canvas.clientWidth, canvas.clientHeight].map(v => Math.round(v * ratio));
    if (canvas.width !== w || canvas.height !== t) [canvas.width, canvas.height] = [w, t];
    gl.draw(about, tilt, colours.ground);
  });

  /** The colours of a theme as bytes. */
  const read = (t: Theme) => ({
    ground: bytesOf(t.card).map(v => v / 255),
    none: bytesOf(t.missing),
    low: bytesOf(t.line),
    high: bytesOf(t.accent),
    classes: t.classes.map(bytesOf),
  });

  /** Colours the vertices by what their regions have. */
  function paint(t: ReturnType<typeof read>) {
    const {values, top} = model.layers[layer.selectedIndex], marked = new Set(top), by = kind.value, rgba = new Uint8Array(4 * shown.region.length).fill(255);
    const full = values[top[top.length - 1]] || 1; // of the least of the marked; a single large one would pale all others
    const of = Array.from(values, (v, i) => {
      if (by === 'length') return t.low.map((c, d) => Math.round(c + (t.high[d] - c) * Math.min(v / full, 1)));
      return !marked.has(i) ? t.low : model.marks[i] < 0 ? t.none : t.classes[colourOf(model.marks[i])];
    });
    shown.region.forEach((r: number, i: number) => rgba.set(r < 0 ? t.none : of[r], 4 * i));
    gl.colour(rgba);
    setText(
      scale,
      by === 'length'
        ? `From 0, pale, to ${figure(full)} and more, full colour: the marked regions. Dark grey has no region.`
        : 'Coloured are the marked regions, by network as above; dark grey has no region.',
    );
  }

  function recolour() {
    if (!shown || !model) return;
    paint(colours);
    redraw();
  }

  const hover = (r: number) => setText(said, r < 0 ? '' : model.describe(layer.selectedIndex, r));

  const regionAt = (e: PointerEvent) => {
    const v = shown ? gl.vertexAt(e.offsetX, e.offsetY) : -1;
    return v < 0 ? -1 : shown.region[v];
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
      const turn = ({ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP]} as Record<string, number[]>)[e.key];
      if (turn) look(about + turn[0], tilt + turn[1]);
      else if (e.key === 'Home') look(-90, 0);
      else return;
      e.preventDefault();
    },
    webglcontextlost() { setText(said, 'The browser has taken the drawing away; open the surface again.'); },
  };
  for (const [name, f] of Object.entries(listeners)) canvas.addEventListener(name, f as EventListener);
  const resized = new ResizeObserver(redraw), dark = matchMedia('(prefers-color-scheme: dark)');
  resized.observe(canvas);
  const themed = () => {
    colours = read(theme(canvas));
    recolour();
  };
  dark.addEventListener('change', themed);

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
    /** A PNG on a light ground, as a Blob; null before there is a surface. */
    exportImage() {
      if (!shown || !model) return Promise.resolve(null);
      const light = read(lightTheme());
      paint(light);
      gl.draw(about, tilt, light.ground);
      const picture = new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/png')); // what is drawn at the time of the call
      recolour();
      return picture;
    },
  };
}
