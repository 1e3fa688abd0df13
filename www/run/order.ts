// Under which name an order of an experiment is kept. Knows nothing of the document.

const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

const marks = new WeakMap();

/** A short mark of files, by their names and sums, or of scans: FNV-1a of 64 bits. */
function markOf(list: (FileName | Scan)[]) {
  if (!marks.has(list)) {
    let h = 0xcbf29ce484222325n;
    const bytes = encode(list.map(f => 'sum' in f && f.sum ? [f.name, f.sum] : Object.values(f)));
    for (const byte of bytes) h = BigInt.asUintN(64, (h ^ BigInt(byte)) * 0x100000001b3n);
    marks.set(list, h.toString(16));
  }
  return marks.get(list);
}

/** Names that two experiments had first: what is kept of them goes by these. */
const FIRST = new Map([['table7', 'ablation'], ['table11', 'augmentation']]);

/** One name for one order, so that asking twice for the same finds what is there. */
export function nameOf(order: Order) {
  const parts = ['study', FIRST.get(order.study) ?? order.study, ...(['data', 'preset', 'seeds', 'data_seeds'] as const).map(k => order[k] || '')];
  if (order.options) parts.push(JSON.stringify(order.options));
  if (order.files) parts.push(markOf(order.files), JSON.stringify(order.choice ?? {}));
  if (order.cohort) parts.push(markOf(order.cohort));
  for (const k of ['example', 'methods', 'level'] as const) if (order[k]) parts.push(order[k]);
  for (const k of ['links', 'width', 'predictions'] as const) if (order[k]) parts.push(`${k}=${order[k]}`);
  if ((order.eval_seed ?? null) !== null) parts.push(`eval_seed=${order.eval_seed}`); // 0 is one, too
  return parts.join(':');
}
