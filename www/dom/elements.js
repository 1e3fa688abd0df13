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
