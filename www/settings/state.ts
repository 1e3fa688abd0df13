// A person's choices, and their form in the address: all differences from the defaults, so that a link says
// the same thing to everybody and stays short. The link is kept up to date and never removed.
import {own} from '../dom/nth.js';
import {SEEDS, clip, clustersProperty, parse, seedProperty} from './catalogue.js';
import {NODES, TURNED} from './nodes.js';
import type {Catalogue} from './catalogue.js';
import type {Message, PageChoices, Readable, Settings, Values} from '../types.js';

const VERSION = '1';
export const LONGEST_LINK = 16384; // characters; the longest that the page itself writes has some two thousand
const MOST_MESSAGES = 10;
const GROUPS = {o: ['training', 'options'], d: ['data', 'dataOptions'], e: ['evaluation', 'evaluation']} as const;

/**
 * The settings of an example as shipped. `options` and the like hold only changes; `subject`: the open files are those of a brain.
 */
export function freshSettings(data: string): Settings {
  const nothing = {options: {}, dataOptions: {}, evaluation: {}, seeds: {}, view: {}};
  return {data, preset: 'released', method: '', level: '', ...nothing, recommended: null, subject: false};
}

export const PLACES = ['learn', 'lab', 'data', 'experiments', 'runs'];
/** Those of the view that are named without it. */
const PLAIN = ['place', 'show', 'lesson', 'at', 'select', 'pace', 'hide', 'lock', 'big', 'embed'];
/** Choices of links of before, about views that the essay has taken the place of. */
const GONE = ['view.guess', 'view.found'];
/** Parts of the page that a link can hide. */
export const HIDABLE = ['learn', 'settings', 'pulls', 'tabs', 'places'] as const;
/** Outer epochs a second; without one, as fast as it goes. */
export const PACES = ['0.5', '1', '2', '5', '10', '25'];
const PARTS = new RegExp(`^(${HIDABLE.join('|')})([.](${HIDABLE.join('|')}))*$`);
const FLAG = {kind: 'choice' as const, choices: ['1'], expected: '1'};

/**
 * The place on screen: for a page that frames the stage, the one with nothing beside it. A link to a report leads to it, as older links without
 * places do.
 */
export const placeOf = (view: PageChoices): string => view.embed === '1' ? 'lab' : view.place ?? (view.study ? 'experiments' : 'learn');

// Free text must leave room for the rest in a link, where a character may take nine.
const SHORT = /^[^]{0,200}$/;

/** The view's settings, each as a row of the option table. Colours name label sets and embeddings, which only the data knows. */
const view = (catalogue: Catalogue): Record<string, Readable> => ({
  color: {kind: 'text', pattern: SHORT, expected: 'a name of up to 200 characters'},
  k: clustersProperty,
  log: FLAG,
  layers: {kind: 'choice', choices: ['links', 'matrices', 'communities'], expected: 'links, matrices or communities'},
  links: {kind: 'choice', choices: ['all'], expected: 'all'},
  lesson: {kind: 'text', pattern: SHORT, expected: 'an exercise, as 3.2'},
  axes: {kind: 'text', pattern: /^(separating|tsne|columns:\d{1,4}\.\d{1,4})$/, expected: 'separating, tsne or two columns, as columns:1.2'},
  of: {kind: 'choice', choices: ['C'], expected: 'C'},
  why: {kind: 'text', pattern: /^(S|[CP]\d{1,3})$/, expected: 'an embedding, as S or P2'},
  if: {kind: 'text', pattern: TURNED, expected: 'links as layer.node.node, as 0.3.12_1.3.40'},
  knows: {kind: 'choice', choices: ['probe'], expected: 'probe'},
  show: {kind: 'text', pattern: SHORT, expected: 'the name of a view'},
  place: {kind: 'choice', choices: PLACES, expected: `one of ${PLACES.join(', ')}`},
  at: {kind: 'int', min: 0, expected: 'an epoch'},
  select: {kind: 'text', pattern: NODES, expected: 'numbers of nodes, as 0-9.12'},
  pace: {kind: 'choice', choices: PACES, expected: `one of ${PACES.join(', ')}`},
  hide: {kind: 'text', pattern: PARTS, expected: `names among ${HIDABLE.join(', ')}, with dots between them`},
  lock: FLAG,
  big: FLAG,
  embed: FLAG,
  order: {kind: 'text', pattern: /^[a-z_]{1,20}-\w{1,20}(\.[a-z_]{1,20}-\w{1,20}){0,20}$/, expected: 'fields of the form of experiments, as width-16.seeds-3'},
  study: {kind: 'choice', choices: catalogue.studies.flatMap(s => [s.name, ...s.also ?? []]), expected: 'the name of an experiment'},
});

/** All values, defaults filled in, as a run needs them. */
export function resolve(settings: Settings, catalogue: Catalogue): Values {
  const values = {} as Values;
  for (const [group, field] of Object.values(GROUPS)) values[field] = {...catalogue.defaults(group, settings), ...settings[field]};
  const {preset, method} = settings, level = method && (catalogue.level(settings)?.name ?? '');
  return Object.assign(values, {preset, method, level}, catalogue.seeds, settings.seeds);
}

