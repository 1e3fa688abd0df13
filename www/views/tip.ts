// What stands beside the node that is pointed at.
import {h} from '../dom/elements.js';
import {legendMark, markOf} from './palette.js';
import type {Look} from './look.js';

/** show puts content beside the place (x, y) of a canvas in el. */
export function createTip(el: HTMLElement) {
  const tip = h('div', {class: 'tip', hidden: true});
  el.append(tip);
  return {
    hide() { tip.hidden = true; },
    show(canvas: HTMLCanvasElement, x: number, y: number, content: Element[]) {
      tip.hidden = false;
      tip.replaceChildren(...content);
      const at = canvas.getBoundingClientRect(), base = el.getBoundingClientRect();
      const left = Math.min(at.left - base.left + x + 12, base.width - tip.offsetWidth - 4);
      const top = Math.min(at.top - base.top + y + 12, base.height - tip.offsetHeight - 4);
      tip.style.transform = `translate(${Math.max(0, left)}px, ${Math.max(0, top)}px)`;
    },
  };
}

/** The name of a node, its class in every label set, and its number where colours show numbers. */
export const aboutNode = (look: Look, i: number) => [h('strong', {}, look.nameOf(i)), ...look.labels.map(s =>
  h('span', {}, legendMark(markOf(s, s.of[i])), `${s.name.replaceAll('_', ' ')}: ${s.of[i] < 0 ? 'missing' : s.classes[s.of[i]]}`)),
...look.numberOf(i).map(text => h('span', {}, text))];
