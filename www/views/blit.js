// Draws thousands of small marks by copying pixels. A canvas records every drawImage and plays the list back when the
// page is composed: 4000 of them cost 20 ms of the page's thread. Copied by hand into one image they cost 1 ms.
import {markSheet} from './palette.js';

const PHASES = 2; // positions within a pixel, per axis: marks move smoothly where whole pixels would jump

/** What every mark looks like at a radius, as pixels. `classes` counts them; a missing label is class -1. */
export function stamps(theme, classes, r, scale) {
  const {sheet, size} = markSheet(theme, classes, r, scale, PHASES);
  const all = sheet.getContext('2d').getImageData(0, 0, sheet.width, sheet.height).data;
  const width = sheet.width, list = [];
  for (let k = 0; k < sheet.width / size; k++) {
    for (let phase = 0; phase < PHASES * PHASES; phase++) {
      // Only the pixels that have some colour: offset x, y and the colour with its alpha.
      const x = [], y = [], rgba = [];
      for (let j = 0; j < size; j++) {
        for (let i = 0; i < size; i++) {
          const p = 4 * ((phase * size + j) * width + k * size + i);
          if (all[p + 3] < 8) continue;
          x.push(i - (size >> 1));
          y.push(j - (size >> 1));
          rgba.push(all[p], all[p + 1], all[p + 2], all[p + 3]);
        }
      }
      list.push({x: Int16Array.from(x), y: Int16Array.from(y), rgba: Uint8Array.from(rgba)});
    }
  }
  return list;
}

/** Mixes the mark of class k at (x, y), in device pixels, into an opaque image; strength from 0 to 1. */
export function stamp(image, list, k, x, y, strength) {
  const {data, width, height} = image;
  const fx = Math.floor(x * PHASES), fy = Math.floor(y * PHASES);
  const cx = Math.floor(fx / PHASES), cy = Math.floor(fy / PHASES);
  const s = list[(k + 1) * PHASES * PHASES + (fy - cy * PHASES) * PHASES + (fx - cx * PHASES)];
  for (let i = 0; i < s.x.length; i++) {
    const px = cx + s.x[i], py = cy + s.y[i];
    if (px < 0 || py < 0 || px >= width || py >= height) continue;
    const a = s.rgba[4 * i + 3] / 255 * strength, p = 4 * (py * width + px);
    data[p] += (s.rgba[4 * i] - data[p]) * a;
    data[p + 1] += (s.rgba[4 * i + 1] - data[p + 1]) * a;
    data[p + 2] += (s.rgba[4 * i + 2] - data[p + 2]) * a;
  }
}
