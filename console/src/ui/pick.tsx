import { Button } from "./button.tsx";
import { Dialog, openDialog } from "./dialog.tsx";

/** One of several things to do: its value and the label of its button. */
export type Pick<T> = readonly [value: T, label: string];

/** Asks which of several things to do. Resolves to one of them, at once if there is only one; to `undefined` if canceled. */
export async function pick<T>(title: string, picks: readonly Pick<T>[]): Promise<T | undefined> {
  if (picks.length < 2) return picks[0]?.[0];
  return openDialog<T | undefined>((close) => (
    <Dialog title={title} onCancel={() => close(undefined)}>
      <div class="dialog-actions">
        {picks.map(([value, label], n) => (
          <Button key={label} {...(n === 0 && { look: "primary", autofocus: true })} onClick={() => close(value)}>
            {label}
          </Button>
        ))}
        <Button look="quiet" onClick={() => close(undefined)}>
          Cancel
        </Button>
      </div>
    </Dialog>
  ));
}
