// A report of an experiment on the page: its text, findings, charts and tables.
import {button, download, h, scrolled, tableOf} from '../dom/elements.js';
import {nth} from '../dom/nth.js';
import {told} from '../dom/told.js';
import {many} from './ordertext.js';
import type {Along} from './directions.js';
import type {Card, Merged, ReportCard, Reports} from '../types.js';

const isNumber = (text: string) => /^(<\s)?[-\u2212]?\d/.test(text);

/** A file printed by `cadem study merge -json`: an order of a known experiment, with its results. */
export async function readMerged(file: File, known: (study: string) => unknown) {
  let found: Merged | null = null;
  try {
    found = JSON.parse(await file.text());
  } catch {} // said below
  if (!found?.order?.study || !Array.isArray(found.results) || !found.results.every(r => typeof r?.key === 'string')) {
    throw Object.assign(new Error(`${file.name}: found a file that is cut off or holds something else,`
      + ' expected what \u201ccadem study merge FOLDER -json\u201d prints'), {code: 'bad-data'});
  }
  const refused = found.order.sets ? 'several data sets, expected one, which the page can open'
    : !known(found.order.study) ? `${found.order.study}, expected one of the experiments of the page`
      : !(Number.isFinite(found.seconds) && found.seconds >= 0) && `seconds ${JSON.stringify(found.seconds)}, expected a number of at least 0`;
  if (refused) throw Object.assign(new Error(`${file.name}: found ${refused}`), {code: 'bad-data'});
  return found;
}

/** A chart's picture as pixels, twice as fine as it is drawn, dark on white. */
async function asPNG(svg: string) {
  const img = new Image(), url = URL.createObjectURL(new Blob([svg], {type: 'image/svg+xml'}));
  img.src = url;
  await img.decode().finally(() => URL.revokeObjectURL(url));
  const scale = 2, canvas = h('canvas', {width: img.naturalWidth * scale, height: img.naturalHeight * scale});
  canvas.getContext('2d')?.drawImage(img, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob(b => b ? resolve(b) : reject(new Error('the picture could not be made')), 'image/png'));
}

/** A row of a table. */
const line = (tag: 'th' | 'td', row: string[], isFigure: (column: number) => unknown) => {
  const scope = tag === 'th' ? 'col' : null;
  return h('tr', {}, row.map((text, k) => h(tag, {class: isFigure(k) ? 'number' : null, scope}, text)));
};

const table = (head: string[] = [], rows: string[][], isFigure: (column: number) => unknown) =>
  h('table', {}, h('thead', {}, line('th', head, isFigure)), h('tbody', {}, rows.map(row => line('td', row, isFigure))));

/** A number as tables write it; what is none comes last, whichever way it is sorted. */
const valueOf = (text: string) => Number(text.replace('\u2212', '-').replace(/^<\s/, '').match(/^-?[\d.]+/)?.[0] ?? NaN);

/**
 * The same, sorted by the column whose title is pressed, the largest first, and the other way when it is pressed again. It begins as the
 * report on the card was sorted before.
 */
function sortable(c: ReportCard, head: string[], rows: string[][], figures: boolean[]) {
  const el = table(head, rows, k => figures[k]), titles = [...el.querySelectorAll('th')];
  for (const [k, title] of head.entries()) {
    const th = nth(titles, k);
    const sort = (falling: boolean) => {
      c.sorted = {title, falling};
      for (const t of titles) t.removeAttribute('aria-sort');
      th.setAttribute('aria-sort', falling ? 'descending' : 'ascending');
      const sorted = [...rows].sort((one, other) => {
        const a = nth(one, k), b = nth(other, k), x = valueOf(a), y = valueOf(b);
        if (!figures[k]) return (falling ? 1 : -1) * a.localeCompare(b);
        return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || (falling ? y - x : x - y) || 0;
      });
      el.querySelector('tbody')?.replaceChildren(...sorted.map(row => line('td', row, i => figures[i])));
    };
    th.replaceChildren(button(title, () => sort(th.getAttribute('aria-sort') !== 'descending'), {class: 'quiet'}));
    if (c.sorted?.title === title) sort(c.sorted.falling);
  }
  return el;
}

/** A long table, made when it is looked at. */
function folded(title: string, rows: number, content: () => Element[], kind: string | null = null) {
  const region = scrolled(title);
  const make = () => { if (!region.firstChild) region.append(...content()); };
  return h('details', {class: kind, 'data-title': title, ontoggle: make}, h('summary', {}, `${title} (${rows})`), region);
}

/** A table beside the figures. */
function sheet({title, lines: [head, ...rows], open}: Sheet) {
  const part = folded(title, rows.length, () => [table(head, rows, k => k)]);
  part.open = Boolean(open);
  return part;
}

