// Common to all canvases: keys go from one point to the next, and colours follow the reader's theme.
import {theme} from './palette.js';

/**
 * Has keys move a focus on a canvas. Gives {at}, the point in focus, -1 for none.
 * go(key, from) gives the point that a key leads to, undefined if it leads nowhere; describe(i) what is said of it; choose(i, add) is
 * called for Enter, and with -1 for Escape; hover(i) for what is in focus, -1 when that is left.
 */
export function focusable(canvas: HTMLCanvasElement, {label, go, describe, choose, hover, redraw}: {
  label: () => string; go: (key: string, from: number) => number | undefined; describe: (i: number) => string;
  choose: (i: number, add: boolean) => void; hover: (i: number) => void; redraw: () => void;
}) {
  const focus = {at: -1};
  canvas.addEventListener('keydown', e => {
    const to = go(e.key, focus.at);
    if (to !== undefined) {
      focus.at = to;
      canvas.setAttribute('aria-label', `${label()}: ${describe(to)}`);
      hover(to);
    } else if (e.key === 'Enter' && focus.at >= 0) choose(focus.at, e.shiftKey);
    else if (e.key === 'Escape') choose(-1, false);
    else return;
    e.preventDefault();
    redraw();
  });
  canvas.addEventListener('blur', () => {
    focus.at = -1;
    canvas.setAttribute('aria-label', label());
    hover(-1);
    redraw();
  });
  return focus;
}

/** Calls f with the colours that hold at an element whenever the theme changes; gives what ends that. */
export function followTheme(el: HTMLElement, f: (colours: Theme) => void) {
  const dark = matchMedia('(prefers-color-scheme: dark)'), recolour = () => f(theme(el));
  dark.addEventListener('change', recolour);
  return () => dark.removeEventListener('change', recolour);
}
