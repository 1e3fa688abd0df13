// Reads what comes to the page from elsewhere, for fuzz_test.go: a line of standard input is JSON of a link, a backup in base 64 or a cell of a
// table; the line of the answer says what became of it. CADEM_OPTIONS names the option table.
import './webcrypto.mjs';
import {readFileSync} from 'node:fs';
import {createInterface} from 'node:readline';
import {isDeepStrictEqual} from 'node:util';
import {cell} from '../../www/dom/csv.js';
import {restore} from '../../www/run/backup.js';
import {Catalogue} from '../../www/settings/catalogue.js';
import {fromHash, resolve, toHash} from '../../www/settings/state.js';

const catalogue = new Catalogue(JSON.parse(readFileSync(process.env.CADEM_OPTIONS, 'utf8')));

/** A link that is read, written and read again. @param {string} hash */
function link(hash) {
  const read = fromHash(hash, catalogue);
  if (!read) return {};
  const again = toHash(read.settings), second = fromHash(again, catalogue);
  resolve(read.settings, catalogue);
  return {
    messages: read.messages.map(m => m.message), again, complaints: second?.messages.filter(m => m.level !== 'info').map(m => m.message),
    same: isDeepStrictEqual(second?.settings, read.settings),
  };
}

/** A backup that is put back into an empty storage. @param {Buffer} bytes */
async function backup(bytes) {
  /** @type {any[]} */
  const kept = [];
  /** @param {string} kind @param {any} [args] @param {any} [arrays] @returns {Promise<any>} */
  const call = async (kind, args, arrays) => {
    if (kind === 'put') kept.push({record: args.record, arrays});
    return {result: {runs: [], damaged: []}};
  };
  try {
    const told = await restore(/** @type {any} */ ({call}), new Blob([bytes]), () => {});
    return {...told, kept: kept.length, sizes: kept.map(k => Object.values(k.arrays).map(a => a.size ?? a.byteLength))};
  } catch (e) {
    if (!e.code) throw e; // a mistake of the program
    return {refused: e.message};
  }
}

for await (const line of createInterface({input: process.stdin})) {
  const asked = JSON.parse(line);
  let answer;
  try {
    answer = 'link' in asked ? link(asked.link) : 'cell' in asked ? {cell: cell(asked.cell)} : await backup(Buffer.from(asked.backup ?? '', 'base64'));
  } catch (e) {
    answer = {failed: e.stack};
  }
  console.log(JSON.stringify(answer));
}
