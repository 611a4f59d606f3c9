import type { ComponentChildren } from "preact";
import { inForce, setSingleKeys, shortcuts, singleKeys } from "../lib/index.ts";
import { Button } from "./button.tsx";
import { Dialog, openDialog } from "./dialog.tsx";

/** Whether single keys do anything. */
export function SingleKeys({ children }: { children: ComponentChildren }) {
  return (
    <label class="check">
      <input type="checkbox" checked={singleKeys} onChange={(event) => setSingleKeys(event.currentTarget.checked)} />
      <span>{children}</span>
    </label>
  );
}

/** Lists the shortcuts, and lets a person switch single keys off. */
export function openHelp(): Promise<void> {
  return openDialog<void>((close) => (
    <Dialog title="Keyboard shortcuts" onCancel={() => close()}>
      <dl class="keys">
        <div>
          <dt>
            <kbd>Ctrl</kbd> <kbd>K</kbd>
          </dt>
          <dd>Find a command</dd>
        </div>
        {inForce(shortcuts.peek()).map(({ keys, what }) => (
          <div key={keys}>
            <dt>
              {keys.split(" ").map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <SingleKeys>Use single keys as shortcuts</SingleKeys>
      <div class="dialog-actions">
        <Button onClick={() => close()}>Close</Button>
      </div>
    </Dialog>
  ));
}
