// The form of results of tasks in messages and storage: JSON, except for the numbers of their arrays.

import type {StudyResult} from '../types.js';

/** A result without the contents of its arrays, sent and stored as it is. */
export const bare = (result: StudyResult) => ({...result, arrays: result.arrays?.map(({name, shape}) => ({name, shape}))});

/** Bytes of a result: itself as a line of JSON, then, from a multiple of 8 on, the contents of its arrays. */
export function write(result: StudyResult) {
  const head = new TextEncoder().encode(JSON.stringify(bare(result)) + '\n'), arrays = result.arrays || [];
  let at = Math.ceil(head.length / 8) * 8;
  const all = new Uint8Array(at + 8 * arrays.reduce((sum, a) => sum + a.data.length, 0));
  all.set(head);
  for (const {data} of arrays) {
    new Float64Array(all.buffer, at, data.length).set(data);
    at += 8 * data.length;
  }
  return all;
}

/** The result of such bytes, or of JSON alone, as earlier versions of the page kept it; null of what holds none. */
export function read(bytes: Uint8Array): StudyResult | null {
  const end = bytes.indexOf(10), head = end < 0 ? bytes : bytes.subarray(0, end);
  try {
    const result = JSON.parse(new TextDecoder().decode(head));
    if (end < 0) return result;
    let at = Math.ceil((end + 1) / 8) * 8;
    for (const a of result.arrays || []) {
      const n = a.shape.reduce((x: number, y: number) => x * y, 1);
      a.data = new Float64Array(bytes.slice(at, at + 8 * n).buffer);
      if (a.data.length !== n) return null;
      at += 8 * n;
    }
    return result;
  } catch {
    return null;
  }
}

/** The contents of the arrays of results, as in a message. */
export const inputArrays = (results: StudyResult[] | null | undefined) => Object.fromEntries((results || []).flatMap((r, i) =>
  (r.arrays || []).map(a => [`input:${i}:${a.name}`, Float64Array.from(a.data)])));
