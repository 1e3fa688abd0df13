// Links inside the page, and the link to what it shows.
import {h, reveal, setText} from '../dom/elements.js';
import type {Lab} from '../types.js';

/** Links inside the page move focus and keep the address, which belongs to the settings. */
export function goTo(e: Event) {
  e.preventDefault();
  const link = e.currentTarget as HTMLAnchorElement;
  const target = document.querySelector(link.getAttribute('href') as string) as HTMLElement;
  reveal(target, matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth');
  target.focus({preventScroll: true});
}

/** Copies the address, which holds the settings; the button says so. */
export async function copyLink(button: HTMLElement, {notices, say}: Lab) {
  try {
    await navigator.clipboard.writeText(location.href);
    setText(button, 'Copied');
    say.announce('Link copied');
  } catch {
    // No permission, or not a secure place: show it to be copied by hand.
    const address = h('input', {type: 'text', readonly: true, value: location.href, size: 60, onfocus: () => address.select()});
    notices.show('link', h('label', {}, 'The link: ', address));
    say.announce('The link could not be copied. It stands at the top of the page, to be copied by hand.');
  }
  setTimeout(() => setText(button, 'Copy link'), 2000);
}
