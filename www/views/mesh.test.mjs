// Tests of www/views/mesh.ts: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';
import {partsOf} from './mesh.js';

/** A tetrahedron about a place, its vertices from a number on. */
const solid = (x, from) => ({places: [[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2]].flatMap(([a, b, c]) => [x + a, b, c]),
  triangles: [0, 1, 2, 0, 3, 1, 1, 3, 2, 0, 2, 3].map(v => v + from)});

test('hemispheres are told apart by their vertices, and left from right by their places', () => {
  const [right, left] = [solid(30, 0), solid(-40, 4)];
  const places = Float32Array.from([...right.places, ...left.places]), triangles = Int32Array.from([...right.triangles, ...left.triangles]);
  const parts = partsOf(places, triangles);
  assert.deepEqual(parts.map(p => [p.first, p.count, p.left]), [[0, 12, false], [12, 12, true]]);
  assert.deepEqual(parts.map(p => p.size.middle), [[31, 1, 1], [-39, 1, 1]]);
  const one = partsOf(Float32Array.from(left.places), Int32Array.from(solid(0, 0).triangles));
  assert.deepEqual(one.map(p => [p.first, p.count, p.left]), [[0, 12, true]]);
  const joined = partsOf(places, Int32Array.from([...triangles, 0, 4, 5])); // they touch
  assert.deepEqual(joined.map(p => [p.first, p.count]), [[0, 27]]);
});
