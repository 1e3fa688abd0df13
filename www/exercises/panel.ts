// The exercises on the page: one at a time, beside the stage.
import {button, byId, download, h, reveal, setText} from '../dom/elements.js';
import {keep, kept} from '../dom/kept.js';
import {Course} from './course.js';
import {Found} from './found.js';
import {EXERCISES} from './exercises.js';
import type {PageView, ViewContext} from '../types.js';

const LEFT_AT = 'lesson', FOUND = 'found'; // of what a browser keeps
const MARK = /\[\[([^|\]]+)\|([^\]]+)\]\]/;

export function mount(el: HTMLElement, context: ViewContext): PageView {
  const {attempt, highlight} = context;
  let open = false;
  const met = new Found(EXERCISES, () => kept(FOUND), text => keep(FOUND, text));
  const course = new Course(context, EXERCISES, met, () => show());
  const choice = (id: string) => h('fieldset', {class: 'card-ask', id, hidden: true});
  const text = h('div', {class: 'card-text'}), doing = h('p', {class: 'card-do'});
  const knob = choice('lesson-knob'), ask = choice('lesson-ask');
  const see = h('p', {class: 'card-see', 'aria-live': 'polite'});
  const title = h('h3', {id: 'lesson-card', tabindex: -1});
  const where = h('p', {class: 'soft small', id: 'lesson-where'});
  const train = button('', attempt(() => course.train()), {id: 'lesson-train', class: 'primary'});
  const act = button('Do it for me', attempt(() => course.act()), {id: 'lesson-do', class: 'quiet'});
  const back = button('Back', () => go(course.index - 1), {id: 'lesson-back'});
  const next = button('Next', () => course.index + 1 < EXERCISES.length ? go(course.index + 1) : finish(), {id: 'lesson-next'});
  const leave = () => button('All exercises', close, {class: 'quiet'});
  const typed = () => button('Type your number', () => {
    close();
    number.focus();
  }, {class: 'quiet'});
  const asks = h('p', {class: 'small', id: 'lesson-asks'}, 'Does your class hand in answer sheets? ', typed(), ' before you train.');
  const expected = h('input', {type: 'text', id: 'lesson-expected', maxlength: 200, onchange: () => met.expect(course.name, expected.value)});
  const card = h('article', {class: 'lesson-card', hidden: true, 'aria-labelledby': 'lesson-card'}, where, asks, title, text, doing, knob,
    h('p', {class: 'small'}, h('label', {}, 'What do you expect? ', expected)),
    h('div', {class: 'toolbar card-run'}, train, act), ask, see, h('div', {class: 'toolbar lesson-turn'}, back, next, leave()));
  const start = button('', () => go(Math.max(0, course.find(kept(LEFT_AT)))), {class: 'primary', id: 'lesson-start'});
  const number = h('input', {type: 'text', id: 'lesson-number', size: 12, maxlength: 40, autocomplete: 'off', value: met.number, onchange: () => {
    met.number = number.value.trim();
    show();
  }});
  const list = h('ol', {class: 'lesson-list'}), page = h('article', {class: 'lesson-card found', hidden: true, 'aria-labelledby': 'found-title'});
  const unknown = h('p', {class: 'notice warning', hidden: true});
  const contents = h('div', {class: 'lesson-contents'}, unknown,
    h('p', {class: 'measure'}, h('a', {href: '#essay'}, 'The essay'), ' shows what the model does, in nine scenes. Exercises have you train it. '
      + 'Each says what to do and then reads the numbers of your run.'),
    h('p', {class: 'measure'}, h('label', {for: 'lesson-number'}, 'Does your class hand in answer sheets? First type your number: '), number,
      h('span', {class: 'soft small'}, ' Enter it first: it makes your results your own.')), start, list,
    button('What you found', finish, {class: 'quiet', id: 'lesson-found'}));
  el.append(contents, card, page);
  let drawn = '', scrolled = '', ended = false;

  const go = attempt(async (to: number) => {
    open = true;
    ended = false;
    await course.open(to);
    keep(LEFT_AT, course.name);
    show();
    byId('learn').scrollTop = 0;
    title.focus({preventScroll: true});
  });

  function close() {
    open = ended = false;
    light([]);
    context.showView({lesson: null});
    show();
  }

  /** Shows what the reader has found. */
  function finish() {
    close();
    ended = true;
    const {hash} = context.session.model;
    const {data_seed, model_seed} = {...context.setup.values, ...met.seeds};
    const made = `Data seed ${data_seed}, model seed ${model_seed}`;
    page.replaceChildren(
      h('h3', {id: 'found-title', tabindex: -1}, 'What you found'),
      ...met.list().map(({name, title, sentence, expected}) => h('section', {}, h('h4', {}, title),
        h('p', {}, sentence ?? button('Not yet: go there', () => go(course.find(name)), {class: 'quiet'})),
        expected && h('p', {class: 'small'}, `You expected: ${expected}`))),
      h('p', {class: 'soft small'}, `${made}${hash ? `; fingerprint of your last run ${hash}` : ''}. The same seeds give everybody the same numbers.`),
      h('div', {class: 'toolbar lesson-turn'},
        button('Copy', attempt(async () => {
          await navigator.clipboard.writeText(met.text(made));
          setText(byId('found-copy'), 'Copied');
        }), {id: 'found-copy'}),
        button('Print', () => print(), {id: 'found-print'}),
        met.number ? button('Answer sheet', () => download(met.sheet(), `cadem-sheet-${met.number.replace(/[^\w-]+/g, '-')}.json`, 'application/json'),
          {id: 'found-sheet'}) : '', leave()),
      met.number ? '' : h('p', {class: 'small', id: 'found-none'}, typed(),
        ' to hand in an answer sheet. What you found without it stays here, but the runs of a sheet are trained with the number.'));
    show();
    byId('learn').scrollTop = 0;
    byId('found-title').focus({preventScroll: true});
  }

  /** Lights parts of the page, and pictures elsewhere fade: names of views, and terms of the loss after "term:". */
  function light(parts: string[]) {
    const views: Element[] = parts.filter(p => !p.startsWith('term:')).map(byId);
    const stage = byId('stage');
    for (const lit of document.querySelectorAll('.spot')) if (!views.includes(lit)) lit.classList.remove('spot');
    for (const view of views) view?.classList.add('spot');
    stage.classList.toggle('lit', views.some(v => stage.contains(v)));
    highlight(parts.find(p => p.startsWith('term:'))?.slice('term:'.length) ?? null);
    document.dispatchEvent(new CustomEvent('lit'));
  }

  /** A sentence whose marked words say what they mean and light a part of the page. */
  function sentenceOf(sentence: string) {
    const out = [];
    let rest = sentence;
    for (let m; (m = MARK.exec(rest));) {
      const [whole, words, part = ''] = m, only = () => light([part]);
      const all = () => light(course.at.light ?? []);
      out.push(rest.slice(0, m.index), h('button', {
        type: 'button', class: 'points', 'data-means': words, onpointerenter: only, onpointerleave: all, onfocus: only, onblur: all,
        onclick: () => reveal(byId(part.startsWith('term:') ? 'pulls' : part)),
      }, words));
      rest = rest.slice(m.index + whole.length);
    }
    return h('p', {}, out, rest);
  }

  /** A choice in the card: a radio button for each. */
  function choose(el: HTMLElement, legend: string, choices: {text: string, value: string, pick: () => unknown}[]) {
    el.replaceChildren(h('legend', {}, legend), ...choices.map(({text, value, pick}) =>
      h('label', {}, h('input', {type: 'radio', name: el.id, value, onchange: attempt(async () => { await pick(); })}), text)));
  }

  /** What does not change while an exercise is open. */
  function draw() {
    const {at, index, name, choices} = course;
    if (drawn === name) return;
    drawn = name;
    asks.hidden = met.number !== '' || met.begun; // for as long as it stands: its lines keep their places
    setText(where, `Exercise ${index + 1} of ${EXERCISES.length}`);
    setText(title, at.title);
    text.replaceChildren(...at.text.map(sentenceOf));
    doing.replaceChildren(h('strong', {}, 'Do: '), at.do);
    expected.value = met.list()[index]?.expected ?? '';
    ask.hidden = !at.ask;
    if (at.ask) choose(ask, at.ask.question, at.ask.choices.map(([value, text]) => ({text, value, pick: () => course.choose(value)})));
    knob.hidden = choices.length < 2;
    choose(knob, 'Train', choices.map(({run}) => ({text: run.label, value: run.label, pick: () => course.pick(run)})));
    light(at.light ?? []);
  }

  /** What is chosen, and what has been trained. */
  function mark(locked: boolean, earlier: boolean | undefined) {
    const {at, working, answer, choices} = course, chosen = choices.find(c => c.chosen);
    const check = (el: HTMLElement, value: string | null | undefined) => {
      for (const radio of el.querySelectorAll('input')) radio.checked = radio.value === value;
    };
    check(ask, answer);
    check(knob, chosen?.run.label);
    knob.disabled = working || locked;
    [...knob.querySelectorAll('label')].forEach((label, k) => label.classList.toggle('done', Boolean(choices[k]?.done)));
    const due = earlier || (at.measure?.includes('arms') ? course.state.sentence === null : choices.some(c => !c.done));
    train.hidden = !chosen || locked;
    train.classList.toggle('away', !due);
    train.disabled = working || !due;
    if (due) setText(train, chosen?.run.press ?? `Train with ${chosen?.run.label}`);
  }

  function show() {
    card.hidden = !open;
    page.hidden = !ended;
    contents.hidden = open || ended;
    byId<HTMLDetailsElement>('how-fold').open = !open && !ended;
    course.note();
    const left = EXERCISES[course.find(kept(LEFT_AT))];
    setText(start, left ? `Go on: ${left.title}` : 'Start');
    if (!open) {
      drawn = '';
      list.replaceChildren(...EXERCISES.map((e, i) => h('li', {}, button(e.title, () => go(i), {class: 'quiet'}),
        met.list()[i]?.sentence ? h('span', {class: 'soft small'}, ' \u2713') : '')));
      return;
    }
    draw();
    const {at, working, told, state: {sentence, met: holds, so = null, earlier}} = course;
    const locked = context.setup.settings.view.lock === '1';
    const done = so !== null; // a run has shown something, be it what most do or not
    mark(locked, earlier);
    act.hidden = locked;
    act.classList.toggle('away', done);
    act.disabled = done || working;
    setText(act, working ? 'Working\u2026' : 'Do it for me');
    card.dataset.state = sentence === null ? 'open' : earlier ? 'earlier' : holds ? 'met' : done ? 'other' : 'missed';
    if (done) met.note(course.name, `${sentence} ${so}`);
    next.classList.toggle('primary', done);
    train.classList.toggle('primary', !done);
    const head = sentence === null ? told : earlier ? 'Earlier you found: ' : 'You see: ';
    see.replaceChildren(head ? h('strong', {}, head) : h('span', {class: 'soft'}, 'Your result appears here.'), sentence ?? '',
      ...sentence === null ? [] : [' ', done ? h('span', {class: 'met'}, `${holds ? '\u2713 ' : ''}${so}`)
        : h('span', {class: 'missed'}, '\u2717 Not in all three. Look at another.')]);
    back.disabled = course.index === 0;
    setText(next, course.index + 1 < EXERCISES.length ? 'Next' : 'Finish');
    const target = at.scroll ? document.querySelector(at.scroll) : null;
    const due = `${course.name} ${card.dataset.state}`;
    if (scrolled === due || target && !target.checkVisibility()) return;
    scrolled = due;
    target?.scrollIntoView({block: 'nearest'});
    if (done) see.scrollIntoView({block: 'nearest'}); // where the card is longer than its place
  }

  show();
  return {
    show,
    follow({view}) {
      const name = String(view.lesson ?? ''), to = course.find(name);
      unknown.hidden = !name || to >= 0;
      setText(unknown, `There is no exercise \u201c${name.slice(0, 40)}\u201d. Choose one.`);
      if (!view.lesson && open) close();
      else if (to >= 0 && (!open || EXERCISES[to]?.name !== course.name)) go(to);
    },
  };
}
