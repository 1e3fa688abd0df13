// What is drawn again and again: lines, circles and words, on the canvas of a view or into a picture to keep.
import type {Point} from './points.js';
import type {Pen, Theme} from '../types.js';

/** Lines through points, all in one stroke. */
export function lines(pen: Pen, list: Iterable<Point[]>, colour: string, width = 1, dash: number[] = []) {
  pen.beginPath();
  for (const points of list) for (const [k, [x, y]] of points.entries()) k ? pen.lineTo(x, y) : pen.moveTo(x, y);
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.setLineDash(dash);
  pen.stroke();
  pen.setLineDash([]);
}

export const line = (pen: Pen, points: Point[], ...how: [colour: string, width?: number, dash?: number[]]) => lines(pen, [points], ...how);

/** The outline of a rectangle. */
export const box = (pen: Pen, x: number, y: number, wide: number, high: number, colour: string, width = 1, dash: number[] = []) =>
  line(pen, [[x, y], [x + wide, y], [x + wide, y + high], [x, y + high], [x, y]], colour, width, dash);

/** A circle with a rim, filled or not. */
export function ring(pen: Pen, x: number, y: number, r: number, colour: string, width = 1.5, fill = '') {
  pen.beginPath();
  pen.arc(x, y, r, 0, 2 * Math.PI);
  if (fill) {
    pen.fillStyle = fill;
    pen.fill();
  }
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  if (width) pen.stroke();
}

export function ground(pen: Pen, wide: number, high: number, colour = '#fff', x = 0, y = 0) {
  pen.fillStyle = colour;
  pen.fillRect(x, y, wide, high);
}

/** Words in the font of a theme; in its ink unless another colour is named, and no wider than `most`. */
export function write(pen: Pen, t: Theme, text: string, x: number, y: number,
  {font = '13px', colour = t.ink, align = 'left', most}: {font?: string, colour?: string, align?: CanvasTextAlign, most?: number} = {}) {
  pen.font = `${font} ${t.font}`;
  pen.fillStyle = colour;
  pen.textAlign = align;
  pen.fillText(text, x, y, most);
  pen.textAlign = 'left';
}
