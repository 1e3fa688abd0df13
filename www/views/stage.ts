// The stage: where there is room, the views that belong together at once, or a single one that fills it; on a narrow screen one beside the
// other, to be swiped through. The buttons above show the visible ones and lead to each.
import {byId, h} from '../dom/elements.js';
import {fitTogether} from './fit.js';
import type {Setup} from '../settings/setup.js';

const TOGETHER = 'all', FIRST = 'embeddings'; // what a narrow screen shows at first, as it changes when Train is pressed

/** offer(name, there) says whether there is anything to see of a view. */
export function createStage({setup, views}: {setup: Setup, views: {name: string, title: string, together: boolean, section: HTMLElement}[]}) {
  const stage = byId('stage'), strip = byId('strip'), tabs = byId('tabs');
  let asked = '', shown = ''; // what is asked for is shown as soon as there is anything to see of it
  let width = 0; // of the strip, as placed
  let big = false; // for a hall: one view, as large as it can be
  const buttons = new Map([{name: TOGETHER, title: 'Together'}, ...views].map(({name, title}) =>
    [name, h('button', {type: 'button', class: 'tab', 'data-show': name, onclick: () => choose(name)}, title)]));
  tabs.append(...buttons.values());

  const swiped = () => strip.getClientRects().length > 0;
  /** On a narrow screen there is always one view: what is asked for, what an exercise speaks of, or the usual one. */
  const single = () => views.find(v => v.name === shown) ?? views.find(v => v.section.classList.contains('spot')) ?? views.find(v => v.name === FIRST);

  function mark() {
    const name = swiped() ? single()?.name : shown;
    for (const [n, button] of buttons) button.setAttribute('aria-pressed', String(n === name));
    if (!swiped()) return;
    const button = buttons.get(name ?? '');
    if (button) tabs.scrollLeft = button.offsetLeft - (tabs.clientWidth - button.offsetWidth) / 2;
  }

  function show(name: string) {
    asked = name;
    shown = views.some(v => v.name === name) && !buttons.get(name)?.hidden ? name : big ? FIRST : TOGETHER;
    stage.classList.toggle('together', shown === TOGETHER);
    for (const v of views) v.section.classList.toggle('on', shown === TOGETHER ? v.together : v.name === shown);
    place();
    mark();
  }

  /** Scrolls the strip to its view, at once. */
  function place() {
    width = strip.clientWidth;
    if (swiped()) strip.scrollLeft = single()?.section.offsetLeft ?? 0;
  }

  function choose(name: string) {
    show(name);
    setup.setView({show: name === TOGETHER ? null : name});
  }

  strip.addEventListener('scroll', () => {
    if (strip.clientWidth !== width) return; // it was not swiped: it has another size, and stands where it stood
    const at = views.find(v => Math.abs(v.section.offsetLeft - strip.scrollLeft) < 2);
    if (!at || at === single()) return;
    asked = shown = at.name;
    mark();
    setup.setView({show: shown});
  }, {passive: true});
  new ResizeObserver(() => requestAnimationFrame(() => show(asked))).observe(strip); // it changes what was measured in this frame
  document.addEventListener('lit', () => show(asked));
  new ResizeObserver(fitTogether).observe(byId('pictures'));
  document.addEventListener('reveal', e => {
    const view = views.find(v => v.section.contains(e.target as Node));
    if (view && (swiped() ? single() !== view : !((e.target as Element)).checkVisibility())) choose(view.name);
  });

  return {
    follow({view}: Settings) {
      big = view.big === '1';
      show(view.show ?? TOGETHER);
    },
    offer(name: string, there: boolean) {
      (buttons.get(name) as HTMLElement).hidden = !there;
      if (name === asked && there !== (name === shown)) show(name);
    },
  };
}
