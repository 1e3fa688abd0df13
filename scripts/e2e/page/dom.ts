// What page objects are made of.

/** Any element of the page, with what some kinds of them have. */
export interface Part extends HTMLElement {
  value: string; max: string; name: string; href: string; disabled: boolean; checked: boolean; defaultChecked: boolean; open: boolean;
  width: number; height: number; naturalWidth: number; textContent: string; dataset: Record<string, string>;
  options: HTMLCollectionOf<HTMLOptionElement>; selectedOptions: HTMLCollectionOf<HTMLOptionElement>;
  cells: HTMLCollectionOf<HTMLTableCellElement>; tBodies: HTMLCollectionOf<HTMLTableSectionElement>; tHead: HTMLTableSectionElement;
  caption: HTMLElement; labels: NodeListOf<HTMLLabelElement> | null; children: HTMLCollectionOf<Part>; parentElement: Part; firstChild: ChildNode;
  contentDocument: Document | null; contentWindow: (Window & typeof globalThis) | null;
  getAttribute(name: string): string; closest(css: string): Part; cloneNode(): Part; decode(): Promise<void>; requestSubmit(): void;
  getContext(kind: '2d'): CanvasRenderingContext2D; toDataURL(): string;
}

/** The first element that a selector matches, if there is one. */
export const maybe = (css: string, within: ParentNode = document) => within.querySelector<Part>(css);

/** The first element that a selector matches. */
export function one(css: string, within: ParentNode = document): Part {
  const found = maybe(css, within);
  if (!found) throw new Error(`${css}: found no element, expected one`);
  return found;
}

export const all = (css: string, within: ParentNode = document) => [...within.querySelectorAll<Part>(css)];

/** What has the focus. */
export const active = () => document.activeElement as Part;

/** All that elements say, with what of them is hidden. */
export const textOf = (css: string) => one(css).textContent;

export const frame = () => new Promise(requestAnimationFrame);
export const pause = (ms: number) => new Promise(done => setTimeout(done, ms));

export const send = (to: EventTarget, type: string, bubbles = true) => to.dispatchEvent(new Event(type, {bubbles, cancelable: true}));
export const key = (to: EventTarget, key: string) => to.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));

/** Moves the mouse to a place of an element, in parts of its width and height. */
export function pointAt(e: Element, x: number, y: number, type = 'pointermove') {
  const r = e.getBoundingClientRect(), at = {clientX: r.left + x * r.width, clientY: r.top + y * r.height};
  e.dispatchEvent(new PointerEvent(type, {...at, view: window, bubbles: true, cancelable: true, pointerType: 'mouse'}));
}

/** The pixels of a canvas, a number each. */
export const pixels = (c: Part) => new Uint32Array(c.getContext('2d').getImageData(0, 0, c.width, c.height).data.buffer);

/** Whether a picture shows nodes: it has more colours than its ground and its axes. */
export const pictured = (c: Part) => c.width > 0 && new Set(pixels(c)).size > 4;

/** A line to the workers whose scripts listen. */
export function tellWorkers(...what: string[]) {
  const line = new BroadcastChannel('e2e');
  for (const w of what) line.postMessage(w);
  line.close();
}

/** The state of the page, or of one in a frame (www/start/hook.ts). */
export const state = (w: {cadem?: any} = window) => w.cadem.state();
export const paused = () => state().phase === 'paused';
export const over = (w?: {cadem?: any}) => {
  const s = state(w);
  return s.phase === 'finished' && s.hash && !s.scoring && s.scores > 0 && s.drawn;
};

/** The element at a place among those that a selector matches, counted from 0; from the last by a number below it. */
export function nth(css: string, k: number, within: ParentNode = document): Part {
  const found = all(css, within).at(k);
  if (!found) throw new Error(`${css}: found ${all(css, within).length} elements, expected one more than ${k}`);
  return found;
}

/** The texts of a table's cells, row by row. */
export const rowsOf = (rows: Iterable<{cells?: Iterable<Element>}>) => [...rows].map(r => [...r.cells ?? []].map(c => c.textContent ?? ''));
export const table = (css: string, within: ParentNode = document) => rowsOf(all(css, within));
/** The text of a cell. */
export const cell = (row: {cells: HTMLCollectionOf<Element>} | undefined, k: number) => row?.cells[k]?.textContent ?? '';
