// A reader's way through the lessons: which card is open, what its runs have shown so far, and doing for the reader what the card asks. Knows
// nothing of the document.
import {armsOf, comparisonOf} from '../run/comparison.js';
import {askLayer, layerTold, rests} from '../run/layertold.js';
import {freshSettings} from '../settings/state.js';
import {factsOf, fill, holds, outcome, valueOf} from './measures.js';
import type {Found} from './found.js';

const CLOSED = 'closed'; // a preset of tasks alone
const MOST_TIMES = 5;
const MEASURED = {exchange: 'kept', layer: 'layer-of-C', arms: ''}; // what is known of a run once that is measured on it

export type Facts = import('./measures.js').Facts;

export class Course {
  #context; #lessons; #found; #changed;
  /** What runs have shown, by their course; of those alone that cards have. */
  #known: Map<string, Facts> = new Map();
  /** The courses of all cards' runs, once they are asked for, with the seeds of a student's number. */
  #courses = new Set<string>();
  #number: string | null = null;
  #waiting: (() => void)[] = [];
  #node: Facts['node'];
  #asked = ''; // the run that was measured last, and how often: what is given up is asked again
  #times = 0;
  #measuring = false;
  #opened = 0; // counts cards: what is done for one that was left ends
  lesson = 0;
  card = 0;
  /** Something is done for the reader. */
  working = false;
  /** What was answered. */
  answer: string | null = null;
  /** What was chosen to be trained. */
  #chosen: CardRun | null = null;
  #paced = false; // the card before has set a pace

  constructor(context: ViewContext, lessons: Lesson[], found: Found, changed: () => void) {
    this.#context = context;
    this.#lessons = lessons;
    this.#found = found;
    this.#changed = changed;
    context.look.follow(what => {
      if (what !== 'node' || context.look.node < 0) return;
      this.#node = context.look.node;
      if (this.at.hand === 'node') changed();
    });
  }

