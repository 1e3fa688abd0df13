// Small helpers around the DOM. Text always goes in as text: there is no path from data to markup.

/** Attributes and listeners of an element. */
type Props = Record<string, unknown>;

/** The children of an element: lists are flattened, and missing children left out. */
type Leaf = Node | string | number | null | undefined | false;
export type Child = Leaf | Leaf[];

type ElementOf<T> = T extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[T] : HTMLElement;

/**
 * Makes an element. `props` sets attributes (true: present, false or null: left out), `class`, and
 * listeners under names that start with "on".
 */
export function h<T extends string>(tag: T, props?: Props | null, ...children: Child[]): ElementOf<T> {
  const el: HTMLElement = document.createElement(tag);
  for (const [name, value] of Object.entries(props || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) el.addEventListener(name.slice(2), value as EventListener);
    else el.setAttribute(name, value === true ? '' : String(value));
  }
  el.append(...children.flat().filter(c => c !== null && c !== undefined && c !== false) as Node[]);
  return el as ElementOf<T>;
}

export const button = (text: Child, onclick: unknown, props: Props = {}) => h('button', {type: 'button', onclick, ...props}, text);

/** Choices, one of them checked, as radio buttons under a title: [value, text] each. */
export const radios = (title: string, name: string, choices: [string, Child][], chosen: string, onchange: unknown) =>
  h('fieldset', {class: 'switch'}, h('legend', {}, title), choices.map(([value, text]) =>
    h('label', {}, h('input', {type: 'radio', name, value, checked: value === chosen, onchange}), text)));

/** A box that scrolls sideways when what is in it is too wide. */
export const scrolled = (label: string, ...content: Child[]) => h('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label}, ...content);

/** A table; each row begins with its subject. `of` gives the class of a column, `kind` that of the table. */
export const tableOf = ({head = [], rows, caption, kind, of = () => null}: {
  head?: Child[]; rows: Child[][]; caption?: string; kind?: string; of?: (column: number) => string | null;
}) => h('table', {class: kind}, caption && h('caption', {}, caption),
  head.length > 0 && h('thead', {}, h('tr', {}, head.map((t, k) => h('th', {scope: 'col', class: of(k)}, t)))),
  h('tbody', {}, rows.map(([first, ...rest]) => h('tr', {}, h('th', {scope: 'row'}, first), rest.map((t, k) => h('td', {class: of(k + 1)}, t))))));

const SVG = 'http://www.w3.org/2000/svg';

/** Makes an SVG element. */
export function svg(tag: string, props?: Props | null, ...children: (Node | string)[]) {
  const el = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(props || {})) el.setAttribute(name, String(value));
  el.append(...children);
  return el;
}

/** What the path of an SVG says for lines through points; nothing for fewer than two. */
export const pathOf = (points: [number, number][]) =>
  points.length > 1 ? 'M' + points.map(p => p.map(v => v.toFixed(1)).join(' ')).join('L') : '';

/** An element of the page by its id. Those that are asked for are there: the page's markup has them, or a view has just made them. */
export const byId = <T extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as T;

/** Writes text only when it changes, so that nothing is laid out or announced twice. */
export function setText(el: Element, text: string) {
  if (el.textContent !== text) el.textContent = text;
}

/** Has an element on screen, wherever it stands: the folds, the place and the view that it belongs to come first. */
export function reveal(el: Element, behavior: ScrollBehavior = 'auto') {
  el.dispatchEvent(new CustomEvent('reveal', {bubbles: true}));
  el.scrollIntoView({behavior});
}

/** Keeps the height of an element while its content is away, so that nothing below moves. */
export function holdHeight(el: HTMLElement, away: boolean) {
  if (!away) el.style.minHeight = '';
  else if (!el.style.minHeight) el.style.minHeight = `${el.offsetHeight}px`;
}

/** Hands a file to the browser's download. */
export function download(bytes: Blob | Uint8Array<ArrayBuffer> | string, name: string, type?: string) {
  const url = URL.createObjectURL(bytes instanceof Blob ? bytes : new Blob([bytes], {type}));
  const a = h('a', {href: url, download: name});
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
