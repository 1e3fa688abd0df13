// Which data: the examples as cards, or the reader's own files.
import {fileInput, filesDropped} from '../dom/dropped.js';
import {button, h, reveal, setText} from '../dom/elements.js';
import {dotsOf, pictureOf} from '../run/beside.js';
import {loadFinished} from '../run/finished.js';
import {thumbnail} from '../views/thumbnail.js';
import type {RunRecord} from '../types.js';

const EDGES = `layer,from,to,weight
lunch,Ana,Ben,1
work,Ana,Cleo,2.5`;
const LABELS = `name,team,floor
Ana,blue,ground
Ben,blue,first
Cleo,red,`;

const KINDS = [
  'matrices from MATLAB (.mat), NumPy or SciPy (.npy, .npz), or Python (.pkl): a square one for each layer;',
  'tables (.csv, .tsv, .txt) of links, one file with a column for the layer or a file for each layer; of features, or of labels;',
  'the series of one subject\u2019s brain (.ptseries.nii, or .dtseries.nii with .dlabel.nii, or a wide table or .npy),'
    + ' with a table of its regions (name, network, x, y, z) and of confounds;',
  'multiplex edge lists with their layer and node files, GraphML, multinet, muxViz;',
  'many such graphs: a folder for each class, or a table (graph, class, file, group) with the files that it names.',
];

/** The common embedding of the finished run that an example comes with, small; null if it has none. */
async function pictureOfExample(name: string) {
  const run = await loadFinished(name), [set] = run?.labels ?? [], xy = run?.snapshots.at(-1)?.xy;
  return run && xy ? thumbnail(dotsOf({frame: pictureOf(xy, run.embeddings.length, set)} as RunRecord), set ?? {}) : null;
}

/**
 * createPicker(el, {examples, onExample, onFiles, onAgain}) -> {problem, show}
 * onExample(name); onFiles([File]), at least one; onAgain(), to choose again among what the open files hold.
 * show({data, files}) marks what is open.
 */
export function createPicker(el: HTMLElement, {examples, onExample, onFiles, onAgain}: {
  examples: Example[]; onExample: (name: string) => void; onFiles: (files: File[]) => void; onAgain: () => void;
}) {
  const input = fileInput(take, {class: 'unseen', id: 'open-files'});
  const folder = fileInput(take, {webkitdirectory: true, class: 'unseen', id: 'open-folder'});
  const own = h('p', {class: 'card-note', id: 'files-note'}), wrong = h('p', {class: 'problem', id: 'files-problem', hidden: true});
  const cards = examples.map(e => {
    const radio = h('input', {type: 'radio', name: 'data', value: e.name, onchange: () => {
      tell('');
      onExample(e.name);
    }});
    const picture = h('span', {class: 'card-picture'});
    const el = h('label', {class: 'card'}, radio, h('span', {}, h('strong', {}, e.title), h('span', {class: 'card-note'}, e.sentence)), picture);
    return {e, radio, picture, el};
  });
  const again = button('What is used\u2026', onAgain, {class: 'quiet', id: 'choose-again', hidden: true});
  // No list of endings: what a file holds decides, whatever it is called.
  const drop = h('div', {class: 'card files', id: 'drop'},
    h('span', {}, h('strong', {}, 'Your own files'), own, wrong, again), h('label', {class: 'button', for: 'open-files'}, 'Open files'), input,
    h('label', {class: 'button', for: 'open-folder'}, 'Open a folder'), folder);
  const help = h('details', {class: 'format'}, h('summary', {}, 'Which files?'),
    h('p', {}, 'The links between the same nodes, of two or more kinds, and if you have them features and labels of the nodes:'),
    h('ul', {}, KINDS.map(kind => h('li', {}, kind))),
    h('p', {}, 'Links as a table, the weight being optional:'),
    h('pre', {}, EDGES),
    h('p', {}, 'Labels, a column for each set; they are never trained on. An empty cell or NA is a missing label:'),
    h('pre', {}, LABELS),
    h('p', {}, h('a', {href: 'example_multiplex.txt', download: 'example_multiplex.txt'}, 'A small example'), ' to try it with.'),
    h('p', {}, 'Choose all files together, or drop them anywhere on this page; packed ones (.zip, .gz) are fine.'
      + ' They are read here and sent nowhere. An exported run opens here too.'));
  el.append(drop, help, h('fieldset', {class: 'cards'}, h('legend', {class: 'unseen'}, 'Example'), cards.map(c => c.el)));

  function take(files: File[]) {
    if (!files.length) return;
    tell('');
    onFiles(files);
  }

  function tell(text: string) {
    wrong.hidden = !text;
    setText(wrong, text);
  }

  // Pictures come when the reader does: they take files that nothing else may need.
  const seen = new IntersectionObserver(async entries => {
    if (!entries.some(e => e.isIntersecting)) return;
    seen.disconnect();
    for (const {e, picture} of cards) picture.replaceChildren(await pictureOfExample(e.name) ?? '');
  });
  seen.observe(el);

  // The whole page takes dropped files.
  const carriesFiles = (e: DragEvent) => !el.inert && [...(e.dataTransfer?.types || [])].includes('Files');
  addEventListener('dragover', e => {
    if (!carriesFiles(e)) return;
    e.preventDefault();
    document.body.classList.add('dropping');
  });
  addEventListener('dragleave', e => { if (!e.relatedTarget) document.body.classList.remove('dropping'); });
  addEventListener('drop', async e => {
    if (!carriesFiles(e)) return;
    e.preventDefault();
    document.body.classList.remove('dropping');
    take(await filesDropped(e.dataTransfer));
  });

  return {
    /** Says on the card of the files what is wrong with them, and goes there. */
    problem(text: string) {
      tell(text);
      reveal(drop);
    },
    show({data, files}: {data: string, files?: {name: string}[] | null}) {
      for (const c of cards) {
        c.radio.checked = c.e.name === data;
        c.el.classList.toggle('chosen', c.e.name === data);
      }
      drop.classList.toggle('chosen', data === 'files');
      again.hidden = data !== 'files' || !files?.length;
      setText(own, data === 'files' && files?.length ? 'Open: ' + files.map(f => f.name).join(', ') : 'MATLAB, NumPy, tables, edge lists\u2026');
    },
  };
}
