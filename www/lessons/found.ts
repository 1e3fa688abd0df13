// What a reader has found: the sentence of every card whose run has shown what the card is about, with the reader's own numbers; what was expected
// before; and the runs that they are about. Kept between visits, and handed in as one file, which `cadem verify` marks.

/** A run of a sheet: what it takes to train it again, and what came out. */
export interface SheetRun {
  data: DataSpec; preset: string; options: Options; evaluation: Options; model_seed: number; eval_seed: number; hash: string;
  scores: Pick<Score, 'embedding' | 'target' | 'metric' | 'value'>[];
}

interface Kept { sentences: [string, string][]; expected: [string, string][]; runs: [string, SheetRun][]; number: string }

const NOTHING: Kept = {sentences: [], expected: [], runs: [], number: ''};

/** What is asked of where it is kept: text, of anybody's making. */
function read(text: string): Kept {
  try {
    const of = JSON.parse(text), pairs = (list: unknown, is: string) =>
      Array.isArray(list) ? list.filter(e => Array.isArray(e) && e.length === 2 && typeof e[0] === 'string' && e[1] && typeof e[1] === is) : [];
    return {
      sentences: pairs(of.sentences, 'string'), expected: pairs(of.expected, 'string'), runs: pairs(of.runs, 'object'),
      number: typeof of.number === 'string' ? of.number : '',
    };
  } catch {
    return NOTHING;
  }
}

/** The model seed of a student's number: FNV-1a of its text, from 1 to 1000000. `cadem verify` computes the same. */
export function seedOf(number: string) {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(number)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash % 1_000_000 + 1;
}

export class Found {
  #lessons; #keep;
  #number: string;
  #sentences: Map<string, string>;
  #expected: Map<string, string>;
  #runs: Map<string, SheetRun>;

  /** @param kept gives what was kept @param keep keeps a text */
  constructor(lessons: Lesson[], kept: () => string, keep: (text: string) => void) {
    this.#lessons = lessons;
    this.#keep = keep;
    const {sentences, expected, runs, number} = read(kept());
    this.#sentences = new Map(sentences);
    this.#expected = new Map(expected);
    this.#runs = new Map(runs);
    this.#number = number;
  }

  #save() {
    const kept: Kept = {sentences: [...this.#sentences], expected: [...this.#expected], runs: [...this.#runs], number: this.#number};
    this.#keep(JSON.stringify(kept));
  }

  /** The student's number, "" for none. Another one begins anew: its runs have another seed. */
  get number() { return this.#number; }
  set number(text: string) {
    if (text === this.#number) return;
    this.#number = text;
    for (const of of [this.#sentences, this.#runs]) of.clear();
    this.#save();
  }

  /** The seeds of the runs of all cards. */
  get seeds(): Record<string, number> { return this.#number ? {model_seed: seedOf(this.#number)} : {}; }

  /** Notes what a card's run has shown. */
  note(card: string, sentence: string) {
    const text = sentence.trim();
    if (this.#sentences.get(card) === text) return;
    this.#sentences.set(card, text);
    this.#save();
  }

  /** Notes a run that has ended, by its course. */
  ran(course: string, run: SheetRun) {
    if (this.#runs.get(course)?.hash === run.hash) return;
    this.#runs.set(course, run);
    this.#save();
  }

  /** Notes what was expected of a card. */
  expect(card: string, text: string) {
    this.#expected.set(card, text);
    this.#save();
  }

  /** How many cards of a lesson are done. */
  count(lesson: number) { return this.#lessons[lesson].cards.filter((_, k) => this.#sentences.has(`${lesson + 1}.${k + 1}`)).length; }

  /** What the lessons lead to, under its headings. */
  list() {
    return this.#lessons.flatMap((l, i) => l.cards.flatMap(({found}, k) => {
      const name = `${i + 1}.${k + 1}`;
      return found ? [{name, title: found, sentence: this.#sentences.get(name), expected: this.#expected.get(name) ?? ''}] : [];
    }));
  }

  /** The same as text, to be sent to somebody. */
  text(made: string) {
    const known = this.list().flatMap(({title, sentence}) => sentence ? [`${title}\n${sentence}`] : []);
    return ['What I found with CaDeM in the browser', ...known, `${made}. ${known.length} of ${this.list().length} found.`].join('\n\n');
  }

  /** The same as a file, with the runs. */
  sheet() {
    const found = this.list().flatMap(({title, sentence, expected}) => sentence ? [{title, expected, sentence}] : []);
    return JSON.stringify({sheet: 1, student: this.#number, found, runs: [...this.#runs.values()]}, null, 1);
  }
}
