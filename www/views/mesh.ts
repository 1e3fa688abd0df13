// A triangle mesh with a colour for every vertex, drawn by WebGL 2 in parallel projection. Knows nothing of brains.
import {sure} from '../dom/nth.js';

const VERTEX = `#version 300 es
uniform mat3 turn;
uniform vec3 middle;
uniform vec2 scale;
in vec3 place;
in vec3 normal;
in vec4 colour;
out vec3 facing;
out vec4 shade;
void main() {
  vec3 p = turn * (place - middle);
  gl_Position = vec4(p.xy * scale, -p.z * min(scale.x, scale.y) * 0.5, 1.0);
  facing = turn * normal;
  shade = colour;
}`;

const FRAGMENT = `#version 300 es
precision highp float;
in vec3 facing;
in vec4 shade;
out vec4 result;
void main() {
  vec3 n = normalize(facing);
  float light = 0.45 + 0.55 * abs(dot(n, normalize(vec3(0.25, 0.45, 1.0))));
  result = vec4(shade.rgb * light, 1.0);
}`;

/** Normals of the vertices: the sum of those of the triangles around, by their areas. */
export function normals(places: ArrayLike<number>, triangles: ArrayLike<number>) {
  const n = new Float32Array(places.length), corner = (k: number) => 3 * sure(triangles[k]), at = (i: number) => sure(places[i]);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = corner(t), b = corner(t + 1), c = corner(t + 2);
    const ux = at(b) - at(a), uy = at(b + 1) - at(a + 1), uz = at(b + 2) - at(a + 2);
    const vx = at(c) - at(a), vy = at(c + 1) - at(a + 1), vz = at(c + 2) - at(a + 2);
    const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    for (const i of [a, b, c]) {
      n[i] = sure(n[i]) + x;
      n[i + 1] = sure(n[i + 1]) + y;
      n[i + 2] = sure(n[i + 2]) + z;
    }
  }
  return n;
}

/** The middle of the mesh and the distance of the farthest vertex from it. */
function extent(places: ArrayLike<number>) {
  const at = (i: number) => sure(places[i]), along = (d: number) => {
    let low = Infinity, high = -Infinity;
    for (let i = d; i < places.length; i += 3) [low, high] = [Math.min(low, at(i)), Math.max(high, at(i))];
    return (low + high) / 2;
  };
  const middle: [number, number, number] = [along(0), along(1), along(2)], [x, y, z] = middle;
  let far = 0;
  for (let i = 0; i < places.length; i += 3) far = Math.max(far, Math.hypot(at(i) - x, at(i + 1) - y, at(i + 2) - z));
  return {middle, far: far || 1};
}

/** A hemisphere: triangles of a mesh that have vertices of their own, and where these lie. */
export interface Part {first: number; count: number; left: boolean; size: ReturnType<typeof extent>}

/** The hemispheres of a mesh, or all of it: where one ends, no later triangle has a vertex as early. */
export function partsOf(places: Float32Array, triangles: ArrayLike<number>): Part[] {
  const n = triangles.length, least = new Int32Array(n + 1).fill(2 ** 31 - 1), at = (k: number) => sure(triangles[k]);
  for (let k = n - 1; k >= 0; k--) least[k] = Math.min(sure(least[k + 1]), at(k));
  const parts: Part[] = [];
  for (let first = 0, k = 0, most = -1, from = 0; k < n; k += 3) {
    most = Math.max(most, at(k), at(k + 1), at(k + 2));
    if (k + 3 < n && sure(least[k + 3]) <= most) continue;
    const own = places.subarray(3 * from, 3 * most + 3), size = extent(own);
    parts.push({first, count: k + 3 - first, left: own.reduce((sum, x, i) => i % 3 ? sum : sum + x, 0) < 0, size});
    [first, from] = [k + 3, most + 1];
  }
  return parts.length === 2 ? parts : [{first: 0, count: n, left: Boolean(parts[0]?.left), size: extent(places)}];
}

/**
 * The matrix, column by column, that turns places (right, front, up) towards the eye (right, up, near): seen from behind at 0, from the right at
 * 90, from the left at -90 degrees about, and from above at 90 degrees tilt.
 */
export function turning(about: number, tilt: number) {
  const a = about * Math.PI / 180, b = tilt * Math.PI / 180, [c, s, ct, st] = [Math.cos(a), Math.sin(a), Math.cos(b), Math.sin(b)];
  return [c, -s * st, s * ct, s, c * st, -c * ct, 0, ct, st];
}

