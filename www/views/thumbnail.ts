// A small picture of nodes, for lists.
import {svg} from '../dom/elements.js';
import {colourOf, markOf} from './palette.js';

/**
 * Nodes as dots in the colours of their classes.
 * @param dots places from 0 to 1, down the picture, and the class of each, below 0 for none
 */
export function thumbnail(dots: Iterable<{x: number, y: number, of: number}>, set: {marks?: number[]}) {
  const paths: Map<string, string> = new Map();
  for (const {x, y, of} of dots) {
    const colour = of < 0 ? 'missing' : String(colourOf(markOf(set, of)));
    paths.set(colour, `${paths.get(colour) ?? ''}M${(2 + 56 * x).toFixed(1)} ${(2 + 56 * y).toFixed(1)}h2v2h-2z`);
  }
  return svg('svg', {viewBox: '0 0 60 60', class: 'thumbnail', 'aria-hidden': 'true'}, ...[...paths].map(([c, d]) => svg('path', {class: `mark-${c}`, d})));
}
