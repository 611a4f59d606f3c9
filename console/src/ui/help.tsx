import { setSingleKeys, shortcuts, singleKeys } from "../lib/keys.ts";
import { Button } from "./button.tsx";
import { Dialog, openDialog } from "./dialog.tsx";

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
        {shortcuts.peek().map(({ keys, what }) => (
          <div key={`${keys} ${what}`}>
            <dt>
              {keys.split(" ").map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={singleKeys}
          onChange={(event) => setSingleKeys(event.currentTarget.checked)}
        />
        Use single keys as shortcuts
      </label>
      <div class="dialog-actions">
        <Button onClick={() => close()}>Close</Button>
      </div>
    </Dialog>
  ));
}