  /** The open card. */
  get at() { return this.#lessons[this.lesson].cards[this.card]; }
  /** Its name in an address. */
  get name() { return `${this.lesson + 1}.${this.card + 1}`; }

  /** Where an address leads, [lesson, card]; null where there is no such card. */
  find(name: string): [number, number] | null {
    const [, l, c = '1'] = /^([1-9])(?:\.([1-9]))?$/.exec(name) ?? [];
    return this.#lessons[Number(l) - 1]?.cards[Number(c) - 1] ? [Number(l) - 1, Number(c) - 1] : null;
  }

  /** The card before or after the open one, [lesson, card]. */
  beside(step: -1 | 1): [number, number] | null {
    const all = this.#lessons.flatMap((l, i) => l.cards.map((_, k) => [i, k] as [number, number]));
    return all[all.findIndex(([l, c]) => l === this.lesson && c === this.card) + step] ?? null;
  }

  /** Opens a card and sets the stage for it. */
  async open([lesson, card]: [number, number]) {
    const {setup, showView, stage} = this.#context;
    Object.assign(this, {lesson, card, answer: null});
    this.#opened++;
    this.#node = undefined;
    this.#chosen = null;
    const {data = 'town', view = {}} = this.at;
    showView({show: null, ...this.#paced && {pace: null}, ...view, lesson: this.name});
    this.#paced = 'pace' in view;
    this.#changed();
    if (setup.settings.data === data || setup.settings.view.lock === '1') return; // a locked page keeps its data
    const {color, ...others} = setup.settings.view; // colours are those of other data
    await stage({...freshSettings(data), seeds: this.#found.seeds, view: {...others, ...view.color && {color: view.color}}});
  }

  /** The settings of a run of a card. */
  #settings({data, preset = 'released', options = {}, dataOptions = {}}: CardRun, at = this.at): Settings {
    const {view} = this.#context.setup.settings;
    const usual = {...freshSettings(data ?? at.data ?? 'town'), seeds: this.#found.seeds};
    return {...usual, preset, options: {...options}, dataOptions: {...dataOptions}, view: {...view}};
  }

  #courseOf(run: CardRun, at = this.at) {
    return this.#context.setup.course(this.#settings(run, at)) + (run.links ? `, ${run.links} times without some links` : '');
  }

  /** Whether some card has a run of such a course. */
  #teaches(course: string) {
    if (this.#number !== this.#found.number) {
      this.#number = this.#found.number;
      const runs = (card: LessonCard) => [...Object.values(card.runs ?? {}), ...card.knob?.choices ?? []];
      const courses = (card: LessonCard) => runs(card).map(run => this.#courseOf(run, card));
      this.#courses = new Set(this.#lessons.flatMap(l => l.cards.flatMap(courses)));
    }
    return this.#courses.has(course);
  }

  /** Whether the run on screen is this one. */
  #onScreen(run: CardRun) {
    const {setup, session: {model}} = this.#context;
    return Boolean(model.record && model.record.changes.length === 0 && setup.courseOf(model.record) === this.#courseOf(run));
  }

  /** Notes what the run on screen has shown. */
  note() {
    const {session, setup, catalogue} = this.#context, {model} = session, {record, phase, scores, scoring} = model;
    if (record && phase === 'finished' && scores && !scoring && record.changes.length === 0) {
      const course = setup.courseOf(record), before = this.#known.get(course), facts = factsOf(model, catalogue.terms), looks = layerTold(session);
      if (this.#teaches(course)) {
        this.#known.set(course, {...facts, exchange: facts.exchange ?? before?.exchange ?? null, looks: looks.length > 1 ? looks : before?.looks});
        const {data, preset = 'released', options = {}, evaluation = {}, model_seed = 0, eval_seed = 0} = record;
        this.#found.ran(course, {
          data, preset, options, evaluation, model_seed, eval_seed, hash: model.hash ?? '',
          scores: scores.map(({embedding, target, metric, value}) => ({embedding, target, metric, value})),
        });
      }
    }
    this.#measure();
    for (const go of this.#waiting.splice(0)) go();
  }

  /** Measures the run on screen where that is what the card is about. */
  #measure() {
    const {at: {measure}} = this, {session, setup, attempt} = this.#context, {model} = session, asked = `${model.record?.run} ${this.name}`;
    if (!measure || this.#measuring || model.phase !== 'finished' || !rests(model)) return;
    if (!this.#needed.some(r => this.#onScreen(r) && !this.#shownBy(r))) return;
    this.#times = asked === this.#asked ? this.#times + 1 : 1;
    this.#asked = asked;
    if (this.#times > MOST_TIMES) return;
    this.#measuring = true;
    attempt(async () => {
      try {
        if (measure.includes('exchange') && model.exchange?.step !== model.progress?.step) await session.intervene(setup.values.eval_seed);
        if (measure.includes('layer')) await askLayer(session);
      } finally {
        this.#measuring = false;
        this.#changed(); // which asks again for what was given up
      }
    })();
  }

  /** What a run of the card has shown; null where it has not been trained so far. */
  #factsOf(run: CardRun): Facts | null {
    const {session: {model}, catalogue} = this.#context;
    if (!run.until) return this.#known.get(this.#courseOf(run)) ?? null;
    if (!this.#onScreen(run) || model.phase === 'opening') return null;
    const facts = factsOf(model, catalogue.terms);
    return run.until === 'start' && model.progress?.step === 0 || run.until === 'step' && facts.losses ? facts : null;
  }

  /** The same, once all is measured on it that the card asks for. */
  #shownBy(run: CardRun) {
    const facts = this.#factsOf(run), {measure = []} = this.at;
    return facts && measure.every(m => !MEASURED[m] || valueOf(MEASURED[m], () => facts) !== undefined) ? facts : null;
  }

  /** What is known under a name in the card's expressions. */
  #facts(name: string): Facts | null {
    const {at} = this, {session: {model}, catalogue} = this.#context, run = at.runs?.[name];
    if (!run && at.measure?.includes('arms')) {
      const way = this.#arms?.ways.find(w => w.arm === name);
      return way ? {...factsOf(model, catalogue.terms), looks: way.looks} : null;
    }
    if (run) return this.#factsOf(run);
    return at.runs ? null : {...factsOf(model, catalogue.terms), node: this.#node};
  }

  /** The trainings with more and fewer losses, where they are those of the card's run. */
  get #arms() {
    const c = armsOf(this.#context), run = this.at.runs?.now;
    return run && c.course === this.#courseOf(run) ? c : null;
  }

  /** The runs that the card needs. */
  get #needed() { return Object.values(this.at.runs ?? {}); }

  /** What can be chosen to be trained: whether it has been, and whether the button would have it trained now. */
  get choices() {
    const list = this.at.knob?.choices ?? this.#needed, same = (a: CardRun, b: CardRun) => this.#courseOf(a) === this.#courseOf(b);
    const setUp = this.#context.setup.course(), due = (run: CardRun) => this.at.knob ? this.#courseOf(run) === setUp : !this.#shownBy(run);
    const chosen = this.#chosen ?? list.find(due) ?? list[0];
    return list.map(run => ({run, done: Boolean(this.#shownBy(run)), chosen: run === chosen, needed: this.#needed.some(r => same(r, run))}));
  }

  /** What the run on screen has to do with the card, where that lacks numbers. */
  get told(): string | null {
    const {phase} = this.#context.session.model, {choices} = this, {at} = this;
    const missing = choices.filter(c => c.needed && !c.done).map(c => c.run.label), here = choices.find(c => this.#onScreen(c.run));
    if (!at.runs || phase !== 'finished' || !missing.length) return null;
    if (here?.needed && !here.done) return 'Measuring\u2026';
    if (here && !here.needed) return `You trained with ${here.run.label}. This card asks for ${missing.join(' and ')}.`;
    return here ? `You trained with ${here.run.label}. Now train with ${missing.join(' and ')}.` : null;
  }

  /** Chooses what is to be trained, and puts it on screen, untrained. */
  async pick(run: CardRun) {
    this.#chosen = run;
    this.#changed();
    if (run.preset === CLOSED || run.links || this.#onScreen(run)) return;
    await this.#context.stage(this.#settings(run));
  }

  /** Trains what is chosen. */
  train() {
    const chosen = this.choices.find(c => c.chosen)?.run;
    if (this.at.measure?.includes('arms') || !chosen) return this.act();
    return this.#work(async wanted => {
      if (!await this.#train(chosen, wanted)) return;
      this.note();
      await this.#until(() => Boolean(this.#shownBy(chosen)), wanted);
      this.#chosen = null;
    });
  }

  /**
   * How the card stands: its sentence where all of its numbers are there, whether they show what they mostly do, what follows from them, which is null
   * where the reader's answer is wrong, and whether they are of a run that is no longer on screen.
   */
  get state(): {sentence: string | null, met: boolean, so?: string | null, earlier?: boolean} {
    const {look, session: {model}} = this.#context, facts = (name: string) => this.#facts(name);
    const none = {sentence: null, met: false}, at = {...this.at}, answer = this.answer ?? '';
    if (at.ask) {
      at.see = at.see.replaceAll('@', answer);
      const of = <T>(v: T) => typeof v === 'string' ? v.replace('@', answer) : v;
      at.check = at.check.map(([a, relation, b, margin]) => [of(a), relation, of(b), margin]);
    }
    if (model.phase === 'opening' || !model.data || (at.data ?? 'town') !== this.#context.setup.settings.data) return none;
    if (at.hand && !this.#byHand()) return none;
    const words = {
      who: this.#node === undefined ? '' : look.nameOf(this.#node), pair: this.#pair() ?? '', answer: at.ask?.choices.find(c => c[0] === answer)?.[1] ?? '',
    };
    const sentence = fill(at.see, facts, words), held = holds(at.check, facts);
    const earlier = this.#needed.length > 0 && !this.#needed.some(run => run.preset === CLOSED || run.links || this.#onScreen(run));
    if (sentence === null || held === undefined) return none;
    const met = held && (!at.ask || answer === at.ask.right);
    return {sentence, met, so: met || !at.ask ? outcome(at, facts) : null, earlier};
  }

  /** Whether the reader's hand has done what the card asks. */
  #byHand() {
    const {at} = this, {settings} = this.#context.setup;
    switch (at.hand) {
      case 'node': return this.#node !== undefined;
      case 'view': return Object.entries(at.show ?? {}).every(([k, v]) => (settings.view[k as keyof PageChoices] ?? '') === v);
      case 'answer': return this.answer !== null;
      case 'pair': return this.#pair() !== null;
    }
    return true;
  }

  /** What ψ said of the pair that was chosen, of parts of two graphs. */
  #pair() {
    const {hand} = comparisonOf(this.#context), pair = hand?.pair;
    return hand && pair && pair[0] !== pair[1] ? hand.said : null;
  }

  choose(choice: string) {
    this.answer = choice;
    this.#context.showView({color: `labels:${choice}`});
    this.#changed();
  }

  // --- Doing it for the reader

  /** Does what the card asks. */
  act() {
    const {at} = this;
    return this.#work(async wanted => {
      for (const run of this.#needed) {
        const known = () => Boolean(this.#shownBy(run));
        if (known()) continue;
        if ((!this.#factsOf(run) || !this.#onScreen(run)) && !await this.#train(run, wanted)) return;
        this.note();
        await this.#until(known, wanted);
        if (!wanted()) return;
      }
      await this.#finish(at, wanted);
    });
  }

  /** Does one thing at a time; `wanted` says whether the card is open still. */
  async #work(f: (wanted: () => boolean) => Promise<void>) {
    if (this.working) return;
    const opened = this.#opened;
    this.working = true;
    this.#changed();
    try {
      await f(() => opened === this.#opened);
    } finally {
      this.working = false;
      this.#changed();
    }
  }

  async #finish(at: LessonCard, wanted: () => boolean) {
    const {session, setup, look, showView} = this.#context;
    if (at.measure?.includes('arms') && at.runs && wanted()) {
      if (!this.#onScreen(at.runs.now) && !await this.#train(at.runs.now, wanted)) return;
      if (wanted() && !this.#arms?.arm('all')) await armsOf(this.#context).run();
    }
    if (!wanted()) return;
    if (at.hand === 'node') look.point(0);
    if (at.hand === 'view') showView(at.show ?? {});
    if (at.hand === 'answer') this.choose(at.ask?.right ?? '');
    if (at.hand === 'pair') {
      const comparison = comparisonOf(this.#context);
      await this.#until(() => Boolean(session.model.exchange && comparison.hand), wanted);
      comparison.hand?.choose(0, (session.model.exchange?.layer.length ?? 1) - 1);
    }
  }

  /** Trains a run; false when something else took its place on screen before it began. */
  async #train(run: CardRun, wanted: () => boolean) {
    const {session, pool, setup, stage} = this.#context, settings = this.#settings(run);
    if (run.preset === CLOSED || run.links) {
      const {values} = setup, course = this.#courseOf(run);
      const [{result, error}] = await pool.run([{
        name: run.label, data: {example: settings.data, options: settings.dataOptions, data_seed: values.data_seed},
        preset: settings.preset, options: settings.options,
        model_seed: values.model_seed, eval_seed: values.eval_seed, measure: [run.links ? {kind: 'links', splits: run.links} : {kind: 'scores'}],
      }]);
      if (error) throw error;
      const facts = factsOf(session.model, []);
      this.#known.set(course, {...facts, scores: result.scores, losses: null, exchange: null, rank: undefined});
      return true;
    }
    if (!await stage(settings) || !wanted()) return false;
    if (run.until === 'step') await session.step();
    if (run.until) return true;
    await session.play();
    await this.#until(() => Boolean(this.#factsOf(run)) && this.#onScreen(run), wanted);
    return true;
  }

  /** Waits for something of the run on screen; a run that stops or gives way to another ends it. */
  async #until(f: () => boolean, wanted: () => boolean) {
    const {session} = this.#context, run = session.model.record?.run;
    while (wanted() && !f() && session.model.record?.run === run && session.model.phase !== 'failed') {
      await new Promise(resolve => { this.#waiting.push(() => resolve(undefined)); });
    }
  }
}
