// Measures the screen below the masthead: overlapping pictures and tools, text that is cut, and the largest square as a share of the largest that
// rows and columns of the same number of equal squares would have in the room that the view leaves to its pictures.
export default function boxes() {
  const shown = (e: Element) => e.checkVisibility({visibilityProperty: true}) && e.getClientRects().length > 0;
  const nameOf = (e: Element) => e.id || e.getAttribute('class') || e.nodeName;
  const all = (css: string) => [...document.querySelectorAll(css)].filter(shown);
  const wrong: string[] = [];
  // The visible part of a box: inside every ancestor that cuts.
  const seen = (r: DOMRect, from: Element | null) => {
    let {left, top, right, bottom} = r;
    for (let p = from; p && p !== document.body; p = p.parentElement) {
      if (getComputedStyle(p).overflow === 'visible') continue;
      const b = p.getBoundingClientRect();
      [left, top, right, bottom] = [Math.max(left, b.left), Math.max(top, b.top), Math.min(right, b.right), Math.min(bottom, b.bottom)];
    }
    return {left, top, right, bottom, area: Math.max(0, right - left) * Math.max(0, bottom - top)};
  };
  const low = document.documentElement.scrollHeight > innerHeight ? '' : ', .runbar, .masthead'; // which stand over a page that scrolls
  const parts = [...all('.stage .plot, .stage .toolbar, #tabs, #pulls, .knows, #pointed, .stage .chart, .side' + low)]
    .map(e => ({e, r: seen(e.getBoundingClientRect(), e.parentElement)})).filter(p => p.r.area > 0);
  parts.forEach((a, i) => parts.slice(i + 1).forEach(b => {
    if (a.e.contains(b.e) || b.e.contains(a.e)) return;
    const wide = Math.min(a.r.right, b.r.right) - Math.max(a.r.left, b.r.left), high = Math.min(a.r.bottom, b.r.bottom) - Math.max(a.r.top, b.r.top);
    if (wide > 1 && high > 1) wrong.push(nameOf(a.e) + ' lies over ' + nameOf(b.e));
  }));
  // A line of text is cut where some of it is seen and some is not, unless one can scroll to it.
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let n; (n = walk.nextNode() as Text | null);) {
    const p = n.parentElement as Element;
    if (!n.data.trim() || !shown(p) || p.closest('.unseen, option, math, h2, .skip')) continue;
    const range = document.createRange();
    range.selectNodeContents(n);
    for (const r of range.getClientRects()) {
      let across = true, down = true; // whether it cannot be scrolled to
      for (let c: Element | null = p; c && c !== document.body; c = c.parentElement) {
        const s = getComputedStyle(c), b = c.getBoundingClientRect();
        if (s.overflow === 'visible' || r.right <= b.left || r.left >= b.right || r.bottom <= b.top || r.top >= b.bottom) continue;
        const cut = (v: string) => v === 'hidden' || v === 'clip', scrolls = (v: string) => v === 'auto' || v === 'scroll';
        across &&= !scrolls(s.overflowX);
        down &&= !scrolls(s.overflowY);
        const aside = r.left < b.left - 1.5 || r.right > b.right + 1.5, above = r.top < b.top - 3 || r.bottom > b.bottom + 3;
        if (across && cut(s.overflowX) && aside || down && cut(s.overflowY) && above) {
          wrong.push('cut: ' + n.data.trim().slice(0, 40) + ' in ' + nameOf(c));
        }
      }
    }
  }
  let share: number | null = null;
  const plots = all('.stage .plot'), together = (document.querySelector('.stage') as Element).classList.contains('together') && all('#pictures').length;
  const groups: [Element, Element[]][] = together ? [[document.querySelector('#pictures') as Element, plots]]
    : [...new Set(plots.map(p => p.parentElement as Element))].map(g => [g, plots.filter(p => p.parentElement === g)]);
  for (const [room, list] of groups) {
    const r = seen(room.getBoundingClientRect(), room.parentElement);
    if (r.right - r.left < 50) continue; // on another page of the strip
    const width = room.clientWidth, height = room.clientHeight, em = parseFloat(getComputedStyle(room).fontSize);
    const text = Math.ceil(1.6 * em), gap = Math.round(0.7 * em);
    let best = 0;
    for (let columns = 1; columns <= list.length; columns++) {
      const rows = Math.ceil(list.length / columns);
      best = Math.max(best, Math.min((width + gap) / columns - gap, (height + gap) / rows - gap - text));
    }
    const largest = Math.max(...list.map(p => (p.querySelector('canvas') as Element).getBoundingClientRect().width));
    share = Math.min(share ?? Infinity, largest / best);
  }
  const [stage] = all('.stage'), first = groups[0]?.[0], pictures = first && stage ? first.clientHeight / stage.clientHeight : null;
  return {wrong: [...new Set(wrong)], share, pictures};
}
