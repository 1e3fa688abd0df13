// The Go programs: fetched and compiled, each once.
import {addressOf} from './place.js';
import {RequestError} from './requesterror.js';

/** The Go programs: the one of a first visit, the one with readers of files, that of studies, and that of the methods CaDeM is compared with. */
export const [FIRST, WHOLE, STUDIES, METHODS] = __PROGRAMS__;

const DOES = new Map([[WHOLE, 'reads and writes files'], [STUDIES, 'runs experiments'], [METHODS, 'trains other methods']]);

const compiled: Map<Program, Promise<WebAssembly.Module>> = new Map();
const ordered: Map<Program, Promise<Response>> = new Map();

/** Asks for the first program without spending time on it yet. */
export function order() {
  if (!globalThis.DecompressionStream) return;
  const answer = fetch(addressOf(FIRST.packed));
  answer.catch(() => {}); // told when it is needed
  ordered.set(FIRST, answer);
}

/** Fetches and compiles a program, once; a failure may be tried again. */
export function compile(program: Program = FIRST) {
  const begun = compiled.get(program) ?? fetchModule(program).catch(() => fetchModule(program, true)).catch(e => {
    compiled.delete(program);
    throw program === FIRST ? e : new RequestError({code: 'not-loaded',
      message: `What ${DOES.get(program)} could not be loaded: ${e.message}. Nothing is lost; check the network and try again.`});
  });
  compiled.set(program, begun);
  return begun;
}

/** Again, after what came was damaged, past every cache and in its plain form. */
async function fetchModule(program: Program, again = false) {
  const asWasm = (body: ReadableStream | null) => new Response(body, {headers: {'Content-Type': 'application/wasm'}});
  if (globalThis.DecompressionStream && !again) {
    const early = ordered.get(program);
    ordered.delete(program); // can be read once
    const answer = await (early ?? fetch(addressOf(program.packed)));
    if (answer.ok) return WebAssembly.compileStreaming(asWasm(await unpacked(answer.body as ReadableStream)));
  }
  const plain = await fetch(addressOf(program.plain), {cache: again ? 'reload' : 'default'});
  if (!plain.ok) throw new Error(`the server answered ${plain.status}`);
  return WebAssembly.compileStreaming ? WebAssembly.compileStreaming(asWasm(plain.body)) : WebAssembly.compile(await plain.arrayBuffer());
}

/** Decompresses a stream, unless the host's Content-Encoding made the browser do so already. */
async function unpacked(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const reader = body.getReader();
  const first = await reader.read();
  const whole = new ReadableStream({
    start(c) { if (!first.done) c.enqueue(first.value); },
    async pull(c) {
      const {done, value} = await reader.read();
      done ? c.close() : c.enqueue(value);
    },
  });
  const gzip = first.value?.[0] === 0x1f && first.value[1] === 0x8b;
  return gzip ? whole.pipeThrough(new DecompressionStream('gzip')) : whole;
}
