// Which nodes are nearest to one in an embedding.
import {sure} from '../dom/nth.js';

/** The nodes nearest to one by rows of `wide` numbers, nearest first; of equally near ones those of smaller number. An embedding that is the same
 * for all tells nothing: none. */
export function nearestIn(rows: Float32Array, wide: number, node: number, most: number) {
  const at = (i: number, k: number) => sure(rows[i * wide + k]);
  const far = Array.from({length: rows.length / wide}, (_, i) => {
    let sum = 0;
    for (let k = 0; k < wide; k++) sum += (at(i, k) - at(node, k)) ** 2;
    return sum;
  });
  if (far.every(d => d === 0)) return [];
  return [...far.keys()].filter(i => i !== node).sort((a, b) => sure(far[a]) - sure(far[b]) || a - b).slice(0, most);
}
