// The one Trusted Types policy of the page: scripts come from this folder, or are put together of what does, or not at all.
const policy = globalThis.trustedTypes
  ? globalThis.trustedTypes.createPolicy('cadem', {createScriptURL: fromHere})
  : {createScriptURL: fromHere};

const made: Set<string> = new Set(); // addresses of scripts that were made here

function fromHere(address: string) {
  if (made.has(address)) return address;
  const url = new URL(address, document.baseURI);
  const base = new URL('.', document.baseURI);
  if (url.origin !== base.origin || !url.pathname.startsWith(base.pathname)) throw new TypeError('not a script of this page: ' + url);
  return url.href;
}

/** The address of a script of this page, as a Trusted Type. */
export const scriptURL = (address: string) => policy.createScriptURL(address);

/** The address of a script that is put together here, of texts and Blobs. */
export function ownScript(parts: BlobPart[]) {
  const address = URL.createObjectURL(new Blob(parts, {type: 'text/javascript'}));
  made.add(address);
  return scriptURL(address);
}
