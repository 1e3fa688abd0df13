// The lessons on the page: one card at a time, beside the stage.
import {byId, download, h, reveal, setText} from '../dom/elements.js';
import {prefix} from '../engine/endpoint.js';
import {Course} from './course.js';
import {Found} from './found.js';
import {createGammaSentence} from './gamma.js';
import {LESSONS} from './lessons.js';

const LEFT_AT = prefix + 'cadem lesson', FOUND = prefix + 'cadem found'; // in localStorage
const TOUCH = matchMedia('(pointer: coarse)');
const MARK = /\[\[([^|\]]+)\|([^\]]+)\]\]/;
const NEWS = 'Here a small model learns, in this tab, to tell what several networks of the same people have in common from what is special to each.';

/** What a browser keeps of the lessons under a name; "" where there is nothing, or that is not allowed. */
function kept(name: string) {
  try {
    return localStorage.getItem(name) ?? '';
  } catch {
    return '';
  }
}

function keep(name: string, text: string) {
  try {
    localStorage.setItem(name, text);
  } catch {
    // no room, or not allowed: then the reader begins anew
  }
}

export function mount(el: HTMLElement, context: ViewContext): PageView {
  const {attempt, highlight} = context;
  let open = false;
  const met = new Found(LESSONS, () => kept(FOUND), text => keep(FOUND, text)), course = new Course(context, LESSONS, met, () => show());
  const text = h('div', {class: 'card-text'}), doing = h('p', {class: 'card-do'});
  const knob = h('fieldset', {class: 'card-ask', id: 'lesson-knob', hidden: true}), looks = h('fieldset', {class: 'card-ask', id: 'lesson-look', hidden: true});
  const ask = h('fieldset', {class: 'card-ask', id: 'lesson-ask', hidden: true}), see = h('p', {class: 'card-see', 'aria-live': 'polite'});
  const title = h('h3', {id: 'lesson-card', tabindex: -1}), where = h('p', {class: 'soft small', id: 'lesson-where'});
  const train = h('button', {type: 'button', id: 'lesson-train', class: 'primary', onclick: attempt(() => course.train())});
  const act = h('button', {type: 'button', id: 'lesson-do', class: 'quiet', onclick: attempt(() => course.act())}, 'Do it for me');
  const back = h('button', {type: 'button', id: 'lesson-back', onclick: () => go(course.beside(-1))}, 'Back');
  const next = h('button', {type: 'button', id: 'lesson-next', onclick: () => {
    const to = course.beside(1);
    if (to) go(to);
    else finish();
  }}, 'Next');
  const leave = h('button', {type: 'button', class: 'quiet', onclick: close}, 'All lessons');
  const typed = () => h('button', {type: 'button', class: 'quiet', onclick: () => {
    close();
    number.focus();
  }}, 'Type your number');
  const asks = h('p', {class: 'small', id: 'lesson-asks'},
    'Does your class hand in answer sheets? ', typed(), ' before you train.');
  const card = h('article', {class: 'lesson-card', hidden: true, 'aria-labelledby': 'lesson-card'}, where, asks, title, text, doing, looks, knob,
    h('div', {class: 'toolbar card-run'}, train, act), ask, see, h('div', {class: 'toolbar lesson-turn'}, back, next, leave));
  const start = h('button', {type: 'button', class: 'primary', id: 'lesson-start', onclick: () => go(course.find(kept(LEFT_AT)) ?? [0, 0])});
  const sizes = LESSONS.map(l => l.cards.length);
  const number = h('input', {type: 'text', id: 'lesson-number', size: 12, maxlength: 40, autocomplete: 'off', value: met.number, onchange: () => {
    met.number = number.value.trim();
    show();
  }});
  const list = h('ol', {class: 'lesson-list'}), page = h('article', {class: 'lesson-card found', hidden: true, 'aria-labelledby': 'found-title'});
  const unknown = h('p', {class: 'notice warning', hidden: true}), gamma = createGammaSentence(context);
  const contents = h('div', {class: 'lesson-contents'}, unknown,
    h('p', {class: 'measure news'}, NEWS), gamma.el,
    h('p', {class: 'measure'}, `Six short lessons on a small town, of ${Math.min(...sizes)} to ${Math.max(...sizes)} cards. `
      + 'Each card says what to do and then reads the numbers of your run.'),
    h('p', {class: 'measure'}, h('label', {for: 'lesson-number'},
      'Does your class hand in answer sheets? First type your number: '), number,
      h('span', {class: 'soft small'}, ' It gives your runs a seed of their own. A sheet has to have it.')), start, list,
    h('button', {type: 'button', class: 'quiet', id: 'lesson-found', onclick: () => finish()}, 'What you found'));
  el.append(contents, card, page);
  let drawn = '', scrolled = '', ended = false;

  const go = attempt(async (to: [number, number] | null) => {
    if (!to) {
      close();
      return;
    }
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
    const {hash} = context.session.model, {data_seed, model_seed} = {...context.setup.values, ...met.seeds};
    const made = `Data seed ${data_seed}, model seed ${model_seed}`;
    page.replaceChildren(
      h('h3', {id: 'found-title', tabindex: -1}, 'What you found'),
      ...met.list().map(({name, title, sentence, expected}) => {
        const before = h('input', {type: 'text', value: expected, size: 24, maxlength: 200, onchange: () => met.expect(name, before.value)});
        return h('section', {}, h('h4', {}, title), h('p', {}, sentence
          ?? h('button', {type: 'button', class: 'quiet', onclick: () => go(course.find(name))}, `Not yet: go to card ${name}`)),
        h('p', {class: 'small'}, h('label', {}, 'What did you expect? ', before)));
      }),
      h('p', {class: 'soft small'}, `${made}${hash ? `; fingerprint of your last run ${hash}` : ''}. The same seeds give everybody the same numbers.`),
      h('div', {class: 'toolbar lesson-turn'},
        h('button', {type: 'button', id: 'found-copy', onclick: attempt(async () => {
          await navigator.clipboard.writeText(met.text(made));
          setText(byId('found-copy'), 'Copied');
        })}, 'Copy'),
        h('button', {type: 'button', id: 'found-print', onclick: () => print()}, 'Print'),
        met.number ? h('button', {type: 'button', id: 'found-sheet', onclick: () =>
          download(met.sheet(), `cadem-sheet-${met.number.replace(/[^\w-]+/g, '-')}.json`, 'application/json')}, 'Answer sheet') : '',
        h('button', {type: 'button', class: 'quiet', onclick: close}, 'All lessons')),
      met.number ? '' : h('p', {class: 'small', id: 'found-none'}, typed(),
        ' to hand in an answer sheet. What you found without it stays here, '
          + 'but the runs of a sheet are trained with the number.'));
    show();
    byId('learn').scrollTop = 0;
    byId('found-title').focus({preventScroll: true});
  }

  /** Lights parts of the page, and pictures elsewhere fade: names of views, and terms of the loss after "term:". */
  function light(parts: string[]) {
    const views: Element[] = parts.filter(p => !p.startsWith('term:')).map(byId), stage = byId('stage');
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
      const [whole, words, part] = m, only = () => light([part]), all = () => light(course.at.light ?? []);
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

  /** What does not change while a card is open. */
  function draw() {
    const {at, lesson, name} = course;
    if (drawn === name) return;
    drawn = name;
    // For as long as the card stands: its lines keep their places.
    asks.hidden = met.number !== '' || met.begun;
    const of = LESSONS[lesson].title;
    setText(where, `Lesson ${lesson + 1} of ${LESSONS.length}: ${of}${of.endsWith('?') ? '' : '.'} Card ${name}.`);
    setText(title, at.title);
    text.replaceChildren(...at.text.map(sentenceOf));
    doing.replaceChildren(h('strong', {}, 'Do: '), TOUCH.matches ? at.do.replace('Point at', 'Tap') : at.do);
    ask.hidden = !at.ask;
    looks.hidden = !at.look;
    if (at.ask) choose(ask, at.ask.question, at.ask.choices.map(([value, text]) => ({text, value, pick: () => course.choose(value)})));
    if (at.look) {
      const {label, of, choices} = at.look;
      choose(looks, label, choices.map(([value, text]) => ({text, value, pick: () => context.showView({[of]: value || null})})));
    }
    const {choices} = course;
    knob.hidden = choices.length < 2;
    choose(knob, at.knob?.label ?? 'Train', choices.map(({run}) => ({text: run.label, value: run.label, pick: () => course.pick(run)})));
    light(at.light ?? []);
  }

  /** What is chosen, and what has been trained. */
  function mark(locked: boolean) {
    const {at, working, answer, choices} = course, {view} = context.setup.settings;
    const check = (el: HTMLElement, value: string | null | undefined) => {
      for (const radio of (el.querySelectorAll('input') as NodeListOf<HTMLInputElement>)) radio.checked = radio.value === value;
    };
    check(ask, answer);
    check(looks, view[(at.look?.of ?? '') as keyof PageChoices] as string ?? (at.look?.of === 'layers' ? 'links' : ''));
    const chosen = choices.find(c => c.chosen);
    check(knob, chosen?.run.label);
    knob.disabled = working || locked;
    [...knob.querySelectorAll('label')].forEach((label, k) => label.classList.toggle('done', choices[k]?.done));
    const due = at.measure?.includes('arms') ? course.state.sentence === null : at.knob || choices.some(c => c.needed && !c.done);
    train.hidden = !chosen || locked;
    train.classList.toggle('away', !due);
    train.disabled = working || !due;
    if (due) setText(train, chosen?.run.press ?? `Train with ${chosen?.run.label}`);
  }

  function show() {
    card.hidden = !open;
    page.hidden = !ended;
    contents.hidden = open || ended;
    (byId('how-fold') as HTMLDetailsElement).open = !open && !ended;
    course.note();
    const left = course.find(kept(LEFT_AT));
    setText(start, left ? `Go on with ${kept(LEFT_AT)}, ${LESSONS[left[0]].cards[left[1]].title}` : 'Start');
    if (!open) {
      drawn = '';
      gamma.show();
      list.replaceChildren(...LESSONS.map((l, i) => {
        const n = met.count(i), of = l.cards.length;
        return h('li', {}, h('button', {type: 'button', class: 'quiet', onclick: () => go([i, 0])}, l.title),
          n ? h('span', {class: 'soft small figures'}, ` ${n}/${of}${n === of ? ' \u2713' : ''}`) : '');
      }));
      return;
    }
    draw();
    const {at, working, told, state: {sentence, met: holds, so = null, earlier}} = course, locked = context.setup.settings.view.lock === '1';
    const done = so !== null; // a run has shown something, be it what most do or not
    mark(locked);
    act.hidden = locked;
    act.classList.toggle('away', done);
    act.disabled = done || working;
    setText(act, working ? 'Working\u2026' : 'Do it for me');
    card.dataset.state = sentence === null ? 'open' : holds ? 'met' : done ? 'other' : 'missed';
    if (done) met.note(course.name, `${sentence} ${so}`);
    next.classList.toggle('primary', done);
    train.classList.toggle('primary', !done);
    const head = sentence === null ? told : earlier ? 'Earlier you found: ' : 'You see: ';
    see.replaceChildren(head ? h('strong', {}, head) : h('span', {class: 'soft'}, 'Your result appears here.'), sentence ?? '',
      ...sentence === null ? [] : [' ', done ? h('span', {class: 'met'}, `${holds ? '\u2713 ' : ''}${so}`)
        : h('span', {class: 'missed'}, '\u2717 Not in all three. Look at another.')]);
    back.disabled = !course.beside(-1);
    setText(next, course.beside(1) ? 'Next' : 'Finish');
    const target = at.scroll && document.querySelector(at.scroll), due = `${course.name} ${card.dataset.state}`;
    if (target && scrolled !== due && target.checkVisibility()) {
      scrolled = due;
      target.scrollIntoView({block: 'nearest'});
    }
  }

  show();
  return {
    show,
    follow({view}) {
      const name = String(view.lesson ?? ''), to = course.find(name);
      unknown.hidden = !name || Boolean(to);
      setText(unknown, `There is no card \u201c${name.slice(0, 40)}\u201d. Choose a lesson.`);
      if (!view.lesson && open) close();
      else if (to && (!open || view.lesson !== course.name)) go(to);
    },
  };
}