/** A table in the shape of the paper's: in each cell what was found here, and small what stands beside it. */
function gridTable({caption, columns, rows}: ReportGrid, title: string) {
  const cell = ({here, beside}: {here: string, beside: string[] | null}) =>
    h('td', {}, here || '\u2013', (beside ?? []).map(text => h('span', {class: 'soft small'}, text)));
  return scrolled(`Table: ${title}. ${caption}`, h('table', {class: 'grid'},
    h('caption', {}, caption), h('thead', {}, h('tr', {}, h('td'), columns.map(c => h('th', {scope: 'col'}, c)))),
    h('tbody', {}, rows.map(({name, cells}) => h('tr', {}, h('th', {scope: 'row'}, name), cells.map(cell))))));
}

/** Sentences of the paper, with verdict and measurements, under the title `title`. */
export const claimsTable = (claims: Claim[], title: string) => scrolled(`Sentences of the paper: ${title}`,
  tableOf({kind: 'claims', head: ['The paper says', 'Measured', 'By'], rows: claims.map(c => [c.says, c.verdict, c.because])}));

/** A chart, with buttons to save it. `on`, here and below, has what goes wrong written on the card. */
function figure(c: ReportCard, {name, title, text, svg, shown}: ReportChart, on: (f: () => unknown) => () => unknown) {
  const url = URL.createObjectURL(new Blob([shown], {type: 'image/svg+xml'})), file = `${c.study.name}-${name}`;
  c.urls.push(url);
  const save = (type: string, f: () => unknown) =>
    button(type, f, {class: 'quiet', 'aria-label': `Save ${title} as ${type}`});
  return h('figure', {}, h('img', {src: url, alt: text ? `${title}. ${text}` : title}), h('figcaption', {class: 'actions'},
    save('SVG', () => download(svg, file + '.svg', 'image/svg+xml')),
    save('PNG', on(async () => download(await asPNG(svg) as Blob, file + '.png', 'image/png')))));
}

/** The parts of a report. */
export function reportParts(c: ReportCard, r: Report, on: (f: () => unknown) => () => unknown) {
  const [head = [], ...rows] = r.lines, figures = head.map((_, k) => rows.some(row => isNumber(row[k] ?? '')));
  // Claims have a table of their own.
  const list = r.findings.filter(f => !r.claims.some(({says}) => f.startsWith(`The paper says: ${says}`))).map(f => h('li', {}, told(f)));
  return [
    r.claims.length ? claimsTable(r.claims, r.title) : null,
    ...r.grids.map(grid => gridTable(grid, r.title)),
    rows.length ? h('div', {class: 'soft small told'}, told(r.grid_legend)) : null,
    list.length ? h('ul', {class: 'prose'}, list) : null,
    h('div', {class: `charts ${r.study}`}, r.charts.map(chart => figure(c, chart, on))),
    rows.length ? folded('Every figure', rows.length, () => [sortable(c, head, rows, figures), h('div', {class: 'soft small told'}, told(r.legend))],
      'every-figure') : null,
    ...r.sheets.map(sheet),
    h('div', {class: 'prose told'}, told(r.text)),
    h('p', {class: 'soft small'}, r.setting, r.missing ? ` ${r.missing} of ${many(r.tasks, 'task')} not run yet.` : ''),
  ].filter(part => part !== null);
}

/** Takes the report from a card. */
export function clearReport(c: ReportCard) {
  for (const url of c.urls.splice(0)) URL.revokeObjectURL(url);
  c.report.replaceChildren();
  c.shown = null;
}

/** Puts the reports of an order on its card, and the buttons to save them. If the same order is shown already, tables stay open and sorted.
 * `along` is the effect of a direction of the open data on the pictures. */
export function putReport(c: ReportCard & Partial<Pick<Card, 'pinned'>>, r: Reports, shown: string, on: (f: () => unknown) => () => unknown, along?: Along) {
  const folds = () => c.report.querySelectorAll('details') as NodeListOf<HTMLDetailsElement>;
  const before = c.shown === shown ? new Map([...folds()].map(d => [d.dataset.title, d.open])) : new Map();
  if (c.shown !== shown) c.sorted = null;
  clearReport(c);
  c.shown = shown;
  const save = (text: string, end: string, bytes: Uint8Array<ArrayBuffer>, type: string) =>
    button(text, () => download(bytes, `${c.study.name}.${end}`, type));
  c.report.replaceChildren(...r.reports.flatMap(report => reportParts(c, report, on)), h('div', {class: 'actions'},
    save('Save as a page', 'html', r.html, 'text/html'), save('Text, Markdown', 'md', r.markdown, 'text/markdown'),
    save('Table, CSV', 'csv', r.csv, 'text/csv'), r.predictions ? save('Predictions, CSV', 'predictions.csv', r.predictions, 'text/csv') : '',
    save('Table, LaTeX', 'tex', r.latex, 'application/x-tex')));
  for (const d of folds()) d.open = before.get(d.dataset.title) ?? d.open;
  const found = r.results.find(t => t.sharing?.directions?.length);
  if (found && along && !c.pinned) {
    on(async () => {
      const {directions} = await import('./directions.js'), table = directions(found, along);
      if (table && c.shown === shown) c.report.querySelector('.charts')?.after(table);
    })();
  }
}
