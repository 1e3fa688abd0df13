// The one figure of the essay: draws the pose of the scene, and the way to the next.
import {nth} from '../dom/nth.js';
import {caption, frame, ground, halo, links, person} from './marks.js';
import {between, laid} from './pose.js';
import type {Host} from './host.js';
import type {Pose} from './pose.js';
import type {Town} from './runs.js';

const still = matchMedia('(prefers-reduced-motion: reduce)');

export class Figure {
  #from: Pose | null = null;
  #to: Pose | null = null;
  #now: Pose | null = null;
  #begun = 0;
  #long = 0;
  #frame = 0;
  /** The person that is pointed at, and on which marks the name stands. */
  who = -1;
  on = 0;

  constructor(readonly host: Host, readonly town: Town) {}

  get moving() { return this.#frame !== 0; }

  /** Forgets where things stood: the canvas has another size. */
  restart() { this.#now = null; }

  /** Goes to a pose in that many ms; at once for readers who want less motion. */
  go(pose: Pose, ms: number) {
    this.#to = laid(pose);
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    if (!this.#now || still.matches || ms === 0) {
      this.#now = this.#to;
      this.draw();
      return;
    }
    this.#from = this.#now;
    this.#begun = performance.now();
    this.#long = ms;
    this.#frame = requestAnimationFrame(t => this.#travel(t));
  }

  #travel(time: number) {
    const t = Math.max(0, Math.min(1, (time - this.#begun) / this.#long));
    this.#now = t < 1 ? between(this.#from as Pose, this.#to as Pose, t) : this.#to;
    this.#frame = t < 1 ? requestAnimationFrame(next => this.#travel(next)) : 0;
    this.draw();
  }

  draw() {
    const now = this.#now, h = this.host;
    if (!now) return;
    h.clear();
    for (const [name, q] of Object.entries(now.panels)) {
      if (q.alpha < 0.02) continue;
      frame(h, q);
      ground(h, q);
      if (name[0] === 'L') links(h, this.town, Number(name[1]), now, q);
      q.under?.(h, q, now);
    }
    now.marks.forEach((_, k) => this.#marks(now, k));
    for (const q of Object.values(now.panels)) {
      if (q.alpha < 0.02) continue;
      q.over?.(h, q, now);
      caption(h, q);
    }
    if (this.who >= 0) this.#named(now);
    h.ctx.globalAlpha = 1;
  }

  /** Marks that lie on others of the same place are drawn only while they travel. */
  #covered(now: Pose, k: number) {
    const {panel, at} = nth(now.marks, k);
    return !this.moving && now.marks.some((m, j) => j < k && m.alpha > 0.03 && m.panel === panel && m.at === at);
  }

  #marks(now: Pose, k: number) {
    const m = nth(now.marks, k), old = now.before?.looks[k], {ctx} = this.host;
    if (m.alpha < 0.03 || this.#covered(now, k)) return;
    const same = !old || old.by === m.look.by && old.layer === m.look.layer;
    const looks = same ? [{look: m.look, part: 1}] : [{look: old, part: 1 - now.way}, {look: m.look, part: now.way}];
    for (const {look, part} of looks) {
      ctx.globalAlpha = part * m.alpha;
      if (part < 0.03) continue;
      const r = nth(now.radii, k);
      for (const [i, p] of nth(now.pixels, k).entries()) person(this.host, this.town, look, i, p, r);
    }
    ctx.globalAlpha = 1;
  }

  #named(now: Pose) {
    const h = this.host, {rem} = h, at = (k: number) => nth(nth(now.pixels, k), this.who);
    now.marks.forEach((m, k) => {
      if (m.alpha > 0.4 && !this.#covered(now, k)) halo(h, at(k), nth(now.radii, k));
    });
    if (nth(now.marks, this.on).alpha < 0.4) return;
    const [x, y] = at(this.on), left = x > h.width * 0.7;
    h.font(0.94, 600);
    h.text(nth(this.town.names, this.who), x + (left ? -1 : 1) * rem * 0.7, y - rem * 0.5, {align: left ? 'right' : 'left'});
  }

  /** The person nearest to a place, and on which marks; -1 if nobody is near. */
  near(x: number, y: number): {who: number, on: number} {
    let found = {who: -1, on: 0}, least = 22 * 22;
    const now = this.#now;
    now?.marks.forEach((m, k) => {
      if (m.alpha > 0.4) now.pixels[k]?.forEach(([px, py], i) => {
        const far = (px - x) ** 2 + (py - y) ** 2;
        if (far < least) [least, found] = [far, {who: i, on: k}];
      });
    });
    return found;
  }

  /** The first marks that are seen. */
  first() { return Math.max(0, this.#now?.marks.findIndex(m => m.alpha > 0.4) ?? 0); }
}
