'use strict';
// Starts one Go program (role compute or storage) in a dedicated worker and carries its messages.
// See wasm/PROTOCOL.md. The page posts {start, role, module, prefix} first. It makes this worker of a Blob, which has no place among
// the files of the site: where they are it says in cademBase.

import {blobs} from './blobs.js';
import {link} from './kernels.js';

const scope = (self as unknown) as WorkerScope;

const rules = {createScriptURL: (name: string) => new URL(name, scope.cademBase).href};
const policy = globalThis.trustedTypes ? globalThis.trustedTypes.createPolicy('cadem', rules) : rules;
importScripts(policy.createScriptURL(__WASM_EXEC__));

scope.cademBlobs = blobs;

const HEAD = 4000; // characters of standard error that are kept: a Go panic names its cause first
let stderr = '';
const decoder = new TextDecoder();
const write = globalThis.fs.writeSync;
globalThis.fs.writeSync = (fd: number, bytes: Uint8Array) => {
  if (fd !== 2) return write(fd, bytes);
  if (stderr.length < HEAD) stderr += decoder.decode(bytes);
  return bytes.length;
};

// A timer waits 4 ms; a message to oneself comes after those already queued and takes 0.1 ms.
const loop = new MessageChannel();
let continuation: (() => void) | null = null;
loop.port1.onmessage = () => {
  const f = continuation;
  continuation = null;
  if (f) f();
};
scope.cademYield = (callback: () => void) => {
  continuation = callback;
  loop.port2.postMessage(0);
};

/** Of the program. */
let memory: WebAssembly.Memory;

scope.cademPost = (header: string, bytes: Uint8Array<ArrayBuffer> | undefined, blobs: Blob[] | undefined) => {
  const held = memory.buffer.byteLength;
  if (!bytes) {
    scope.postMessage({header, blobs, held});
    return;
  }
  // Posting a view would drag its whole buffer along, so make sure that it is all of it.
  const buffer = bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer;
  scope.postMessage({header, buffer, blobs, held}, [buffer]);
};

interface Posted {header: string; buffer?: ArrayBuffer; blobs?: Blob[]}

let receive: ((header: string, bytes?: Uint8Array, blobs?: Blob[]) => void) | null = null;
const early: Posted[] = [];
const deliver = ({header, buffer, blobs}: Posted) => receive?.(header, buffer && new Uint8Array(buffer), blobs);
Object.defineProperty(scope, 'cademReceive', {
  get: () => receive,
  set(f) {
    receive = f;
    scope.postMessage({ready: true, answers: scope.cademAnswers});
    // Not from inside the program's own call.
    queueMicrotask(() => { for (const m of early.splice(0)) deliver(m); });
  },
});

async function start({role, module, prefix, life}: {role: string, module: WebAssembly.Module, prefix: string, life: string}) {
  scope.cademPrefix = prefix;
  // It is held for as long as this worker lives, whatever it is busy with, and tells the page so.
  navigator.locks?.request(life, () => {
    scope.postMessage({life});
    return new Promise(() => {});
  }).catch(() => {}); // without locks the page does not look for it
  const go = new Go();
  go.argv = ['cadem', role];
  let code = -1;
  go.exit = (c: number) => { code = c; };
  try {
    const instance = await link(go, module);
    memory = instance.exports.mem as WebAssembly.Memory;
    await go.run(instance);
  } catch (e) {
    stderr += String(e);
  }
  scope.postMessage({exit: code, text: stderr.slice(0, HEAD)});
  scope.close(); // what is still on its way to the program finds none
}

scope.onmessage = ({data}: MessageEvent) => {
  if (data.start) start(data);
  else if (receive) deliver(data);
  else early.push(data);
};
