// Reads at a computed place. Types see that a list may be shorter than its reader thinks, and so does who reads the error.

/** What stands at place i; a RangeError names the place, and what of, if there is nothing. */
export function nth<T>(list: ArrayLike<T>, i: number, what = 'a list'): T {
  const found = list[i];
  if (found === undefined) throw new RangeError(`place ${i} of ${what}: it has ${list.length}`);
  return found;
}

/** A number of an array, for loops whose own bounds keep them inside: nothing is checked. */
export const num = (list: ArrayLike<number>, i: number) => list[i] as number;

/** The same in loops over pixels and links: the bundler leaves nothing of the call, so that each loop reads arrays of one type. */
export function sure(v: number | undefined) { return v as number; }

/** What a table has under a name; a RangeError says which it lacks. */
export function entry<T>(table: Record<string, T>, name: string): T {
  const found = table[name];
  if (found === undefined) throw new RangeError(`no ${name} among ${Object.keys(table)}`);
  return found;
}

/** The same if it has something of its own there: names of others may be those that every object has. */
export const own = <T>(table: Record<string, T>, name = ''): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
