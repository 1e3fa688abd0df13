// Pictures that leave the page, as PNG and as SVG from one drawing.
import {button, h} from '../dom/elements.js';

const DENSITY = 2; // of the PNG: pixels for one of the drawing's units, of which an inch has 96
/** The chunk of a PNG that says 300 pixels an inch, and where it stands. */
const INCH = Uint8Array.of(0, 0, 0, 9, 112, 72, 89, 115, 0, 0, 46, 35, 0, 0, 46, 35, 1, 120, 165, 63, 118), BEHIND = 33;

/** Buttons for both kinds; what names the picture for those who hear it. */
export const saveButtons = (what: string, onSave: (type: string) => void) =>
  h('span', {class: 'actions'}, 'Save picture', ['PNG', 'SVG'].map(type =>
    button(type, () => onSave(type.toLowerCase()), {class: 'quiet', 'aria-label': `Save the ${what} as ${type}`})));

const ruler = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;

/** A text in lines of such a width: pens that write files do not measure. */
export function linesOf(text: string, font: string, width: number) {
  const lines: string[] = [];
  ruler.font = font;
  for (const word of text.split(' ')) {
    const last = lines[lines.length - 1], longer = `${last} ${word}`;
    if (last !== undefined && ruler.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** A picture of that size as a Blob, for print with 300 dots an inch; draw(ctx) draws it into a context that is one of a canvas or an SVGContext. */
export async function saved(width: number, height: number, type: string, caption: string, draw: (pen: Pen) => void, print = false): Promise<Blob> {
  if (type === 'svg') {
    const {SVGContext} = await import('./svgcontext.js'), ctx = new SVGContext(width, height);
    draw(ctx);
    return new Blob([ctx.text(caption)], {type: 'image/svg+xml'});
  }
  const density = print ? 300 / 96 : DENSITY, canvas = h('canvas', {width: Math.round(width * density), height: Math.round(height * density)});
  const ctx = canvas.getContext('2d') as CanvasRenderingContext2D;
  ctx.scale(density, density);
  draw(ctx);
  const png = await new Promise<Blob>((resolve, reject) => canvas.toBlob(
    picture => picture ? resolve(picture) : reject(new Error('The browser made no picture: it may be too large for it.')), 'image/png'));
  return print ? new Blob([png.slice(0, BEHIND), INCH, png.slice(BEHIND)], {type: png.type}) : png;
}
