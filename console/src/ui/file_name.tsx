import { bytes } from "../lib/index.ts";

export function FileName({ name, size }: { name: string; size: number | undefined }) {
  return (
    <span>
      <span class="file-name">{name}</span> <span class="quiet-text">{size !== undefined && bytes(size)}</span>
    </span>
  );
}
