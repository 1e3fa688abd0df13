// What a person does with any element; presses that a browser has to trust are the driver's.
import {active, all, frame, maybe, one, pointAt, send} from './dom';

export const click = (css: string) => one(css).click();
export const focus = (css: string) => one(css).focus();
export const leave = () => active().blur();
export function rest() {
  scrollTo(0, 0);
  leave();
}
export const enter = (css: string) => pointAt(one(css), .5, .5, 'pointerenter');

/** Presses what has a text. */
export const press = (css: string, text: string) => named(css, t => t === text).click();
export const pressWith = (css: string, part: string) => named(css, t => t.includes(part)).click();
function named(css: string, is: (text: string) => boolean) {
  const found = all(css).find(e => is(e.textContent));
  if (!found) throw new Error(`${css}: found ${all(css).map(e => e.textContent).join(', ')}`);
  return found;
}

/** Presses a button as soon as it shows a word. */
export function pressWhen(css: string, word: string) {
  const b = one(css), watch = new MutationObserver(() => {
    if (b.textContent !== word || b.disabled) return;
    watch.disconnect();
    b.click();
  });
  watch.observe(b, {childList: true, characterData: true, subtree: true, attributes: true});
}

export const choose = (css: string, value: string) => chooseIn(css, 0, value);
export function chooseIn(css: string, k: number, value: string) {
  const e = all(css)[k];
  if (!e) throw new Error(`${css}: found ${all(css).length}`);
  e.value = value;
  send(e, 'change');
}

/** Moves a slider, or writes a number. */
export function set(css: string, value: string) {
  one(css).value = value;
  send(one(css), 'input');
}
export const write = (css: string, text: string) => { one(css).value = text; };

/** Puts a text into a field of the form, as a person who types it and goes on. */
export function type(css: string, text: string) {
  const e = one(css);
  unfoldAround(css);
  e.focus();
  e.value = text;
  send(e, 'input');
  send(e, 'change');
}
export function unfoldAround(css: string) {
  for (let d = maybe(css)?.closest('details'); d; d = d.parentElement?.closest('details')) d.open = true;
}

export const open = (css: string) => { one(css).open = true; };
export const close = (css: string) => { one(css).open = false; };
export const openAll = (css: string) => { for (const d of all(css)) d.open = true; };
export const clear = (css: string) => one(css).replaceChildren();

export const scroll = (css: string) => one(css).scrollIntoView();
export const centre = (css: string) => one(css).scrollIntoView({block: 'center'});
export async function bring(css: string) {
  centre(css);
  await frame();
}
/** Goes to where an element stands, as a link in the page does. */
export function reveal(css: string) {
  if (!one(css).checkVisibility()) one(css).dispatchEvent(new CustomEvent('reveal', {bubbles: true}));
}
