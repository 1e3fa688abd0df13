// The reader's own networks in the last scene: reads them, and has the split that fits them find what they share.
import {spaced} from '../dom/figures.js';
import {nth} from '../dom/nth.js';
import {WHOLE} from '../engine/compile.js';
import {Endpoint} from '../engine/endpoint.js';
import {fileArrays, named} from '../engine/pool.js';
import {READER} from '../engine/reader.js';
import {readFiles} from '../panels/ownfile.js';
import {discsOf} from '../views/bands.js';
import {answer, full, pose} from './layers.js';
import {two} from './runs.js';
import type {Drawn} from './layers.js';
import type {Context, OwnData} from './poses.js';

const MOST = {layers: 9, nodes: 2_000, links: 40_000}; // that are drawn here

/** Files that are for the Lab; the message says why. */
class ForLab extends Error { forLab = true; }

type Say = (text: string) => void;

let engine: Endpoint | null = null;

/** Opens files, with the reader's answers where they leave something open; null if these are not given. */
export async function openOwn(list: File[], say: Say): Promise<OwnData | null> {
  const refuse = (what: string) => { throw new ForLab(`${what} open here.`); };
  if (/\.(json|cadem|tar)$/i.test(nth(list, 0).name)) refuse('Reports and saved runs');
  const read = await readFiles(list), contents = fileArrays(read.map(f => f.content)), files = named(read);
  const {dialog} = await import('../panels/importer.js');
  const at = engine ??= new Endpoint('compute', () => { engine = null; }, WHOLE);
  const ask = async (kind: string, args = {}) => (await at.call(kind, args)).result;
  const inspect = async (columns: string): Promise<Survey> => {
    const choice = columns ? {columns} : undefined;
    return (await at.call('inspect', {data: {files, choice}}, contents)).result;
  };
  let columns = '', survey = await inspect('');
  for (; survey.ask; survey = await inspect(columns)) {
    const said = await dialog.columns(survey.ask, undefined);
    if (said === null) return null;
    columns += (columns && ';') + said;
  }
  if (survey.run || survey.subject) refuse('Saved runs and files of a brain');
  let summary: Summary | null = null;
  const open = async (choice: Choice) => {
    ({summary} = await ask('open', {data: {files, choice, reader: READER}}));
  };
  const said = columns ? {columns} : {}, choice = {...survey.guess, ...said};
  if (survey.plain) await open(said);
  else {
    await dialog.choose({
      names: files.map(f => f.name), survey, choice, open,
      estimate: choice => ask('estimate', {choice, options: {}, preset: 'released'}),
    });
  }
  return summary && found(at, summary, say);
}

async function found(engine: Endpoint, {layers, nodes, features}: Summary, say: Say) {
  const links = layers.reduce((n, l) => n + l.edges, 0), n = layers.length;
  const names = layers.map(l => spaced(l.name));
  if (n < 2 || n > MOST.layers || nodes > MOST.nodes || links > MOST.links) {
    throw new ForLab(`${n} layers, ${nodes} nodes and ${links} links open here: `
      + `the essay draws from 2 to ${MOST.layers} layers of ${MOST.nodes} nodes and ${MOST.links} links at most.`);
  }
  say('Looking for communities\u2026');
  const drawn = (await engine.call('layers')).arrays;
  const all = (await engine.call('communities')).arrays;
  const own: Drawn = {names, links: [], all: all.of.slice(), alone: [], discs: discsOf([], []), maps: []};
  for (const l of layers.keys()) {
    own.links.push(drawn[`links:${l}`].slice());
    own.alone.push((await engine.call('communities', {layer: l})).arrays.of.slice());
  }
  const counts: number[] = [];
  for (const c of own.all) if (c >= 0) counts[c] = (counts[c] ?? 0) + 1;
  own.discs = full(discsOf(counts, all.places));
  say('Testing what the layers share\u2026');
  const preset = features === nodes ? 'evidence' : 'refined'; // which compares features
  const shares = await new Promise<Shares>((done, failed) => {
    const run = {options: {}, preset, model_seed: 0, paused: true};
    engine.call('train', run, {}, e => {
      if (e.event === 'shares') done(e);
    }).catch(failed);
  });
  engine.call('control', {action: 'cancel'});
  let training: ReturnType<typeof trained> | null = null;
  return {
    answer: answer(names, shares), pose: (c: Context) => pose(c, own),
    async train(say: Say) {
      training ??= trained(engine, {options: {}, preset, model_seed: 0}, say);
      own.maps = await training.catch(e => {
        training = null; // and may be tried again
        throw e;
      });
      say('');
    },
  };
}

/** Trains on what is open, and gives the places of everybody in S and in each P at its end. */
async function trained(engine: Endpoint, run: object, say: Say) {
  await engine.call('train', run, {}, e => {
    if (e.event === 'progress') say(`Epoch ${e.epoch} of ${e.epochs}.`);
  });
  const {result: {embeddings}, arrays: {xy}} = await engine.call('frame');
  const each = xy.length / embeddings.length;
  return Array.from(embeddings, (_, k) => {
    const plane: Float32Array = xy.slice(k * each, (k + 1) * each);
    return two(plane, plane.reduce((most, v) => Math.max(most, Math.abs(v)), 0) || 1);
  });
}
