// A triangle mesh with a colour for every vertex, drawn by WebGL 2 in parallel projection. Knows nothing of brains.

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
  const n = new Float32Array(places.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const ux = places[b] - places[a], uy = places[b + 1] - places[a + 1], uz = places[b + 2] - places[a + 2];
    const vx = places[c] - places[a], vy = places[c + 1] - places[a + 1], vz = places[c + 2] - places[a + 2];
    const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    for (const i of [a, b, c]) {
      n[i] += x;
      n[i + 1] += y;
      n[i + 2] += z;
    }
  }
  return n;
}

/** The middle of the mesh and the distance of the farthest vertex from it. */
function extent(places: ArrayLike<number>) {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < places.length; i++) {
    low[i % 3] = Math.min(low[i % 3], places[i]);
    high[i % 3] = Math.max(high[i % 3], places[i]);
  }
  const middle = low.map((v, d) => (v + high[d]) / 2);
  let far = 0;
  for (let i = 0; i < places.length; i += 3) far = Math.max(far, Math.hypot(places[i] - middle[0], places[i + 1] - middle[1], places[i + 2] - middle[2]));
  return {middle, far: far || 1};
}

/** A hemisphere: triangles of a mesh that have vertices of their own, and where these lie. */
export interface Part {first: number; count: number; left: boolean; size: ReturnType<typeof extent>}

/** The hemispheres of a mesh, or all of it: where one ends, no later triangle has a vertex as early. */
export function partsOf(places: Float32Array, triangles: ArrayLike<number>): Part[] {
  const n = triangles.length, least = new Int32Array(n + 1).fill(2 ** 31 - 1);
  for (let k = n - 1; k >= 0; k--) least[k] = Math.min(least[k + 1], triangles[k]);
  const parts: Part[] = [];
  for (let first = 0, k = 0, most = -1, from = 0; k < n; k += 3) {
    most = Math.max(most, triangles[k], triangles[k + 1], triangles[k + 2]);
    if (k + 3 < n && least[k + 3] <= most) continue;
    const own = places.subarray(3 * from, 3 * most + 3), size = extent(own);
    parts.push({first, count: k + 3 - first, left: own.reduce((sum, x, i) => i % 3 ? sum : sum + x, 0) < 0, size});
    [first, from] = [k + 3, most + 1];
  }
  return parts.length === 2 ? parts : [{first: 0, count: n, left: parts[0]?.left, size: extent(places)}];
}

/**
 * The matrix, column by column, that turns places (right, front, up) towards the eye (right, up, near): seen from behind at 0, from the right at
 * 90, from the left at -90 degrees about, and from above at 90 degrees tilt.
 */
export function turning(about: number, tilt: number) {
  const [a, b] = [about, tilt].map(v => v * Math.PI / 180), [c, s, ct, st] = [Math.cos(a), Math.sin(a), Math.cos(b), Math.sin(b)];
  return [c, -s * st, s * ct, s, c * st, -c * ct, 0, ct, st];
}

/** Turned and projected: right and up from the middle of the mesh in units of `far`, and near. */
function project(places: ArrayLike<number>, {middle, far}: ReturnType<typeof extent>, m: number[]) {
  const p = new Float32Array(places.length);
  for (let i = 0; i < places.length; i += 3) {
    const [x, y, z] = [places[i] - middle[0], places[i + 1] - middle[1], places[i + 2] - middle[2]];
    for (let d = 0; d < 3; d++) p[i + d] = (m[d] * x + m[3 + d] * y + m[6 + d] * z) / far;
  }
  return p;
}

/** The vertex that is seen at a point (right and up, in units of `far`): of the nearest triangle there, the nearest corner; -1 for none. */
export function hit(p: ArrayLike<number>, triangles: ArrayLike<number>, x: number, y: number) {
  let best = -Infinity, found = -1;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const area = (p[b] - p[a]) * (p[c + 1] - p[a + 1]) - (p[c] - p[a]) * (p[b + 1] - p[a + 1]);
    const u = ((x - p[a]) * (p[c + 1] - p[a + 1]) - (p[c] - p[a]) * (y - p[a + 1])) / area,
      v = ((p[b] - p[a]) * (y - p[a + 1]) - (x - p[a]) * (p[b + 1] - p[a + 1])) / area;
    if (!(u >= 0 && v >= 0 && u + v <= 1)) continue;
    const near = p[a + 2] + u * (p[b + 2] - p[a + 2]) + v * (p[c + 2] - p[a + 2]);
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
  const at = Object.fromEntries(['turn', 'middle', 'scale'].map(name => [name, gl.getUniformLocation(program, name)]));
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
    draw(about: number, tilt: number, ground: number[], part: Part = {first: 0, count: shape.triangles.length, left: true, size}) {
      const {width, height} = canvas, fit = Math.min(width, height) / part.size.far * ROOM;
      matrix = turning(about, tilt);
      projected = null;
      gl.viewport(0, 0, width, height);
      gl.clearColor(ground[0], ground[1], ground[2], 1);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      gl.uniformMatrix3fv(at.turn, false, matrix);
      gl.uniform3fv(at.middle, part.size.middle);
      gl.uniform2f(at.scale, fit / width, fit / height);
      gl.drawElements(gl.TRIANGLES, part.count, gl.UNSIGNED_INT, 4 * part.first);
    },
    vertexAt(x: number, y: number) {
      projected ||= project(shape.vertices, size, matrix);
      const {clientWidth: w, clientHeight: h} = canvas, half = Math.min(w, h) / 2 * ROOM;
      return hit(projected, shape.triangles, (x - w / 2) / half, (h / 2 - y) / half);
    },
  };
}
