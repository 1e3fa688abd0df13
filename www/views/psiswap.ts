// Swaps by hand: the bag whose P is shown, and the C of another one, which is dragged onto the tip of P or pressed.
import {button, h, svg} from '../dom/elements.js';
import {arrowPath} from './psidraw.js';
import type {Bags} from './psibags.js';
import type {createPlane} from './psidraw.js';

const NEAR = 22; // units of the drawing: C is taken when its tail is let go that near the tip of P
const STILL = 6; // pixels: a pointer that moves less has pressed

interface SwapOptions { picture: ReturnType<typeof createPlane>; pair(): {p: number, c: number}; choose(p: number, c: number): void; play(): void }

export function createSwap({picture, pair, choose, play}: SwapOptions) {
  const bag = h('select', {id: 'psi-bag', onchange: () => choose(Number(bag.value), Number(bag.value))}), tray = h('div', {class: 'psi-tray'});
  const el = h('div', {id: 'psi-swap'},
    h('div', {class: 'toolbar'}, h('label', {for: 'psi-bag'}, 'P of '), bag, button('Its own C', () => choose(pair().p, pair().p), {id: 'psi-back'}),
      button('Be ψ: name six layers', play, {id: 'psi-play'})),
    h('p', {class: 'small'}, 'Drag the C of another bag onto the tip of P, or press it:'), tray);
  let pulled = false; // the press that follows belongs to a C that was dragged

  function drag(c: number, down: PointerEvent) {
    const held = down.currentTarget as HTMLElement, ends = ['pointerup', 'pointercancel'] as const;
    let taken = false;
    const move = (at: PointerEvent) => {
      pulled ||= Math.hypot(at.clientX - down.clientX, at.clientY - down.clientY) > STILL;
      if (!pulled) return;
      const {at: tail, far} = picture.at(at.clientX, at.clientY, pair().p);
      taken = far < NEAR;
      picture.drawArrows({...pair(), dragged: {c, at: tail, taken}});
    };
    const end = (at: PointerEvent) => {
      held.removeEventListener('pointermove', move);
      for (const type of ends) held.removeEventListener(type, end);
      setTimeout(() => { pulled = false; });
      if (at.type === 'pointerup' && taken) choose(pair().p, c);
      else picture.drawArrows(pair());
    };
    held.setPointerCapture(down.pointerId);
    held.addEventListener('pointermove', move);
    for (const type of ends) held.addEventListener(type, end);
  }

  return {
    el,
    focus: () => bag.focus(),
    /** Offers the bags of another run. */
    offer({layer, names, nameOf, plane: {steps}}: Bags) {
      const longest = Math.max(...steps.map(s => Math.hypot(...s))) || 1;
      bag.replaceChildren(...layer.map((_, i) => h('option', {value: i}, nameOf(i))));
      tray.replaceChildren(...names.map((name, k) => h('div', {role: 'group', 'aria-label': `C of ${name}`}, h('span', {}, name), layer.flatMap((l, j) => {
        if (l !== k) return [];
        const [x, y] = steps[j].map(v => 9 * v / longest), small = svg('svg', {viewBox: '-12 -12 24 24', 'aria-hidden': 'true'},
          svg('path', {d: arrowPath([-x, -y], [x, y])}));
        return [button(small, () => { if (!pulled) choose(pair().p, j); },
          {'data-c': j, 'aria-label': `C of ${nameOf(j)}`, onpointerdown: (down: PointerEvent) => drag(j, down)})];
      }))));
    },
    /** Marks the pair that is shown. */
    mark() {
      bag.value = String(pair().p);
      for (const b of tray.querySelectorAll<HTMLElement>('[data-c]')) b.setAttribute('aria-pressed', String(Number(b.dataset.c) === pair().c));
    },
  };
}
