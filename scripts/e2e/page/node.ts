// A node: what is pointed at or picked, its card, and why it is where it is.
import {all, maybe, nth, one, textOf} from './dom';

export const pointed = () => maybe('#pointed.tells');
export const pointedLines = () => [...one('#pointed').children].map(e => e.textContent);
export const pointedText = () => pointedLines().join('\n');
export const picked = () => maybe('.picked')?.checkVisibility();
export const pickedIs = (start: string) => textOf('.picked').startsWith(start);
/** What is said of the selection, or of what is pointed at in its place. */
export const said = () => ['.picked', '#pointed'].map(of => one(of).innerText).join('\n');

export const links = () => all('#node-card table').map(t => all('tbody td:nth-child(2)', t).map(c => c.textContent));
export const nearest = () => one('td button', nth('#node-card table', -1)).textContent;

export const sumDrawn = (part: string) => maybe('#why-drawn')?.textContent.includes(part);
export const why = (part: string) => maybe('#why-answer')?.textContent.includes(part);
/** The sum of the shares that make up a place, in per cent. */
export const sum = () => all('#why-answer > table:first-of-type td').reduce((s, c) => s + parseFloat(c.textContent.replace('\u2212', '-')), 0);
export function askOf(part: string) {
  one('#why-of').value = part;
}
export const openWhatIf = () => { one('#what-if').closest('details').open = true; };
export const moved = () => maybe('#what-if-moved');
export const movedBy = (part: string) => moved()?.textContent.includes(part);
