// @ts-check
// The one Trusted Types policy of the page: scripts come from this folder, or are put together of what does, or not at all.
const policy = globalThis.trustedTypes
  ? globalThis.trustedTypes.createPolicy('cadem', {createScriptURL: fromHere})
  : {createScriptURL: fromHere};

/** @type {Set<string>} */
const made = new Set(); // addresses of scripts that were made here

/** @param {string} address */
function fromHere(address) {
  if (made.has(address)) return address;
  const url = new URL(address, document.baseURI);
  const base = new URL('.', document.baseURI);
  if (url.origin !== base.origin || !url.pathname.startsWith(base.pathname)) throw new TypeError('not a script of this page: ' + url);
  return url.href;
}

/** The address of a script of this page, as Trusted Types have it.
 * @param {string} address
 * @returns {any}
 */
export const scriptURL = address => policy.createScriptURL(address);

/** The address of a script that is put together here, of texts and Blobs.
 * @param {BlobPart[]} parts
 */
export function ownScript(parts) {
  const address = URL.createObjectURL(new Blob(parts, {type: 'text/javascript'}));
  made.add(address);
  return scriptURL(address);
}
