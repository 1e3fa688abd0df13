// What a reader has found: the sentence of every exercise whose run has shown what it is about, with the reader's own numbers; what was expected
// before; and the runs that they are about. Kept between visits, and handed in as one file, which `cadem verify` marks.

import type {Exercise, Options} from '../types.js';

/** A run of a sheet: what it takes to train it again, and what came out. */
export interface SheetRun {
  data: DataSpec; preset: string; options: Options; evaluation: Options; model_seed: number; eval_seed: number; hash: string;
  scores: Pick<Score, 'embedding' | 'target' | 'metric' | 'value'>[];
}

/** What one student has found. */
interface Findings { sentences: Map<string, string>; expected: Map<string, string>; runs: Map<string, SheetRun> }

/** What is asked of where it is kept, which is text of anybody's making: whose number was last there, and what each number has found. */
function read(text: string) {
  let of: unknown;
  try {
    of = JSON.parse(text);
  } catch {} // nothing, then
  const pairs = <T>(list: unknown, is: string) => new Map<string, T>(
    Array.isArray(list) ? list.filter(e => Array.isArray(e) && e.length === 2 && typeof e[0] === 'string' && e[1] && typeof e[1] === is) : []);
  const {number, by} = Object(of), students = new Map<string, Findings>();
  for (const [name, {sentences, expected, runs}] of pairs<Record<string, unknown>>(by, 'object')) {
    students.set(name, {sentences: pairs(sentences, 'string'), expected: pairs(expected, 'string'), runs: pairs(runs, 'object')});
  }
  return {number: typeof number === 'string' ? number : '', students};
}

/** The model seed of a student's number: FNV-1a of its text, from 1 to 1000000. `cadem verify` computes the same. */
export function seedOf(number: string) {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(number)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash % 1_000_000 + 1;
}

export class Found {
  #exercises; #keep;
  #number: string;
  #students: Map<string, Findings>;

  /** @param kept gives what was kept @param keep keeps a text */
  constructor(exercises: Pick<Exercise, 'name' | 'title'>[], kept: () => string, keep: (text: string) => void) {
    this.#exercises = exercises;
    this.#keep = keep;
    ({number: this.#number, students: this.#students} = read(kept()));
  }

  /** What the present student has found. */
  get #of() {
    let of = this.#students.get(this.#number);
    if (!of) this.#students.set(this.#number, of = {sentences: new Map(), expected: new Map(), runs: new Map()});
    return of;
  }

  #save() {
    const by = [...this.#students].map(([name, {sentences, expected, runs}]) => [name, {sentences: [...sentences], expected: [...expected], runs: [...runs]}]);
    this.#keep(JSON.stringify({number: this.#number, by}));
  }

  /** The student's number, "" for none. Each has findings of its own, as its runs have another seed. */
  get number() { return this.#number; }
  set number(text: string) {
    this.#number = text;
    this.#save();
  }

  /** The seeds of the runs of all exercises. */
  get seeds(): Record<string, number> { return this.#number ? {model_seed: seedOf(this.#number)} : {}; }

  /** Whether a run was trained, so that another number would begin anew. */
  get begun() { return this.#of.runs.size > 0; }

  /** Notes what an exercise's run has shown. */
  note(name: string, sentence: string) {
    const text = sentence.trim();
    if (this.#of.sentences.get(name) === text) return;
    this.#of.sentences.set(name, text);
    this.#save();
  }

  /** Notes a run that has ended, by its course. */
  ran(course: string, run: SheetRun) {
    if (this.#of.runs.get(course)?.hash === run.hash) return;
    this.#of.runs.set(course, run);
    this.#save();
  }

  /** Notes what was expected of an exercise. */
  expect(name: string, text: string) {
    this.#of.expected.set(name, text);
    this.#save();
  }

  /** What was found in each exercise, and in lessons of before that the essay has taken the place of. */
  list() {
    const {sentences, expected} = this.#of, old = [...sentences.keys()].filter(name => /^[1-6]\.[1-6]$/.test(name));
    const gone = old.filter(name => !this.#exercises.some(e => e.name === name));
    return [...this.#exercises, ...gone.map(name => ({name, title: `Lesson ${name}`}))].map(({name, title}) =>
      ({name, title, sentence: sentences.get(name), expected: expected.get(name) ?? ''}));
  }

  /** The same as text, to be sent to somebody. */
  text(made: string) {
    const known = this.list().flatMap(({title, sentence}) => sentence ? [`${title}\n${sentence}`] : []);
    return ['What I found with CaDeM in the browser', ...known, `${made}. ${known.length} of ${this.list().length} found.`].join('\n\n');
  }

  /** The same as a file, with the runs. */
  sheet() {
    const found = this.list().flatMap(({title, sentence, expected}) => sentence ? [{title, expected, sentence}] : []);
    return JSON.stringify({sheet: 1, student: this.#number, found, runs: [...this.#of.runs.values()]}, null, 1);
  }
}
