// Tests of where pictures stand: run by node --test, as TestPage does.
import test from 'node:test';
import assert from 'node:assert/strict';
import {LEAST, arrange} from './arrange.js';

/** The largest side that n equal squares in rows and columns can have. */
function exhaustive(n, {width, height, text, gap}) {
  let best = 0;
  for (let rows = 1; rows <= n; rows++) {
    for (let columns = 1; columns <= n; columns++) {
      if (rows * columns < n) continue;
      best = Math.max(best, Math.min((width + gap) / columns - gap, (height + gap) / rows - gap - text));
    }
  }
  return Math.floor(best);
}

const GROUPS = [1, 2, 3, 4, 5, 8, 11].flatMap(cells => [{lead: false, cells, high: 1}, {lead: true, cells, high: 1}, {lead: true, cells, high: 2}]);
const ROOMS = [];
for (let width = 296; width <= 2500; width += 61) for (let height = 150; height <= 1300; height += 47) ROOMS.push({width, height, text: 21, gap: 9});

test('the largest picture is as large as an exhaustive search over rows and columns finds it', () => {
  for (const group of GROUPS) {
    for (const room of ROOMS) {
      const {lead, cells} = arrange(group, room), all = [lead ?? [], cells].flat(2), most = exhaustive(all.length, room);
      if (Math.min(...all.map(b => b.side)) < LEAST || most < LEAST) continue; // what is scrolled to
      const largest = Math.max(...all.map(b => b.side)), share = largest / most;
      assert.ok(lead ? share >= 0.85 : largest === most, `${JSON.stringify({...group, ...room})}: ${largest} of ${most}`);
    }
  }
});

test('no picture or text lies over another, and none beyond the room that it was arranged for', () => {
  for (const group of GROUPS) {
    for (const room of ROOMS) {
      const {lead, cells} = arrange(group, room, true), all = [lead ?? [], cells].flat(2);
      for (const [i, a] of all.entries()) {
        const inside = a.x >= 0 && a.y >= 0 && a.x + a.side <= room.width && a.y + room.text + a.side <= room.height;
        const over = all.slice(i + 1).some(b =>
          !(a.x + a.side < b.x || b.x + b.side < a.x || a.y + room.text + a.side < b.y || b.y + room.text + b.side < a.y));
        if (!inside || over) assert.fail(JSON.stringify({...group, ...room, all})); // written for these alone: there are many
      }
    }
  }
});

test('the large one stands beside the others where the room is wide, and above them where it is high', () => {
  const group = {lead: true, cells: 3, high: 2};
  const wide = arrange(group, {width: 1100, height: 450, text: 21, gap: 9}), [layer, own] = wide.cells[1];
  assert.ok(wide.lead.y === 0 && wide.cells.every(([above]) => above.x > wide.lead.x + wide.lead.side));
  assert.equal(layer.x, own.x); // a layer stands over its own
  assert.equal(own.y + own.side, wide.lead.side); // and all end where the large one ends
  const high = arrange(group, {width: 690, height: 1000, text: 21, gap: 9});
  assert.ok(high.cells.every(([above]) => above.y > high.lead.side));
});

test('where the width ends the rows, the large one goes on to the bottom of its room', () => {
  const {lead, cells} = arrange({lead: true, cells: 3, high: 2}, {width: 682, height: 400, text: 21, gap: 9});
  assert.equal(lead.side, 400 - 21 - 9);
  assert.ok(cells.flat().every(b => b.side >= LEAST));
});

test('what does not fit is scrolled to, in rows that fill the width evenly', () => {
  const {cells} = arrange({lead: false, cells: 5, high: 1}, {width: 350, height: 150, text: 20, gap: 10});
  assert.deepEqual(cells.flat().map(b => b.x), [0, 120, 240, 0, 120]);
  assert.ok(cells.flat().every(b => b.side === 110));
});

test('three layers that are shown together stand in one row or in one column, where there is the height or the width for it', () => {
  for (const room of ROOMS.filter(r => r.width >= 700 && r.height >= 500)) {
    const {cells} = arrange({lead: true, cells: 3, high: 2}, room, true), rows = new Set(cells.map(([above]) => above.y)).size;
    assert.notEqual(rows, 2, JSON.stringify({room, cells}));
  }
});
