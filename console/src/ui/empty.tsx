import type { ComponentChildren } from "preact";
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

/** The filters match nothing. */
export function NothingMatches({ onClear }: { onClear: () => void }) {
  return (
    <div class="empty">
      <p class="empty-title">Nothing matches these filters</p>
      <Button onClick={onClear}>Clear the filters</Button>
    </div>
  );
}

/** The service stopped after a bounded number of records, and more may match. */
export function LookFurther({ onContinue, isBusy }: { onContinue: () => void; isBusy: boolean }) {
  return (
    <div class="empty">
      <p class="empty-title">No match so far</p>
      <p>Older records have not been looked at yet.</p>
      <Button onClick={onContinue} isBusy={isBusy}>
        Look further
      </Button>
    </div>
  );
}
