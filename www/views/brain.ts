// The brain view and its data: graphs whose nodes are regions of a brain have one, and a surface that the reader provides.
import {download, h, setText} from '../dom/elements.js';
import {figure} from '../dom/figures.js';
import {nth, sure} from '../dom/nth.js';
import {readOnce} from '../engine/endpoint.js';
import {readFile} from '../panels/ownfile.js';
import {named} from '../engine/pool.js';
import {nodeName} from '../run/model.js';
import * as glassbrain from './glassbrain.js';
import type {DataSet, PageView, ReadFile, Regions, Thrown, ViewContext} from '../types.js';

const AT_MOST = 1000; // ms between two looks at a run that is going on

export function mount(el: HTMLElement, context: ViewContext): PageView {
  const {session, setup, attempt, look, runStudy} = context;
  let asking = false, asked = 0;
  const view = glassbrain.create(el, {
    context, onShare: follow, onPick: (nodes: number[]) => look.choose(nodes),
    onConditions: attempt(() => runStudy('regions')),
    onTable: () => { if (session.model.regions) download(view.exportTable(), 'cadem-regions.csv', 'text/csv'); },
  });

  /** Has the regions found for the run's present step and the share that is asked for, unless they are. */
  async function follow() {
    const {phase, regions, progress, record, data} = session.model, {share} = view;
    if (asking || !record || !data?.places || !['running', 'paused', 'finished'].includes(phase)) return;
    const other = regions?.share !== share;
    if (!other && (regions?.step === progress?.step || phase === 'running' && performance.now() - asked < AT_MOST)) return;
    asking = true;
    await attempt(() => session.findRegions(share))();
    asking = false;
    asked = performance.now();
  }

  // A surface that the reader brings along.
  /** The view of it. */
  let surface: ReturnType<typeof import('./surface.js').create> | null = null;
  /** The regions that are on it: how many, and their names. */
  let meshOf: string | null = null;
  const place = h('div', {class: 'surface'}), wrong = h('p', {class: 'problem', role: 'alert'}), others = h('p', {class: 'small soft', role: 'status'});
  const input = h('input', {type: 'file', multiple: true, class: 'unseen', id: 'surface-files', onchange: attempt(async () => {
    const files = [...input.files ?? []];
    input.value = '';
    if (files.length) await bring(await Promise.all(files.map(async f => ({name: f.name, size: f.size, content: await readFile(f)}))));
  })});
  const section = h('details', {class: 'twin', id: 'surface'}, h('summary', {}, 'On a surface of your own'),
    h('p', {class: 'small soft'}, 'A mesh (GIFTI, .surf.gii) of one hemisphere or both, and the labels of its vertices: .label.gii, .dlabel.nii, or a table '
      + 'with the number of a region for each vertex. GIFTI opened with a series comes by itself. All is read here and sent nowhere.'),
    h('p', {}, h('label', {class: 'button', for: 'surface-files'}, 'Open a surface'), input), wrong, others, place);

  /** The identity of the regions of data. */
  const regionsOf = (data: DataSet | null) => JSON.stringify([data?.places?.length, data?.nodes]);

  /** The files that were looked through for a surface. */
  let sought: ReadFile[] | null = null;

  /** Brings the surface that was opened together with a series. */
  async function seek() {
    const {files} = setup;
    if (!setup.own || files === sought) return;
    sought = files;
    const own = files?.filter(f => /\.(gii|dlabel\.nii)$/i.test(f.name)) ?? [];
    if (!own.some(f => /\.gii$/i.test(f.name))) return;
    section.open = true;
    await bring(own);
  }

  /** Reads a surface and shows it. */
  async function bring(read: ReadFile[]) {
    const {data} = session.model;
    if (!data?.places) return;
    setText(wrong, '');
    try {
      const request = {data: {files: named(read)}, regions: data.places.length / 3, ...(data.nodes && {names: data.nodes})};
      const {result, arrays} = await readOnce('surface', request, Object.fromEntries(read.map((f, i) => [`file:${i}`, f.content])));
      if (!surface) {
        const {create} = await import('./surface.js');
        surface = create(place, context, r => look.choose(r < 0 ? [] : [r]));
      }
      meshOf = regionsOf(data);
      showSurface();
      surface.mesh({...arrays, notes: result.notes} as Parameters<typeof surface.mesh>[0]);
    } catch (e) {
      if (!(e as Thrown).code) throw e;
      setText(wrong, (e as Thrown).message);
    }
  }

  function showSurface() {
    const {data, regions} = session.model, same = meshOf === regionsOf(data);
    place.hidden = !same;
    setText(others, surface && !same ? 'The surface that you opened has other regions than these data: open one for them.' : '');
    if (!surface || !same || !regions || !data?.places) return;
    const networks = glassbrain.networksOf(data.labels);
    surface.update({
      layers: regions.layers,
      networks,
      describe: (l: number, i: number) => {
        const {name, values} = nth(regions.layers, l, 'layers');
        return [nodeName(data.nodes, i, 'region'), networks?.classes[sure(networks.of[i])] ?? 'no network', `${name}: ${figure(sure(values[i]))}`].join(', ');
      },
    });
  }

  el.after(section);

  return {
    show({data, regions}) {
      if (!data?.places) return;
      attempt(seek)();
      showSurface();
      view.update({
        places: data.places, nodes: data.nodes, labels: data.labels, regions: regions as Regions,
        conditions: Boolean(data.spec?.options?.condition),
      });
      follow();
    },
  };
}
