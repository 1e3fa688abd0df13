// A reader's way through the exercises: which one is open, what its runs have shown so far, and doing for the reader what it asks. Knows nothing of
// the document.
import {nth} from '../dom/nth.js';
import {armsOf} from '../run/comparison.js';
import {askLayer, layerTold, rests} from '../run/layertold.js';
import {freshSettings} from '../settings/state.js';
import {factsOf, fill, holds, outcome, valueOf} from './measures.js';
import type {Facts} from './measures.js';
import type {Found} from './found.js';
import type {CardRun, Exercise, Settings, ViewContext} from '../types.js';

const CLOSED = 'closed'; // a preset of tasks alone
const MOST_TIMES = 5;
const MEASURED = {exchange: 'kept', layer: 'layer-of-C', arms: ''}; // what is known of a run once that is measured on it

/** Whether a run is trained beside the one on screen. */
const beside = (run: CardRun) => run.preset === CLOSED || Boolean(run.links);

export class Course {
  #context; #exercises; #found; #changed;
  /** What runs have shown, by their course; of those alone that exercises have. */
  #known: Map<string, Facts> = new Map();
  /** The courses of all exercises' runs, once they are asked for, with the seeds of a student's number. */
  #courses = new Set<string>();
  #number: string | null = null;
  #waiting: (() => void)[] = [];
  #asked = ''; // the run that was measured last, and how often: what is given up is asked again
  #times = 0;
  #measuring = false;
  #opened = 0; // counts exercises: what is done for one that was left ends
  #chosen: CardRun | null = null; // to be trained
  #paced = false; // the exercise before has set a pace
  index = 0;
  /** Something is done for the reader. */
  working = false;
  /** What was answered. */
  answer: string | null = null;

  constructor(context: ViewContext, exercises: Exercise[], found: Found, changed: () => void) {
    this.#context = context;
    this.#exercises = exercises;
    this.#found = found;
    this.#changed = changed;
  }

