// @ts-check
// Trains a graph, draws what its layers share, and says what makes the place of a node.
import {open, train} from '../cadem.js';

const graph = await open('syn1');
const run = await train(graph, {options: {epochs: 40}}, {
  onProgress({epoch, epochs}) { document.title = `epoch ${epoch} of ${epochs}`; },
});
const {byName: {common: S}} = await run.picture();
const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('canvas'));
const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
const most = S.reduce((a, v) => Math.max(a, Math.abs(v)), 0);
const classes = Object.values(graph.labels)[0];
for (let i = 0; i < classes.length; i++) {
  pen.fillStyle = ['#0072b2', '#d55e00', '#009e73', '#cc79a7'][classes[i] % 4];
  pen.fillRect(200 + 190 * S[2 * i] / most, 200 - 190 * S[2 * i + 1] / most, 4, 4);
}
const {terms, bias, mean} = await run.explain(0, {of: 'S', by: 'node', most: 3});
const percent = (/** @type {number} */ share) => `${Math.round(100 * share)} %`;
document.querySelector('p')?.append(`What makes the place of node 0: ${terms.map(t => `node ${t.node} (${percent(t.share)})`).join(', ')}, other nodes, `,
  `the bias (${percent(bias.share)}) and the mean (${percent(mean.share)}).`);
document.title = `${run.hash}: drawn`;
graph.close();
