// @ts-check
// Numbers and names as a person writes them.

/** An amount of memory.
 * @param {number} n
 */
export const bytes = n =>
  n >= 1e9 ? (n / 1e9).toFixed(1) + ' GB' : n >= 1e6 ? (n / 1e6).toFixed(1) + ' MB' : n >= 1e3 ? Math.round(n / 1e3) + ' kB' : n + ' bytes';

/** A number as a person writes it: four significant figures at most, no trailing zeros.
 * @param {number} v
 */
export function figure(v) {
  if (!Number.isFinite(v)) return String(v);
  const a = Math.abs(v);
  if (a !== 0 && (a < 1e-3 || a >= 1e6)) return v.toExponential(2).replaceAll('-', '\u2212').replace('e+', 'e');
  return String(Number(v.toPrecision(4))).replace('-', '\u2212');
}

/** A number with so many digits after the point; what rounds to 0 has no sign.
 * @param {number} v
 * @param {number} digits
 */
export const fixed = (v, digits) => v.toFixed(digits).replace(/^-(?=0\.?0*$)/, '').replace('-', '\u2212');

/** A count, its digits in groups of three.
 * @param {number} n
 */
export const grouped = n => n.toLocaleString('en-US').replaceAll(',', '\u202f');

/** One for all times: it takes browsers some 30 kB, and toLocaleString would make one at each call. @type {Intl.DateTimeFormat | undefined} */
let localTime;

/** A time as it is written where the reader is. A formatter refuses what is no time, and a record may come from anybody.
 * @param {string} iso
 */
export function when(iso) {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return 'no date';
  localTime ??= new Intl.DateTimeFormat(undefined, {dateStyle: 'medium', timeStyle: 'short'});
  return localTime.format(time);
}

/** A probability: three digits after the point, and less than the least of them as a bound.
 * @param {number} p
 */
export const chance = p => p < 1e-3 ? '<\u00a00.001' : fixed(p, 3);

/** A text that begins with a capital letter.
 * @param {string} s
 */
export const capital = s => s.charAt(0).toUpperCase() + s.slice(1);
