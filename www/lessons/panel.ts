// The lessons on the page: one card at a time, beside the stage.
import {byId, h, reveal, setText} from '../dom/elements.js';
import {prefix} from '../engine/endpoint.js';
import {Course} from './course.js';
import {LESSONS} from './lessons.js';

const LEFT_AT = prefix + 'cadem lesson'; // in localStorage
const MARK = /\[\[([^|\]]+)\|([^\]]+)\]\]/;

/** Where the reader was last. */
function leftAt() {
  try {
    return localStorage.getItem(LEFT_AT) ?? '';
  } catch {
    return ''; // not allowed
  }
}

function leaveAt(card: string) {
  try {
    localStorage.setItem(LEFT_AT, card);
  } catch {
    // no room, or not allowed: then the reader begins anew
  }
}

export function mount(el: HTMLElement, context: ViewContext): PageView {
  const {attempt, highlight} = context;
  let open = false;
  const course = new Course(context, LESSONS, () => show());
  const text = h('div', {class: 'card-text'}), doing = h('p', {class: 'card-do'}), runs = h('ul', {class: 'card-runs'});
  const ask = h('fieldset', {class: 'card-ask', hidden: true}), see = h('p', {class: 'card-see', 'aria-live': 'polite'});
  const title = h('h3', {id: 'lesson-card', tabindex: -1}), where = h('p', {class: 'soft small', id: 'lesson-where'});
  const act = h('button', {type: 'button', id: 'lesson-do', onclick: attempt(() => course.act())}, 'Do it for me');
  const back = h('button', {type: 'button', id: 'lesson-back', onclick: () => go(course.beside(-1))}, 'Back');
  const next = h('button', {type: 'button', id: 'lesson-next', class: 'primary', onclick: () => go(course.beside(1))}, 'Next');
  const leave = h('button', {type: 'button', class: 'quiet', onclick: close}, 'All lessons');
  const card = h('article', {class: 'lesson-card', hidden: true, 'aria-labelledby': 'lesson-card'}, where, title, text, doing, runs, ask,
    h('div', {class: 'toolbar'}, act), see, h('div', {class: 'toolbar lesson-turn'}, back, next, leave));
  const start = h('button', {type: 'button', class: 'primary', id: 'lesson-start', onclick: () => go(course.find(leftAt()) ?? [0, 0])});
  const sizes = LESSONS.map(l => l.cards.length);
  const list = h('ol', {class: 'lesson-list'}, LESSONS.map((l, i) =>
    h('li', {}, h('button', {type: 'button', class: 'quiet', onclick: () => go([i, 0])}, l.title))));
  const unknown = h('p', {class: 'notice warning', hidden: true});
  const contents = h('div', {class: 'lesson-contents'}, unknown,
    h('p', {class: 'measure'}, `Six short lessons on a small town, of ${Math.min(...sizes)} to ${Math.max(...sizes)} cards. `
      + 'Each card says what to do and then reads the numbers of your run.'), start, list);
  el.append(contents, card);
  let drawn = '';

  const go = attempt(async (to: [number, number] | null) => {
    if (!to) {
      close();
      return;
    }
    open = true;
    await course.open(to);
    leaveAt(course.name);
    show();
    byId('learn').scrollTop = 0;
    title.focus({preventScroll: true});
  });

  function close() {
    open = false;
    light([]);
    context.showView({lesson: null});
    show();
  }

  /** Lights parts of the page: names of views, and terms of the loss after "term:". */
  function light(parts: string[]) {
    for (const lit of document.querySelectorAll('.spot')) lit.classList.remove('spot');
    for (const p of parts) if (!p.startsWith('term:')) byId(p)?.classList.add('spot');
    highlight(parts.find(p => p.startsWith('term:'))?.slice('term:'.length) ?? null);
  }

  /** A sentence whose marked words light a part of the page. */
  function sentenceOf(sentence: string) {
    const out = [];
    let rest = sentence;
    for (let m; (m = MARK.exec(rest));) {
      const [whole, words, part] = m, only = () => light([part]), all = () => light(course.at.light ?? []);
      out.push(rest.slice(0, m.index), h('button', {
        type: 'button', class: 'points', onpointerenter: only, onpointerleave: all, onfocus: only, onblur: all,
        onclick: () => reveal(byId(part.startsWith('term:') ? 'pulls' : part)),
      }, words));
      rest = rest.slice(m.index + whole.length);
    }
    return h('p', {}, out, rest);
  }

  /** What does not change while a card is open. */
  function draw() {
    const {at, lesson, name} = course;
    if (drawn === name) return;
    drawn = name;
    setText(where, `Lesson ${lesson + 1} of ${LESSONS.length}: ${LESSONS[lesson].title}. Card ${name}.`);
    setText(title, at.title);
    text.replaceChildren(...at.text.map(sentenceOf));
    doing.replaceChildren(h('strong', {}, 'Do: '), at.do);
    ask.hidden = !at.ask;
    ask.replaceChildren(...at.ask ? [h('legend', {}, at.ask.question), ...at.ask.choices.map(c =>
      h('label', {}, h('input', {type: 'radio', name: 'lesson-ask', value: c, onchange: () => course.choose(c)}), c))] : []);
    light(at.light ?? []);
  }

  function show() {
    card.hidden = !open;
    contents.hidden = open;
    course.note();
    const left = course.find(leftAt());
    setText(start, left ? `Go on with ${leftAt()}, ${LESSONS[left[0]].cards[left[1]].title}` : 'Start');
    if (!open) {
      drawn = '';
      return;
    }
    draw();
    const {at, working} = course, {sentence, met} = course.state, several = course.runs.length > 1;
    runs.hidden = !several;
    runs.replaceChildren(...several ? course.runs.map(r => h('li', {}, `${r.label}: `, r.done ? 'done'
      : h('button', {type: 'button', class: 'quiet', disabled: working, onclick: attempt(() => course.act(r.name))}, 'set up and train'))) : []);
    for (const radio of (ask.querySelectorAll('input') as NodeListOf<HTMLInputElement>)) radio.checked = radio.value === course.answer;
    act.disabled = working || met;
    setText(act, working ? 'Working\u2026' : 'Do it for me');
    card.dataset.state = sentence === null ? 'open' : met ? 'met' : 'missed';
    const wrong = at.ask && course.answer !== null && course.answer !== at.ask.right;
    see.replaceChildren(h('strong', {}, sentence === null ? 'What your run shows will stand here.' : 'You should see: '), sentence ?? '',
      ...sentence === null ? [] : met ? [' ', h('span', {class: 'met'}, `\u2713 ${at.so ?? 'It is so.'}`)]
        : [' ', h('span', {class: 'missed'}, wrong ? '\u2717 Look again.' : '\u2717 Your run does not show what this card is about.')]);
    back.disabled = !course.beside(-1);
    setText(next, course.beside(1) ? 'Next' : 'Finish');
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
