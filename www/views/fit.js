// @ts-check
// Pictures as large as their room lets them be: squares in rows, all of one size.

const LEAST = 104; // of a side, in CSS pixels; what does not fit then is scrolled to

/** The side of n squares with a line of text above each that fill a room best.
 * @param {number} n
 * @param {number} width
 * @param {number} height
 * @param {number} text
 * @param {number} gap
 */
export function sideOf(n, width, height, text, gap) {
  let best = Math.min(LEAST, width);
  for (let columns = 1; columns <= n; columns++) {
    const rows = Math.ceil(n / columns);
    best = Math.max(best, Math.min((width - gap * (columns - 1)) / columns, (height - gap * (rows - 1)) / rows - text));
  }
  return Math.floor(best);
}

/** Has the plots of a grid follow its size, in the frame in which it changes; gives what has them follow their number.
 * @param {HTMLElement} grid
 */
export function fit(grid) {
  function measure() {
    const n = grid.childElementCount, width = grid.offsetWidth, height = grid.offsetHeight;
    if (!n || !width || !height) return;
    const em = parseFloat(getComputedStyle(grid).fontSize);
    grid.style.setProperty('--side', `${sideOf(n, width, height, 1.6 * em, 0.7 * em)}px`);
  }
  // With the room of scroll bars: those of plots that are too large yet take some, which it has again as soon as they fit.
  new ResizeObserver(measure).observe(grid, {box: 'border-box'});
  return measure;
}
