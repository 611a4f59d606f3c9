// Which of the chosen files are the same. Payers give every file one name, so two of them may differ in their bytes alone.

import type { Chosen } from "../../worker/messages.ts";

const PIECE = 1024 * 1024;

/** What can be told of a file without its bytes. */
export const looks = ({ name, file }: Chosen): string => JSON.stringify([name, file.size, file.lastModified]);

/** True if the bytes of a file are those of one of the others. All of them look alike. */
export async function isAmong({ file }: Chosen, others: readonly Chosen[]): Promise<boolean> {
  for (const other of others) {
    if (await isSame(file, other.file)) return true;
  }
  return false;
}

async function isSame(one: File, other: File): Promise<boolean> {
  for (let at = 0; at < one.size; at += PIECE) {
    const [piece, same] = await Promise.all([bytes(one, at), bytes(other, at)]);
    if (!piece || !same || piece.some((byte, n) => byte !== same[n])) return false;
  }
  return true;
}

/** A piece of a file, `undefined` if it cannot be read any more. */
const bytes = (file: File, at: number): Promise<Uint8Array | undefined> =>
  file
    .slice(at, at + PIECE)
    .arrayBuffer()
    .then(
      (buffer) => new Uint8Array(buffer),
      () => undefined,
    );
