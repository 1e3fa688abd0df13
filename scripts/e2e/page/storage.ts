// What the browser keeps of the site.
import {state} from './dom';

/** This tab keeps runs. */
export const owned = () => state().owner;
export const settled = () => state().pending === 0;
export const saved = () => state().saved > 0;
export const savedPast = (step: number) => state().saved > step;
export const savedAt = (step: number) => state().saved === step;
export const upToDate = () => state().saved === state().step;

const done = <T>(request: IDBRequest<T>) => new Promise<T>((yes, no) => {
  request.onsuccess = () => yes(request.result);
  request.onerror = () => no(request.error);
});
const database = () => new URL('.', document.baseURI).pathname + 'cadem';

export const erase = async () => { await done(indexedDB.deleteDatabase(database())); };
/** Gives back what scripts/takeroom.ts has taken. */
export const giveRoom = async () => { await done(indexedDB.deleteDatabase('room')); };

/** Puts manifests of saved runs into the page's database, behind its back: a checksum, and a text. */
export async function putManifests(values: {key: string, text: string, sum: number}[]) {
  const db = await done(indexedDB.open(database())), t = db.transaction(['manifests'], 'readwrite');
  for (const {key, text, sum} of values) {
    const bytes = new TextEncoder().encode(text), whole = new Uint8Array(4 + bytes.length);
    new DataView(whole.buffer).setUint32(0, sum, true);
    whole.set(bytes, 4);
    t.objectStore('manifests').put(whole, key);
  }
  await new Promise<void>((yes, no) => {
    t.oncomplete = () => yes();
    t.onabort = () => no(t.error);
  });
  db.close();
}

/** What is kept: values in databases, notes, and files in caches that are not of the program. */
export async function left() {
  const out = Object.keys(localStorage);
  for (const {name = ''} of await indexedDB.databases()) {
    const db = await done(indexedDB.open(name));
    for (const store of db.objectStoreNames) {
      out.push(...(await done(db.transaction(store).objectStore(store).getAllKeys())).map(key => store + ' ' + key));
    }
    out.push('database ' + name);
    db.close();
  }
  for (const name of await caches.keys()) for (const {url} of await (await caches.open(name)).keys()) out.push(url);
  return out.filter(s => !/^http.*\/([\w.-]*\.(js|css|wasm|gz|json|svg|html|webmanifest|txt))?(\?v=.*)?$/.test(s));
}
