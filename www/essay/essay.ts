// The essay: one figure, nine scenes. What a bare address opens.
import {fileInput} from '../dom/dropped.js';
import {button, h, setText} from '../dom/elements.js';
import {nth} from '../dom/nth.js';
import {Figure} from './figure.js';
import {Host} from './host.js';
import {choices} from './pictures.js';
import {answerAt, ends, middle} from './plane.js';
import {asks, fresh, turnsOf} from './poses.js';
import {trainHere} from './live.js';
import {SCENES, TWO} from './scenes.js';
import {createWays} from './ways.js';
import type {Control, Scene} from './scenes.js';
import type {State} from './poses.js';
import type {Town} from './runs.js';

const MS = {scene: 1200, station: 1000, share: 800, colour: 450, after: 1500, swap: 600};
/** ms that each station stands while the stations are played. */
const REST = [900, 900, 450, 450, 450, 0];
const NEAR = 30; // px about what can be pressed
const MAPS = 3, PSI = 6, EASY = 7, OWN = 8;

/** Shows the essay in an element, from a scene on; lab() opens the Lab, with files or without. */
export function createEssay(el: HTMLElement, town: Town, {from, share, lab}: {
  from: number, share: number, lab: (files?: File[], why?: string) => void,
}) {
  const st = fresh(), controls: Control[] = [];
  let scene = from, playing = 0;
  const plays = from === 0 && !matchMedia('(prefers-reduced-motion: reduce)').matches;
  st.share = share;
  if (plays) st.station = 0;
  const canvas = h('canvas', {tabindex: 0, role: 'img', id: 'figure'});
  const cards = SCENES.map((s, k) => card(s, k));
  const main = h('main', {}, h('figure', {}, canvas), ...cards);
  el.replaceChildren(
    h('header', {}, h('b', {}, 'CaDeM'), h('nav', {'aria-label': 'Places'},
      h('a', {href: '#scene=8', class: 'go'}, 'Your own data'), h('a', {href: '#lab'}, 'Lab'))),
    main,
  );
  const host = new Host(canvas, () => { figure.restart(); go(0); }, {
    point(x, y, pressed) {
      const near = (list: [number, number][]) => {
        const far = list.map(([a, b]) => Math.hypot(a - x, b - y)), least = Math.min(...far);
        return least < NEAR ? far.indexOf(least) : -1;
      };
      if (scene === PSI && asks(st)) {
        if (pressed) say(answerAt([x - middle[0], y - middle[1]]), true);
        return;
      }
      if (scene === PSI || scene === EASY) {
        const k = pressed ? near(scene === PSI ? ends : choices) : -1;
        if (k >= 0) choose(k);
        return;
      }
      const found = figure.near(x, y);
      const map = Math.max(0, found.on - 5), known = found.who === st.who;
      if (pressed && scene === MAPS) explain(found.who, map, known);
      if (found.who !== st.who && (found.who >= 0 || scene !== 1)) look(found);
    },
    step(by) {
      if (scene === PSI && asks(st)) say((Math.max(st.pick, -by) + by + 3) % 3, false);
      else if (scene === PSI) choose((st.common + by + 12) % 12);
      else if (scene === EASY) choose((Math.max(st.guess, -by) + by + 4) % 4);
      else look({who: (Math.max(0, st.who) + by + town.names.length) % town.names.length, on: figure.first()});
    },
    press() {
      if (scene === EASY) act('after');
      else if (scene === PSI && asks(st) && st.pick >= 0) say(st.pick, true);
      else if (scene === MAPS) explain(st.who, st.why === st.who ? st.map + 1 : 0, true);
    },
  });
  const figure = new Figure(host, town);

  function card(s: Scene, k: number) {
    const words = s.holds(town) ? s.words : s.otherwise;
    return h('section', {id: `scene-${k}`, 'aria-label': `Scene ${k + 1} of ${SCENES.length}`}, h('div', {class: 'tale'},
      h('h1', {}, s.title), h('p', {}, words), s.ask && h('p', {class: 'do'}, s.ask),
      rows(s.controls).map(row => h('div', {class: 'ctl'}, row.map(control))), h('p', {class: 'say'})));
  }

  /** Choices have a row each. */
  function rows(list: Control[]) {
    const choices = list.filter(c => c.kind === 'choice').map(c => [c]), others = list.filter(c => c.kind !== 'choice');
    return others.length ? [...choices, others] : choices;
  }

  function control(c: Control) {
    controls.push(c);
    if (c.kind === 'button') {
      return button(c.words, () => act(c.name), {class: c.main ? 'main' : null, 'data-act': c.name});
    }
    if (c.kind === 'file') return h('label', {class: 'file'}, c.words, fileInput(take));
    if (c.kind === 'scrub') {
      const input = h('input', {type: 'range', min: 0, max: c.ticks.length - 1, step: 1, 'aria-label': c.label, oninput() {
        playing++;
        set(c.key, Number(input.value));
      }}) as HTMLInputElement;
      input.value = String(st[c.key]);
      input.setAttribute('data-key', c.key);
      return h('label', {class: 'slide'}, input, h('span', {class: 'ticks'}, c.ticks.map(t => h('i', {}, t))));
    }
    return h('div', {class: 'seg', role: 'radiogroup', 'aria-label': c.label}, c.options.map(([value, words]) =>
      h('label', {}, h('input', {type: 'radio', name: c.key, value, checked: st[c.key] === value, onchange() {
        if (c.key !== 'run') st[c.key] = value;
        if (c.key === 'run') {
          [st.run, st.guess, st.found] = [value as State['run'], -1, null];
          settle(false);
        } else go(c.key === 'paint' ? MS.colour : MS.station);
      }}), h('span', {}, words))));
  }

  function set(key: 'station' | 'share' | 'epoch' | 'turn', k: number) {
    [st[key], st.deep] = [k, false];
    const input = el.querySelector<HTMLInputElement>(`[data-key=${key}]`);
    const c = controls.find(q => q.kind === 'scrub' && q.key === key);
    if (input) input.value = String(k);
    if (c?.kind === 'scrub') input?.setAttribute('aria-valuetext', nth(c.ticks, k));
    go(key === 'share' ? MS.share : key === 'turn' ? MS.after : MS.station);
  }

  /** Says, or considers, what psi answers. */
  function say(pick: number, said: boolean) {
    [st.pick, st.said] = [pick, said];
    go(said ? MS.swap : 0);
  }

  function choose(k: number) {
    [st.pick, st.said] = [-1, false];
    if (scene === PSI) [st.before, st.common] = [st.common, k];
    else st.guess = k;
    go(MS.swap);
  }

  function act(name: string) {
    if (name === 'play') play();
    else if (name === 'swap') choose((st.common + 5) % 12);
    else if (name === 'lab') lab(st.files);
    else if (name === 'deep') {
      st.deep = !st.deep;
      [st.pick, st.said] = [-1, false];
      go(MS.station);
      if (st.deep && scene === OWN) learn();
    }
    else if (name === 'bag') {
      st.bag = st.common = st.before = (st.bag + 5) % 12;
      [st.pick, st.said] = [-1, false];
      go(MS.swap);
    } else if (st.trained) settle(false);
    else if (!st.training) train();
  }

  /** Stands at the end of a training, whose kept epochs are stations, or before it. */
  function settle(trained: boolean) {
    const input = el.querySelector('[data-key=turn]') as HTMLInputElement, last = turnsOf(st) - 1;
    const c = controls.find(q => q.kind === 'scrub' && q.key === 'turn') as Extract<Control, {kind: 'scrub'}>;
    [st.trained, st.training, st.turn] = [trained, '', trained ? last : 0];
    setText(el.querySelector('[data-act=after]') as Element, trained ? 'Reset' : 'Train');
    c.ticks = st.found ? st.found.stations.map(s => String(s.epoch)) : TWO;
    [input.max, input.disabled] = [String(last), !trained];
    input.nextElementSibling?.replaceChildren(...c.ticks.map(t => h('i', {}, t)));
    set('turn', st.turn);
  }

  /** Trains what is chosen in this tab. Where nothing can be trained, what ships says how it ends, and the words say so. */
  async function train() {
    const {run} = st, say = (text: string) => {
      if (st.run !== run) return;
      st.training = text;
      go(0);
    };
    st.found = null;
    say('Loading the engine\u2026');
    const preset = run === 'refined' ? run : 'released';
    const found = await trainHere(run === 'syn1' ? run : 'town', preset, (epoch, of) => say(`Epoch ${epoch} of ${of}.`))
      .catch(e => { console.warn(e); return null; });
    if (st.run !== run) return;
    [st.found, st.failed] = [found, !found];
    settle(true);
  }

  /** Says how far the reading of files is, or a training on them, while they are those of the scene. */
  const sayOf = (files: File[]) => (text: string) => {
    if (st.files !== files) return;
    st.reading = text;
    if (scene === OWN) go(text ? 0 : MS.scene);
  };

  /** Trains on the reader's networks, unless that was done, and draws S and P. */
  function learn() {
    const say = sayOf(st.files);
    say('Making ready\u2026');
    st.own?.train(say).catch(e => say(e.message));
  }

  /** Draws the reader's own networks; what cannot be drawn here opens in the Lab. */
  async function take(files: File[]) {
    if (!files.length) return;
    const say = sayOf(files);
    [st.files, st.own, st.deep] = [files, null, false];
    say('Loading what reads files\u2026');
    ways.show(OWN);
    try {
      const own = await import('./own.js').then(m => m.openOwn(files, say));
      if (st.files === files) st.own = own;
      say(own ? '' : 'Nothing was opened.');
    } catch (thrown) {
      const e = thrown as Error & {forLab?: boolean};
      say(e.message);
      if (e.forLab && st.files === files) lab(files, e.message);
    }
  }

  async function play() {
    const mine = ++playing;
    for (const [k, rest] of REST.entries()) {
      set('station', k);
      await new Promise(resolve => setTimeout(resolve, rest + (k ? MS.station : 0)));
      if (mine !== playing || scene !== 0) return;
    }
  }

  function look({who, on}: {who: number, on: number}) {
    [st.who, st.on, figure.who, figure.on] = [who, on, scene === 1 ? -1 : who, on];
    if (scene === 1) go(0);
    else figure.draw();
  }

  /** Draws what makes the place of a person in a map, or no longer. Who is pointed at is known: a finger does so by its first press. */
  function explain(who: number, map: number, known: boolean) {
    const again = who === st.why && map === st.map;
    [st.why, st.map] = known && !again && map < 4 ? [who, map] : [-1, 0];
    if (st.why >= 0) look({who, on: map ? map + 5 : 3});
    go(MS.colour);
  }

  /** Draws and says what stands there now. */
  function go(ms: number) {
    const c = {h: host, town, st}, s = nth(SCENES, scene), card = nth(cards, scene);
    figure.go(s.pose(c), ms);
    const said = s.says(c), deep = String(st.deep);
    const depth = card.querySelector<HTMLButtonElement>('[data-act=deep]');
    depth?.setAttribute('aria-pressed', deep);
    depth?.toggleAttribute('disabled', scene === OWN && !st.own);
    setText(card.querySelector('.say') as Element, said);
    canvas.setAttribute('aria-label', `${s.title}. ${said}`);
  }

  for (const [k, s] of SCENES.entries()) setText(nth(cards, k).querySelector('.say') as Element, s.says({h: host, town, st}));
  const ways = createWays(main, cards, {from, enter(k) {
    scene = k;
    playing++;
    [st.who, st.why, figure.who] = [-1, -1, -1];
    st.deep = false;
    cards.forEach((c, i) => { (c.firstElementChild as HTMLElement).inert = i !== k; });
    go(MS.scene);
  }});
  settle(false);
  if (plays) play();
  return {show: ways.show, take};
}
