// The essay: its scenes and the figure.
import {active, all, key, maybe, one, pointAt, send, textOf} from './dom';
declare const pen: {words: {text: string}[]}; // of scripts/essaypen.ts

const figure = () => one('#figure');
const say = (k: number) => textOf(`#scene-${k} .say`);
export const there = () => document.documentElement.classList.contains('essay');
export const open = () => there() && maybe('#essay [aria-current]');
/** The Lab is there in its place. */
export const left = () => !there() && globalThis.cadem?.state();
export const at = (k: number) => open() && all('#essay .dots button').findIndex(b => b.ariaCurrent) === k;
export const settled = (k: number) => scrollY === k * innerHeight;
export const go = (k: number) => { location.hash = '#scene=' + k; };
export const says = (k: number, part: string) => say(k).includes(part);
export const words = () => pen.words.map(w => w.text);
export const ticks = () => all('#scene-7 .ticks i').map(i => i.textContent);
export const hash = async (preset: string) => (await (await fetch('essay/runs.json')).json()).runs[preset].hash.slice(0, 8);

/** An arrow key, and the wheel, with nothing in focus. */
export function arrow() {
  active().blur();
  key(document.body, 'ArrowRight');
}
export const wheel = () => document.body.dispatchEvent(new WheelEvent('wheel', {deltaY: 120, bubbles: true, cancelable: true}));

export function openDepth(k: number) {
  const b = one(`#scene-${k} [data-act=deep]`);
  if (b.ariaPressed !== 'true') b.click();
}

let before = '';
const acting = (k: number, act: () => void) => {
  before = say(k);
  act();
  return before;
};
/** Each does something in a scene, and returns what it said before. */
export const keyIn = (k: number, name: string) => acting(k, () => key(figure(), name));
export const clickIn = (k: number, css: string) => acting(k, () => one(css).click());
export const moveIn = (k: number, slider: string, value: number) => acting(k, () => move(slider, value));
export const pressIn = (k: number, x: number, y: number) => acting(k, () => click(x, y));
/** The scene says something else than before. */
export const changed = (k: number) => say(k) !== before;

const click = (x: number, y: number) => pointAt(figure(), x, y, 'click');
export function move(slider: string, value: number) {
  one(`[data-key=${slider}]`).value = String(value);
  send(one(`[data-key=${slider}]`), 'input', false);
}

/** Presses Enter on the figure; whether that draws something else. */
export function enterDraws() {
  const old = figure().toDataURL();
  key(figure(), 'Enter');
  return old !== figure().toDataURL();
}
/** A place where a press says what makes a dot's place in S, and another one no longer; 0, 0 if there is none. */
export function sumDot() {
  const said = () => say(3).startsWith('S: ');
  for (let x = 0; x < 1; x += .02) for (let y = 0; y < 1; y += .02) {
    pointAt(figure(), x, y);
    click(x, y);
    if (!said()) continue;
    click(x, y);
    pointAt(figure(), 0, 0);
    return said() ? [0, 0] : [x, y];
  }
  return [0, 0];
}