/** Turned and projected: right and up from the middle of the mesh in units of `far`, and near. */
function project(places: ArrayLike<number>, {middle, far}: ReturnType<typeof extent>, m: number[]) {
  const p = new Float32Array(places.length), [mx, my, mz] = middle, at = (i: number) => sure(places[i]);
  for (let i = 0; i < places.length; i += 3) {
    const x = at(i) - mx, y = at(i + 1) - my, z = at(i + 2) - mz;
    for (let d = 0; d < 3; d++) p[i + d] = (sure(m[d]) * x + sure(m[3 + d]) * y + sure(m[6 + d]) * z) / far;
  }
  return p;
}

/** The vertex that is seen at a point (right and up, in units of `far`): of the nearest triangle there, the nearest corner; -1 for none. */
export function hit(p: ArrayLike<number>, triangles: ArrayLike<number>, x: number, y: number) {
  let best = -Infinity, found = -1;
  const corner = (k: number) => 3 * sure(triangles[k]), at = (i: number) => sure(p[i]);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = corner(t), b = corner(t + 1), c = corner(t + 2);
    const bx = at(b) - at(a), by = at(b + 1) - at(a + 1), cx = at(c) - at(a), cy = at(c + 1) - at(a + 1), px = x - at(a), py = y - at(a + 1);
    const area = bx * cy - cx * by, u = (px * cy - cx * py) / area, v = (bx * py - px * by) / area;
    if (!(u >= 0 && v >= 0 && u + v <= 1)) continue;
    const near = at(a + 2) + u * (at(b + 2) - at(a + 2)) + v * (at(c + 2) - at(a + 2));
    if (near <= best) continue;
    best = near;
    found = (u > v && u > 1 - u - v ? b : v > 1 - u - v ? c : a) / 3;
  }
  return found;
}

const ROOM = 0.95; // of the canvas that the mesh fills

/**
 * Returns null without WebGL 2. vertices are n x 3 and colours n x 4; ground is the background, red, green and blue from 0 to 1; vertexAt gives the
 * vertex that was drawn at a place in CSS pixels, -1 for none.
 */
export function create(canvas: HTMLCanvasElement) {
  const context = canvas.getContext('webgl2', {antialias: true, alpha: false});
  if (!context) return null;
  const gl = context;
  const program = gl.createProgram();
  for (const {kind, source} of [{kind: gl.VERTEX_SHADER, source: VERTEX}, {kind: gl.FRAGMENT_SHADER, source: FRAGMENT}]) {
    const shader = gl.createShader(kind);
    if (!shader) return null;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) return null;
  gl.useProgram(program);
  gl.enable(gl.DEPTH_TEST);
  const [turn, middle, scale] = [gl.getUniformLocation(program, 'turn'), gl.getUniformLocation(program, 'middle'), gl.getUniformLocation(program, 'scale')];
  const buffers: Record<string, WebGLBuffer | null> = {};
  let shape: {vertices: Float32Array, triangles: Int32Array}, size: ReturnType<typeof extent>,
    matrix: ReturnType<typeof turning>, projected: ReturnType<typeof project> | null = null;

  /** Fills the buffer of an attribute. */
  function fill(name: string, data: BufferSource, width: number, type: number, normalised = false) {
    buffers[name] ||= gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffers[name]);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    const place = gl.getAttribLocation(program, name);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, width, type, normalised, 0, 0);
  }

  return {
    mesh(vertices: Float32Array<ArrayBuffer>, triangles: Int32Array) {
      shape = {vertices, triangles};
      size = extent(vertices);
      fill('place', vertices, 3, gl.FLOAT);
      fill('normal', normals(vertices, triangles), 3, gl.FLOAT);
      buffers.triangles ||= gl.createBuffer();
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffers.triangles);
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, Uint32Array.from(triangles), gl.STATIC_DRAW);
    },
    colour(rgba: Uint8Array<ArrayBuffer>) { fill('colour', rgba, 4, gl.UNSIGNED_BYTE, true); },
    draw(about: number, tilt: number, [red, green, blue]: [number, number, number], part: Part = {first: 0, count: shape.triangles.length, left: true, size}) {
      const {width, height} = canvas, fit = Math.min(width, height) / part.size.far * ROOM;
      matrix = turning(about, tilt);
      projected = null;
      gl.viewport(0, 0, width, height);
      gl.clearColor(red, green, blue, 1);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      gl.uniformMatrix3fv(turn, false, matrix);
      gl.uniform3fv(middle, part.size.middle);
      gl.uniform2f(scale, fit / width, fit / height);
      gl.drawElements(gl.TRIANGLES, part.count, gl.UNSIGNED_INT, 4 * part.first);
    },
    vertexAt(x: number, y: number) {
      projected ||= project(shape.vertices, size, matrix);
      const {clientWidth: w, clientHeight: h} = canvas, half = Math.min(w, h) / 2 * ROOM;
      return hit(projected, shape.triangles, (x - w / 2) / half, (h / 2 - y) / half);
    },
  };
}
