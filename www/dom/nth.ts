// Reads at a computed place. Types see that a list may be shorter than its reader thinks, and so does who reads the error.

/** What stands at place i; a RangeError names the place, and what of, if there is nothing. */
export function nth<T>(list: ArrayLike<T>, i: number, what = 'a list'): T {
  const found = list[i];
  if (found === undefined) throw new RangeError(`place ${i} of ${what}: it has ${list.length}`);
  return found;
}

/** A number of an array, for loops whose own bounds keep them inside: nothing is checked. */
export const num = (list: ArrayLike<number>, i: number) => list[i] as number;
