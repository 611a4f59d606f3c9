import { useSignal } from "@preact/signals";
import { find } from "../lib/find.ts";
import { type Area, area, navigate, shortcuts, useAction, wantsPatient } from "../lib/index.ts";
import { Dialog, openDialog } from "./dialog.tsx";
import { useListbox } from "./listbox.ts";
import { menu } from "./navigation.ts";
import { ProblemView } from "./problem.tsx";

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
  const all = [...screens, ...shortcuts.peek(), ...buttons(), ...ofStaff()];
  return all.filter(({ what }, n) => all.findIndex((one) => one.what === what) === n);
}

/** The buttons of the screen, but not those of its rows. */
function buttons(): Command[] {
  const found = [...document.querySelectorAll<HTMLButtonElement>(".page .button[type=button]:not(td *, li *)")];
  return found.map((button) => ({ what: (button.ariaLabel ?? button.textContent).trim(), run: () => button.click() }));
}

/** What staff can do from anywhere. */
function ofStaff(): Command[] {
  const run = (): void => navigate("/queue", { onLeave: () => (wantsPatient.value = true) });
  return area.peek() === "staff" ? [{ what: "Find a patient", run }] : [];
}

function Palette({ onClose }: { onClose: (chosen: Command | undefined) => void }) {
  const text = useSignal("");
  /** What was found for the text; `undefined` before it was looked for. */
  const hits = useSignal<readonly Command[] | undefined>(undefined);
  const wanted = text.value.trim();
  const finding = useAction(async (_, sought: string) => {
    const found = (await find(sought, area.peek())).map(({ what, path }) => ({ what, run: () => navigate(path) }));
    if (text.peek().trim() !== sought) return;
    if (found.length === 1) onClose(found[0]);
    else hits.value = found;
  });
  const named = commands().filter(({ what }) => what.toLowerCase().includes(wanted.toLowerCase()));
  const seek: Command = { what: `Find “${wanted}”`, run: () => void finding.run(wanted) };
  const canFind = wanted !== "" && (area.peek() === "staff" || (area.peek() === "practice" && /\d/.test(wanted)));
  const shown = hits.value ?? [...named, ...(canFind ? [seek] : [])];
  const choose = (command: Command | undefined): void => {
    if (command === seek) seek.run();
    else onClose(command);
  };
  const listbox = useListbox(shown.length, true, (n) => choose(shown[n]));
  return (
    <Dialog title="What do you want to do?" onCancel={() => onClose(undefined)}>
      <input
        {...listbox.field}
        type="text"
        aria-label={LABEL[area.peek() ?? "auditor"]}
        autofocus
        value={text}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          hits.value = undefined;
          listbox.restart();
        }}
      />
      {area.peek() === "staff" && <p class="quiet-text">To look for a patient, use “Find a patient”.</p>}
      <ProblemView problem={finding.problem} />
      <ul {...listbox.list} class="options" aria-label="Commands">
        {shown.map((command, n) => (
          <li key={n} {...listbox.option(n)} onClick={() => choose(command)}>
            <span>{command.what}</span>
            {command.keys && <kbd>{command.keys}</kbd>}
          </li>
        ))}
      </ul>
      <p role="status">{said(shown.length, finding.isBusy, hits.value !== undefined)}</p>
    </Dialog>
  );
}

/** What can be typed. */
const LABEL: Readonly<Record<Area, string>> = {
  staff: "Command, claim number or practice",
  practice: "Command or claim number",
  auditor: "Command",
};

function said(count: number, isBusy: boolean, isFound: boolean): string {
  if (isBusy) return "Looking…";
  if (count > 0) return "";
  return isFound ? "Nothing has this number or name." : "No command has this name.";
}
