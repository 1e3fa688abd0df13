// What is measured in the browser. scripts/bench calls the functions of window.bench by name; each returns plain numbers.
// The programs are the site's own, in its own workers.
import {METHODS, WHOLE} from '../../../www/engine/compile.ts';
import {Endpoint} from '../../../www/engine/endpoint.ts';
import {Pool} from '../../../www/engine/pool.ts';
import {allDrawn} from '../../../www/dom/clock.ts';
import {orderOf} from '../../../www/views/adjacency.ts';
import * as matrix from '../../../www/views/matrix.ts';

const kept = new Map();

/** A worker that is up. */
async function started(program) {
  const worker = new Endpoint('compute', text => { throw new Error(text); }, program);
  await worker.start();
  return worker;
}

/** The worker that is kept, with the data set open; `refined` splits its inputs, which takes the larger program. */
async function ready({data, preset}) {
  const program = preset === 'refined' ? WHOLE : undefined;
  if (!kept.has(program)) kept.set(program, {worker: await started(program)});
  const {worker, opened} = kept.get(program), key = JSON.stringify(data);
  if (opened !== key) await worker.call('open', {data});
  kept.set(program, {worker, opened: key});
  return worker;
}

/** Contents of files, by the names under which requests take them. */
async function fetched(addresses) {
  const contents = await Promise.all(addresses.map(async a => new Uint8Array(await (await fetch(a)).arrayBuffer())));
  return Object.fromEntries(contents.map((bytes, i) => [`file:${i}`, bytes]));
}

/** ms that work takes. */
async function ms(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/**
 * One training of data that is open: s from the request to the answer, and loop_ms, the time from the moment when the run
 * stood until its last step was reported, which leaves out drawing the weights and packing the last checkpoint.
 */
async function train(worker, {preset = 'released', options = {}, model_seed = 0}) {
  const began = performance.now();
  let first = null, last = null;
  const {result} = await worker.call('train', {preset, options, model_seed}, {}, m => {
    if (m.event !== 'progress') return;
    last = {t: performance.now(), step: m.step};
    first ||= last;
  });
  const s = (performance.now() - began) / 1000;
  return {s, loop_ms: last.t - first.t, steps: last.step - first.step, hash: result.hash};
}

/** The first training of a worker, and the memory of the program, which does not shrink. */
async function first({data, ...run}) {
  const worker = await started();
  await worker.call('open', {data});
  const {s} = await train(worker, run), mb = worker.memoryBytes / 1e6;
  worker.terminate();
  return {s, mb};
}

let peer = null;

window.bench = {
  /** Asks TensorFlow.js, which starts with the first request. */
  tfjs: request => new Promise((resolve, reject) => {
    peer ||= new Worker('../tfjs/peer.js');
    peer.onmessage = ({data}) => data.error ? reject(new Error(data.error)) : resolve(data);
    peer.onerror = e => reject(new Error(e.message));
    peer.postMessage(request);
  }),

  async train(task) {
    return train(await ready(task), task);
  },

  /** Runs tasks in a pool of so many workers, which are up before the time counts but for those of other methods; each is s of every task. */
  async pool({tasks, workers: size, files}) {
    const sets = await Promise.all(files.map(fetched));
    const arrays = i => sets.length > 0 ? sets[i % sets.length] : {};
    const each = {};
    const connect = (onExit, methods) => {
      const end = new Endpoint('compute', onExit, methods ? METHODS : WHOLE), call = end.call.bind(end);
      end.call = async (kind, args, ...rest) => {
        const began = performance.now();
        try {
          return await call(kind, args, ...rest);
        } finally {
          if (kind === 'task') each[args.task.name] = (performance.now() - began) / 1000;
        }
      };
      return end;
    };
    const pool = new Pool({connect, size});
    const warm = {name: 'warm', data: {example: 'syn1', options: {nodes: 20}}, preset: 'released', options: {epochs: 1, inner_steps: 1}};
    await pool.run(Array.from({length: size}, (_, i) => ({...warm, model_seed: i})));
    const began = performance.now();
    const outcomes = await pool.run(tasks, {arrays});
    const s = (performance.now() - began) / 1000;
    pool.close();
    const bad = outcomes.find(o => o.error);
    if (bad) throw bad.error;
    delete each.warm;
    return {s, each, steps: outcomes.reduce((sum, o) => sum + o.result.steps, 0)};
  },

  /** As the next, by the page: of the first training of a worker, which compiles what it runs often. */
  fresh: async task => [1000 * (await first(task)).s],

  /** MB of the program's memory after its first training. */
  memory: async task => [(await first(task)).mb],

  /** ms for one training by the module for pages of one's own, in a worker of its own, which is up before. */
  async module({data, preset = 'released', options = {}, model_seed: seed = 0}) {
    const address = new URL('cadem.js', location.href).href, {open, train} = await import(address);
    const graph = await open(data), time = await ms(() => train(graph, {preset, options, seed}));
    graph.close();
    return [time];
  },

  /** ms for scoring the embeddings of a training on all labels. */
  async scores({task, eval_seed}) {
    const worker = await ready(task);
    await train(worker, task);
    return [await ms(() => worker.call('evaluate', {options: {}, eval_seed}))];
  },

  /**
   * ms that each of many requests, one after the other, waits for its answer while a run is prepared in a worker of its own: what is
   * left of the slice that it came in, and the way there and back.
   */
  async waits({task: {data, ...run}, files}) {
    const worker = await started(WHOLE), waits = [];
    await worker.call('open', {data}, await fetched(files));
    let stands = false;
    const over = worker.call('train', {...run, paused: true}, {}, m => { stands ||= m.event === 'progress'; });
    while (!stands) waits.push(await ms(() => worker.call('control', {action: 'pause'})));
    await worker.call('control', {action: 'cancel'});
    await over.catch(() => {});
    worker.terminate();
    return waits;
  },

  /** s until files are a graph: what they hold is looked at, as the page does, and opened. */
  async reading({data, files}) {
    const contents = await fetched(files), worker = await started(WHOLE);
    const time = await ms(async () => {
      await worker.call('inspect', {data}, contents);
      await worker.call('open', {data});
    });
    worker.terminate();
    return [time / 1000];
  },

  /** ms from what the matrix of the first layer shows has changed until it is drawn, with a pixel for every pair of nodes. */
  async matrix({data, rounds}) {
    const worker = await ready({data}), {result: {summary}, arrays} = await worker.call('open', {data});
    const {arrays: {'links:0': links}} = await worker.call('layers');
    const box = document.createElement('div'), idle = () => {}, n = summary.nodes, classes = arrays['labels:0'].slice(), times = [];
    document.body.append(box);
    const view = matrix.create(box, {onHover: idle, onSelect: idle, describe: String});
    box.firstChild.style.cssText = `display: block; width: ${n + matrix.BAND}px`;
    const model = {layers: [links.slice()], order: orderOf(classes), classes, marks: summary.labels[0].classes.map((_, k) => k), dim: null};
    for (let i = 0; i <= rounds; i++) {
      await new Promise(f => setTimeout(f, 100));
      const began = performance.now();
      view.update({...model, classes: model.classes.slice()}); // others, as far as the view knows
      do await new Promise(f => setTimeout(f)); while (!allDrawn());
      if (i) times.push(performance.now() - began);
    }
    view.destroy();
    box.remove();
    return times;
  },
};
