// @ts-check
// Tables of comma-separated values that the page writes itself.

/** A text as a cell: what a spreadsheet would run as a formula begins with an apostrophe, as in Go's export.Cell.
 * @param {string} s
 */
export function cell(s) {
  if (/^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(s) && !Number.isFinite(Number(s.trim() || NaN))) s = "'" + s;
  return /[",\r\n]/.test(s) ? `"${s.replaceAll('"', '""')}"` : s;
}
