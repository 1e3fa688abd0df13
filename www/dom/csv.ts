// Tables of comma-separated values that the page writes itself.

/**
 * A text as a cell: a text that a spreadsheet of any country would run as a formula begins with an apostrophe, and one that looks like several
 * cells is quoted, as by Go's export.Cell and export.Line.
 */
export function cell(s: string) {
  if (!Number.isFinite(Number(s.trim() || NaN))) {
    s = s.replace(/^[\t\r\n]/, "'$&").replace(/(^|[,;|\t\r\n])([ "]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g, "$&'");
  }
  return /[",;|\t\r\n]|^ /.test(s) ? `"${s.replaceAll('"', '""')}"` : s;
}
