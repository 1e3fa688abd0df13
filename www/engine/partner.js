// Trains private encoders beside the program, in a worker of its own: what Partner of core/cadem/partner.go asks, on the
// kernels of core/kernel and a memory of its own, for the sizes that the kernels of 8 columns take.
import {attend} from './desk.js';
import kernel from '../../core/kernel/simd/kernel.wasm';
import shim from '../../core/kernel/simd/shim.wasm';
import {vectors} from './kernels.js';

const FLOAT = 4, PAGE = 65536;
const RATE = 5; // numbers of kernel.AdamRate

let k = null, memory = null, bytes = null; // the kernels, and the memory that they work on
let encoders = [], input = 0, rate = 0, products = 0, turned = 0, blocks = 0; // addresses

/** Makes room for encoders: shapes are [F, H, d, K]. Their blocks will lie one after the other. */
function take(modules, shapes) {
  let end = 0;
  const room = n => {
    const at = end;
    end += Math.ceil(n * FLOAT / 16) * 16;
    return at;
  };
  const size = shapes.reduce((sum, [, , d, rows]) => sum + rows * d, 0);
  input = room(size + RATE); // dh, then the rate
  rate = input + size * FLOAT;
  products = room(size);
  turned = room(Math.max(...shapes.map(([, h, d]) => h * d)));
  blocks = end;
  let from = 0;
  encoders = shapes.map(([f, h, d, rows]) => {
    const e = {f, h, d, rows, dh: input + from * FLOAT, out: products + from * FLOAT, block: end};
    from += rows * d;
    for (const [name, n] of [['w1', f * h], ['m1', f * h], ['v1', f * h], ['w2', h * d], ['m2', h * d], ['v2', h * d],
      ['u', f * d], ['du', f * d], ['dw2', h * d], ['old', h * d], ['zbar', rows * f]]) {
      e[name] = end;
      end += n * FLOAT;
    }
    return e;
  });
  const pages = Math.ceil(end / PAGE);
  if (!memory) {
    memory = new WebAssembly.Memory({initial: pages});
    k = new WebAssembly.Instance(modules.shim).exports;
    new WebAssembly.Instance(modules.kernel, {go: {mem: memory}, shim: {t: k.t}});
  }
  memory.grow(Math.max(0, pages - memory.buffer.byteLength / PAGE));
  bytes = new Uint8Array(memory.buffer);
}

/** Takes over a part of the blocks; the page goes back for the next one. */
function fill({page, at, length}) {
  bytes.set(page.subarray(0, length), blocks + at);
  postMessage(page, [page.buffer]);
}

// As vectorMul and vectorMulTrans of core/kernel.
function mul(dst, a, b, n, h, d) {
  const fours = n & ~3;
  if (fours > 0) k.product4x8(a, b, dst, fours, h, h, d);
  if (fours < n) k.product1x8(a + fours * h * FLOAT, b, dst + fours * d * FLOAT, n - fours, h, h, d);
}
function addMulTrans(dst, a, g, n, h, d) {
  const fours = n & ~3;
  if (fours > 0) k.transposed4x8(a, g, dst, fours, h);
  if (fours < n) k.transposed8(a + fours * h * FLOAT, g + fours * d * FLOAT, dst, n - fours, h, h, d);
}

/** The products of all encoders, in the memory of the kernels. */
function multiply() {
  for (const e of encoders) mul(e.out, e.zbar, e.u, e.rows, e.f, e.d);
  return bytes.subarray(products, products + rate - input);
}

/** Does the step whose dh and rate are given. */
function move(given) {
  bytes.set(given, input);
  for (const e of encoders) {
    bytes.fill(0, e.du, e.old); // and dW2
    addMulTrans(e.du, e.zbar, e.dh, e.rows, e.f, e.d);
    addMulTrans(e.dw2, e.w1, e.du, e.f, e.h, e.d);
    bytes.copyWithin(e.old, e.w2, e.m2);
    k.adamPlain(e.w2, e.m2, e.v2, e.dw2, rate, e.h * e.d, 0);
    k.adam(e.w1, e.m1, e.v1, e.u, e.du, e.old, e.w2, turned, rate, e.f, e.h);
  }
}

/** Answers with parts of blocks, [block, from, length] each, one after the other in the page. */
function read({page, parts}) {
  for (let i = 0, at = 0; i < parts.length; at += parts[i + 2], i += 3) {
    const from = encoders[parts[i]].block + parts[i + 1];
    page.set(bytes.subarray(from, from + parts[i + 2]), at);
  }
  postMessage(page, [page.buffer]);
}

/**
 * Asks for a partner, where there can be one: ready(worker) is called when it is up, receive(bytes) with each of its answers.
 * It is a worker of the same script. If it ends this one does, too: what it held is lost.
 */
export function hire(script, ready, receive) {
  if (!vectors || !self.Worker || navigator.hardwareConcurrency < 2) return;
  const worker = new Worker(script(), {name: 'cadem partner'});
  let up = false;
  worker.onmessage = ({data}) => {
    if (up) receive(data);
    else ready(worker);
    up = true;
  };
  worker.onerror = e => {
    e.preventDefault();
    if (up) postMessage({exit: 2, text: `the second worker ended: ${e.message}`});
  };
  worker.postMessage({partner: true});
}

/**
 * Turns this worker into a partner. Bytes are dh and the rate of a step, null asks for the products without one; a page
 * brings a part of blocks, or fetches some; at a desk lie steps that were not worth a message.
 */
export async function serve() {
  const modules = {shim: await WebAssembly.compile(shim), kernel: await WebAssembly.compile(kernel)};
  const step = given => {
    move(given);
    return multiply();
  };
  self.onmessage = ({data}) => {
    if (data?.shapes) take(modules, data.shapes);
    else if (data?.parts) read(data);
    else if (data?.page) fill(data);
    else if (data?.desk) attend(data.desk, step);
    else {
      const all = (data ? step(data) : multiply()).slice();
      postMessage(all, [all.buffer]);
    }
  };
  postMessage('ready');
}
