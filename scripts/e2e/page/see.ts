// What a person can see of any element.
import {active, all, maybe, one, type Part} from './dom';

const wide = (e: Part) => e.scrollWidth - e.clientWidth;

export const there = (css: string) => maybe(css) !== null;
export const gone = (css: string) => !there(css);
export const count = (css: string, n: number) => all(css).length === n;
export const more = (css: string, than: number) => all(css).length > than;
export const least = (css: string, n: number) => all(css).length >= n;
export const howMany = (css: string) => all(css).length;

export const text = (css: string) => maybe(css)?.innerText ?? '';
export const texts = (css: string) => all(css).map(e => e.textContent);
export const content = (css: string) => one(css).textContent;
export const says = (css: string, part: string) => maybe(css)?.textContent.includes(part);
export const shows = (css: string, part: string) => maybe(css)?.innerText.includes(part);
export const starts = (css: string, part: string) => maybe(css)?.textContent.startsWith(part);
export const is = (css: string, text: string) => maybe(css)?.textContent === text;
export const some = (css: string, part: string) => all(css).some(e => e.textContent.includes(part));
export const filled = (css: string) => (maybe(css)?.textContent.trim() ?? '') !== '' || (maybe(css)?.children.length ?? 0) > 0;
export const empty = (css: string) => !filled(css);
export const title = (css: string) => one(css).title;
export const attribute = (css: string, name: string, value: string) => one(css).getAttribute(name) === value;

export const visible = (css: string) => maybe(css)?.checkVisibility() ?? false;
export const hidden = (css: string) => one(css).hidden;
export const disabled = (css: string) => one(css).disabled;
export const enabled = (css: string) => there(css) && !disabled(css);
export const usable = (css: string) => visible(css) && !disabled(css);
export const inert = (css: string) => one(css).inert;
export const opened = (css: string) => maybe(css)?.open;

export const value = (css: string, is: string) => maybe(css)?.value === is;
export const valueOf = (css: string) => maybe(css)?.value;
export const checked = (css: string) => one(css).checked;
export const kept = (css: string) => one(css).defaultChecked;
/** Whether the option that is chosen is the one that the page keeps. */
export const chosen = (css: string) => maybe(css)?.selectedOptions[0]?.defaultSelected;
export const state = (css: string, is: string) => one(css).dataset.state === is;

export const focused = (css: string) => active().matches(css);
export const focusPressed = (is: string) => active().getAttribute('aria-pressed') === is;
export const focusSays = (text: string) => active().textContent === text;

export const loaded = (css: string) => (maybe(css)?.naturalWidth ?? 0) > 0;
export const wider = (css: string, than: number) => (maybe(css)?.width ?? 0) > than;
export const bottom = (css: string) => one(css).getBoundingClientRect().bottom;
/** How much of an element is cut, in pixels. */
export const cutOff = (css: string) => wide(one(css));
/** How much wider than itself what is in an element is, or the page. */
export const tooWide = (css: string) => Math.max(wide(one(css)), document.documentElement.scrollWidth - innerWidth);
