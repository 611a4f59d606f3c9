import type { ComponentChildren } from "preact";
import { cursor, setQuery } from "../lib/index.ts";
import { Button } from "./button.tsx";

/** Nothing is there yet. Say what will appear here, and offer the first step if there is one. */
export function NothingYet({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

interface NothingProps {
  /** Where the service stopped after a bounded number of records, of which more may match; `null` if it has looked at all. */
  next?: string | null;
  /** The page from there on is being read. */
  isBusy?: boolean;
  /** Removes the filters; `false` if none is set. */
  onClear: (() => void) | false;
  /** What to say if nothing is there yet. */
  children: ComponentChildren;
}

/**
 * Why a list shows nothing: it must look further, the page of the address has no record any more, the filters match nothing,
 * or nothing is there yet. The keys keep the focus of one button from going over to the other.
 */
export function Nothing({ next, isBusy, onClear, children }: NothingProps) {
  if (next) {
    return (
      <NothingYet key="further" title="No match so far">
        <p>Older records have not been looked at yet.</p>
        <Button onClick={() => setQuery({ cursor: next })} isBusy={isBusy}>
          Look further
        </Button>
      </NothingYet>
    );
  }
  if (cursor.value) {
    return (
      <NothingYet key="page" title="Nothing is left on this page">
        <p>Its records have changed or moved.</p>
        <Button onClick={() => setQuery({ cursor: undefined })}>First page</Button>
      </NothingYet>
    );
  }
  if (!onClear) return <>{children}</>;
  return (
    <NothingYet key="filters" title="Nothing matches these filters">
      <Button onClick={onClear}>Clear the filters</Button>
    </NothingYet>
  );
}
