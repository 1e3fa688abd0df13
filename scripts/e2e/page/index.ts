// Page objects: what a person sees and does on the page, by name. Tests in Go ask by these names (../scripts.go).
import * as address from './address';
import * as brain from './brain';
import * as causality from './causality';
import * as data from './data';
import {pause} from './dom';
import * as embeddings from './embeddings';
import * as essay from './essay';
import * as exercises from './exercises';
import * as experiments from './experiments';
import * as framed from './framed';
import * as hand from './hand';
import * as importing from './importing';
import * as lab from './lab';
import * as layers from './layers';
import * as losses from './losses';
import * as method from './method';
import * as node from './node';
import * as notices from './notices';
import * as own from './own';
import * as page from './page';
import * as paint from './paint';
import * as pulls from './pulls';
import * as runs from './runs';
import * as scores from './scores';
import * as see from './see';
import * as settings from './settings';
import * as soak from './soak';
import * as storage from './storage';
import * as workers from './workers';
import audit from './checks/audit';
import bare from './checks/bare';
import boxes from './checks/boxes';
import chooses from './checks/chooses';
import essayFits from './checks/essay';
import fill from './checks/fill';
import leakers from './checks/leakers';
import takeRoom from './checks/takeroom';

const checks = {audit, bare, boxes, chooses, essayFits, fill, leakers, takeRoom};

const objects: Record<string, Record<string, unknown>> = {address, brain, causality, checks, data, embeddings, essay, exercises, experiments, framed, hand,
  importing, lab, layers, losses, method, node, notices, own, page, paint, pulls, runs, scores, see, settings, soak, storage, workers};

function called(name: string) {
  const [object = '', method = ''] = name.split('.'), f = objects[object]?.[method];
  if (!(f instanceof Function)) throw new TypeError(`found no page object ${name}`);
  return f;
}

/**
 * Calls a method of a page object, as "runs.count", or several: joined by && and ||, as in TypeScript, each perhaps after a "!". Every one of
 * them takes as many of the arguments as it has parameters, in order. The value of several is whether they hold.
 */
export async function ask(call: string, args: unknown[]) {
  const given = [...args];
  const ways = call.split(' || ').map(way => way.split(' && ').map(name => {
    const f = called(name.replace('!', ''));
    if (given.length < f.length) throw new TypeError(`found ${given.length} arguments of ${name}, expected ${f.length}`);
    return {not: name.startsWith('!'), value: f.bind(null, ...given.splice(0, f.length))};
  }));
  if (given.length > 0) throw new TypeError(`found ${given.length} arguments too many of ${call}`);
  if (!/[!&|]/.test(call)) {
    const value = await ways[0]?.[0]?.value();
    return value?.nodeType ? true : value; // an element of a frame is none of the driver's
  }
  for (const way of ways) {
    let all = true;
    for (const {not, value} of way) all &&= not !== Boolean(await value());
    if (all) return true;
  }
  return false;
}

/**
 * Asks for some ms until it holds: a question of the driver takes 15 ms of the processor's time. What takes long to answer is asked less often.
 * What is not there yet does not hold.
 */
export async function until(call: string, args: unknown[], ms: number) {
  for (const end = performance.now() + ms; ;) {
    const begin = performance.now();
    try {
      const last = await ask(call, args);
      if (last || performance.now() > end) return last;
    } catch (e) {
      if (performance.now() > end || e instanceof TypeError && e.message.startsWith('found ')) throw e;
    }
    await pause(Math.max(25, 4 * (performance.now() - begin)));
  }
}
