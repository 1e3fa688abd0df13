// Measures the scene on screen: words, controls, what overlaps and what is cut, on the canvas too. `pen` is what essaypen.ts notes.
declare const pen: {words: {text: string, left: number, right: number, top: number, bottom: number}[]};

type Box = {name: string, left: number, right: number, top: number, bottom: number};

const MOST = {words: 40, controls: 5, firstWords: 90, firstControls: 15};
const count = (text: string) => text.split(/\s+/).filter(w => /[\p{L}\p{N}]/u.test(w)).length;

export default function essay(k: number): string[] {
  const wrong: string[] = [], root = document.querySelector('#essay') as HTMLElement;
  const scene = root.querySelector(`#scene-${k}`) as HTMLElement, tale = scene.querySelector('.tale') as HTMLElement;
  const seen = (e: Element) => {
    const b = e.getBoundingClientRect();
    return e.checkVisibility() && b.width > 0 && b.bottom > 0 && b.top < innerHeight && !e.closest('[inert]');
  };
  const boxOf = (e: Element, name: string): Box => {
    const {left, right, top, bottom} = e.getBoundingClientRect();
    return {name, left, right, top, bottom};
  };
  const controls = [...root.querySelectorAll('button, a, input, canvas')].filter(seen);
  const own = controls.filter(c => tale.contains(c)).length;
  const words = [...tale.querySelectorAll('h1, h2, p:not(.say)')].reduce((n, e) => n + count(e.textContent ?? ''), 0);
  if (words > MOST.words) wrong.push(`${words} words`);
  if (own > MOST.controls) wrong.push(`${own} controls of its own`);
  if (k === 0) {
    const parts = [...root.querySelectorAll('h1, p, header b, nav a, button, i, .say')].filter(seen);
    const all = parts.reduce((n, e) => n + count(e.textContent ?? ''), 0) + count(pen.words.map(w => w.text).join(' '));
    if (all > MOST.firstWords) wrong.push(`${all} words on the first screen`);
    if (controls.length > MOST.firstControls) wrong.push(`${controls.length} controls on the first screen`);
  }
  const figure = root.querySelector('canvas') as HTMLElement, at = figure.getBoundingClientRect();
  const scrolls = tale.scrollHeight > tale.clientHeight + 1 && getComputedStyle(tale).overflowY === 'auto';
  const boxes = [boxOf(figure, 'the figure'), boxOf(root.querySelector('.way') as Element, 'the bar'),
    boxOf(root.querySelector('header') as Element, 'the header'),
    ...(scrolls ? [boxOf(tale, 'the words')] : [...tale.children].map(e => boxOf(e, e.textContent?.slice(0, 20) ?? '')))];
  if (scrolls && innerWidth > 340) wrong.push(`the words need ${tale.scrollHeight} pixels and have ${tale.clientHeight}`);
  boxes.forEach((a, i) => {
    if (a.left < -1 || a.right > innerWidth + 1 || a.top < -1 || a.bottom > innerHeight + 1) wrong.push(`${a.name} leaves the screen`);
    for (const b of boxes.slice(i + 1)) {
      if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1) {
        wrong.push(`${a.name} lies over ${b.name}`);
      }
    }
  });
  pen.words.forEach((a, i) => {
    if (a.left < -2 || a.right > at.width + 2 || a.top < -2 || a.bottom > at.height + 2) wrong.push(`"${a.text}" is cut on the canvas`);
    for (const b of pen.words.slice(i + 1)) {
      if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2) {
        wrong.push(`"${a.text}" lies over "${b.text}"`);
      }
    }
  });
  for (const e of tale.querySelectorAll('button, .seg span, .ticks, h1, h2, p')) {
    if (e.scrollWidth > e.clientWidth + 2) wrong.push(`"${e.textContent}" is wider than its place`);
  }
  return wrong;
}
