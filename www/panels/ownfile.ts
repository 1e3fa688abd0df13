// Reads a file that a person chose.
import {bytes} from '../dom/figures.js';
import {RequestError} from '../engine/requesterror.js';
import type {FileContent, ReadFile, Thrown} from '../types.js';

const LARGEST = 2 ** 31;
const SMALL = 2 ** 22; // may change or go on the disk afterwards; what is larger is read there when it is needed

/** The contents of a File: its bytes, or itself when they are many. An error names it. */
export async function readFile(file: File): Promise<FileContent> {
  const refuse = (message: string) => new RequestError({code: 'bad-data', file: file.name, message: `${file.name}: ${message}`});
  if (file.size > LARGEST) throw refuse(`found ${bytes(file.size)}, expected at most ${bytes(LARGEST)} a file`);
  try {
    if (file.size > SMALL) {
      await file.slice(0, 1).arrayBuffer(); // a folder, or one that may not be read
      return file;
    }
    return new Uint8Array(await file.arrayBuffer());
  } catch (e) {
    throw refuse(`it could not be read (${(e as Thrown).message})`);
  }
}

/** The name of a file with the folders that it was chosen in. */
export const pathOf = (f: File) => f.webkitRelativePath || f.name;
export const namedScans = (list: File[]) => list.map(f => ({name: pathOf(f), size: f.size}));

/** Reads files, which are called by their names, or with their folders if two have the same name. */
export function readFiles(list: File[]): Promise<ReadFile[]> {
  const nameOf = new Set(list.map(f => f.name)).size === list.length ? (f: File) => f.name : pathOf;
  return Promise.all(list.map(async f => ({name: nameOf(f), size: f.size, content: await readFile(f)})));
}
