// @ts-check
// One scatter of nodes on a canvas: the first two principal components of one embedding.
import {throttleDraw} from '../dom/clock.js';
import {h} from '../dom/elements.js';
import {focusable, followTheme} from './focusable.js';
import {drawMark, theme} from './palette.js';
import {square, stamp, stamps} from './blit.js';

const MARGIN = 10; // around the points, in CSS pixels
const STEPS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
const REACH = 14;  // how near the pointer must come to a node, in CSS pixels

/** Radius of a mark for n nodes on a square of that side. */
const radius = (/** @type {number} */ n, /** @type {number} */ side) => Math.max(2, Math.min(5.5, 0.3 * side / Math.sqrt(n)));

/**
 * create(el, options) -> {label, update, select, exportImage, destroy}
 *
 * options: onHover(node or -1, x, y), onSelect(nodes, add), describe(node) -> text.
 * label(text) names the plot. update({xy, classes, marks, dim}): xy Float32Array of M pairs, classes Int32Array (-1 missing), marks those of the
 * classes, dim the
 * class to keep while others fade (or null). Positions are scaled about 0 by one factor for both axes.
 */
export function create(/** @type {HTMLElement} */ el, /** @type {any} */ {onHover, onSelect, describe}) {
  const canvas = h('canvas', {tabindex: 0, role: 'application', 'aria-roledescription': 'scatter plot'});
  el.append(canvas);
  const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d')); // not opaque: that would be black before it is painted
  let label = '', /** @type {any} */ model = null, selected = new Set(), hovered = -1, /** @type {any} */ lasso = null;
  let side = 0, scale = 1, /** @type {any} */ colours = null, /** @type {any} */ pixels = null, pixelsKey = '', /** @type {any} */ image = null, reach = 0;

  const count = () => model ? model.xy.length / 2 : 0;
  const px = (/** @type {number} */ i) => side / 2 + model.xy[2 * i] * factor();
  const py = (/** @type {number} */ i) => side / 2 - model.xy[2 * i + 1] * factor();
  const factor = () => reach > 0 ? (side / 2 - MARGIN) / reach : 0;

  const redraw = throttleDraw(draw);

  function draw() {
    if (!side) return;
    ctx.setTransform(scale, 0, 0, scale, 0, 0);
    if (!model) {
      ground(ctx, side, colours);
      return;
    }
    const r = radius(count(), side);
    const key = [model.marks, r, scale, canvas.width, colours.ink].join();
    if (key !== pixelsKey) {
      pixels = stamps(colours, model.marks, r, scale, canvas.width);
      pixelsKey = key;
    }
    if (image?.side !== canvas.width) image = square(canvas.width);
    points();
    ctx.putImageData(image.image, 0, 0);
    ring(hovered, 1.5);
    ring(focus.at, 2.5);
    if (lasso) {
      ctx.beginPath();
      lasso.forEach((/** @type {any} */ [x, y], /** @type {number} */ i) => i ? ctx.lineTo(x, y) : ctx.moveTo(x, y));
      ctx.closePath();
      ctx.strokeStyle = colours.accent;
      ctx.setLineDash([4, 3]);
      ctx.stroke();
      ctx.setLineDash([]);
    }

    function points() {
      const fade = (/** @type {number} */ i) => (selected.size > 0 && !selected.has(i)) || (model.dim !== null && model.classes[i] !== model.dim);
      image.data.set(base());
      const n = count();
      for (const strength of [0.16, 1]) {
        for (let i = 0; i < n; i++) if (fade(i) === strength < 1) stamp(image, pixels, model.classes[i], px(i) * scale, py(i) * scale, strength);
      }
    }

    function ring(/** @type {number} */ i, /** @type {number} */ width) {
      if (i < 0 || i >= count()) return;
      ctx.beginPath();
      ctx.arc(px(i), py(i), r + 4, 0, 2 * Math.PI);
      ctx.lineWidth = width;
      ctx.strokeStyle = colours.ink;
      ctx.stroke();
    }
  }

  // The empty plot as pixels, kept until size or colours change.
  let /** @type {any} */ empty = null, emptyKey = '';
  function base() {
    const key = [canvas.width, colours.card, colours.line].join();
    if (key !== emptyKey) {
      emptyKey = key;
      const c = document.createElement('canvas');
      c.width = c.height = canvas.width;
      const to = /** @type {CanvasRenderingContext2D} */ (c.getContext('2d', {alpha: false, willReadFrequently: true}));
      to.scale(scale, scale);
      ground(to, side, colours);
      empty = to.getImageData(0, 0, c.width, c.height).data;
    }
    return empty;
  }

  function ground(/** @type {Pen} */ to, /** @type {number} */ size, /** @type {Theme} */ t) {
    to.fillStyle = t.card;
    to.fillRect(0, 0, size, size);
    to.strokeStyle = t.line;
    to.lineWidth = 1;
    const mid = Math.round(size / 2) + 0.5;
    to.beginPath();
    to.moveTo(mid, 0); to.lineTo(mid, size);
    to.moveTo(0, mid); to.lineTo(size, mid);
    to.stroke();
  }

  /** The node nearest to a point within REACH; -1 if there is none. */
  function at(/** @type {number} */ x, /** @type {number} */ y) {
    let best = -1, nearest = REACH * REACH;
    for (let i = 0; i < count(); i++) {
      const d = (px(i) - x) ** 2 + (py(i) - y) ** 2;
      if (d < nearest) [best, nearest] = [i, d];
    }
    return best;
  }

  /** The next node from the focused one in a direction, nearest first, straying sideways counted double. */
  function toward(/** @type {number} */ dx, /** @type {number} */ dy) {
    if (focus.at < 0) return count() ? nearestTo(side / 2, side / 2) : -1;
    let best = focus.at, least = Infinity;
    for (let i = 0; i < count(); i++) {
      const x = px(i) - px(focus.at), y = py(i) - py(focus.at);
      const along = x * dx + y * dy, aside = Math.abs(x * dy) + Math.abs(y * dx);
      if (i === focus.at || along <= 0 || aside > 2 * along) continue;
      if (along + 2 * aside < least) [best, least] = [i, along + 2 * aside];
    }
    return best;
  }

  function nearestTo(/** @type {number} */ x, /** @type {number} */ y) {
    let best = 0, nearest = Infinity;
    for (let i = 0; i < count(); i++) {
      const d = (px(i) - x) ** 2 + (py(i) - y) ** 2;
      if (d < nearest) [best, nearest] = [i, d];
    }
    return best;
  }

  /** @returns {[number, number]} */
  const point = (/** @type {any} */ e) => [e.offsetX, e.offsetY];
  const listeners = {
    pointermove(/** @type {any} */ e) {
      const [x, y] = point(e);
      if (lasso) {
        lasso.push([x, y]);
        redraw();
        return;
      }
      onHover(at(x, y), px, py, canvas);
    },
    pointerleave() { onHover(-1); },
    pointerdown(/** @type {any} */ e) {
      // A finger scrolls the page; mouse and pen may draw around nodes.
      if (e.button === 0 && e.pointerType !== 'touch' && model) {
        lasso = [point(e)];
        canvas.setPointerCapture(e.pointerId);
      }
    },
    pointerup(/** @type {any} */ e) {
      const drawn = lasso;
      lasso = null;
      if (!model) return;
      const span = drawn ? Math.max(...drawn.map((/** @type {any} */ [x, y]) => Math.hypot(x - drawn[0][0], y - drawn[0][1]))) : 0;
      if (span > 8) onSelect(within(drawn), e.shiftKey);
      else {
        const i = at(...point(e));
        onSelect(i < 0 ? [] : [i], e.shiftKey);
        if (e.pointerType === 'touch') onHover(i, px, py, canvas);
      }
      redraw();
    },
    pointercancel() { lasso = null; redraw(); },
  };
  for (const [name, f] of Object.entries(listeners)) canvas.addEventListener(name, f);

  const focus = focusable(canvas, {
    label: () => label, describe, redraw,
    go(key) {
      const step = model && /** @type {Record<string, number[]>} */ (STEPS)[key];
      return step ? toward(step[0], step[1]) : undefined;
    },
    choose: (i, add) => onSelect(i < 0 ? [] : [i], add),
    hover: i => i < 0 ? onHover(-1) : onHover(i, px, py, canvas),
  });

  function within(/** @type {[number, number][]} */ path) {
    const nodes = [];
    for (let i = 0; i < count(); i++) {
      const x = px(i), y = py(i);
      let inside = false;
      for (let a = 0, b = path.length - 1; a < path.length; b = a++) {
        const [xa, ya] = path[a], [xb, yb] = path[b];
        if ((ya > y) !== (yb > y) && x < (xb - xa) * (y - ya) / (yb - ya) + xa) inside = !inside;
      }
      if (inside) nodes.push(i);
    }
    return nodes;
  }

  // A canvas that is given a size is empty. Until it is drawn anew, it shows its ground and, stretched, what it showed before.
  const resized = new ResizeObserver(() => {
    const before = side && model ? copyOf(canvas) : null;
    side = canvas.clientWidth;
    scale = globalThis.devicePixelRatio || 1;
    colours = theme(canvas); // not before: an element outside the document has no colours
    canvas.width = canvas.height = Math.round(side * scale);
    if (!side) return;
    ctx.setTransform(scale, 0, 0, scale, 0, 0);
    ground(ctx, side, colours);
    if (before) ctx.drawImage(before, 0, 0, side, side);
    redraw();
  });
  resized.observe(canvas);
  const stop = followTheme(canvas, t => {
    colours = t;
    redraw();
  });

  return {
    label(/** @type {string} */ text) {
      label = text;
      canvas.setAttribute('aria-label', label);
    },
    update(/** @type {any} */ next) {
      if (next.xy.length !== model?.xy.length) focus.at = -1;
      model = next;
      const own = extent(model.xy);
      // Follow a shrinking cloud slowly, so that the eye sees points move and not the scale.
      reach = own > reach || own < 0.2 * reach || !model.live ? own : 0.9 * reach + 0.1 * own;
      redraw();
    },
    select(/** @type {Iterable<number>} */ nodes) {
      selected = new Set(nodes);
      redraw();
    },
    highlight(/** @type {any} */ node) {
      if (hovered === node) return;
      hovered = node;
      redraw();
    },
    /** Draws the plot into another context at (x, y), with the side and colours given. */
    exportImage(/** @type {Pen} */ to, /** @type {any} */ {x, y, side: size, colours: t}) {
      to.save();
      to.translate(x, y);
      ground(to, size, t);
      const f = (size / 2 - MARGIN) / (reach || 1),
        r = radius(count(), size);
      for (let i = 0; i < count(); i++)
        drawMark(to, t, model.marks[model.classes[i]] ?? -1, size / 2 + model.xy[2 * i] * f, size / 2 - model.xy[2 * i + 1] * f, r);
      to.restore();
    },
    destroy() {
      resized.disconnect();
      stop();
      canvas.remove();
    },
  };
}

/** The pixels of a canvas in another one. */
function copyOf(/** @type {HTMLCanvasElement} */ canvas) {
  const copy = h('canvas', {width: canvas.width, height: canvas.height});
  copy.getContext('2d')?.drawImage(canvas, 0, 0);
  return copy;
}

/** The largest coordinate, or 1 when all points lie in one place. */
function extent(/** @type {any} */ xy) {
  let m = 0;
  for (let i = 0; i < xy.length; i++) m = Math.max(m, Math.abs(xy[i]));
  return m || 1;
}