/** Drops the entries that say no more than the defaults do. */
export function prune(settings: Settings, catalogue: Catalogue) {
  if (settings.level && settings.level === catalogue.level({method: settings.method})?.name) settings.level = '';
  for (const [group, field] of Object.values(GROUPS)) {
    const usual = catalogue.defaults(group, settings);
    for (const [name, value] of Object.entries(settings[field])) {
      if (!Object.hasOwn(usual, name) || usual[name] === value) delete settings[field][name];
    }
  }
  const usual: Record<string, number> = {...catalogue.seeds};
  for (const [name, value] of Object.entries(settings.seeds)) if (usual[name] === value) delete settings.seeds[name];
}

/** Writes settings as the text behind the # of the address. */
export function toHash(settings: Settings) {
  const q = new URLSearchParams({v: VERSION, data: settings.data});
  if (settings.preset !== 'released' && !settings.method) q.set('preset', settings.preset);
  if (settings.method) q.set('method', settings.method);
  if (settings.level) q.set('level', settings.level);
  for (const [key, [, field]] of Object.entries(GROUPS)) {
    for (const name of Object.keys(settings[field]).sort()) q.set(`${key}.${name}`, String(settings[field][name]));
  }
  for (const name of SEEDS) if (name in settings.seeds) q.set(name, String(settings.seeds[name]));
  for (const [name, value] of Object.entries(settings.view)) {
    const usual = name === 'place' && value === placeOf({...settings.view, place: undefined, embed: undefined});
    if (!usual) q.set(PLAIN.includes(name) ? name : 'view.' + name, String(value));
  }
  return '#' + q.toString();
}

/**
 * Reads an address. Returns null when it holds no settings, else {settings, messages}: what could not be used
 * is named and left at its default. An address can come from anybody: only names of the option table are looked up, and
 * neither a message nor their number grows with the address.
 */
export function fromHash(hash: string, catalogue: Catalogue): {settings: Settings, messages: Message[]} | null {
  if (!hash.includes('=')) return null;
  const usual = catalogue.first;
  if (hash.length > LONGEST_LINK) {
    const message = `The link has ${hash.length} characters. This page reads at most ${LONGEST_LINK}, so nothing of the link is used.`;
    return {settings: freshSettings(usual), messages: [{level: 'warning', message}]};
  }
  const q = new URLSearchParams(hash.slice(1));
  const messages: Message[] = [];
  const complain = (field: string, found: string | undefined, wanted: string | undefined) => messages.push({
    level: 'warning', field: clip(field), message: `In the link: ${clip(field)}: found ${found}, expected ${wanted}. The usual value is used.`,
  });
  const quoted = (text: string) => `"${clip(text)}"`;
  const version = q.get('v');
  if (version !== null && version !== VERSION) complain('v', quoted(version), `"${VERSION}", the version of links this page writes`);
  let data = q.get('data') || usual;
  if (data === 'files') {
    messages.push({level: 'info', message: 'The link was made with opened files, which a link cannot carry. Open them here and its settings apply.'});
  } else if (!catalogue.example(data)) {
    complain('data', quoted(data), 'one of ' + catalogue.examples.map(e => e.name).join(', '));
    data = usual;
  }
  const settings = freshSettings(data);
  const preset = q.get('preset');
  if (preset && Object.hasOwn(catalogue.presets, preset)) settings.preset = preset;
  else if (preset) complain('preset', quoted(preset), 'one of ' + catalogue.presetNames.join(', '));
  const method = catalogue.method(q.get('method') ?? ''), level = q.get('level');
  if (method) settings.method = method.name;
  else if (q.get('method')) complain('method', quoted(String(q.get('method'))), 'one of ' + catalogue.methods.map(m => m.name).join(', '));
  if (level && method?.levels.some(l => l.name === level)) settings.level = level;
  else if (level) complain('level', quoted(level), method ? 'one of ' + method.levels.map(l => l.name).join(', ') : 'a method beside it');
  const views = view(catalogue);
  for (const [written, text] of q) {
    if (GONE.includes(written)) continue;
    const key = written === 'score' ? 'e.score' : written; // as links of before have it
    if ((SEEDS as string[]).includes(key)) {
      take(settings.seeds, key, seedProperty, text);
      continue;
    }
    if (PLAIN.includes(key)) {
      take(settings.view, key, views[key], text);
      continue;
    }
    const dot = key.indexOf('.'), kind = key.slice(0, Math.max(dot, 0)), name = key.slice(dot + 1);
    const of = own(GROUPS, kind);
    if (kind === 'view') take(settings.view, name, !PLAIN.includes(name) && own(views, name), text);
    else if (of) {
      const [group, field] = of;
      take(settings[field], name, catalogue.properties(group, data, settings.method).find(p => p.name === name), text);
    }
  }
  prune(settings, catalogue);
  return {settings, messages: few(messages)};

  /** Takes a value if there is such an option and the value fits. */
  function take(into: object, name: string, property: Readable | undefined | false, text: string) {
    const r = property ? parse(property, text) : {value: undefined, found: 'an option this page does not have', expected: 'one of its own'};
    if (r.value !== undefined) Object.assign(into, {[name]: r.value});
    else complain(name, r.found, r.expected);
  }
}

/** The first messages, and how many there would be. */
function few(messages: Message[]) {
  const more = messages.length - MOST_MESSAGES + 1;
  const rest = {level: 'warning', message: `In the link: ${more} more settings cannot be used.`};
  return more < 2 ? messages : [...messages.slice(0, MOST_MESSAGES - 1), rest];
}