  /** The open exercise. */
  get at() { return nth(this.#exercises, this.index, 'exercises'); }
  /** Its name in an address. */
  get name() { return this.at.name; }

  /** Where an address leads, -1 where there is no such exercise. */
  find(name: string) { return this.#exercises.findIndex(e => e.name === name || e.name === `${name}.1`); }

  /** Opens an exercise and sets the stage for it: what another training left there is none of its own. */
  async open(index: number) {
    const {setup, showView, stage} = this.#context;
    Object.assign(this, {index, answer: null});
    this.#opened++;
    this.#chosen = null;
    const {view = {}} = this.at, first = this.#settings(this.#needed[0] ?? {label: ''}), {settings} = setup;
    showView({show: null, ...this.#paced && {pace: null}, ...view, lesson: this.name});
    this.#paced = 'pace' in view;
    this.#changed();
    if (settings.view.lock === '1' || this.#needed.some(run => this.#onScreen(run))) return; // a locked page keeps its data
    if (settings.data === first.data && settings.preset === first.preset) return;
    const {color, ...others} = settings.view; // colours are those of other data
    await stage({...freshSettings(first.data), preset: first.preset, seeds: this.#found.seeds, view: {...others, ...view.color && {color: view.color}}});
  }

  /** The settings of a run of an exercise. */
  #settings({data, preset = 'released', options = {}, dataOptions = {}}: CardRun, at = this.at): Settings {
    const {view} = this.#context.setup.settings;
    const usual = {...freshSettings(data ?? at.data ?? 'town'), seeds: this.#found.seeds};
    return {...usual, preset, options: {...options}, dataOptions: {...dataOptions}, view: {...view}};
  }

  #courseOf(run: CardRun, at = this.at) {
    return this.#context.setup.course(this.#settings(run, at)) + (run.links ? `, ${run.links} times without some links` : '');
  }

  /** Whether some exercise has a run of such a course. */
  #teaches(course: string) {
    if (this.#number !== this.#found.number) {
      this.#number = this.#found.number;
      this.#courses = new Set(this.#exercises.flatMap(e => Object.values(e.runs ?? {}).map(run => this.#courseOf(run, e))));
    }
    return this.#courses.has(course);
  }

  /** Whether the run on screen is this one. */
  #onScreen(run: CardRun) {
    const {setup, session: {model: {record}}} = this.#context;
    return Boolean(record && record.changes.length === 0 && setup.courseOf(record) === this.#courseOf(run));
  }

  /** Whether it stands there, trained. */
  #stands(run: CardRun) { return this.#context.session.model.phase === 'finished' && this.#onScreen(run); }

  /** Notes what the run on screen has shown. */
  note() {
    const {session, setup} = this.#context, {model} = session, {record, phase, scores, scoring} = model;
    if (record && phase === 'finished' && scores && !scoring && record.changes.length === 0) {
      const course = setup.courseOf(record), before = this.#known.get(course), facts = factsOf(model), looks = layerTold(session);
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

  /** Measures the run on screen where that is what the exercise is about. */
  #measure() {
    const {at: {measure}} = this, {session, setup, attempt} = this.#context, {model} = session, asked = `${model.record?.run} ${this.name}`;
    if (!measure || this.#measuring || model.phase !== 'finished' || !rests(model)) return;
    if (!this.#needed.some(r => this.#stands(r) && !this.#shownBy(r))) return;
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

  /** What a run has shown, once all is measured on it that the exercise asks for; null where it has not been trained so far. */
  #shownBy(run: CardRun) {
    const facts = this.#known.get(this.#courseOf(run)), {measure = []} = this.at;
    return facts && measure.every(m => !MEASURED[m] || valueOf(MEASURED[m], () => facts) !== undefined) ? facts : null;
  }

  /** What is known under a name in the exercise's expressions. */
  #facts(name: string): Facts | null {
    const {runs, measure} = this.at, run = runs?.[name];
    if (run) return this.#known.get(this.#courseOf(run)) ?? null;
    const here = factsOf(this.#context.session.model), way = measure?.includes('arms') && this.#arms?.ways.find(w => w.arm === name);
    return way ? {...here, looks: way.looks} : runs ? null : here;
  }

  /** The trainings with more and fewer losses, where they are those of the exercise's run. */
  get #arms() {
    const c = armsOf(this.#context), run = this.at.runs?.now;
    return run && c.course === this.#courseOf(run) ? c : null;
  }

  /** The runs that the exercise needs. */
  get #needed() { return Object.values(this.at.runs ?? {}); }

  /** What can be chosen to be trained, and whether it has been. */
  get choices() {
    const list = this.#needed, chosen = this.#chosen ?? list.find(run => !this.#shownBy(run)) ?? list[0];
    return list.map(run => ({run, done: Boolean(this.#shownBy(run)), chosen: run === chosen}));
  }

  /** What the run on screen lacks. */
  get told(): string | null {
    const {choices} = this, missing = choices.filter(c => !c.done), here = choices.find(c => this.#onScreen(c.run));
    if (this.#context.session.model.phase !== 'finished' || !here || !missing.length) return null;
    return here.done ? `You trained with ${here.run.label}. Now train with ${missing.map(c => c.run.label).join(' and ')}.` : 'Measuring\u2026';
  }

  /** Chooses what is to be trained, and puts it on screen, untrained. */
  async pick(run: CardRun) {
    this.#chosen = run;
    this.#changed();
    if (!beside(run) && !this.#onScreen(run)) await this.#context.stage(this.#settings(run));
  }

  /** Trains what is chosen. */
  train() {
    const chosen = this.choices.find(c => c.chosen)?.run;
    if (this.at.measure?.includes('arms') || !chosen) return this.act();
    return this.#work(async wanted => {
      await this.#show(chosen, wanted);
      this.#chosen = null;
    });
  }

  /**
   * How the exercise stands: its sentence where all of its numbers are there, whether they show what they mostly do, what follows from them, which is null
   * where the reader's answer is wrong, and whether they are of a run that is no longer on screen.
   */
  get state(): {sentence: string | null, met: boolean, so?: string | null, earlier?: boolean} {
    const {session: {model}, setup} = this.#context, facts = (name: string) => this.#facts(name);
    const none = {sentence: null, met: false}, at = {...this.at}, answer = this.answer ?? '';
    if (model.phase === 'opening' || !model.data || (at.data ?? 'town') !== setup.settings.data || at.ask && !answer) return none;
    if (at.ask) {
      at.see = at.see.replaceAll('@', answer);
      const of = <T>(v: T) => typeof v === 'string' ? v.replace('@', answer) : v;
      at.check = at.check.map(([a, relation, b, margin]) => [of(a), relation, of(b), margin]);
    }
    const sentence = fill(at.see, facts, {answer: at.ask?.choices.find(c => c[0] === answer)?.[1] ?? ''}), held = holds(at.check, facts);
    if (sentence === null || held === undefined) return none;
    const met = held && (!at.ask || answer === at.ask.right);
    const own = this.#needed.filter(run => !beside(run)), earlier = own.length > 0 && !own.some(run => this.#stands(run));
    return {sentence, met, so: met || !at.ask ? outcome(at, facts) : null, earlier};
  }

  choose(choice: string) {
    this.answer = choice;
    this.#context.showView({color: `labels:${choice}`});
    this.#changed();
  }

  // --- Doing it for the reader

  /** Does what the exercise asks. */
  act() {
    const {at} = this;
    return this.#work(async wanted => {
      for (const run of this.#needed) if (!this.#shownBy(run) && !await this.#show(run, wanted)) return;
      if (at.measure?.includes('arms') && at.runs?.now && wanted()) {
        if (!this.#onScreen(at.runs.now) && !await this.#train(at.runs.now, wanted)) return;
        if (wanted() && !this.#arms?.arm('all')) await armsOf(this.#context).run();
      }
      if (at.ask && wanted()) this.choose(at.ask.right);
    });
  }

  /** Has a run trained and measured; false where something else took its place. */
  async #show(run: CardRun, wanted: () => boolean) {
    if ((!this.#known.has(this.#courseOf(run)) || !this.#stands(run)) && !await this.#train(run, wanted)) return false;
    this.note();
    await this.#until(() => Boolean(this.#shownBy(run)), wanted);
    return wanted();
  }

  /** Does one thing at a time; `wanted` says whether the exercise is open still. */
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

  /** Trains a run; false when something else took its place on screen before it began. */
  async #train(run: CardRun, wanted: () => boolean) {
    const {session, pool, setup, stage} = this.#context, settings = this.#settings(run);
    if (beside(run)) {
      const {values} = setup, course = this.#courseOf(run);
      const {result, error} = nth(await pool.run([{
        name: run.label, data: {example: settings.data, options: settings.dataOptions, data_seed: values.data_seed},
        preset: settings.preset, options: settings.options,
        model_seed: values.model_seed, eval_seed: values.eval_seed, measure: [run.links ? {kind: 'links', splits: run.links} : {kind: 'scores'}],
      }]), 0, 'results');
      if (error) throw error;
      this.#known.set(course, {...factsOf(session.model), scores: result?.scores ?? null, exchange: null});
      return true;
    }
    if (!await stage(settings) || !wanted()) return false;
    await session.play();
    await this.#until(() => this.#known.has(this.#courseOf(run)) && this.#stands(run), wanted);
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
