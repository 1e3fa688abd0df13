// Numbers and names as a person writes them.

/** An amount of memory. */
export const bytes = (n: number) =>
  n >= 1e9 ? (n / 1e9).toFixed(1) + ' GB' : n >= 1e6 ? (n / 1e6).toFixed(1) + ' MB' : n >= 1e3 ? Math.round(n / 1e3) + ' kB' : n + ' bytes';

/** A number as a person writes it: four significant figures at most, no trailing zeros. */
export function figure(v: number) {
  if (!Number.isFinite(v)) return String(v);
  const a = Math.abs(v);
  if (a !== 0 && (a < 1e-3 || a >= 1e6)) return v.toExponential(2).replaceAll('-', '\u2212').replace('e+', 'e');
  return String(Number(v.toPrecision(4))).replace('-', '\u2212');
}

/** A number with that many digits after the point; a value that rounds to 0 has no sign. */
export const fixed = (v: number, digits: number) => v.toFixed(digits).replace(/^-(?=0\.?0*$)/, '').replace('-', '\u2212');

/** A count, its digits in groups of three. */
export const grouped = (n: number) => n.toLocaleString('en-US').replaceAll(',', '\u202f');

/** One for all times: it takes browsers some 30 kB, and toLocaleString would make one at each call. */
let localTime: Intl.DateTimeFormat | undefined;

/** A time in the reader's format. A formatter refuses values that are no times, and a record may come from anybody. */
export function when(iso: string) {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return 'no date';
  localTime ??= new Intl.DateTimeFormat(undefined, {dateStyle: 'medium', timeStyle: 'short'});
  return localTime.format(time);
}

/** A probability: three digits after the point, and less than the least of them as a bound. */
export const chance = (p: number) => p < 1e-3 ? '<\u00a00.001' : fixed(p, 3);

/** Words in a row: "a, b and c". */
export const inARow = (list: (number | string)[]) => list.length > 1 ? `${list.slice(0, -1).join(', ')} and ${list.at(-1)}` : list.join('');

/** A name as words. */
export const spaced = (name: string) => name.replaceAll('_', ' ');

/** A text that begins with a capital letter. */
export const capital = (s: string) => s.charAt(0).toUpperCase() + s.slice(1);
