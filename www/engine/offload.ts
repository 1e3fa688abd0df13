// Trains encoders beside the program, in a worker of its own: a Helper of core/cadem/internal/offload. It has a memory and
// the kernels of core/kernel, and does what a plan says; the program lays out the memory and writes the plan.
import {attend} from './mailbox.js';
import kernel from '../../core/kernel/simd/kernel.wasm';
import shim from '../../core/kernel/simd/shim.wasm';
import {vectors} from './kernels.js';

const PAGE = 65536; // bytes of WebAssembly's memory

const scope = (self as unknown) as WorkerScope;

/** Functions with their arguments. */
type Calls = [(...args: number[]) => unknown, number[]][];

let kernels: Record<string, any> = {};
let memory: WebAssembly.Memory | null = null;
let bytes = new Uint8Array(); // of the memory that the kernels work on
let plan: {input: number, output: [number, number], forward: Calls, step: Calls} = {input: 0, output: [0, 0], forward: [], step: []};

const plain: Record<string, (...args: number[]) => unknown> = {
  clear: (at, length) => bytes.fill(0, at, at + length),
  copy: (to, from, length) => bytes.copyWithin(to, from, from + length),
};

/** Takes over a plan and makes room for it; forward and step are lists of [name, ...arguments]. */
function take(modules: {shim: WebAssembly.Module, kernel: WebAssembly.Module}, given: HelperPlan) {
  const pages = Math.ceil(given.size / PAGE);
  if (!memory) {
    memory = new WebAssembly.Memory({initial: pages});
    kernels = new WebAssembly.Instance(modules.shim).exports;
    new WebAssembly.Instance(modules.kernel, {go: {mem: memory}, shim: {t: kernels.t}});
  }
  memory.grow(Math.max(0, pages - memory.buffer.byteLength / PAGE));
  bytes = new Uint8Array(memory.buffer);
  const bound: (list: [string, ...number[]][]) => Calls = list => list.map(([name, ...args]) => [plain[name] ?? kernels[name], args]);
  plan = {...given, forward: bound(given.forward), step: bound(given.step)};
}

/** Takes over a part of the memory; the page goes back for the next one. */
function fill({page, at, length}: {page: Uint8Array<ArrayBuffer>, at: number, length: number}) {
  bytes.set(page.subarray(0, length), at);
  scope.postMessage(page, [page.buffer]);
}

const run = (list: Calls) => { for (const [f, args] of list) f(...args); };

/** The output of the plan, in the memory of the kernels. */
function forward() {
  run(plan.forward);
  const [at, length] = plan.output;
  return bytes.subarray(at, at + length);
}

/** Does a step with that input. */
function step(input: Uint8Array) {
  bytes.set(input, plan.input);
  run(plan.step);
  return forward();
}

/** Answers with parts of the memory, [from, length] each, one after the other in the page. */
function read({page, parts}: {page: Uint8Array<ArrayBuffer>, parts: number[]}) {
  for (let i = 0, at = 0; i < parts.length; at += parts[i + 1], i += 2) page.set(bytes.subarray(parts[i], parts[i] + parts[i + 1]), at);
  scope.postMessage(page, [page.buffer]);
}

/** How many helpers there can be: through messages one. */
export const mostHelpers = () => vectors && scope.Worker ? Math.min(navigator.hardwareConcurrency - 1, self.crossOriginIsolated ? Infinity : 1) : 0;

/**
 * Asks for a helper: ready(worker) is called when it is up, receive(bytes) with each of its answers.
 * It is a worker of the same script. If it ends this one does, too: what it held is lost.
 */
export function requestHelper(script: () => string | URL, ready: (worker: Worker) => void, receive: (answer: any) => void) {
  const worker = new Worker(script(), {name: 'cadem helper'});
  let up = false;
  worker.onmessage = ({data}) => {
    if (up) receive(data);
    else ready(worker);
    up = true;
  };
  worker.onerror = e => {
    e.preventDefault();
    if (up) scope.postMessage({exit: 2, text: `a worker beside it ended: ${e.message}`});
  };
  worker.postMessage({helper: true});
}

/**
 * Turns this worker into a helper. Bytes are the input of a step, null asks for the output without one; a page brings a part of
 * the memory, or fetches some; in a mailbox lie steps that were not worth a message.
 */
export async function serve() {
  const modules = {shim: await WebAssembly.compile(shim), kernel: await WebAssembly.compile(kernel)};
  scope.onmessage = ({data}: MessageEvent) => {
    if (data?.plan) take(modules, data.plan);
    else if (data?.parts) read(data);
    else if (data?.page) fill(data);
    else if (data?.mailbox) attend(data.mailbox, step);
    else {
      const all = (data ? step(data) : forward()).slice();
      scope.postMessage(all, [all.buffer]);
    }
  };
  scope.postMessage('ready');
}
