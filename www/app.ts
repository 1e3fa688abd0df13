// The page: a bare address opens the essay, unless the visitor has runs of his own; every other address opens the Lab.
import {filesDropped} from './dom/dropped.js';
import {byId} from './dom/elements.js';
import {kept} from './dom/kept.js';
import {loadTown} from './essay/runs.js';
import type * as Lab from './lab.js';

const root = document.documentElement;
const ESSAY = /^#(essay|scene=\d(&share=\d{1,3})?)$/;
/** The scenes that took the place of lessons and views, which older links name. */
const SCENES: Record<string, string> = {
  1.1: '1', 1.2: '2', 1.3: '2', 2.1: '0', 2.3: '7', 2.4: '4&share=50', 2.5: '3', 3.3: '4&share=0', 4.1: '5', 4.2: '5', 4.3: '5', 5.2: '6', 5.3: '6', 6.1: '7',
  6.2: '3', 6.5: '4&share=0', predict: '4', psi: '6',
};

/** Whether this browser keeps runs (panels/noted.ts). */
const keepsRuns = () => /"run"/.test(kept('runs'));

let essay: Promise<{show(k: number): void, take(files: File[]): void}> | null = null;
let lab: Promise<typeof Lab> | null = null;

function toLab(files: File[] = [], why = '') {
  root.classList.remove('essay', 'undecided');
  scrollTo(0, 0);
  if (location.search === '?lab') history.replaceState(null, '', location.pathname + location.hash); // it has done what it is for
  if (files.length) location.hash = '#data';
  if (lab) {
    if (files.length) lab.then(l => l.openFiles(files, why));
    return;
  }
  lab = import('./lab.js');
  lab.then(l => l.openLab(files, why));
}

function toEssay() {
  const q = new URLSearchParams(location.hash.slice(1));
  const from = Math.min(8, Number(q.get('scene') ?? 0));
  root.classList.add('essay');
  root.classList.remove('undecided');
  if (essay) essay.then(e => e.show(from));
  else {
    essay = Promise.all([import('./essay/essay.js'), loadTown()]).then(([e, town]) =>
      e.createEssay(byId('essay'), town, {from, share: Math.round(Number(q.get('share') ?? 0) / 25) % 5, lab(files, why) {
        location.hash = '#lab';
        toLab(files, why);
      }}));
    essay.catch(e => { // without its runs there is no essay
      console.error(e);
      toLab();
    });
  }
}

/** The scene that an older link leads to. */
function sceneOf(hash: string) {
  const q = new URLSearchParams(hash.slice(1)), lesson = q.get('lesson') ?? '';
  const gamma = Number(q.get('d.gamma') ?? 0.5);
  const scene = SCENES[lesson ? `${lesson}${lesson.length === 1 ? '.1' : ''}` : q.get('show') ?? ''];
  return scene === SCENES.predict ? `${scene}&share=${Math.min(100, Math.max(0, Math.round(100 * gamma) || 0))}` : scene;
}

function decide(first: boolean) {
  const scene = sceneOf(location.hash);
  if (scene) history.replaceState(null, '', `${location.pathname}#scene=${scene}`);
  const bare = first && !location.hash && !location.search && !keepsRuns();
  if (bare || ESSAY.test(location.hash)) toEssay();
  else if (first || root.classList.contains('essay')) toLab();
}

// The essay takes dropped files as the Lab does: without this the browser would leave the page for the file.
const overEssay = (e: DragEvent) => root.classList.contains('essay') && [...(e.dataTransfer?.types ?? [])].includes('Files');
addEventListener('dragover', e => {
  if (overEssay(e)) e.preventDefault();
});
addEventListener('drop', async e => {
  if (!overEssay(e)) return;
  e.preventDefault();
  e.stopImmediatePropagation(); // the Lab, if it is there, listens too
  const files = await filesDropped(e.dataTransfer);
  essay?.then(e => e.take(files));
});
addEventListener('hashchange', () => decide(false));
decide(true);
