// A reader's way through the lessons: which card is open, what its runs have shown so far, and doing for the reader what the card asks. Knows
// nothing of the document.
import {comparisonOf} from '../run/comparison.js';
import {freshSettings} from '../settings/state.js';
import {factsOf, fill, holds, valueOf} from './measures.js';

const CLOSED = 'closed'; // a preset of tasks alone

export type Facts = import('./measures.js').Facts;

export class Course {
  #context; #lessons; #changed;
  /** What runs have shown, by their course; of those alone that cards have. */
  #known: Map<string, Facts> = new Map();
  /** The courses of all cards' runs, once they are asked for. */
  #courses: Set<string> | null = null;
  #waiting: (() => void)[] = [];
  #node: Facts['node'];
  #asked = ''; // the run whose exchange was measured
  #opened = 0; // counts cards: what is done for one that was left ends
  lesson = 0;
  card = 0;
  /** Something is done for the reader. */
  working = false;
  /** What was answered. */
  answer: string | null = null;

  constructor(context: ViewContext, lessons: Lesson[], changed: () => void) {
    this.#context = context;
    this.#lessons = lessons;
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
    const {data = 'town', view = {}} = this.at;
    showView({show: null, ...view, lesson: this.name});
    this.#changed();
    if (setup.settings.data === data) return;
    const {color, ...others} = setup.settings.view; // colours are those of other data
    await stage({...freshSettings(data), view: {...others, ...view.color && {color: view.color}}});
  }

  /** The settings of a run of a card. */
  #settings({data, preset = 'released', options = {}, dataOptions = {}}: CardRun, at = this.at): Settings {
    const {view} = this.#context.setup.settings;
    return {...freshSettings(data ?? at.data ?? 'town'), preset, options: {...options}, dataOptions: {...dataOptions}, view: {...view}};
  }

  #courseOf(run: CardRun, at = this.at) {
    return this.#context.setup.course(this.#settings(run, at)) + (run.links ? `, ${run.links} times without some links` : '');
  }

  /** Whether some card has a run of such a course. */
  #teaches(course: string) {
    this.#courses ??= new Set(this.#lessons.flatMap(l => l.cards.flatMap(card => Object.values(card.runs ?? {}).map(run => this.#courseOf(run, card)))));
    return this.#courses.has(course);
  }

  /** Whether the run on screen is this one. */
  #onScreen(run: CardRun) {
    const {setup, session: {model}} = this.#context;
    return Boolean(model.record && model.record.changes.length === 0 && setup.courseOf(model.record) === this.#courseOf(run));
  }

  /** Notes what the run on screen has shown. */
  note() {
    const {session: {model}, setup, catalogue} = this.#context, {record, phase, scores, scoring} = model;
    if (record && phase === 'finished' && scores && !scoring && record.changes.length === 0) {
      const course = setup.courseOf(record), before = this.#known.get(course), facts = factsOf(model, catalogue.terms);
      if (this.#teaches(course)) this.#known.set(course, {...facts, exchange: facts.exchange ?? before?.exchange ?? null});
    }
    this.#measure();
    for (const go of this.#waiting.splice(0)) go();
  }

  /** Asks ψ of the run on screen, once, where that is what the card is about. */
  #measure() {
    const {at} = this, {session, setup, attempt} = this.#context, {model} = session, run = model.record?.run ?? '';
    if (at.measure !== 'exchange' || model.phase !== 'finished' || model.scoring || model.ending || model.exchange || this.#asked === run) return;
    if (!Object.values(at.runs ?? {}).some(r => this.#onScreen(r))) return;
    this.#asked = run;
    attempt(() => session.intervene(setup.values.eval_seed))();
  }

  /** What a run of the card has shown; null where it has not been trained so far. */
  #factsOf(run: CardRun): Facts | null {
    const {session: {model}, catalogue} = this.#context;
    if (!run.until) return this.#known.get(this.#courseOf(run)) ?? null;
    if (!this.#onScreen(run) || model.phase === 'opening') return null;
    const facts = factsOf(model, catalogue.terms);
    return run.until === 'start' && model.progress?.step === 0 || run.until === 'step' && facts.losses ? facts : null;
  }

  /** What is known under a name in the card's expressions. */
  #facts(name: string): Facts | null {
    const {at} = this, {session: {model}, catalogue} = this.#context, run = at.runs?.[name];
    const comparison = at.measure === 'comparison' ? this.#comparison() : null;
    if (comparison && (name === 'now' || name === 'own')) {
      const way = comparison.way(name === 'own');
      return way ? {...factsOf(model, catalogue.terms), exchange: way.exchange, looks: way.looks} : null;
    }
    if (run) return this.#factsOf(run);
    return at.runs ? null : {...factsOf(model, catalogue.terms), node: this.#node};
  }

  /** The comparison, where it is that of the card's run. */
  #comparison() {
    const c = comparisonOf(this.#context), run = this.at.runs?.now;
    return run && c.course === this.#courseOf(run) ? c : null;
  }

  /** The runs of the card, and whether each has been trained. */
  get runs() {
    return Object.entries(this.at.runs ?? {}).map(([name, run]) => ({name, label: run.label, done: Boolean(this.#factsOf(run))}));
  }

  /** How the card stands: its sentence where all of its numbers are there, and whether the run shows what the card is about. */
  get state(): {sentence: string | null, met: boolean} {
    const {at} = this, {look, session: {model}} = this.#context, facts = (name: string) => this.#facts(name);
    const none = {sentence: null, met: false};
    if (model.phase === 'opening' || !model.data || (at.data ?? 'town') !== this.#context.setup.settings.data) return none;
    if (at.hand && !this.#byHand()) return none;
    const words = {who: this.#node === undefined ? '' : look.nameOf(this.#node), pair: this.#pair() ?? ''};
    const sentence = fill(at.see, facts, words), held = holds(at.check, facts);
    return sentence === null || held === undefined ? none : {sentence, met: held && (!at.ask || this.answer === at.ask.right)};
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
    this.#changed();
  }

  // --- Doing it for the reader

  /**
   * Does what the card asks, or has one of its runs trained.
   * @param only the name of a run
   */
  async act(only?: string) {
    if (this.working) return;
    const opened = this.#opened, wanted = () => opened === this.#opened, {at} = this;
    this.working = true;
    this.#changed();
    try {
      for (const [name, run] of Object.entries(at.runs ?? {})) {
        const known = () => Boolean(this.#factsOf(run)) && (at.measure !== 'exchange' || valueOf(`${name}.kept`, n => this.#facts(n)) !== undefined);
        if (only ? name !== only : known()) continue;
        if ((!this.#factsOf(run) || !this.#onScreen(run)) && !await this.#train(run, wanted)) return;
        this.note();
        await this.#until(known, wanted);
        if (!wanted()) return;
      }
      if (!only) await this.#finish(at, wanted);
    } finally {
      this.working = false;
      this.#changed();
    }
  }

  async #finish(at: LessonCard, wanted: () => boolean) {
    const {session, setup, look, showView} = this.#context;
    if (at.measure === 'comparison' && at.runs && wanted()) {
      if (!this.#onScreen(at.runs.now) && !await this.#train(at.runs.now, wanted)) return;
      if (wanted() && !this.#comparison()?.way(true)) await comparisonOf(this.#context).run();
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
