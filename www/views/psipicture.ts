// Psi's plane as a picture to keep, with what the view says of it and the table of the runs beside.
import {linesOf} from './saving.js';
import {paintSvg} from './svgpaint.js';

const PLANE = 480, WORDS = 420, EDGE = 24, LINE = 19; // units of the drawing

/** words are paragraphs beside the plane, rows those of the table, its head first; what the whole is of stands below. */
export function psiPicture({plane, words, rows, caption, t}: {plane: SVGSVGElement; words: string[]; rows: string[][]; caption: string; t: Theme}) {
  const width = 3 * EDGE + PLANE + WORDS, font = `14px ${t.font}`, columns = [0, 150, 290], most = columns.map((x, k) => (columns[k + 1] ?? WORDS) - x - 10);
  const lines = words.flatMap(text => [...linesOf(text, font, WORDS), '']);
  const table = rows.map((row, r) => row.map((text, k) => linesOf(text, r ? font : `600 ${font}`, most[k])));
  const high = (row: string[][]) => Math.max(...row.map(cell => cell.length)) * LINE, foot = linesOf(caption, `12px ${t.font}`, width - 2 * EDGE);
  const beside = (1 + lines.length) * LINE + table.reduce((sum, row) => sum + high(row), 0), below = EDGE + Math.max(PLANE, beside) + EDGE;

  function paint(pen: Pen) {
    pen.fillStyle = '#fff';
    pen.fillRect(0, 0, width, below + foot.length * LINE + EDGE / 2);
    const write = (text: string, x: number, y: number, weight: number, size = 14, colour = t.ink) => {
      pen.font = `${weight} ${size}px ${t.font}`;
      pen.fillStyle = colour;
      pen.fillText(text, x, y);
    };
    paintSvg(pen, plane, {x: EDGE, y: EDGE, width: PLANE});
    const left = 2 * EDGE + PLANE;
    let y = EDGE + LINE;
    for (const text of lines) {
      write(text, left, y, 400);
      y += LINE;
    }
    table.forEach((row, r) => {
      row.forEach((cell, k) => cell.forEach((text, i) => write(text, left + columns[k], y + i * LINE, r ? 400 : 600)));
      y += high(row);
    });
    foot.forEach((text, i) => write(text, EDGE, below + i * LINE, 400, 12, t.soft));
  }
  return {width, height: below + foot.length * LINE + EDGE / 2, paint};
}
