// Reads a file that a person chose.
import {bytes} from '../dom/figures.js';
import {RequestError} from '../engine/requesterror.js';

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

/** Names of files with the folders they were chosen in. */
export const namedScans = (list: File[]) => list.map(f => ({name: f.webkitRelativePath || f.name, size: f.size}));
