// Before the page's own script: notes what is written on the canvas since it was cleared, with its place.
const words: {text: string, left: number, right: number, top: number, bottom: number}[] = [];
Object.assign(globalThis, {pen: {words}});
const {fillText, clearRect} = CanvasRenderingContext2D.prototype;

CanvasRenderingContext2D.prototype.clearRect = function (...box) {
  words.length = 0;
  clearRect.apply(this, box);
};

CanvasRenderingContext2D.prototype.fillText = function (text: string, x: number, y: number) {
  fillText.call(this, text, x, y);
  if (this.globalAlpha < 0.05) return;
  const m = this.measureText(text), t = this.getTransform(), {width} = this.canvas.getBoundingClientRect(), dense = this.canvas.width / width;
  const ends: [number, number][] = [[-m.actualBoundingBoxLeft, -m.actualBoundingBoxAscent], [m.actualBoundingBoxRight, -m.actualBoundingBoxAscent],
    [-m.actualBoundingBoxLeft, m.actualBoundingBoxDescent], [m.actualBoundingBoxRight, m.actualBoundingBoxDescent]];
  const corners = ends.map(([dx, dy]) => t.transformPoint(new DOMPoint(x + dx, y + dy)));
  const xs = corners.map(p => p.x / dense), ys = corners.map(p => p.y / dense);
  words.push({text, left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys)});
};
