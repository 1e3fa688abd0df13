// Painted layers: a digit for every pair of blocks in each layer, as the option of the data has them (core/synth/painted.go). Pure.

export const LAYERS = [2, 6] as const, BLOCKS = [2, 8] as const; // the fewest and the most
/** The chances of a link, in per cent, by digit. */
export const CHANCES = [0, 2, 5, 10, 15, 20, 30, 40, 60, 80];
/** How strongly a digit is drawn. */
export const STRENGTHS = [0, 0.05, 0.1, 0.16, 0.22, 0.28, 0.36, 0.45, 0.84, 1];
const FRESH = 8, BETWEEN = 1; // within a block that is new, and to others

/** Digits of every layer, symmetric. */
export type Painting = number[][][];

/** Reads a painting; null where a text is none. */
export function paintingOf(text: string): Painting | null {
  const parts = text.split('_'), long = parts[0]?.length ?? 0, k = Math.round((Math.sqrt(8 * long + 1) - 1) / 2);
  if (parts.length < LAYERS[0] || parts.length > LAYERS[1] || k < BLOCKS[0] || k > BLOCKS[1] || k * (k + 1) / 2 !== long) return null;
  if (parts.some(p => p.length !== long || !/^[0-9]*$/.test(p))) return null;
  return parts.map(part => {
    /** Where the digit of two blocks stands: rows come one after another, each from its diagonal on. */
    const at = (a: number, b: number) => a * k - a * (a - 1) / 2 + b - a;
    return Array.from({length: k}, (_, a) => Array.from({length: k}, (_, b) => Number(part[at(Math.min(a, b), Math.max(a, b))])));
  });
}

export const textOf = (painting: Painting) => painting.map(layer => layer.flatMap((row, a) => row.slice(a)).join('')).join('_');

/** The painting with another digit for a pair of blocks, in both places. */
export const painted = (painting: Painting, layer: number, a: number, b: number, digit: number): Painting => painting.map((old, l) => l !== layer ? old
  : old.map((row, i) => row.map((v, j) => i === a && j === b || i === b && j === a ? digit : v)));

/** The painting with so many blocks: the last ones go, or such come as are linked within. */
export const withBlocks = (painting: Painting, k: number): Painting => painting.map(layer =>
  Array.from({length: k}, (_, i) => Array.from({length: k}, (_, j) => layer[i]?.[j] ?? (i === j ? FRESH : BETWEEN))));

/** The painting with so many layers: the last ones go, or the last one comes again. */
export const withLayers = (painting: Painting, n: number): Painting =>
  Array.from({length: n}, (_, l) => (painting[l] ?? painting.at(-1) ?? []).map(row => [...row]));
