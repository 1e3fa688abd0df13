// Draws thousands of small marks by copying pixels. A canvas records every drawImage and plays the list back when the
// page is composed: 4000 of them cost 20 ms of the page's thread. Copied by hand into one image they cost 1 ms.
import {nth, sure} from '../dom/nth.js';
import {markSheet} from './palette.js';
import type {Theme} from '../types.js';

const PHASES = 2; // positions within a pixel, per axis: marks move smoothly where whole pixels would jump

export interface Stamp {reach: number; solid: Int32Array; colours: Uint32Array; rim: Int32Array; rgba: Uint8Array}

/**
 * The pixels of every mark at a radius, in an image of that width. `marks` are those of the classes; a missing label is class -1. Of
 * each mark: `reach` from its middle; the places and colours of its opaque pixels, as words; places and colours of its rim.
 */
export function stamps(theme: Theme, marks: number[], r: number, scale: number, width: number): Stamp[] {
  const {sheet, size} = markSheet(theme, marks, r, scale, PHASES);
  const all = (sheet.getContext('2d') as CanvasRenderingContext2D).getImageData(0, 0, sheet.width, sheet.height).data;
  const words = new Uint32Array(all.buffer), across = sheet.width, list = [];
  for (let k = 0; k < across / size; k++) {
    for (let phase = 0; phase < PHASES * PHASES; phase++) {
      const solid = [], colours = [], rim = [], rgba = [];
      let reach = 0;
      for (let j = 0; j < size; j++) {
        for (let i = 0; i < size; i++) {
          const p = (phase * size + j) * across + k * size + i, alpha = sure(all[4 * p + 3]), x = i - (size >> 1), y = j - (size >> 1);
          if (alpha < 8) continue; // only the pixels that have some colour
          reach = Math.max(reach, Math.abs(x), Math.abs(y));
          if (alpha === 255) {
            solid.push(y * width + x);
            colours.push(sure(words[p]));
          } else {
            rim.push(y * width + x);
            rgba.push(...all.subarray(4 * p, 4 * p + 4));
          }
        }
      }
      list.push({reach, solid: Int32Array.from(solid), colours: Uint32Array.from(colours), rim: Int32Array.from(rim), rgba: Uint8Array.from(rgba)});
    }
  }
  return list;
}

/** A square opaque image, its side in pixels, that marks are put into. */
export function square(side: number) {
  const image = new ImageData(side, side);
  return {image, side, data: image.data, words: new Uint32Array(image.data.buffer)};
}

/** Mixes a colour into the pixel whose first byte is p. */
export function mix(data: Uint8ClampedArray, p: number, [r, g, b]: [number, number, number], a: number) {
  const red = sure(data[p]), green = sure(data[p + 1]), blue = sure(data[p + 2]);
  data[p] = red + (r - red) * a;
  data[p + 1] = green + (g - green) * a;
  data[p + 2] = blue + (b - blue) * a;
}

/**
 * Puts the mark of class k at (x, y), in device pixels, into a square; strength from 0 to 1 mixes it with what is there. A
 * mark that does not fit in is left out: plots keep a margin.
 */
export function stamp({data, words, side}: ReturnType<typeof square>, list: Stamp[], k: number, x: number, y: number,
  strength: number) {
  const [fx, fy] = [Math.floor(x * PHASES), Math.floor(y * PHASES)], [cx, cy] = [Math.floor(fx / PHASES), Math.floor(fy / PHASES)];
  const {reach, solid, colours, rim, rgba} = nth(list, (k + 1) * PHASES * PHASES + (fy - cy * PHASES) * PHASES + (fx - cx * PHASES), 'stamps');
  if (!(cx >= reach && cy >= reach && cx < side - reach && cy < side - reach)) return;
  const at = cy * side + cx;
  const part = (i: number): [number, number, number] => [sure(rgba[4 * i]), sure(rgba[4 * i + 1]), sure(rgba[4 * i + 2])];
  for (let i = 0; i < rim.length; i++) {
    mix(data, 4 * (at + sure(rim[i])), part(i), sure(rgba[4 * i + 3]) / 255 * strength);
  }
  for (let i = 0; i < solid.length; i++) {
    const p = at + sure(solid[i]), colour = sure(colours[i]);
    if (strength === 1) words[p] = colour;
    else mix(data, 4 * p, [colour & 255, colour >> 8 & 255, colour >> 16 & 255], strength);
  }
}
