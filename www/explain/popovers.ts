// What a symbol or a marked word means, said where it stands: in one popover, for a pointer that rests on it, for the keyboard, and for a tap. Symbols
// in the texts, headings and formulas of the page are found here; whatever else has data-means is one, too. Who hears the page is told of no parts of a
// formula: the Tab key stops at the whole, which names all of its symbols.
import {h} from '../dom/elements.js';
import {meaningOf, pieces, symbolOf} from './glossary.js';

const ABOVE = 6; // px between what is explained and the popover

/** Where the page speaks itself, and not of names that are a reader's. */
const TEXTS = ['.how :is(p, dd, dt)', '.card-text', '.card-do', '#causality-view :is(p.measure, figcaption, li, h3)', '#causality-view .ways thead',
  '#knows-view :is(p, summary)', '#pulls-view > p', '.method-words', '.box', '#compare-view .compare-words'].join();
/** Elements that hold a symbol alone. */
const ALONE = ['.plot > figcaption i', '.knows th i', '.pull .symbol', '.term .symbol', '.box i'].join();
const FORMULA = ':is(.formula, .total)', PART = 'msub, msubsup, msup, mi';
/** Where a symbol cannot be pressed by itself, or belongs to those who are told of changes. */
const NEVER = 'button, a, summary, label, select, textarea, svg, math, code, [aria-live], [role="status"], [data-means]';

const SCOPE = 'article, section, dialog, .lesson-card'; // in each, the first of a symbol is a stop of the Tab key

