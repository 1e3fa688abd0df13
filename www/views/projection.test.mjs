// Tests of www/views/projection.ts on places that are made up: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';
import {VIEWS, hull, layout, nearest} from './projection.js';

// Right, left, front, back, up, down, and the middle.
const brain = Float32Array.from([60, 0, 0, -60, 0, 0, 0, 70, 0, 0, -100, 0, 0, 0, 80, 0, 0, -40, 0, 0, 0]);
const [right, left, front, back, top, bottom, middle] = [0, 1, 2, 3, 4, 5, 6];

test('every view has its sides where it says', () => {
  const [axial, coronal, sagittal] = layout(brain, 600).panels, x = (p, i) => p.points[i][0], y = (p, i) => p.points[i][1];
  for (const p of [axial, coronal]) assert.ok(x(p, left) < x(p, middle) && x(p, middle) < x(p, right), `${p.view.name}: left is left`);
  assert.ok(axial.points[front][1] < axial.points[middle][1] && axial.points[middle][1] < axial.points[back][1], 'axial: the front is up');
  for (const p of [coronal, sagittal]) assert.ok(y(p, top) < y(p, middle) && y(p, middle) < y(p, bottom), `${p.view.name}: up is up`);
  assert.ok(sagittal.points[back][0] < sagittal.points[front][0], 'sagittal: the front is right');
  assert.deepEqual(VIEWS.map(v => v.ends.join('')), ['LR', 'LR', 'PA']);
});

test('panels fill the width, one scale for all, and hold their regions', () => {
  for (const width of [320, 600, 1111]) {
    const {height, scale, panels} = layout(brain, width);
    const last = panels[2];
    assert.ok(Math.abs(last.left + last.width - width) < 1e-6);
    const [axial, coronal] = panels;
    const close = (a, b) => assert.ok(Math.abs(a - b) < 1e-6 * width, `${a} and ${b}`);
    close(axial.points[right][0] - axial.points[left][0], 120 * scale);
    close(axial.points[back][1] - axial.points[front][1], 170 * scale);
    close(coronal.points[bottom][1] - coronal.points[top][1], 120 * scale);
    for (const {left: from, width: wide, points, outline} of panels) {
      for (const [x, y] of [...points, ...outline]) assert.ok(x >= from && x <= from + wide && y >= 0 && y <= height);
    }
  }
});

test('a hull goes once around, without the points inside', () => {
  const corners = hull([[0, 0], [4, 0], [4, 3], [0, 3], [2, 1], [1, 2], [2, 0]]);
  assert.deepEqual(corners.map(String).sort(), ['0,0', '0,3', '4,0', '4,3']);
  let area = 0;
  corners.forEach(([ax, ay], k) => {
    const [bx, by] = corners[(k + 1) % corners.length];
    area += ax * by - bx * ay;
  });
  assert.equal(Math.abs(area) / 2, 12);
});

test('the nearest region is one of those shown, in any panel, within reach', () => {
  const {panels} = layout(brain, 600);
  for (const p of panels) {
    assert.equal(nearest(panels, [left, top, front], p.points[top][0] + 3, p.points[top][1] - 2, 12), top, p.view.name);
  }
  const [axial] = panels;
  assert.equal(nearest(panels, [right], axial.points[left][0], axial.points[left][1], 12), -1, 'not shown');
  assert.equal(nearest(panels, [left], axial.points[left][0], axial.points[left][1] + 13, 12), -1, 'out of reach');
  assert.equal(nearest(panels, [], 10, 10, 12), -1);
});

test('regions in one place or on a line are laid out all the same', () => {
  for (const places of [new Float32Array(9), Float32Array.from([0, 0, 0, 0, 5, 0]), Float32Array.from([1, 2, 3])]) {
    const {height, panels} = layout(places, 400);
    assert.ok(Number.isFinite(height) && height > 0);
    for (const {points, outline} of panels) for (const v of [points, outline].flat(2)) assert.ok(Number.isFinite(v));
  }
});
