// Paints an SVG element of the page into a picture to keep, as the style sheet draws it in light colours. It knows lines, circles, polygons, text and paths
// of straight lines. Polygons end at the view box.
import {h} from '../dom/elements.js';

const ALIGN = {start: 'left', middle: 'center', end: 'right'} as Record<string, CanvasTextAlign>;
const SKIPPED = ['clipPath', 'defs', 'title'];

type Corner = [number, number];

/** What of a polygon lies in a box: one side after the other is cut off. */
export function within(polygon: Corner[], {x, y, width, height}: {x: number, y: number, width: number, height: number}): Corner[] {
  const sides = [[1, 0, x], [-1, 0, -x - width], [0, 1, y], [0, -1, -y - height]]; // inside where u px + v py >= least
  return sides.reduce((list, [u, v, least]) => list.flatMap((p, i): Corner[] => {
    const q = list[(i + 1) % list.length], [a, b] = [p, q].map(c => u * c[0] + v * c[1] - least), part = a / (a - b);
    return [...a >= 0 ? [p] : [], ...a < 0 !== b < 0 ? [[p[0] + part * (q[0] - p[0]), p[1] + part * (q[1] - p[1])] as Corner] : []];
  }), polygon);
}

/** Gives a colour as programs for drawings read it, and how opaque it is. */
function reader() {
  const pen = h('canvas', {width: 1, height: 1}).getContext('2d', {willReadFrequently: true}) as CanvasRenderingContext2D;
  const known: Map<string, [string, number]> = new Map([['none', ['', 0]]]);
  return (colour: string): [string, number] => {
    const there = known.get(colour);
    if (there) return there;
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
    const found: [string, number] = ['#' + [r, g, b].map(v => v.toString(16).padStart(2, '0')).join(''), a / 255];
    known.set(colour, found);
    return found;
  };
}

/** Paints it with its upper left corner at (x, y), so wide. Gives the height. */
export function paintSvg(pen: Pen, el: SVGSVGElement, {x, y, width}: {x: number, y: number, width: number}) {
  const copy = el.cloneNode(true) as SVGSVGElement, room = h('div', {class: 'light-theme', hidden: true}, copy), box = copy.viewBox.baseVal;
  const scale = width / box.width, colourOf = reader();

  function walk(of: Element, [left, top]: Corner, opacity: number) {
    const style = getComputedStyle(of), alpha = opacity * Number(style.opacity), name = of.tagName;
    if (SKIPPED.includes(name) || style.display === 'none') return;
    const [dx = 0, dy = 0] = /^translate\(([^ ]+) ([^ ]+)\)$/.exec(of.getAttribute('transform') ?? '')?.slice(1).map(Number) ?? [];
    const at: Corner = [left + dx, top + dy], value = (key: string) => Number(of.getAttribute(key));
    const place = ([u, v]: number[]): Corner => [x + (at[0] + u - box.x) * scale, y + (at[1] + v - box.y) * scale];
    const [fill, filled] = colourOf(style.fill), [stroke, drawn] = colourOf(style.stroke);
    const paint = () => {
      if (filled && name !== 'line') {
        pen.globalAlpha = alpha * filled;
        pen.fillStyle = fill;
        pen.fill();
      }
      if (drawn) {
        pen.globalAlpha = alpha * drawn;
        pen.strokeStyle = stroke;
        pen.lineWidth = scale * parseFloat(style.strokeWidth);
        pen.setLineDash(style.strokeDasharray === 'none' ? [] : style.strokeDasharray.split(',').map(d => scale * parseFloat(d)));
        pen.stroke();
        pen.setLineDash([]);
      }
    };
    const lines = (corners: Corner[], begins: (k: number) => boolean, closed = false) => {
      pen.beginPath();
      corners.forEach((c, k) => begins(k) ? pen.moveTo(...place(c)) : pen.lineTo(...place(c)));
      if (closed) pen.closePath();
      paint();
    };
    if (name === 'line') lines([[value('x1'), value('y1')], [value('x2'), value('y2')]], k => k === 0);
    else if (name === 'polygon') {
      const corners = (of.getAttribute('points') ?? '').split(' ').map(p => p.split(',').map(Number) as Corner);
      lines(within(corners, {x: box.x - at[0], y: box.y - at[1], width: box.width, height: box.height}), k => k === 0, true);
    } else if (name === 'path') {
      const corners = [...(of.getAttribute('d') ?? '').matchAll(/([ML])([^ ]+) ([^ML]+)/g)];
      lines(corners.map(c => [Number(c[2]), Number(c[3])]), k => corners[k][1] === 'M');
    } else if (name === 'circle') {
      pen.beginPath();
      pen.arc(...place([value('cx'), value('cy')]), scale * (parseFloat(style.getPropertyValue('r')) || value('r')), 0, 2 * Math.PI);
      paint();
    } else if (name === 'text') {
      pen.globalAlpha = alpha * filled;
      pen.fillStyle = fill;
      pen.font = `${style.fontWeight} ${scale * parseFloat(style.fontSize)}px ${style.fontFamily}`;
      pen.textAlign = ALIGN[style.textAnchor] ?? 'left';
      pen.fillText(of.textContent ?? '', ...place([value('x'), value('y')]));
      pen.textAlign = 'left';
    }
    for (const child of of.children) walk(child, at, alpha);
  }

  document.body.append(room); // elements outside the document have no style
  walk(copy, [0, 0], 1);
  room.remove();
  pen.globalAlpha = 1;
  return scale * box.height;
}
