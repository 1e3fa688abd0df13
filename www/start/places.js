// @ts-check
// The places of the page, one of which is on screen: which of them is part of the address, and the browser's Back leads to the one before.
import {byId} from '../dom/elements.js';
import {HIDABLE, placeOf} from '../settings/state.js';

const LOCKED = ['settings-form', 'data-picker', 'pulls-view']; // what a locked page shows and does not let change

/**
 * createPlaces(setup) -> {follow(settings)}
 *
 * What has data-place stands in the places that it names.
 * @param {import('../settings/setup.js').Setup} setup
 */
export function createPlaces(setup) {
  const parts = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('[data-place]')]);
  const links = /** @type {HTMLAnchorElement[]} */ ([...byId('places').querySelectorAll('a')]);
  const nameOf = (/** @type {HTMLAnchorElement} */ a) => a.hash.slice(1);
  const choice = byId('place-switch');
  let here = '';

  /** @param {string} place */
  function show(place) {
    if (place === here) return;
    here = place;
    document.body.dataset.at = place;
    for (const el of parts) el.hidden = !el.dataset.place?.split(' ').includes(place);
    for (const a of links) nameOf(a) === place ? a.setAttribute('aria-current', 'page') : a.removeAttribute('aria-current');
    choice.value = place;
  }

  /** @param {string} place */
  function go(place) {
    if (place === here || document.documentElement.classList.contains('embed')) return;
    location.hash = setup.hashAt(place); // a new entry, for Back; with pushState it takes Firefox six times the memory
    show(place);
    setup.setView({place});
  }

  for (const a of links) a.addEventListener('click', e => {
    e.preventDefault();
    go(nameOf(a));
  });
  choice.addEventListener('change', () => go(choice.value));
  document.addEventListener('reveal', e => {
    const part = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (e.target).closest('[data-place]'));
    if (part?.hidden) go(part.dataset.place?.split(' ')[0] ?? '');
  });

  return {
    /** @param {Settings} settings */
    follow({view}) {
      const left = String(view.hide ?? '').split('.');
      show(placeOf(view));
      for (const name of ['big', 'embed']) document.documentElement.classList.toggle(name, view[name] === '1');
      for (const id of HIDABLE) byId(id).classList.toggle('left-out', left.includes(id));
      for (const id of LOCKED) byId(id).inert = view.lock === '1';
    },
  };
}
