// A drawing context that writes SVG: what a view paints on a canvas for a picture to keep, it paints on this one for a picture to
// edit. It knows the calls and properties below and fails on others, where a canvas would do something else.

const place = (v: number) => String(Math.round(v * 100) / 100);
/** Text that is safe in SVG: a program rejects a whole file for a character that XML does not have. */
const escape = (s: unknown) => String(s).replace(/[\0-\x08\v\f\x0e-\x1f\ufffe\uffff]/g, '\ufffd').replaceAll('&', '&amp;')
  .replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const ANCHORS: Record<string, string> = {left: 'start', right: 'end', center: 'middle'};
const BASELINES: Record<string, string> = {alphabetic: 'auto', bottom: 'text-after-edge', middle: 'central', top: 'text-before-edge'};

const ruler = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;

export class SVGContext {
  fillStyle = '#000'; strokeStyle = '#000'; lineWidth = 1; globalAlpha = 1; font = '13px sans-serif'; textAlign = 'left'; textBaseline = 'alphabetic';
  #parts: string[] = [];
  #path: string[] = [];
  #dash: number[] = [];
  #x = 0; #y = 0; #size;
  #saved: [number, number][] = [];

  constructor(width: number, height: number) {
    this.#size = [width, height];
    Object.seal(this);
  }

  #at(x: number, y: number) { return place(x + this.#x) + ' ' + place(y + this.#y); }

  #tag(name: string, attributes: Record<string, string | number | null | undefined>, content = '') {
    const alpha = this.globalAlpha === 1 ? {} : {opacity: this.globalAlpha};
    this.#parts.push(`<${name}${Object.entries({...attributes, ...alpha}).map(([k, v]) => ` ${k}="${escape(v)}"`).join('')}>${escape(content)}</${name}>`);
  }

  save() { this.#saved.push([this.#x, this.#y]); }
  restore() { [this.#x, this.#y] = this.#saved.pop() as [number, number]; }
  translate(x: number, y: number) { this.#x += x; this.#y += y; }

  beginPath() { this.#path = []; }
  moveTo(x: number, y: number) { this.#path.push('M' + this.#at(x, y)); }
  lineTo(x: number, y: number) { this.#path.push('L' + this.#at(x, y)); }
  quadraticCurveTo(cx: number, cy: number, x: number, y: number) {
    this.#path.push(`Q${this.#at(cx, cy)} ${this.#at(x, y)}`);
  }
  closePath() { this.#path.push('Z'); }
  /** A whole circle, whatever the angles: nothing else is drawn. */
  arc(x: number, y: number, r: number) {
    this.#path.push(`M${this.#at(x - r, y)}a${place(r)} ${place(r)} 0 1 0 ${place(2 * r)} 0a${place(r)} ${place(r)} 0 1 0 ${place(-2 * r)} 0Z`);
  }

  fill() { this.#tag('path', {d: this.#path.join(''), fill: this.fillStyle}); }
  setLineDash(lengths: number[]) { this.#dash = lengths; }
  stroke() {
    this.#tag('path', {
      d: this.#path.join(''), fill: 'none', stroke: this.strokeStyle, 'stroke-width': place(this.lineWidth),
      ...(this.#dash.length && {'stroke-dasharray': this.#dash.map(place).join(' ')}),
    });
  }
  fillRect(x: number, y: number, width: number, height: number) {
    this.#tag('rect', {x: place(x + this.#x), y: place(y + this.#y), width: place(width), height: place(height), fill: this.fillStyle});
  }

  drawImage(picture: HTMLCanvasElement, x: number, y: number, width: number, height: number) {
    this.#tag('image', {x: place(x + this.#x), y: place(y + this.#y), width: place(width), height: place(height), href: picture.toDataURL()});
  }

  fillText(text: string, x: number, y: number, most = Infinity) {
    ruler.font = this.font;
    const narrow = ruler.measureText(text).width > most && {textLength: place(most), lengthAdjust: 'spacingAndGlyphs'};
    const [, weight, size, family] = /^(?:(\d+|bold) )?([\d.]+px) (.*)$/.exec(this.font) ?? [];
    this.#tag('text', {
      x: place(x + this.#x), y: place(y + this.#y), fill: this.fillStyle, 'font-size': size, 'font-family': family,
      'text-anchor': ANCHORS[this.textAlign], ...(weight && {'font-weight': weight}),
      ...(this.textBaseline !== 'alphabetic' && {'dominant-baseline': BASELINES[this.textBaseline]}), ...narrow,
    }, text);
  }

  /** The picture as a file of its own; title describes it in words. */
  text(title: string) {
    const [w, h] = this.#size.map(place);
    const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" width="${w}" height="${h}" role="img">`;
    return `${head}<title>${escape(title)}</title>${this.#parts.join('')}</svg>\n`;
  }
}
