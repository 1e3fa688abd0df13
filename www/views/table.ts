// The views of a run, one row each. A new view is a module with mount(el, context) -> {show(model), follow?, highlight?} and a
// row here: where it stands, what it shows, and when it is loaded. Its section is made where the page has none; el is the place in it.
import {byId, h} from '../dom/elements.js';
import * as embeddings from './embeddings.js';
import * as knows from './knows.js';
import * as layers from './layers.js';
import * as pulls from './pulls.js';
import {createStage} from './stage.js';
import type {Concern, Model, PageView, Settings, ViewContext, ViewModule} from '../types.js';

interface ViewRow {
  name: string; // of its section, which is made unless the page has it
  title: string;
  place?: 'below' | 'learn'; // where it stands: always in sight below the pictures, or at the head of the text beside them; else on the stage
  together?: boolean; // it is one of those that the stage shows at once, if there is room
  listens: Concern[]; // what it shows
  load: () => ViewModule | Promise<ViewModule>; // its module, or a promise of that
  /** it is made: before anything else, once the page can be operated, when there is something to show, or when the reader first comes to it */
  when: 'first' | 'later' | 'shown' | 'seen';
  shown?: (model: Model, context: ViewContext) => boolean; // whether there is anything to show; without it, always
}

/** The run on screen is not of another method. */
const ofCaDeM = (m: Model) => !m.record?.method;
/** Nor is that of another method whose settings stand in the form. */
const weighs = (m: Model, {setup}: ViewContext) => ofCaDeM(m) && !setup.settings.method;

export const VIEWS: ViewRow[] = [
  {name: 'layers', title: 'Layers', together: true, listens: ['data', 'run', 'layers'], load: () => layers, when: 'first'},
  {name: 'embeddings', title: 'Embeddings', together: true, listens: ['data', 'frame', 'run', 'pin', 'layers'], load: () => embeddings, when: 'first'},
  {
    name: 'brain', title: 'Brain', listens: ['data', 'frame', 'run', 'regions'], load: () => import('./brain.js'), when: 'shown',
    shown: m => Boolean(m.data?.places),
  },
  {
    name: 'pulls', title: 'Pulls', place: 'below', listens: ['data', 'run', 'progress', 'losses', 'pin'], load: () => pulls, when: 'first',
    shown: weighs,
  },
  {name: 'knows', title: 'Who knows what', together: true, listens: ['data', 'run', 'scores', 'past', 'pin'], load: () => knows, when: 'first'},
  {
    name: 'compare', title: 'Compare', listens: ['data', 'run', 'frame', 'losses', 'scores', 'pin'], load: () => import('./compare.js'), when: 'seen',
    shown: (_, {pinned}) => Boolean(pinned.run),
  },
  {
    name: 'method', title: 'Method, box by box', listens: ['data', 'run', 'progress', 'layers', 'frame'], load: () => import('./method.js'), when: 'seen',
    shown: m => Boolean(m.data) && ofCaDeM(m),
  },
  {
    name: 'paint', title: 'Paint', listens: ['data', 'run', 'layers'], load: () => import('./paint.js'), when: 'seen',
    shown: (m, {setup}) => Boolean(m.data) && setup.settings.data === 'painted',
  },
  {
    name: 'causality', title: 'Causality', listens: ['data', 'run', 'progress', 'exchange', 'studies', 'past'], when: 'seen',
    load: () => import('./causality.js'),
    shown: m => Boolean(m.data) && ofCaDeM(m),
  },
  {
    name: 'shares', title: 'What the layers share', listens: ['data', 'run', 'shares'], load: () => import('./shares.js'), when: 'shown',
    shown: m => Boolean(m.shares),
  },
  {name: 'losses', title: 'Losses', listens: ['run', 'losses', 'pin'], load: () => import('./losses.js'), when: 'later'},
  {
    name: 'lessons', title: 'Exercises', place: 'learn', listens: ['data', 'run', 'progress', 'scores', 'layers', 'exchange', 'past'],
    load: () => import('../exercises/panel.js'), when: 'seen', shown: () => true,
  },
];

/** The section of a view. */
function stand({name, title, place}: ViewRow, before: ViewRow | undefined): {section: HTMLElement, el: HTMLElement} {
  if (!byId(`${name}-view`)) {
    const heading = h('div', {class: 'section-head'}, h('h2', {id: `${name}-title`}, title));
    const section = h('section', {id: name, 'aria-labelledby': `${name}-title`, hidden: true}, heading, h('div', {id: `${name}-view`}));
    if (place === 'learn') byId('learn').prepend(section);
    else byId(`${before?.name}-view`).closest('section')?.after(section);
  }
  const el = byId(`${name}-view`);
  return {section: el.closest('section') as HTMLElement, el};
}

/** first() makes those that come before anything else, later() the others that do not wait to be shown; follow(settings) has all do what a link says. */
export function mountViews(context: ViewContext, subscribe: (concerns: Concern[], show: () => void) => void) {
  const {session, setup, attempt} = context;
  const views: PageView[] = [];
  const entries = VIEWS.map((row, i) => {
    const {section, el} = stand(row, VIEWS.slice(0, i).findLast(r => !r.place));
    let view: PageView | null = null;
    let begun = false;
    const make = attempt(async () => {
      begun = true;
      const module = row.load();
      view = (module instanceof Promise ? await module : module).mount(el, context);
      views.push(view as PageView);
      view?.follow?.(setup.settings);
      show();
    });
    const show = () => {
      const shown = row.shown?.(session.model, context) ?? true;
      if (row.shown) {
        section.hidden = !shown;
        if (!row.place) stage.offer(row.name, shown);
      }
      if (!shown) return;
      if (view) view.show(session.model);
      else if (row.when === 'shown' && !begun) make();
    };
    subscribe(row.listens, show);
    if (row.when === 'seen') {
      const seen = new IntersectionObserver(entries => {
        if (!entries.some(e => e.isIntersecting)) return;
        seen.disconnect();
        make();
      });
      seen.observe(section);
    }
    return {row, make, section};
  });
  const onStage = entries.filter(e => !e.row.place);
  const stage = createStage({setup, views: onStage.map(({row, section}) => ({...row, together: row.together ?? false, section}))});
  for (const {row} of onStage) if (row.shown) stage.offer(row.name, row.shown(session.model, context));
  stage.follow(setup.settings);
  const makeAll = (when: string) => Promise.all(entries.filter(e => e.row.when === when).map(e => e.make()));
  return {
    first: () => makeAll('first'),
    later: () => makeAll('later'),
    follow(settings: Settings) {
      stage.follow(settings);
      for (const v of views) v.follow?.(settings);
    },
    highlight(term: string | null) { for (const v of views) v.highlight?.(term); },
  };
}
