// Pictures that leave the page, as PNG and as SVG from one drawing.
import {button, download, h} from '../dom/elements.js';
import {lightTheme} from './palette.js';
import type {Pen, Theme, ViewContext} from '../types.js';

const DENSITY = 2; // of the PNG: pixels for one of the drawing's units, of which an inch has 96
/** The chunk of a PNG that says 300 pixels an inch, and where it stands. */
const INCH = Uint8Array.of(0, 0, 0, 9, 112, 72, 89, 115, 0, 0, 46, 35, 0, 0, 46, 35, 1, 120, 165, 63, 118), BEHIND = 33;

/** A picture to keep: its size, what describes it, what paints it on a canvas or an SVGContext, and whether with the dots of print. */
export interface Kept { width: number; height: number; text: string; print?: boolean; paint(pen: Pen): void }

/**
 * Buttons that save a picture as a file of either kind; what names it for those who hear it. It is made in light colours, with the caption of the run;
 * null while there is none, which may save it `again`.
 */
export const keeps = ({attempt, caption}: Pick<ViewContext, 'attempt' | 'caption'>, what: string, name: string,
  make: (t: Theme, caption: string, again: () => void) => Kept | null) =>
  h('span', {class: 'actions'}, 'Save picture', ['PNG', 'SVG'].map(kind => {
    const type = kind.toLowerCase(), save = attempt(async () => {
      const picture = make(lightTheme(), caption(), save);
      if (picture) download(await saved(picture, type), `cadem-${name}.${type}`);
    });
    return button(kind, () => save(), {class: 'quiet', 'aria-label': `Save the ${what} as ${kind}`});
  }));

const ruler = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;

/** A text in lines of such a width: pens that write files do not measure. */
export function linesOf(text: string, font: string, width: number) {
  const lines: string[] = [];
  ruler.font = font;
  for (const word of text.split(' ')) {
    const last = lines.at(-1), longer = `${last} ${word}`;
    if (last !== undefined && ruler.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** A picture as a Blob. */
async function saved({width, height, text, print, paint}: Kept, type: string) {
  if (type === 'svg') {
    const {SVGContext} = await import('./svgcontext.js'), pen = new SVGContext(width, height);
    paint(pen);
    return new Blob([pen.text(text)], {type: 'image/svg+xml'});
  }
  const density = print ? 300 / 96 : DENSITY, canvas = h('canvas', {width: Math.round(width * density), height: Math.round(height * density)});
  const pen = canvas.getContext('2d') as CanvasRenderingContext2D;
  pen.scale(density, density);
  paint(pen);
  const png = await new Promise<Blob>((resolve, reject) => canvas.toBlob(
    picture => picture ? resolve(picture) : reject(new Error('The browser made no picture: it may be too large for it.')), 'image/png'));
  return print ? new Blob([png.slice(0, BEHIND), INCH, png.slice(BEHIND)], {type: png.type}) : png;
}
