// @ts-check
// Small helpers around the DOM. Text always goes in as text: there is no path from data to markup.

/**
 * Makes an element. `props` sets attributes (true: present, false or null: left out), `class`, and
 * listeners under names that start with "on".
 * @template {string} T
 * @param {T} tag
 * @param {Record<string, any> | null} [props]
 * @param {...any} children
 * @returns {T extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[T] : HTMLElement}
 */
export function h(tag, props, ...children) {
  /** @type {any} */
  const el = document.createElement(tag);
  for (const [name, value] of Object.entries(props || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) el.addEventListener(name.slice(2), value);
    else el.setAttribute(name, value === true ? '' : String(value));
  }
  el.append(...children.flat().filter(c => c !== null && c !== undefined && c !== false));
  return el;
}

/** A box that scrolls sideways when what is in it is too wide.
 * @param {string} label
 * @param {...any} content
 */
export const scrolled = (label, ...content) => h('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label}, ...content);

/** A table, each row of which begins with what it is about. `of` gives the class of a column, `kind` that of the table.
 * @param {{head: any[], rows: any[][], caption?: string, kind?: string, of?: (column: number) => string | null}} what
 */
export const tableOf = ({head, rows, caption, kind, of = () => null}) => h('table', {class: kind}, caption && h('caption', {}, caption),
  h('thead', {}, h('tr', {}, head.map((t, k) => h('th', {scope: 'col', class: of(k)}, t)))),
  h('tbody', {}, rows.map(([first, ...rest]) => h('tr', {}, h('th', {scope: 'row'}, first), rest.map((t, k) => h('td', {class: of(k + 1)}, t))))));

const SVG = 'http://www.w3.org/2000/svg';

/** Makes an SVG element.
 * @param {string} tag
 * @param {Record<string, any> | null} [props]
 * @param {...any} children
 */
export function svg(tag, props, ...children) {
  const el = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(props || {})) el.setAttribute(name, String(value));
  el.append(...children);
  return el;
}

/** An element of the page by its id. Those that are asked for are there: the page's markup has them, or a view has just made them.
 * @param {string} id
 * @returns {any}
 */
export const byId = id => document.getElementById(id);

/** Writes text only when it changes, so that nothing is laid out or announced twice.
 * @param {Element} el
 * @param {string} text
 */
export function setText(el, text) {
  if (el.textContent !== text) el.textContent = text;
}

/** Has an element on screen, wherever it stands: the place and the view that it belongs to come first.
 * @param {Element} el
 * @param {ScrollBehavior} [behavior]
 */
export function reveal(el, behavior = 'auto') {
  el.dispatchEvent(new CustomEvent('reveal', {bubbles: true}));
  el.scrollIntoView({behavior});
}

/** Hands a file to the browser's download.
 * @param {Blob | Uint8Array<ArrayBuffer> | string} bytes
 * @param {string} name
 * @param {string} [type]
 */
export function download(bytes, name, type) {
  const url = URL.createObjectURL(bytes instanceof Blob ? bytes : new Blob([bytes], {type}));
  const a = h('a', {href: url, download: name});
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
