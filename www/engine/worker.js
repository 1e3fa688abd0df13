// @ts-check
'use strict';
// Starts one Go program (role compute or storage) in a dedicated worker and carries its messages.
// See wasm/PROTOCOL.md. The page posts {start, role, module, prefix} first. It makes this worker of a Blob, which has no place among
// the files of the site: where they are it says in cademBase.

import {blobs} from './blobs.js';
import {link} from './kernels.js';
import {createMailbox} from './mailbox.js';
import {mostHelpers, requestHelper, serve} from './offload.js';

const scope = /** @type {WorkerScope} */ (/** @type {unknown} */ (self));

const rules = {createScriptURL: (/** @type {string} */ name) => new URL(name, scope.cademBase).href};
const policy = globalThis.trustedTypes ? globalThis.trustedTypes.createPolicy('cadem', rules) : rules;
importScripts(policy.createScriptURL(__WASM_EXEC__));

scope.cademBlobs = blobs;

scope.cademHelpers = mostHelpers();
scope.cademHelper = (/** @type {(worker: Worker) => void} */ ready, /** @type {(answer: any) => void} */ receive) =>
  requestHelper(() => policy.createScriptURL(scope.location.href), ready, receive);

// What the program does with the mailbox in every step takes addresses of its memory instead of values.
/** Of each helper of the program, which asks for nothing of it where there is none. @type {NonNullable<ReturnType<typeof createMailbox>>[]} */
const mailboxes = [];
scope.cademMailbox = (/** @type {number} */ helper, /** @type {Worker} */ worker, /** @type {number} */ inputs, /** @type {number} */ outputs) =>
  mailboxes[helper] = /** @type {typeof mailboxes[0]} */ (createMailbox(worker, inputs, outputs));
const bytes = (/** @type {number} */ at, /** @type {number} */ n) => new Uint8Array(memory.buffer, at, n);
const mail = {
  send: (/** @type {number} */ helper, /** @type {number} */ at, /** @type {number} */ n) => mailboxes[helper].send(bytes(at, n)),
  receive: (/** @type {number} */ helper, /** @type {number} */ at, /** @type {number} */ n) => Number(mailboxes[helper].receive(bytes(at, n))),
};

const HEAD = 4000; // characters of standard error that are kept: a Go panic names its cause first
let stderr = '';
const decoder = new TextDecoder();
const write = globalThis.fs.writeSync;
globalThis.fs.writeSync = (/** @type {number} */ fd, /** @type {Uint8Array} */ bytes) => {
  if (fd !== 2) return write(fd, bytes);
  if (stderr.length < HEAD) stderr += decoder.decode(bytes);
  return bytes.length;
};

// A timer waits 4 ms; a message to oneself comes after those already queued and takes 0.1 ms.
const loop = new MessageChannel();
let /** @type {(() => void) | null} */ continuation = null;
loop.port1.onmessage = () => {
  const f = continuation;
  continuation = null;
  if (f) f();
};
scope.cademYield = (/** @type {() => void} */ callback) => {
  continuation = callback;
  loop.port2.postMessage(0);
};

/** Of the program. @type {WebAssembly.Memory} */
let memory;

scope.cademPost = (/** @type {string} */ header, /** @type {Uint8Array<ArrayBuffer> | undefined} */ bytes, /** @type {Blob[] | undefined} */ blobs) => {
  const held = memory.buffer.byteLength;
  if (!bytes) {
    scope.postMessage({header, blobs, held});
    return;
  }
  // Posting a view would drag its whole buffer along, so make sure that it is all of it.
  const buffer = bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer;
  scope.postMessage({header, buffer, blobs, held}, [buffer]);
};

/** @typedef {{header: string, buffer?: ArrayBuffer, blobs?: Blob[]}} Posted */

let /** @type {((header: string, bytes?: Uint8Array, blobs?: Blob[]) => void) | null} */ receive = null;
const /** @type {Posted[]} */ early = [];
const deliver = (/** @type {Posted} */ {header, buffer, blobs}) => receive?.(header, buffer && new Uint8Array(buffer), blobs);
Object.defineProperty(scope, 'cademReceive', {
  get: () => receive,
  set(f) {
    receive = f;
    scope.postMessage({ready: true, answers: scope.cademAnswers});
    // Not from inside the program's own call.
    queueMicrotask(() => { for (const m of early.splice(0)) deliver(m); });
  },
});

async function start(/** @type {{role: string, module: WebAssembly.Module, prefix: string, life: string}} */ {role, module, prefix, life}) {
  scope.cademPrefix = prefix;
  // It is held for as long as this worker lives, whatever it is busy with, and tells the page so.
  navigator.locks?.request(life, () => {
    scope.postMessage({life});
    return new Promise(() => {});
  }).catch(() => {}); // where there are no locks, the page does not look for it
  const go = new Go();
  go.argv = ['cadem', role];
  let code = -1;
  go.exit = (/** @type {number} */ c) => { code = c; };
  try {
    const instance = await link(go, module, mail);
    memory = /** @type {WebAssembly.Memory} */ (instance.exports.mem);
    await go.run(instance);
  } catch (e) {
    stderr += String(e);
  }
  scope.postMessage({exit: code, text: stderr.slice(0, HEAD)});
  scope.close(); // what is still on its way to the program finds none
}

scope.onmessage = (/** @type {MessageEvent} */ {data}) => {
  if (data.start) start(data);
  else if (data.helper) serve();
  else if (receive) deliver(data);
  else early.push(data);
};
