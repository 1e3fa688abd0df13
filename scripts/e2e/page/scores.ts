// Scores: how good embeddings are, and what each of them knows.
import {all, maybe, one, rowsOf, textOf} from './dom';

export const there = () => maybe('#metrics table');
export const rated = () => maybe('#metrics table.score');
export const verdict = () => maybe('#verdict li');
export const are = (text: string) => one('#metrics').innerText === text;
export const andLosses = () => [textOf('#metrics'), textOf('#losses-table')];
export const titles = () => all('.knows td').map(td => td.title);
export const meter = () => rowsOf(all('.meter tbody tr').map(r => ({cells: r.children})));
export const shares = () => one('.twin table', one('.shares-words').parentElement).textContent;
/** How many marks of the trained model there are. */
export const marks = (n: number) => all('#knows-view .trained').length === n;
/** Where marks of a kind stand, from 0 to 1. */
export const circles = (kind: string) => all('#knows-view circle.' + kind).map(c => (Number(c.getAttribute('cx')) - 6) / 44);

/** Every cell of who knows what: its number, and where its marks stand on its line. */
export const knows = () => all('.knows tbody tr').map(r => all('td', r).map(c => {
  const line = one('.room', c), [from = 0, to = 0] = ['x1', 'x2'].map(k => Number(line.getAttribute(k)));
  const at = (of: string) => (Number(one('circle.' + of, c).getAttribute('cx')) - from) / (to - from);
  return {says: one('.score', c).textContent, framed: c.classList.contains('wanted'), trained: at('trained'), before: at('untrained')};
}));