export function createPopovers(root: HTMLElement) {
  const box = h('div', {id: 'means', class: 'means', popover: 'manual', role: 'tooltip'});
  (root.querySelector('main') ?? root).append(box);
  let of: HTMLElement | null = null;

  function show(el: HTMLElement) {
    if (el === of) return;
    hide();
    const keys = (el.dataset.means ?? '').split('|'), all = keys.flatMap(key => [h('dt', {}, key), h('dd', {}, meaningOf(key))]);
    box.replaceChildren(keys.length > 1 ? h('dl', {}, all) : all[1]?.textContent ?? '');
    of = el;
    el.setAttribute('aria-describedby', box.id);
    box.showPopover();
    place(el);
  }

  function place(el: HTMLElement) {
    const at = el.getBoundingClientRect(), size = box.getBoundingClientRect(), {clientWidth, clientHeight} = document.documentElement;
    const below = at.bottom + ABOVE + size.height < clientHeight || at.top < size.height + ABOVE;
    box.style.left = `${Math.max(4, Math.min(at.left, clientWidth - size.width - 4))}px`;
    box.style.top = `${below ? at.bottom + ABOVE : at.top - size.height - ABOVE}px`;
  }

  function hide() {
    of?.removeAttribute('aria-describedby');
    of = null;
    if (box.matches(':popover-open')) box.hidePopover();
  }

  const meant = (e: Event) => e.target instanceof Element ? e.target.closest<HTMLElement>('[data-means]') : null;
  let tapped: HTMLElement | null = null; // it was shown before it was pressed: pressing hides it
  root.addEventListener('pointerover', e => {
    const el = meant(e);
    if (e.pointerType === 'mouse' && el) show(el);
  });
  root.addEventListener('pointerout', e => {
    if (e.pointerType === 'mouse' && of && meant(e) === of && !of.matches(':focus')) hide();
  });
  root.addEventListener('pointerdown', e => {
    tapped = of && meant(e) === of && e.pointerType !== 'mouse' ? of : null;
    if (!meant(e)) hide();
  });
  root.addEventListener('focusin', e => {
    const el = meant(e);
    if (el) show(el);
  });
  root.addEventListener('focusout', hide);
  root.addEventListener('click', e => {
    const el = meant(e);
    if (!el) return;
    if (el.closest('label')) e.preventDefault(); // or its field would be pressed
    if (tapped === el) hide();
    else show(el);
    tapped = null;
  });
  root.addEventListener('keydown', e => {
    if (e.key === 'Escape') hide();
    if ((e.key === 'Enter' || e.key === ' ') && meant(e)?.getAttribute('role') === 'button') {
      e.preventDefault();
      show(meant(e) as HTMLElement);
    }
  });
  addEventListener('scroll', () => {
    if (of?.matches(':focus')) place(of); // which may have been scrolled to
    else hide();
  }, {capture: true, passive: true});

  /** Whether the Tab key stops at it. */
  function stop(el: Element, key: string) {
    const first = !(el.parentElement?.closest(SCOPE) ?? root).querySelector(`[data-means="${key}"]:not([tabindex="-1"])`);
    return first ? 0 : -1;
  }

  const set = (el: Element, attributes: Record<string, unknown>) => {
    for (const [name, value] of Object.entries(attributes)) el.setAttribute(name, String(value));
  };

  /** Marks an element that is a symbol. */
  function mark(el: Element) {
    const key = symbolOf(el.textContent ?? '');
    if (!el.closest('[data-means], button, a') && key) set(el, {role: 'button', tabindex: stop(el, key), class: 'symbol means-it', 'data-means': key});
  }

  /** The symbol of a part of a formula, without what stands above and below it. */
  const keyOf = (part: Element) => {
    const base = part.tagName === 'mi' ? part : part.firstElementChild;
    return base?.tagName === 'mi' ? symbolOf(base.textContent ?? '') : null;
  };

  /** Marks the symbols of a formula, or makes a button of one that stands in a text by itself. */
  function formula(math: Element) {
    const whole = math.closest(FORMULA), keys = new Set<string>();
    if (math.closest('button')) return;
    const only = math.children.length === 1 && math.firstElementChild?.matches(PART) ? math.firstElementChild : null, key = only && keyOf(only);
    if (!whole && key) {
      const name = math.textContent; // formulas name no button
      const button = h('button', {type: 'button', class: 'means-it', 'data-means': key, tabindex: stop(math, key), 'aria-label': name});
      math.replaceWith(button);
      button.append(math);
    }
    if (!whole) return;
    for (const part of math.querySelectorAll(PART)) {
      const symbol = keyOf(part);
      if (!symbol || part.parentElement?.closest('[data-means]:not(div, p)')) continue;
      part.setAttribute('data-means', symbol);
      keys.add(symbol);
    }
    if (keys.size) set(whole, {tabindex: 0, role: 'group', 'aria-label': whole.getAttribute('aria-label') ?? 'A formula', 'data-means': [...keys].join('|')});
  }

  /** Makes buttons of the symbols in a text. */
  function wrap(text: Text) {
    const list = pieces(text.data), {parentElement} = text;
    if (list.length < 2 || !parentElement || parentElement.closest(NEVER) || !parentElement.closest(TEXTS)) return;
    const parts: (Node | string)[] = [];
    for (const [words, symbol] of list) {
      parts.push(words);
      const key = symbolOf(symbol);
      if (key) parts.push(h('button', {type: 'button', class: 'means-it', 'data-means': key, tabindex: stop(text as unknown as Element, key)}, symbol));
    }
    text.replaceWith(...parts.filter(p => p !== ''));
  }

  function look(node: Node) {
    if (node instanceof Text) {
      wrap(node);
      return;
    }
    if (!(node instanceof Element)) return;
    if (node.matches(ALONE)) mark(node);
    for (const el of node.querySelectorAll(ALONE)) mark(el);
    if (node.matches('math')) formula(node);
    for (const el of node.querySelectorAll('math')) formula(el);
    const texts = [], walk = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) texts.push(walk.currentNode as Text);
    texts.forEach(wrap);
  }

  for (const part of root.querySelectorAll('#stage, .side')) {
    look(part);
    new MutationObserver(list => {
      if (of && !of.isConnected) hide();
      for (const {addedNodes} of list) for (const node of addedNodes) if (node.isConnected) look(node);
    }).observe(part, {childList: true, subtree: true});
  }
}
