// The causal diagram of psi's answer, twice: as observed, with the back door open, and with the common part exchanged, which closes it.
import {svg} from '../dom/elements.js';

const AT = {G: [30, 75], C: [120, 25], P: [120, 125], Y: [230, 75]} as const;
const R = 17;

/** An arrow between two nodes, from rim to rim. */
function arrow(from: 'G' | 'C' | 'P' | 'Y', to: 'G' | 'C' | 'P' | 'Y', kind: string) {
  const [x, y] = AT[from], [u, v] = AT[to], long = Math.hypot(u - x, v - y), dx = (u - x) / long, dy = (v - y) / long;
  const [ax, ay, bx, by] = [x + dx * R, y + dy * R, u - dx * (R + 7), v - dy * (R + 7)];
  const head = `M${u - dx * R} ${v - dy * R}L${bx - dy * 4} ${by + dx * 4}L${bx + dy * 4} ${by - dx * 4}Z`;
  return svg('g', {class: kind}, svg('path', {class: 'shaft', d: `M${ax} ${ay}L${bx} ${by}`}), svg('path', {class: 'head', d: head}));
}

function node(name: 'G' | 'C' | 'P' | 'Y', text: string) {
  const [x, y] = AT[name];
  return svg('g', {class: 'node'}, svg('circle', {cx: x, cy: y, r: R}), svg('text', {x, y: y + 5, 'text-anchor': 'middle'}, text));
}

const label = (x: number, y: number, text: string, anchor = 'middle') =>
  svg('text', {x, y, class: 'label', 'text-anchor': anchor}, text);

/** The diagram of one way to pair parts. */
export function diagram(exchanged: boolean) {
  const words = exchanged
    ? 'The graph leads to its private part. The common part is drawn from any graph, so that its arrow from the graph is cut. Both parts lead to the answer.'
    : 'The graph leads to its private and to its common part, and both lead to the answer.'
      + ' The path from private part back to graph, common part and answer is the back door.';
  return svg('svg', {viewBox: '0 0 262 158', class: 'causal-diagram', role: 'img', 'aria-label': words},
    arrow('G', 'C', exchanged ? 'cut' : 'door'), arrow('C', 'Y', exchanged ? 'plain' : 'door'), arrow('G', 'P', exchanged ? 'plain' : 'door'),
    arrow('P', 'Y', 'asked'), node('G', 'G'), node('C', 'C'), node('P', 'P'), node('Y', '\u03c8'),
    label(30, 112, 'graph'), label(142, 18, exchanged ? 'common, of any' : 'common, its own', 'start'), label(142, 146, 'private', 'start'),
    label(230, 112, 'answer'), ...exchanged ? [svg('path', {class: 'scissors', d: 'M66 40L84 60M84 40L66 60'})] : []);
}
