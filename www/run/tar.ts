// Tar archives of plain files, made and read without holding what is in them in memory: names of ASCII letters, at most 100, sizes below 8 GB.
import {num} from '../dom/nth.js';
import {RequestError} from '../engine/requesterror.js';

const BLOCK = 512;
const WINDOW = 2 ** 16; // bytes that are read at once to find headers
const FIELDS = {name: 0, mode: 100, owner: 108, group: 116, size: 124, time: 136, sum: 148, kind: 156, magic: 257};

/** The sum of a header's bytes, its own field counted as spaces. */
function checksum(header: Uint8Array) {
  return header.reduce((sum, byte, i) => sum + (i >= FIELDS.sum && i < FIELDS.sum + 8 ? 32 : byte), 0);
}

const octal = (n: number, digits: number) => n.toString(8).padStart(digits, '0') + '\0';

function headerOf(name: string, size: number) {
  const header = new Uint8Array(BLOCK);
  const put = (at: number, text: string) => { for (let i = 0; i < text.length; i++) header[at + i] = text.charCodeAt(i); };
  put(FIELDS.name, name);
  put(FIELDS.mode, octal(0o644, 7));
  put(FIELDS.owner, octal(0, 7));
  put(FIELDS.group, octal(0, 7));
  put(FIELDS.size, octal(size, 11));
  put(FIELDS.time, octal(0, 11));
  put(FIELDS.kind, '0');
  put(FIELDS.magic, 'ustar\x0000');
  put(FIELDS.sum, octal(checksum(header), 6) + ' ');
  return header;
}

/** The archive of the members given, in their order. */
export function write(members: {name: string, content: Blob}[]) {
  const parts = members.flatMap(({name, content}) => [headerOf(name, content.size), content, new Uint8Array((BLOCK - content.size % BLOCK) % BLOCK)]);
  return new Blob([...parts, new Uint8Array(2 * BLOCK)], {type: 'application/x-tar'});
}

/** The content of a header: the name and size of a member and whether it is a plain file; null if there is no header. */
function memberOf(header: Uint8Array) {
  const field = (from: number, length: number) => String.fromCharCode(...header.subarray(from, from + length)).replace(/\0.*/s, '').trim();
  const size = parseInt(field(FIELDS.size, 12), 8);
  if (parseInt(field(FIELDS.sum, 8), 8) !== checksum(header) || !(size >= 0)) return null;
  return {name: field(FIELDS.name, 100), size, plain: [48, 0].includes(num(header, FIELDS.kind))};
}

/**
 * The members of an archive by their names, as parts of it. One that ends too early gives those that are whole, and so does one with bytes between its
 * members that are not a header: they are looked over for the next one.
 */
export async function read(file: Blob): Promise<Map<string, Blob>> {
  const members = new Map();
  let window = new Uint8Array(), from = 0, bad: number | null = null;
  for (let at = 0; at + BLOCK <= file.size;) {
    if (at < from || at + BLOCK > from + window.length) {
      from = at;
      window = new Uint8Array(await file.slice(at, at + WINDOW).arrayBuffer());
    }
    const header = window.subarray(at - from, at - from + BLOCK);
    if (bad === null && header.every(b => b === 0)) break;
    const member = memberOf(header);
    if (!member) {
      bad ??= at;
      at += BLOCK;
      continue;
    }
    bad = null;
    const end = at + BLOCK + member.size;
    if (end > file.size) break;
    if (member.plain && !members.has(member.name)) members.set(member.name, file.slice(at + BLOCK, end));
    at = end + (BLOCK - member.size % BLOCK) % BLOCK;
  }
  if (bad !== null && members.size === 0) {
    throw new RequestError({code: 'bad-data', message: `byte ${bad}: found something else, expected the header of a file in a tar archive`});
  }
  return members;
}
