// What is measured in the browser. scripts/bench calls the functions of window.bench by name; each returns plain numbers.
// The programs are the site's own, in its own workers.
import {METHODS, WHOLE} from '../../../www/engine/compile.ts';
import {Endpoint} from '../../../www/engine/endpoint.ts';
import {Pool} from '../../../www/engine/pool.ts';
import {allDrawn} from '../../../www/dom/clock.ts';
import {orderOf} from '../../../www/views/adjacency.ts';
import * as matrix from '../../../www/views/matrix.ts';

const workers = [], opened = [];

/** Worker i, up and with the data set open. */
async function ready(i, data, files = {}) {
  workers[i] ||= new Endpoint('compute', text => { throw new Error(text); });
  await workers[i].start();
  const key = JSON.stringify(data);
  if (opened[i] !== key) await workers[i].call('open', {data}, files);
  opened[i] = key;
  return workers[i];
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

/** What asks a worker, which starts with the first request. */
function asker(address) {
  let worker = null;
  return request => new Promise((resolve, reject) => {
    worker ||= new Worker(address);
    worker.onmessage = ({data}) => data.error ? reject(new Error(data.error)) : resolve(data);
    worker.onerror = e => reject(new Error(e.message));
    worker.postMessage(request);
  });
}

window.bench = {
  tfjs: asker('../tfjs/peer.js'),

  async train({data, ...run}) {
    return train(await ready(0, data), run);
  },

  /** Runs tasks in a pool of so many workers, which are up before the time counts but for those of other methods; each is s of every task. */
  async pool({tasks, workers: size, files}) {
    const sets = await Promise.all(files.map(async list => {
      const contents = await Promise.all(list.map(async address => new Uint8Array(await (await fetch(address)).arrayBuffer())));
      return Object.fromEntries(contents.map((bytes, i) => [`file:${i}`, bytes]));
    }));
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
  async fresh({data, ...run}) {
    const worker = new Endpoint('compute', text => { throw new Error(text); });
    await worker.start();
    await worker.call('open', {data});
    const {s} = await train(worker, run);
    worker.terminate();
    return s;
  },

  /** s for one training by the module for pages of one's own, in a worker of its own, which is up before. */
  async module({data, preset = 'released', options = {}, model_seed: seed = 0}) {
    const address = new URL('cadem.js', location.href).href, {open, train} = await import(address);
    const graph = await open(data), began = performance.now();
    await train(graph, {preset, options, seed});
    const s = (performance.now() - began) / 1000;
    graph.close();
    return s;
  },

  /** s for scoring the embeddings of a training on all labels. */
  async scores({task: {data, ...run}, eval_seed}) {
    const worker = await ready(0, data);
    await train(worker, run);
    const began = performance.now();
    await worker.call('evaluate', {options: {}, eval_seed});
    return (performance.now() - began) / 1000;
  },

  /**
   * ms that each of many requests, one after the other, waits for its answer while a run is prepared in a worker of its own: what is
   * left of the slice that it came in, and the way there and back.
   */
  async waits({task: {data, ...run}, files}) {
    const contents = await Promise.all(files.map(async address => new Uint8Array(await (await fetch(address)).arrayBuffer())));
    const worker = new Endpoint('compute', text => { throw new Error(text); }, WHOLE);
    await worker.start();
    await worker.call('open', {data}, Object.fromEntries(contents.map((bytes, i) => [`file:${i}`, bytes])));
    const waits = [];
    let stands = false;
    const over = worker.call('train', {...run, paused: true}, {}, m => { stands ||= m.event === 'progress'; });
    while (!stands) {
      const began = performance.now();
      await worker.call('control', {action: 'pause'});
      waits.push(performance.now() - began);
    }
    await worker.call('control', {action: 'cancel'});
    await over.catch(() => {});
    worker.terminate();
    return waits;
  },

  /** s until files are a graph: what they hold is looked at, as the page does, and opened. */
  async reading({data, files}) {
    const contents = await Promise.all(files.map(async address => new Uint8Array(await (await fetch(address)).arrayBuffer())));
    const worker = new Endpoint('compute', text => { throw new Error(text); }, WHOLE);
    await worker.start();
    const began = performance.now();
    await worker.call('inspect', {data}, Object.fromEntries(contents.map((bytes, i) => [`file:${i}`, bytes])));
    await worker.call('open', {data});
    const s = (performance.now() - began) / 1000;
    worker.terminate();
    return s;
  },

  /** ms from what the matrix of the first layer shows has changed until it is drawn, with a pixel for every pair of nodes. */
  async matrix({data, rounds}) {
    const worker = await ready(0, data), {result: {summary}, arrays} = await worker.call('open', {data});
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

  /** The size of the memory of all workers, in the variant of the site that tells it. */
  async bytes() {
    const line = new BroadcastChannel('bench');
    let bytes = 0;
    line.onmessage = ({data}) => { bytes += data.bytes || 0; };
    line.postMessage('bytes?');
    await new Promise(f => setTimeout(f, 500));
    line.close();
    return bytes;
  },

  /** ms of one pass over so many parameters: of the stream where it takes no parameters a turn. */
  async floor({address, parameters, passes, loop, turn}) {
    const {instance} = await WebAssembly.instantiateStreaming(fetch(address));
    const bytes = Math.floor(parameters / 16) * 64, run = instance.exports[loop];
    const pass = () => turn ? run(Math.floor(parameters / turn)) : run(0, bytes, 2 * bytes, bytes);
    for (let i = 0; i < passes / 10; i++) pass();
    const began = performance.now();
    for (let i = 0; i < passes; i++) pass();
    return (performance.now() - began) / passes;
  },
};
