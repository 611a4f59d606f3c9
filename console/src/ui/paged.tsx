import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { whole } from "../lib/index.ts";
import { Button } from "./button.tsx";

interface Props<R> {
  rows: readonly R[];
  label: string;
  /** How many are on the screen at once. */
  size: number;
  children: (shown: readonly R[]) => ComponentChildren;
}

/** Shows a long list that is all in memory page by page, so that it stays quick. The page is not in the address. */
export function Paged<R>({ rows, label, size, children }: Props<R>) {
  const first = useSignal(0);
  const box = useRef<HTMLDivElement>(null);
  const hasMoved = useRef(false);
  const at = Math.min(first.value, Math.max(0, Math.ceil(rows.length / size) - 1) * size);
  const end = Math.min(at + size, rows.length);
  const go = (to: number) => (): void => {
    hasMoved.current = true;
    first.value = to;
  };
  useEffect(() => {
    if (!hasMoved.current) return;
    hasMoved.current = false;
    // The button that was pressed may be gone. The list is read from its top.
    box.current?.querySelector<HTMLElement>("tbody tr, li")?.focus();
  }, [first.value]);
  return (
    <div class="stack" ref={box}>
      {children(rows.slice(at, end))}
      {rows.length > size && (
        <nav class="bar" aria-label={`Pages of ${label}`}>
          {at > 0 && <Button onClick={go(at - size)}>Previous page</Button>}
          {end < rows.length && <Button onClick={go(end)}>Next page</Button>}
          <span class="quiet-text">
            {whole(at + 1)} to {whole(end)} of {whole(rows.length)}
          </span>
        </nav>
      )}
    </div>
  );
}
