// What scripts that stand before those of workers can be told (../scripts).
import {pause, tellWorkers} from './dom';

export const tell = (what: string) => tellWorkers(what);
export const tellAll = (roles: string) => tellWorkers(...roles.split(','));
/** Tells one thing, and waits until a worker has done it. */
export async function order(what: string) {
  const line = new BroadcastChannel('e2e');
  await heard(line, data => data === what + ' done', what);
  line.close();
}
const heard = (line: BroadcastChannel, is: (data: unknown) => boolean, what?: string) => new Promise<void>(done => {
  line.onmessage = ({data}) => { if (is(data)) done(); };
  if (what) line.postMessage(what);
});

let two: Promise<void> = Promise.resolve();
/** Listens for two requests that are held (hesitant.ts). */
export function awaitTwoHeld() {
  const line = new BroadcastChannel('e2e');
  two = heard(line, data => data === 'two held').finally(() => line.close());
}
export const twoHeld = () => two;

const held: WebAssembly.Module[] = [];
/** Compiles programs as the page does (www/engine/compile.ts), and keeps them. */
export async function hold(packed: string[]) {
  for (const name of packed) {
    const plain = (await fetch(name)).body!.pipeThrough(new DecompressionStream('gzip'));
    held.push(await WebAssembly.compileStreaming(new Response(plain, {headers: {'Content-Type': 'application/wasm'}})));
  }
}

let killer = 0;
export const killAgain = () => { killer = window.setInterval(() => tellWorkers('compute ends'), 3); };
export const stopKilling = () => clearInterval(killer);

/** Has a compute program wait in a step: between epochs, Pause would be heard (stuck.ts). */
export async function stick() {
  const line = new BroadcastChannel('e2e');
  await heard(line, () => true, 'wait');
  line.close();
}

/** How many compute programs there are, those of the pool among them (roll.ts). */
export const locks = async () => ((await navigator.locks.query()).held ?? []).filter(l => l.name?.startsWith('e2e cadem compute ')).length;

/** How many modules both workers have linked that take the program's memory, as kernels do (linked.ts). */
export async function linked() {
  const line = new BroadcastChannel('e2e'), counts: number[] = [];
  line.onmessage = ({data}) => counts.push(data.linked);
  line.postMessage('linked?');
  while (counts.length < 2) await pause(5);
  line.close();
  return counts.reduce((a, b) => a + b);
}

/** The bytes of scripts, of programs by their role (heaps.ts), and of what is stored. */
export async function memory() {
  const line = new BroadcastChannel('heaps'), most: Record<string, number> = {};
  line.onmessage = ({data: {name, bytes}}) => { most[name] = Math.max(most[name] ?? 0, bytes); };
  line.postMessage('heap?');
  await pause(300);
  line.close();
  const {usage} = await navigator.storage.estimate(), {memory} = performance as {memory?: {usedJSHeapSize: number}};
  return {scripts: memory?.usedJSHeapSize ?? 0, compute: most['cadem compute'] ?? 0, storage: most['cadem storage'] ?? 0, stored: usage};
}
