// The places of the page, one of them on screen: the present one is part of the address, and the browser's Back leads to the one before.
import {byId, h} from '../dom/elements.js';
import {HIDABLE, placeOf} from '../settings/state.js';
import type {Lab, Settings} from '../types.js';

// Parts that a locked page shows and does not let change. It refuses dropped files. */
const LOCKED = ['settings-form', 'data-picker', 'pulls-view', 'experiments-view', 'runs'];

/** Elements with data-place are in the places that it names. */
export function createPlaces({setup}: Lab) {
  const parts = [...document.querySelectorAll('[data-place]')] as HTMLElement[];
  const links = [...byId('places').querySelectorAll('a')] as HTMLAnchorElement[];
  const nameOf = (a: HTMLAnchorElement) => a.hash.slice(1);
  const choice = byId<HTMLSelectElement>('place-switch');
  choice.append(...links.map(a => h('option', {value: nameOf(a)}, a.text)));
  let here = '';

  function show(place: string) {
    if (place === here) return;
    here = place;
    document.body.dataset.at = place;
    for (const el of parts) el.hidden = !el.dataset.place?.split(' ').includes(place);
    for (const a of links) nameOf(a) === place ? a.setAttribute('aria-current', 'page') : a.removeAttribute('aria-current');
    choice.value = place;
  }

  function go(place: string) {
    if (place === here || document.documentElement.classList.contains('embed')) return;
    location.hash = setup.hashWith({place}); // a new entry, for Back; with pushState it takes Firefox six times the memory
    show(place);
    setup.setView({place});
  }

  for (const a of links) a.addEventListener('click', e => {
    e.preventDefault();
    go(nameOf(a));
  });
  choice.addEventListener('change', () => go(choice.value));
  document.addEventListener('reveal', e => {
    const el = e.target as HTMLElement, part = el.closest('[data-place]') as HTMLElement | null;
    for (let d = el.closest('details'); d; d = d.parentElement?.closest('details') ?? null) d.open = true;
    if (part?.hidden) go(part.dataset.place?.split(' ')[0] ?? '');
  });

  return {
    follow({view}: Settings) {
      const left = String(view.hide ?? '').split('.');
      show(placeOf(view));
      document.body.classList.toggle('taught', Boolean(view.lesson) && here === 'learn');
      for (const name of ['big', 'embed'] as const) document.documentElement.classList.toggle(name, view[name] === '1');
      if (view.big === '1' && !view.lesson) left.push('learn');
      for (const id of HIDABLE) byId(id).classList.toggle('left-out', left.includes(id));
      for (const id of LOCKED) byId(id).inert = view.lock === '1';
    },
  };
}
