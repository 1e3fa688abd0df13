// Files chosen on the page, or dropped there.
import {h} from './elements.js';

/** Files in the order of their paths, which counts for folders: browsers hand these over in any, and folds would follow it. */
export function filesOf({files}: {files: Iterable<File> | null}) {
  const path = (f: File) => f.webkitRelativePath.replaceAll('/', '\0'); // a folder before what its name begins
  return [...files ?? []].sort((a, b) => Number(path(a) > path(b)) - Number(path(a) < path(b)));
}

/** A field for files, or for those of a folder: take gets what is chosen. */
export function fileInput(take: (files: File[]) => void, props = {}) {
  const input: HTMLInputElement = h('input', {type: 'file', multiple: true, ...props, onchange: () => {
    const list = filesOf(input);
    input.value = ''; // or the same files could not be chosen again
    if (list.length) take(list);
  }});
  return input;
}

/** The files in a folder, each with its path as when a folder is chosen. */
async function filesIn(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed));
    return [Object.defineProperty(file, 'webkitRelativePath', {value: entry.fullPath.slice(1)})];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader(), all: FileSystemEntry[] = [];
  for (;;) { // some at a time
    const some = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
    if (!some.length) return (await Promise.all(all.map(filesIn))).flat();
    all.push(...some);
  }
}

/** The dropped files, and those in folders. A folder that cannot be listed is returned itself, and named when it is read. */
export async function filesDropped(data: DataTransfer | null): Promise<File[]> {
  const files = [...data?.files ?? []], entries = [...data?.items ?? []].map(i => i.webkitGetAsEntry?.()).filter(e => !!e);
  if (!entries.some(e => e.isDirectory)) return files;
  return Promise.all(entries.map(filesIn)).then(lists => filesOf({files: lists.flat()}), () => files);
}
