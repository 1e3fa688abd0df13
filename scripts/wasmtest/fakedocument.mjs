// As much of a document as the page's panels need to be built and pressed without a browser. Nothing is laid out.

class Element extends EventTarget {
  children = []; parent = null; attributes = new Map(); dataset = {}; style = {}; text = ''; hidden = false; disabled = false; value = '';

  constructor(tag) {
    super();
    this.tagName = tag;
  }

  append(...children) {
    for (const c of children) {
      if (c instanceof Element) c.parent = this;
      this.children.push(c);
    }
  }

  replaceChildren(...children) {
    for (const c of this.children) if (c instanceof Element) c.parent = null;
    this.children = [];
    this.append(...children);
  }

  remove() { this.parent?.replaceChildren(...this.parent.children.filter(c => c !== this)); }

  after(...next) { this.parent?.append(...next); }

  setAttribute(name, value) {
    this.attributes.set(name, value);
    if (name.startsWith('data-')) this.dataset[name.slice(5)] = value;
    else if (name in this && typeof this[name] === 'string') this[name] = value;
    else if (name in this && typeof this[name] === 'boolean') this[name] = true;
  }

  getAttribute(name) { return this.attributes.get(name) ?? null; }

  get textContent() { return this.text + this.children.map(c => c.textContent ?? c).join(''); }

  set textContent(text) {
    this.replaceChildren();
    this.text = text;
  }

  /** All elements below of which something is true. @param {(el: Element) => boolean} is @returns {Element[]} */
  all(is) { return this.children.flatMap(c => c instanceof Element ? [...is(c) ? [c] : [], ...c.all(is)] : []); }

  /** The first one with a tag; no other selectors are known. */
  querySelector(tags) { return this.all(el => tags.split(/, */).includes(el.tagName))[0] ?? null; }

  contains(el) { return el === this || this.all(other => other === el).length > 0; }

  closest() { return this.parent; }

  focus() {}

  select() {}

  scrollIntoView() {}

  showModal() { this.open = true; }

  close() { this.open = false; }

  /** What a press of it does. */
  click() { this.dispatchEvent(new Event('click')); }
}

const byId = new Map();

/** @type {any} */
export const fake = Object.assign(new Element('html'), {
  baseURI: 'http://localhost/a/',
  activeElement: null,
  body: new Element('body'),
  createElement: tag => new Element(tag),
  createElementNS: (_, tag) => new Element(tag),
  getElementById(id) {
    if (!byId.has(id)) byId.set(id, new Element('div'));
    return byId.get(id);
  },
});

globalThis.document = fake;
globalThis.addEventListener ??= () => {};

// What a page does much later keeps no test from ending.
const {setTimeout} = globalThis;
globalThis.setTimeout = /** @type {any} */ ((f, ms, ...args) => {
  const timer = setTimeout(f, ms, ...args);
  if (ms >= 5000) timer.unref();
  return timer;
});
