// Losses: their curves and their table.
import {all, maybe, nth, one, textOf} from './dom';

export const there = () => maybe('#losses-view canvas');
export const rows = (n: number) => all('#losses-table tbody tr').length === n;
export const moving = () => Number(textOf('[data-loss=matching]')) > 0 && all('#losses-table tbody tr').length > 1;
export const last = () => nth('#losses-table tbody tr:last-child td', -1).textContent;
export const hiddenText = () => textOf('[data-loss=matching]') + textOf('#losses-table');
export function reveal() {
  one('.terms').scrollIntoView();
  one('#losses-twin').open = true;
}
export function column(title: string) {
  const t = one('#losses-table table'), i = [...t.tHead.rows[0]?.cells ?? []].findIndex(c => c.textContent === title);
  return [...t.tBodies[0]?.rows ?? []].map(r => Number(r.cells[i]?.textContent));
}
/** How many pixels of the curves' picture are dark. */
export function dark() {
  const c = one('#losses-view canvas'), px = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
  let n = 0;
  for (let i = 0; i < px.length; i += 4) if (Number(px[i + 3]) > 200 && Math.max(...px.subarray(i, i + 3)) < 120) n++;
  return n;
}
export const darker = (than: number) => dark() >= than;
