// Files and folders that a person chose or dropped.

import type { Chosen } from "../../worker/messages.ts";

/** Files from the picker. Of a folder, the browser gives all files with their paths. */
export function picked(files: readonly File[]): Chosen[] {
  return files.filter(isShown).map((file) => {
    const path = file.webkitRelativePath;
    return { name: path || file.name, file, isFound: path !== "" };
  });
}

/** The files that were dropped, and those in the folders. */
export async function dropped(transfer: DataTransfer): Promise<Chosen[]> {
  // After the first pause, the browser has emptied the list.
  const items = [...transfer.items].filter(({ kind }) => kind === "file");
  const found = items.map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const lists = found.map(async ({ entry, file }) => {
    if (entry?.isDirectory) return inside(entry as FileSystemDirectoryEntry);
    return file ? picked([file]) : [];
  });
  return (await Promise.all(lists)).flat();
}

/** All files below a folder. A file that is gone by now is left out. */
async function inside(folder: FileSystemDirectoryEntry): Promise<Chosen[]> {
  const reader = folder.createReader();
  const found: Chosen[] = [];
  for (let some = await page(reader); some.length > 0; some = await page(reader)) {
    for (const entry of some) {
      if (entry.isDirectory) found.push(...(await inside(entry as FileSystemDirectoryEntry)));
      else found.push(...(await single(entry as FileSystemFileEntry)));
    }
  }
  return found;
}

/** The next entries of a folder. A browser gives about a hundred at once. */
function page(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  return new Promise((resolve) => reader.readEntries(resolve, () => resolve([])));
}

function single(entry: FileSystemFileEntry): Promise<Chosen[]> {
  const name = entry.fullPath.replace(/^\//, "");
  return new Promise((resolve) => {
    entry.file(
      (file) => resolve(isShown(file) ? [{ name, file, isFound: true }] : []),
      () => resolve([]),
    );
  });
}

/** Systems hide files of their own behind a dot. */
const isShown = ({ name }: File): boolean => !name.startsWith(".");
