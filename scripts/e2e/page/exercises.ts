// Exercises: a card, its question and what it asks to be done.
import {all, frame, maybe, one, textOf} from './dom';

export const name = () => new URLSearchParams(location.hash.slice(1)).get('lesson');
export const isAt = (card: string) => name() === card;
export const open = () => textOf('#lesson-card');
export const isCalled = (text: string) => maybe('#lesson-card')?.textContent === text;
export const calledFrom = (start: string) => maybe('#lesson-card')?.textContent.startsWith(start);
export const state = () => one('.lesson-card').dataset.state;
export const is = (wanted: string) => state() === wanted;
export const doable = () => textOf('#lesson-do') === 'Do it for me';
export const done = () => doable() && one('#lesson-next').matches('.primary');
export const foundShown = () => maybe('#found-title')?.checkVisibility();
/** A notice of the contents names a card. */
export const recalls = (card: string) => all('.lesson-contents .notice').some(n => !n.hidden && n.textContent.includes(card));
/** The field for a student's number comes before the start. */
export const numberFirst = () => one('#lesson-number').compareDocumentPosition(one('#lesson-start')) & Node.DOCUMENT_POSITION_FOLLOWING;
/** How many things move after a step to the next card. */
export async function nextMoves() {
  await Promise.allSettled(document.getAnimations().map(a => a.finished));
  one('#lesson-next').click();
  while (!calledFrom('Train')) await frame();
  return document.getAnimations().length;
}
