// The stage: where there is room, the views that belong together at once, or a single one that fills it; on a narrow screen one beside the
// other, to be swiped through. The buttons above show the visible ones and lead to each.
import {button, byId, h, setText} from '../dom/elements.js';
import {fitTogether} from './fit.js';
import type {Lab, Settings} from '../types.js';

const TOGETHER = 'all', FIRST = 'embeddings'; // what a narrow screen shows at first, as it changes when Train is pressed
const AHEAD = [TOGETHER, 'causality', 'compare', 'losses']; // the others stand under More, unless the screen is narrow

/** offer(name, there) says whether there is anything to see of a view. */
export function createStage({setup, views}: {setup: Lab['setup'], views: {name: string, title: string, together: boolean, section: HTMLElement}[]}) {
  const stage = byId('stage'), strip = byId('strip'), tabs = byId('tabs');
  let asked = '', shown = ''; // what is asked for is shown as soon as there is anything to see of it
  let width = 0; // of the strip, as placed
  let big = false; // for a hall: one view, as large as it can be
  const buttons = new Map([{name: TOGETHER, title: 'Together'}, ...views].map(({name, title}) =>
    [name, button(title, () => choose(name), {class: 'tab', 'data-show': name})]));
  const rest = h('div', {id: 'more-views'}, [...buttons].flatMap(([name, b]) => AHEAD.includes(name) ? [] : [b]));
  const more = button('More', () => open(rest.matches(':not(.open)')), {class: 'tab', 'aria-expanded': 'false', 'aria-controls': rest.id});
  tabs.append(...AHEAD.flatMap(name => buttons.get(name) ?? []), more, rest);

  function open(is: boolean) {
    rest.classList.toggle('open', is);
    more.setAttribute('aria-expanded', String(is));
  }
  tabs.addEventListener('focusout', e => { if (!tabs.contains(e.relatedTarget as Node | null)) open(false); });
  tabs.addEventListener('keydown', e => { if (e.key === 'Escape') open(false); });

  const swiped = () => strip.getClientRects().length > 0;
  /** On a narrow screen there is always one view: what is asked for, what an exercise speaks of, or the usual one. */
  const single = () => views.find(v => v.name === shown) ?? views.find(v => v.section.classList.contains('spot')) ?? views.find(v => v.name === FIRST);

  function mark() {
    const name = swiped() ? single()?.name : shown;
    for (const [n, tab] of buttons) tab.setAttribute('aria-pressed', String(n === name));
    const under = AHEAD.includes(name ?? '') ? null : buttons.get(name ?? '')?.textContent;
    setText(more, under ? `More: ${under}` : 'More');
    more.setAttribute('aria-pressed', String(Boolean(under)));
    if (!swiped()) return;
    const tab = buttons.get(name ?? '');
    if (tab) tabs.scrollLeft = tab.offsetLeft - (tabs.clientWidth - tab.offsetWidth) / 2;
  }

  function show(name: string) {
    asked = name;
    shown = views.some(v => v.name === name) && !buttons.get(name)?.hidden ? name : big ? FIRST : TOGETHER;
    stage.classList.toggle('together', shown === TOGETHER);
    stage.classList.toggle('weighs', [TOGETHER, 'losses'].includes(shown));
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
    open(false);
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
    if (rest.contains(e.target as Node)) open(true);
    if (view && (swiped() ? single() !== view : !((e.target as Element)).checkVisibility())) choose(view.name);
  });

  return {
    follow({view}: Settings) {
      open(false);
      big = view.big === '1';
      show(view.show ?? TOGETHER);
    },
    offer(name: string, there: boolean) {
      (buttons.get(name) as HTMLElement).hidden = !there;
      if (name === asked && there !== (name === shown)) show(name);
    },
  };
}
