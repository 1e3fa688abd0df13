// A curve that the reader draws before it is measured: what S will tell of the shared groups as gamma grows. Then it is measured, and the error is named.
import {h, scrolled, setText, tableOf} from '../dom/elements.js';
import {fixed} from '../dom/figures.js';
import {GAMMAS} from '../run/gammas.js';
import {curvesOfText, curvesToText, guessOfText, guessToText, shortly} from '../settings/curves.js';
import {errorWords, riseWords} from './curvewords.js';
import {createGuessCurve, keyOf} from './guesscurve.js';
import type {Gammas} from '../run/gammas.js';
import type {Curves} from '../settings/curves.js';
import type {Setup} from '../settings/setup.js';

const CLOSED_TAKES = 0.2; // of the time for both

interface GuessOptions {
  gammas: Gammas; setup: Setup; attempt: Attempt;
  /** The names of the shared groups and of those of each layer's own; null while the data on screen are others. */
  sets(): string[] | null;
  /** Called when the curve was changed. */
  changed(): void;
}

export function createGuess(el: HTMLElement, {gammas, setup, attempt, sets, changed}: GuessOptions) {
  const drawn = h('div', {class: 'guess-box'}), words = h('div', {id: 'predict-found', role: 'status'}), key = h('div');
  const put = (text: string | null) => {
    setup.setView({guess: text});
    changed();
  };
  const curve = createGuessCurve(drawn, {gammas: GAMMAS, changed: guess => put(guessToText(guess))});
  const measure = h('button', {type: 'button', id: 'predict-measure', class: 'primary', onclick: () => {
    if (gammas.measuring) gammas.cancel();
    else attempt(measureAll)();
  }}), progress = h('progress', {max: 1, value: 0, 'aria-label': 'Trainings done', hidden: true});
  const anew = h('button', {type: 'button', id: 'predict-anew', class: 'quiet', onclick: () => put(null)}, 'Draw anew');
  const hint = h('p', {class: 'small', id: 'predict-hint'}), numbers = scrolled('The curves as numbers');
  let told = '', counted = '', measured = false, came: Curves | null = null; // with a link, before anything was measured here
  el.append(h('h3', {}, 'Draw what you expect, then see'),
    h('p', {class: 'measure'}, 'How well will clusters in S match the shared groups as that part grows? 1 is all of them, 0 is chance (ARI).'),
    hint, drawn, key, h('div', {class: 'toolbar'}, measure, anew, progress), words,
    h('details', {class: 'twin'}, h('summary', {}, 'The curves as numbers'), numbers));

  /** Measures the closed form first, which takes a moment. */
  async function measureAll() {
    const names = sets();
    if (!names) return;
    for (const how of ['closed', 'trained'] as const) {
      await gammas.measure(how, names);
      if (!gammas.curve(how)) return; // it was stopped
      setup.setView({found: curvesToText(here() as Curves)});
    }
  }

  /** The curves that were measured here; null while there are none. */
  function here(): Curves | null {
    const closed = gammas.curve('closed'), trained = gammas.curve('trained');
    return closed && {
      of: shortly(gammas.course), closed: closed.map(f => f.shared), trained: trained?.map(f => f.shared) ?? null,
      untrained: trained?.map(f => f.untrained) ?? null, print: shortly([...closed, ...trained ?? []].map(f => f.hash).join()),
    };
  }

  /** Those that came with a link, if they are of these settings. */
  function brought() {
    const curves = curvesOfText(setup.settings.view.found);
    return curves?.of === shortly(gammas.course) ? curves : null;
  }

  /** Where the curves are from. */
  function source(own: Curves | null) {
    if (!own) return 'These curves came with the link. Measure them here to compare.';
    if (came?.of !== own.of || Boolean(came.trained) !== Boolean(own.trained)) return '';
    return came.print === own.print ? 'The link had the same, to the last bit of the embeddings.' : 'The link had other numbers than are found here.';
  }

  function sentences(guess: ReturnType<typeof guessOfText>, curves: Curves, own: Curves | null) {
    const {trained, closed} = curves, measuring = gammas.measuring !== null;
    return [
      trained ? errorWords(guess, trained, 'CaDeM', GAMMAS) : '', errorWords(guess, closed, 'the closed form', GAMMAS),
      trained ? riseWords(trained, 'CaDeM', GAMMAS) : '', riseWords(closed, 'The closed form', GAMMAS),
      trained ? `CaDeM was trained once at each of ${GAMMAS.length} parts, with the present seeds. Another seed gives another curve.`
        : measuring ? 'CaDeM is being trained\u2026' : 'The closed form trains nothing. CaDeM was not trained.', source(own),
    ].filter(Boolean);
  }

  return {
    /** The curves for a picture to keep, and what is said of them; nothing while none is drawn. */
    get plots() { return anew.hidden ? [] : [{title: 'What S tells of the shared groups', view: curve}]; },
    get said() {
      const of = measured ? ' Solid: CaDeM, trained; long dashes: the closed form; dots: untrained.' : '';
      return anew.hidden ? '' : ` The broad curve was drawn by hand.${of} ${[...words.children].map(p => p.textContent).join(' ')}`;
    },
    show() {
      const guess = guessOfText(setup.settings.view.guess), whole = guess.every(v => v !== null), own = here(), link = brought(), known = own ?? link;
      const curves = whole ? known : null, lines = curves?.trained ? ['closed', 'trained', 'untrained'] : curves ? ['closed'] : [];
      curve.set(guess);
      curve.measured(curves);
      measured = curves !== null;
      const keys = [...guess.some(v => v !== null) ? ['line'] : [], ...lines];
      if (key.dataset.lines !== keys.join()) key.replaceChildren(keyOf(keys));
      key.dataset.lines = keys.join();
      setText(hint, whole ? 'Your curve stands. Change it as you like, then measure.'
        : 'Draw across the picture. With the keyboard: arrow keys up and down set a point, left and right go to the next one.');
      const {measuring} = gammas, done = Boolean(own?.trained);
      setText(measure, measuring ? 'Stop' : done ? 'Measured' : link && !own ? 'Measure it here' : 'Measure');
      measure.disabled = !measuring && (!whole || !sets() || done);
      progress.hidden = !measuring;
      progress.value = !measuring ? 0 : measuring.how === 'closed' ? CLOSED_TAKES * measuring.done : CLOSED_TAKES + (1 - CLOSED_TAKES) * measuring.done;
      anew.hidden = guess.every(v => v === null);
      if (!own && link) came = link;
      const text = curves ? sentences(guess, curves, own) : [];
      if (told !== text.join()) words.replaceChildren(...text.map((t, k) => h('p', {class: k ? 'measure small' : 'verdict'}, t)));
      told = text.join();
      const cell = (list: (number | null)[] | null, k: number) => list?.[k] === null || list === null ? '\u2013' : fixed(Number(list[k]), 2);
      const rows = GAMMAS.map((g, k) => [`${g}\u00a0%`, ...[guess, curves?.closed, curves?.trained, curves?.untrained].map(l => cell(l ?? null, k))]);
      if (counted === String(rows)) return;
      counted = String(rows);
      numbers.replaceChildren(tableOf({
        head: ['Part that is shared', 'You expect', 'Closed form', 'CaDeM, trained', 'Untrained'], of: k => k ? 'n' : null, rows,
      }));
    },
  };
}
