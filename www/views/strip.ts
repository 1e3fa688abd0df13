// An embedding of one dimension: its nodes on a line would hide each other, so they are stacked, as a histogram of marks.

const FLAT = 1e-6; // of the spread along the line, and less across it
const BINS = 36;

/** The points themselves, or where they lie on a line, that line with the nodes of each part of it stacked. */
export function stacked(xy: Float32Array) {
  const n = xy.length / 2;
  let along = 0, across = 0;
  for (let i = 0; i < n; i++) {
    along = Math.max(along, Math.abs(xy[2 * i]));
    across = Math.max(across, Math.abs(xy[2 * i + 1]));
  }
  if (!along || across > FLAT * along) return xy;
  const of = (i: number) => Math.min(BINS - 1, Math.floor((xy[2 * i] / along + 1) / 2 * BINS));
  const heights = new Int32Array(BINS);
  for (let i = 0; i < n; i++) heights[of(i)]++;
  const rise = Math.min(2 / BINS, 1.8 / Math.max(...heights)) * along;
  heights.fill(0);
  const out = new Float32Array(xy);
  for (let i = 0; i < n; i++) out[2 * i + 1] = heights[of(i)]++ * rise - 0.9 * along;
  return out;
}
