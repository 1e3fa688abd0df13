// Where the square pictures of a view stand, so that they fill their room. Pure, without a document.

/** Parts of a picture's size: the line of text above each, and the gap between them. */
export interface Room { width: number; height: number; text: number; gap: number }
/** The upper left corner of a picture with its text, and the side of its square. */
export interface Box { x: number; y: number; side: number }
/** One picture that may be larger than the others, if there is one; and cells, each with a number of squares below each other. */
export interface Pictures { lead: boolean; cells: number; high: number }

interface Plan { kind: 'even' | 'beside' | 'above'; lead: number; side: number; columns: number }

export const LEAST = 72; // of a side, in CSS pixels, if there is a choice
const ENOUGH = 0.85; // of the side that all would have as equal ones: the least for the large one

const lines = (cells: number, columns: number) => Math.ceil(cells / columns);

/** Every way to arrange pictures in rows and columns, each with the largest squares that fit so. */
function plans({lead, cells, high}: Pictures, {width, height, text, gap}: Room): Plan[] {
  const list: Plan[] = [], pitch = text + gap;
  const wide = (columns: number) => (width + gap) / columns - gap, tall = (rows: number) => (height + gap) / rows - pitch;
  const even = (n: number) => {
    for (let columns = 1; columns <= n; columns++) {
      const side = Math.floor(Math.min(wide(columns), tall(high * lines(n, columns))));
      list.push({kind: 'even', lead: side, side, columns: lines(n, lines(n, columns))});
    }
  };
  if (!lead || high === 1) even(cells + Number(lead));
  for (let columns = 1; lead && columns <= cells; columns++) {
    const rows = high * lines(cells, columns), more = (rows - 1) * pitch;
    // The large one reaches from the top of the rows to their bottom.
    const side = Math.floor(Math.min(tall(rows), (width - more - columns * gap) / (rows + columns)));
    list.push({kind: 'beside', lead: rows * side + more, side, columns});
    // Where the width ends the rows, the large one may reach below them, nearly to the bottom: it leaves no strip under itself.
    const large = Math.floor(Math.min(height - text - gap, width - columns * (LEAST + gap)));
    const small = Math.floor(Math.min(tall(rows), (width - large) / columns - gap));
    if (large > rows * side + more + text) list.push({kind: 'beside', lead: large, side: small, columns});
    const below = Math.floor(Math.min(wide(columns), (height - text - rows * pitch) / (rows + 1)));
    list.push({kind: 'above', lead: Math.floor(Math.min(width, height - text - rows * (below + pitch))), side: below, columns});
  }
  return list;
}

/** Rows of squares of the least side that fill the width; what is below the room is scrolled to. */
function scrolled({lead, cells, high}: Pictures, {width, gap}: Room): Plan {
  const n = cells + Number(lead && high === 1), fit = Math.max(1, Math.min(n, Math.floor((width + gap) / (LEAST + gap))));
  const columns = lines(n, lines(n, fit));
  const side = Math.floor(Math.min((width + gap) / columns - gap, Math.max(LEAST, width / 2)));
  return lead && high > 1 ? {kind: 'above', lead: side, side, columns} : {kind: 'even', lead: side, side, columns};
}

/**
 * Arranges pictures: of all ways in which no square is too small, and the large one is large, the one with the largest product of both sides, so that
 * neither the large one nor the others pay for the rest. Gives the large one, or null, and the squares of each cell.
 * @param whole nothing is scrolled to: squares are as small as they must be
 */
export function arrange(pictures: Pictures, room: Room, whole = false): {lead: Box | null, cells: Box[][]} {
  const {lead, cells, high} = pictures, {width, text, gap} = room, pitch = text + gap;
  const worth = (p: Plan) => lead ? p.lead * p.side : p.side, all = plans(pictures, room);
  const equal = Math.max(...plans({lead: false, cells: cells * high + Number(lead), high: 1}, room).map(p => p.side));
  const stands = (p: Plan) => !lead || p.lead >= ENOUGH * equal;
  const readable = all.filter(p => p.side >= LEAST && stands(p));
  const best = (list: Plan[], of: (p: Plan) => number) => list.reduce((a, b) => of(b) > of(a) ? b : a);
  // Cells of what is shown together fill their rows, unless that leaves them too small.
  const full = whole && lead ? readable.filter(p => cells % p.columns === 0 || cells > 4) : [];
  const plan = readable.length ? best(full.length ? full : readable, worth) : whole && all.length ? best(all, p => p.side) : scrolled(pictures, room);
  const side = Math.max(0, plan.side), large = Math.max(0, plan.lead), first = Number(lead && plan.kind === 'even');
  const [left, top] = plan.kind === 'beside' ? [large + gap, 0] : plan.kind === 'above' ? [0, large + pitch] : [0, 0];
  const cellAt = (k: number) => ({x: left + (k % plan.columns) * (side + gap), y: top + high * Math.floor(k / plan.columns) * (side + pitch)});
  const across = plan.kind === 'beside' ? left + plan.columns * (side + gap) - gap
    : Math.max(plan.kind === 'above' ? large : 0, plan.columns * (side + gap) - gap);
  const shift = Math.max(0, Math.floor((width - across) / 2)); // what is left over is the same on both sides
  const middle = plan.kind === 'above' ? Math.floor((across - large) / 2) : 0, inner = plan.kind === 'above'
    ? Math.floor((across - (plan.columns * (side + gap) - gap)) / 2) : 0;
  return {
    lead: lead ? {x: shift + middle, y: 0, side: large} : null,
    cells: Array.from({length: cells}, (_, k) => {
      const {x, y} = cellAt(k + first);
      return Array.from({length: high}, (_, r) => ({x: shift + inner + x, y: y + r * (side + pitch), side}));
    }),
  };
}
