import { useSignal } from "@preact/signals";
import { searched } from "../lib/find_claim.ts";
import { shortcuts } from "../lib/keys.ts";
import { navigate } from "../lib/router.ts";
import { area } from "../lib/session.ts";
import { Dialog, openDialog } from "./dialog.tsx";
import { useListbox } from "./listbox.ts";
import { menu } from "./navigation.ts";

interface Command {
  what: string;
  keys?: string;
  run: () => void;
}

/** The list of everything that can be done now, by typing a part of its name: Ctrl-K. */
export async function openPalette(): Promise<void> {
  const chosen = await openDialog<Command | undefined>((close) => <Palette onClose={close} />);
  chosen?.run();
}

/** Every screen of the menu, and every shortcut of the screen. */
function commands(): Command[] {
  const screens = menu.peek().map(({ label, path, keys }) => ({
    what: `Go to ${label}`,
    run: () => navigate(path),
    ...(keys && { keys }),
  }));
  const all = [...screens, ...shortcuts.peek(), ...buttons()];
  return all.filter(({ what }, n) => all.findIndex((one) => one.what === what) === n);
}

/** The buttons of the screen, but not those of its rows. */
function buttons(): Command[] {
  const found = [...document.querySelectorAll<HTMLButtonElement>(".page .button[type=button]:not(td *, li *)")];
  return found.map((button) => ({ what: (button.ariaLabel ?? button.textContent).trim(), run: () => button.click() }));
}

/** What a text could be besides the name of a command: the number of a claim of the practice. */
function claimCommands(text: string): Command[] {
  if (area.peek() !== "practice" || !/\d/.test(text)) return [];
  const run = (): void => {
    searched.value = text;
    navigate("/claims");
  };
  return [{ what: `Find the claim ${text}`, run }];
}

function Palette({ onClose }: { onClose: (chosen: Command | undefined) => void }) {
  const text = useSignal("");
  const wanted = text.value.trim().toLowerCase();
  const named = commands().filter(({ what }) => what.toLowerCase().includes(wanted));
  const found = [...named, ...claimCommands(text.value.trim())];
  const listbox = useListbox(found.length, true, (n) => onClose(found[n]));
  return (
    <Dialog title="What do you want to do?" onCancel={() => onClose(undefined)}>
      <input
        {...listbox.field}
        type="text"
        aria-label="Command or claim number"
        autofocus
        value={text}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          listbox.restart();
        }}
      />
      <ul {...listbox.list} class="options" aria-label="Commands">
        {found.map((command, n) => (
          <li key={command.what} {...listbox.option(n)} onClick={() => onClose(command)}>
            <span>{command.what}</span>
            {command.keys && <kbd>{command.keys}</kbd>}
          </li>
        ))}
      </ul>
      <p role="status">{found.length === 0 ? "No command has this name." : ""}</p>
    </Dialog>
  );
}
