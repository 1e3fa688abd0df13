// Ways through the essay: buttons, dots, wheel, swipe and keys, a scene each.
import {button, h} from '../dom/elements.js';
import {nth} from '../dom/nth.js';

const TURN = 700; // ms in which a wheel turns one scene
const PAUSE = 300; // ms after which a wheel begins anew
const NOTCH = 30, SWIPE = 40; // px
const SPARE = 20; // px, a line that comes with other numbers
const still = matchMedia('(prefers-reduced-motion: reduce)');
const KEYS: Record<string, number> = {
  ArrowRight: 1, ArrowDown: 1, PageDown: 1, ' ': 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1,
};

export function createWays(el: HTMLElement, scenes: HTMLElement[], {from, enter}: {from: number, enter: (k: number) => void}) {
  let here = from, turned = -TURN, rested = 0, rolled = 0;
  let began: {x: number, y: number, at: number} | null = null;
  const show = (k: number, smooth = !still.matches) =>
    nth(scenes, Math.max(0, Math.min(scenes.length - 1, k))).scrollIntoView({behavior: smooth ? 'smooth' : 'instant'});
  const back = button('Back', () => show(here - 1)), next = button('Next', () => show(here + 1), {class: 'main'});
  const dots = scenes.map((s, k) => button('', () => show(k), {'aria-label': `${k + 1}: ${s.querySelector('h1')?.textContent}`}));
  el.append(h('div', {class: 'way', role: 'group', 'aria-label': 'Scenes'}, back, h('div', {class: 'dots'}, ...dots), next));
  /** On narrow screens the words have the height of the longest ones, and the figure the rest. */
  const fit = () => {
    const end = (e: Element | null | undefined, side: 'top' | 'bottom') => e?.getBoundingClientRect()[side] ?? 0;
    const highs = scenes.map(({firstElementChild: t}) =>
      end(t?.lastElementChild, 'bottom') - end(t?.firstElementChild, 'top'));
    el.style.setProperty('--words', `${Math.ceil(Math.max(...highs)) + SPARE}px`);
  };
  const away = () => !document.documentElement.classList.contains('essay');

  function arrive(k: number) {
    here = k;
    dots.forEach((d, i) => i === k ? d.setAttribute('aria-current', 'step') : d.removeAttribute('aria-current'));
    back.hidden = k === 0;
    next.disabled = k === scenes.length - 1;
    if (k !== from || location.hash) history.replaceState(null, '', `#scene=${k}`);
    enter(k);
  }

  const seen = new IntersectionObserver(list => {
    for (const {isIntersecting, target} of list) {
      const k = scenes.indexOf(target as HTMLElement);
      if (isIntersecting && k !== here && !away()) arrive(k);
    }
  }, {threshold: 0.6});
  for (const s of scenes) seen.observe(s);
  addEventListener('wheel', e => { // a notch is a scene
    if (away() || e.ctrlKey) return;
    e.preventDefault();
    if (e.timeStamp - turned < TURN) return;
    if (e.timeStamp - rested > PAUSE) rolled = 0;
    rested = e.timeStamp;
    rolled += e.deltaY;
    if (Math.abs(rolled) <= NOTCH) return;
    turned = e.timeStamp;
    show(here + Math.sign(rolled));
    rolled = 0;
  }, {passive: false});
  addEventListener('touchstart', e => {
    const [t] = e.touches, on = e.target as Element, tale = on.closest('.tale');
    const scrolls = tale && tale.scrollHeight > tale.clientHeight + 1;
    const busy = scrolls || on.closest('input') || e.touches.length > 1;
    began = t && !busy ? {x: t.clientX, y: t.clientY, at: here} : null;
  }, {passive: true});
  addEventListener('touchend', e => { // so is a swipe, however short
    const [t] = e.changedTouches;
    if (!t || !began || away()) return;
    const dx = t.clientX - began.x, dy = t.clientY - began.y;
    if (Math.abs(dy) > SWIPE && Math.abs(dy) > Math.abs(dx) * 1.3) show(began.at - Math.sign(dy));
    began = null;
  }, {passive: true});
  addEventListener('keydown', e => {
    if (away() || e.ctrlKey || e.metaKey || e.altKey) return;
    if ((e.target as Element).closest('input,button,a,canvas') && !e.key.startsWith('Page')) return;
    const by = KEYS[e.key];
    if (!by) return;
    e.preventDefault();
    show(here + by);
  });
  fit();
  addEventListener('resize', fit);
  show(from, false);
  arrive(from);
  return {show};
}
