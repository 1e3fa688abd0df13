// Tests of www/views/projection.ts on places that are made up: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';
import {VIEWS, hull, layout, nearest} from './projection.js';

// Right, left, front, back, up, down, and the middle.
const brain = Float32Array.from([60, 0, 0, -60, 0, 0, 0, 70, 0, 0, -100, 0, 0, 0, 80, 0, 0, -40, 0, 0, 0]);
const [right, left, front, back, top, bottom, middle] = [0, 1, 2, 3, 4, 5, 6];

test('every view has its sides where it says', () => {
  const [axial, coronal, sagittal] = layout(brain, 600).panels;
  for (const p of [axial, coronal]) assert.ok(p.x[left] < p.x[middle] && p.x[middle] < p.x[right], `${p.view.name}: left is left`);
  assert.ok(axial.y[front] < axial.y[middle] && axial.y[middle] < axial.y[back], 'axial: the front is up');
  for (const p of [coronal, sagittal]) assert.ok(p.y[top] < p.y[middle] && p.y[middle] < p.y[bottom], `${p.view.name}: up is up`);
  assert.ok(sagittal.x[back] < sagittal.x[front], 'sagittal: the front is right');
  assert.deepEqual(VIEWS.map(v => v.ends.join('')), ['LR', 'LR', 'PA']);
});

test('panels fill the width, one scale for all, and hold their regions', () => {
  for (const width of [320, 600, 1111]) {
    const {height, scale, panels} = layout(brain, width);
    const last = panels[2];
    assert.ok(Math.abs(last.left + last.width - width) < 1e-6);
    const [axial, coronal] = panels;
    const close = (a, b) => assert.ok(Math.abs(a - b) < 1e-6 * width, `${a} and ${b}`);
    close(axial.x[right] - axial.x[left], 120 * scale);
    close(axial.y[back] - axial.y[front], 170 * scale);
    close(coronal.y[bottom] - coronal.y[top], 120 * scale);
    for (const {left: from, width: wide, x, y, outline} of panels) {
      for (const v of [...x, ...outline.map(c => c[0])]) assert.ok(v >= from && v <= from + wide);
      for (const v of [...y, ...outline.map(c => c[1])]) assert.ok(v >= 0 && v <= height);
    }
  }
});

test('a hull goes once around, without the points inside', () => {
  const x = [0, 4, 4, 0, 2, 1, 2], y = [0, 0, 3, 3, 1, 2, 0];
  const corners = hull(Float64Array.from(x), Float64Array.from(y));
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
    assert.equal(nearest(panels, [left, top, front], p.x[top] + 3, p.y[top] - 2, 12), top, p.view.name);
  }
  const [axial] = panels;
  assert.equal(nearest(panels, [right], axial.x[left], axial.y[left], 12), -1, 'not shown');
  assert.equal(nearest(panels, [left], axial.x[left], axial.y[left] + 13, 12), -1, 'out of reach');
  assert.equal(nearest(panels, [], 10, 10, 12), -1);
});

test('regions in one place or on a line are laid out all the same', () => {
  for (const places of [new Float32Array(9), Float32Array.from([0, 0, 0, 0, 5, 0]), Float32Array.from([1, 2, 3])]) {
    const {height, panels} = layout(places, 400);
    assert.ok(Number.isFinite(height) && height > 0);
    for (const {x, y, outline} of panels) for (const v of [...x, ...y, ...outline.flat()]) assert.ok(Number.isFinite(v));
  }
});
