// Uses the module: graphs of an example, of arrays and of a file, trained by CaDeM and by another method, scored, saved and brought back;
// what is wrong is an error of a class, and a signal ends a training.
import * as cadem from 'cadem';

const told: Record<string, unknown> = {}, where = {base: '/a/b/'};
Object.assign(globalThis, {told});
for (const wrong of ['error', 'unhandledrejection']) addEventListener(wrong, () => { told.done = 'failed'; });
const said = (p: Promise<unknown>) => p.then(() => 'nothing', e => `${e.constructor === Error ? 'Error' : e.name}: ${e.message.slice(0, 40)}`);
const brief = {options: {epochs: 3, early_stop: 'off'}};
const n = 40, ring = (step: number) => Int32Array.from({length: 2 * n}, (_, k) => (k % 2 ? (k >> 1) + step : k >> 1) % n);
const source = {nodes: Array.from({length: n}, (_, i) => 'node ' + i), layers: {work: {edges: ring(1)},
  lunch: {edges: ring(7), weights: new Float32Array(n).fill(2)}},
  features: Float32Array.from({length: 2 * n}, (_, i) => 1 + i % 5), labels: {half: Array.from({length: n}, (_, i) => i % 2)}};
const graph = await cadem.open(source, where);
told.graph = [graph.summary.nodes, graph.summary.features, graph.summary.layers.map(l => [l.name, l.edges]), graph.nodes?.[39],
  Array.from(graph.labels.half ?? []).slice(0, 3)];
let events = 0;
const run = await cadem.train(graph, brief, {onProgress() { events++; }});
const {names, byName} = await run.embeddings(), {common, private_2: own} = byName;
if (!common || !own) throw new Error(`no S or P among ${names}`);
const one = new Set(Object.values(byName).map(a => a.buffer)), held = Object.values(byName).reduce((bytes, a) => bytes + a.byteLength, 0);
told.copies = [one.size, [...one].every(b => b.byteLength === held)];
told.run = [names, common.shape, own.length, common.some(Number.isNaN), events > 0, run.progress.epoch];
const scores = await run.scores({options: {eval_epochs: 2}});
told.scores = [scores.length > 0, scores.every(s => s.target === 'half')];
const far: number[] = []; // how far parts are off the place that they add up to, and that off the embedding, in units of its longest number
for (const [of, x] of [['S', common], ['P', own], ['C', null]] as const) {
  for (const by of ['node', 'feature'] as const) {
    const {place, terms, count, rest, bias, mean, left} = await run.explain('node 7', {of, by, layer: 'lunch', most: 1});
    const all = await run.explain(7, {of, by, layer: 'lunch'}), most = place.reduce((a, v) => Math.max(a, Math.abs(v)), 0);
    const off = (parts: cadem.Part[]) => Math.max(...place.map((v, k) => Math.abs(parts.reduce((sum, p) => sum - Number(p.x[k]), v)))) / most;
    far.push(off([...terms, rest, bias, mean, left]), off([...all.terms, all.bias, all.mean, all.left]));
    if (x) far.push(1e-7 * Math.max(...place.map((v, k) => Math.abs(v - Number(x[7 * place.length + k])))) / most); // single precision
    if (terms.length !== 1 || all.terms.length !== count || !(most > 0) || !bias.share === (of !== 'S')) far.push(Infinity);
    if (all.terms.some(t => by === 'node' ? t.node === null || t.feature !== null : t.feature === null || t.layer === null)) far.push(NaN);
  }
}
told.explained = [far.length, Math.max(...far) < 1e-12];
told.unexplained = [await said(run.explain('node 40')), await said(run.explain(0, {of: 'P', layer: 'dinner'})), await said(run.explain(0, {most: 0}))];
const back = await cadem.load(await run.save(), where);
told.asked = (await back.run.explain(7)).place.every((v, k) => Math.abs(v - Number(common[8 * 7 + k])) < 1e-5);
told.back = [back.run.hash === run.hash, run.hash.length, back.graph.summary.nodes];
back.graph.close();
const other = await cadem.train(graph, {method: 'pca'});
told.other = [(await other.embeddings()).byName.fused?.shape[0], other.hash !== run.hash];
told.pca = await said(other.explain(0));
told.stale = await said(run.embeddings());
told.option = await said(cadem.train(graph, {options: {depth: 3}}));
told.kept = [await said(cadem.train(graph, {method: 'dgi', options: {depth: 3}})), await said(cadem.train(graph, {preset: 'none' as 'printed'})),
  await said(cadem.train(graph, brief, {signal: AbortSignal.abort()})), (await other.embeddings()).names.join()];
told.range = await said(cadem.open({nodes: 2, layers: {a: {edges: Int32Array.of(0, 2)}}}));
told.shape = await said(cadem.open({...source, features: new Float32Array(2 * n + 1)}));
told.types = [await said(cadem.open({...source, layers: {a: {edges: ['0', '1'] as unknown as number[]}}})), await said(cadem.open({...source, nodes: 1e9}))];
const odd = await cadem.open({nodes: ['2', '1', '0'], layers: {'../x/é=': {edges: [0, 1]}, 'a.b,c_': {edges: [1, 2]}}, features: [1, 2, 3],
  labels: {features: [0, -1, 1]}}, where);
told.names = [odd.summary.layers.map(l => l.name), odd.nodes, Object.entries(odd.labels).map(([name, of]) => [name, ...of])];
const first = await cadem.train(odd, brief);
told.first = [await said(cadem.train(odd, {method: 'dgi', options: {depth: 3}})), (await first.embeddings()).byName.common?.shape[0]];
odd.close();
const large = await cadem.open({nodes: 60000, layers: {a: {edges: ring(1)}, b: {edges: ring(7)}}});
told.large = await said(cadem.train(large, {options: {features: 'identity', hidden: 4096}}));
large.close();
told.data = await said(cadem.open([{name: 'a.edges', data: '1 1 2 much\n2 1 2 1\n'}]));
const stop = new AbortController(), watch = {signal: stop.signal, onProgress: ({step}: cadem.Progress) => { if (Number(step) > 3) stop.abort(); }};
told.stopped = await said(cadem.train(graph, {options: {epochs: 1000, early_stop: 'off'}}, watch));
told.methods = (await cadem.methods()).some(m => m.name === 'dgi');
graph.close();
told.closed = await said(cadem.train(graph));
told.done = true;
