// What the scenes say of the shipped runs holds, and gives way where it does not.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import test from 'node:test';
import {sumOf, townOf} from './runs.js';
import {fresh} from './poses.js';
import {SCENES} from './scenes.js';

// What runs in a browser alone is not reached here.
const read = name => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
const town = () => townOf(read('essay/runs.json'), read('psi.json'));
const says = (k, st, t = town()) => SCENES[k].says({town: t, st: {...fresh(), ...st}});

test('every claim holds on the shipped runs', () => {
  for (const s of SCENES) assert.ok(s.holds(town()), s.title);
});

test('a claim that does not hold gives way', () => {
  const worse = {
    0: t => { t.runs.refined.ari[2][2] = 0.4; },
    1: t => { t.shares[2].links[1] = t.shares[2].links[2] = t.shares[2].links[0]; },
    2: t => { t.groups[2] = t.groups[2].map((_, i) => i % 3); },
    3: t => { t.runs.refined.ari[0][1] = 0.5; },
    4: t => { t.shares[0].s.refined.rank = 2; },
    5: t => { t.runs.released.bags[2][0] = [0, 0, 9]; },
    6: t => { for (const r of t.psi) r.common = r.common.map(() => [0, 0, 0]); },
  };
  for (const [k, alter] of Object.entries(worse)) {
    const t = town();
    alter(t);
    assert.ok(!SCENES[k].holds(t), SCENES[k].title);
    assert.ok(SCENES[k].otherwise.length > 20);
  }
});

test('numbers are those of the runs', () => {
  assert.match(says(0, {}), new RegExp(town().runs.refined.hash.slice(0, 8)));
  assert.match(says(4, {share: 0}), /lunch’s groups at 0\.72, untrained at 0\.09/);
  assert.match(says(5, {epoch: 4}), /10 untrained, 22 after epoch 1, 24 after 2.*0\.07, 0\.08 and 0\.13/);
  assert.match(says(6, {}), /Of 132 swaps, 20 mislead ψ trained on true pairs, 0 on swapped; at the usual weight 0 and 0\./);
  assert.match(says(6, {common: 11}), /is misled to lunch/);
  assert.match(says(7, {trained: true, turn: 1, guess: 0}), /You were right\. Rose: S 0\.04 to 0\.98, .*Fell: P₃ 0\.18 to 0\.13\./);
  assert.match(says(7, {trained: true, turn: 1, failed: true, guess: 0}), /This tab could not train: these came with the page\.$/);
  assert.match(says(7, {run: 'syn1', trained: true, turn: 1, guess: 1}), /You chose P₁\. Rose: all maps 0\.55 to 0\.79\. Fell: P₁/);
  const t = town();
  t.runs.released.ari[0][0] = 0.5;
  assert.match(says(7, {trained: true, turn: 1}, t), /S 0\.04 to 0\.50/);
});

test('more training is told of as it was measured', () => {
  const t = town();
  assert.match(says(4, {deep: true}), /0\.45 untrained, 0\.60 after 60 .*0\.48 after 2000.* sink .*stay.* 10 trainings/);
  t.longer.own[2] = 0.58;
  assert.doesNotMatch(says(4, {deep: true}, t), /sink/);
  t.longer.own[2] = 0.48;
  t.longer.shared[2] = 0.8;
  assert.doesNotMatch(says(4, {deep: true}, t), /stay/);
});

test('what psi answers is asked first', () => {
  assert.match(says(6, {deep: true, common: 11}), /^Private of work, common of lunch\. Add the hollow arrow.*Enter\.$/);
  const [right, wrong] = [2, 1].map(pick => says(6, {deep: true, common: 11, pick, said: true}));
  assert.match(right, /You said lunch, ψ says lunch, misled: you were right\. Causal loss 100 times the usual weight/);
  assert.match(wrong, /You said work, ψ says lunch, misled: you were wrong/);
});

test('a sum ends at its place', () => {
  const {runs, groups} = town(), r = runs.refined;
  for (const map of [0, 1, 2, 3]) {
    let own = 0;
    for (const i of groups[0].keys()) {
      const {start, parts, named} = sumOf(r, map, i), best = parts.indexOf(Math.max(...parts));
      assert.ok(Math.hypot(...start) < 0.1, `map ${map}, person ${i} starts at ${start}`);
      assert.equal(new Set(named.map(n => n.who)).size, 5);
      assert.ok(named.every((n, k) => n.who >= 0 && n.who < 120 && (!k || Math.abs(n.part) <= Math.abs(named[k - 1].part))));
      if (best === groups[map][i]) own++;
    }
    assert.ok(own > 100, `map ${map}: own groups move ${own} of 120 most`);
  }
  assert.match(says(3, {why: 1, map: 1}), /^P₁: their own group takes Bea Novak 134\s% of the way.*others −34\s%\. Most: Ines Jansen 11\s%/);
});
