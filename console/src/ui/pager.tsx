import { useEffect, useRef } from "preact/hooks";
import { cursor as current, setQuery } from "../lib/index.ts";
import { Button } from "./button.tsx";

interface Props {
  rows: readonly unknown[];
  /** The cursor of the next page; `null` on the last one. */
  next: string | null;
}

/** Leads through the pages of a list. The page is in the address, so that a reload and the way back keep it. */
export function Pager({ rows, next }: Props) {
  const cursor = current.value;
  const box = useRef<HTMLElement>(null);
  const before = useRef(cursor);
  useEffect(() => {
    if (before.current === cursor) return;
    before.current = cursor;
    // The button that was pressed may be gone. The list is read from its top.
    const row = box.current?.parentElement?.querySelector<HTMLElement>("tbody tr");
    (row?.querySelector<HTMLElement>("th a") ?? row)?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [rows]);
  if (!next && !cursor) return null;
  return (
    <nav class="bar" aria-label="Pages" ref={box}>
      {cursor && <Button onClick={() => setQuery({ cursor: undefined })}>First page</Button>}
      {next ? <Button onClick={() => setQuery({ cursor: next })}>Next page</Button> : <span class="quiet-text">This is the last page.</span>}
    </nav>
  );
}
