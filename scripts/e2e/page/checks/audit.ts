// Reads the whole database in one transaction, as the page's own programs wrote it: the newest generation of each run, and its
// damage. The page must not be writing.
interface Manifest {
  run: string; generation: number; deleted?: boolean;
  record: {name: string, state: string, progress?: {step: number} | null, hash?: string};
  slabs: {chunks?: {key: string, length: number, crc: number}[]}[];
}

const TABLE = Uint32Array.from({length: 256}, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0x82f63b78 ^ n >>> 1 : n >>> 1;
  return n;
});

function crc(bytes: Uint8Array) {
  let c = -1;
  for (const b of bytes) c = Number(TABLE[(c ^ b) & 255]) ^ c >>> 8;
  return (c ^ -1) >>> 0;
}

const settled = <T>(request: IDBRequest<T>) => new Promise<T>((done, failed) => {
  request.onsuccess = () => done(request.result);
  request.onerror = () => failed(request.error);
});

const bytesOf = async (v: Blob | Uint8Array<ArrayBuffer>) => v instanceof Blob ? new Uint8Array(await v.arrayBuffer()) : new Uint8Array(v.buffer);

export default async () => {
  const db = await settled(indexedDB.open(new URL('.', document.baseURI).pathname + 'cadem'));
  const t = db.transaction(['manifests', 'chunks'], 'readonly'), manifests = t.objectStore('manifests'), stock = t.objectStore('chunks');
  const [keys, values, names, chunks] = await Promise.all(
    [settled(manifests.getAllKeys()), settled(manifests.getAll()), settled(stock.getAllKeys()), settled(stock.getAll())]);
  db.close();
  const stored = new Map(names.map((n, i) => [String(n), chunks[i]])), used: Set<string> = new Set(), newest: Map<string, Manifest> = new Map();
  const torn: string[] = [];
  for (let i = 0; i < keys.length; i++) {
    const b = await bytesOf(values[i]), text = b.subarray(4);
    if (new DataView(b.buffer, b.byteOffset).getUint32(0, true) !== crc(text)) {
      torn.push(keys[i] + ': its checksum');
      continue;
    }
    const m: Manifest = JSON.parse(new TextDecoder().decode(text));
    for (const c of m.slabs.flatMap(s => s.chunks ?? [])) {
      used.add(c.key);
      const bytes = stored.has(c.key) && await bytesOf(stored.get(c.key));
      if (!bytes || bytes.length !== c.length || crc(bytes) !== c.crc) torn.push(`${c.key}: ${bytes ? `${bytes.length} of ${c.length} bytes` : 'missing'}`);
    }
    if (m.generation > (newest.get(m.run)?.generation ?? -1)) newest.set(m.run, m);
  }
  return {
    torn, orphans: names.filter(n => n !== 'deleted' && !used.has(String(n))), // "deleted" is a list of names, no chunk
    runs: Object.fromEntries([...newest.values()].filter(m => !m.deleted).map(({run, record}) =>
      [run, {Name: record.name, State: record.state, Step: record.progress?.step ?? 0, Hash: record.hash ?? ''}])),
  };
};
