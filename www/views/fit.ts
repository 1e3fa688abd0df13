// Pictures as large as their room lets them be: squares in rows, all of one size and as many in a row as evenly fills them.

const LEAST = 88; // of a side, in CSS pixels; what does not fit then is scrolled to

/** The side of n squares with a line of text above each that fill a room best, and how many stand in a row. */
export function bestFit(n: number, width: number, height: number, text: number, gap: number) {
  const least = Math.min(LEAST, width);
  let side = least, columns = Math.max(1, Math.floor((width + gap) / (least + gap)));
  for (let k = 1; k <= n; k++) {
    const rows = Math.ceil(n / k), own = Math.min((width - gap * (k - 1)) / k, (height - gap * (rows - 1)) / rows - text);
    if (own > side) [side, columns] = [own, k];
  }
  return {side: Math.floor(side), columns: Math.ceil(n / Math.ceil(n / columns))};
}

/** Has the plots of a grid follow its size, in the frame in which it changes; gives what has them follow their number. */
export function fit(grid: HTMLElement) {
  function measure() {
    const n = grid.childElementCount, width = grid.offsetWidth, height = grid.offsetHeight;
    if (!n || !width || !height) return;
    const em = parseFloat(getComputedStyle(grid).fontSize), {side, columns} = bestFit(n, width, height, 1.6 * em, 0.7 * em);
    grid.style.setProperty('--side', `${side}px`);
    grid.style.setProperty('--columns', String(columns));
  }
  // With the room of scroll bars: those of plots that are too large yet take some, which it has again as soon as they fit.
  new ResizeObserver(measure).observe(grid, {box: 'border-box'});
  return measure;
}
