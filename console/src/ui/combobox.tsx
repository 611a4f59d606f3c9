import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { plural } from "../lib/index.ts";
import { useListbox } from "./listbox.ts";

interface Props {
  label: string;
  /** What can be chosen. Load it when the field gets the focus (`onOpen`). */
  options: readonly string[];
  /** What is chosen; `""` for nothing. */
  value: string;
  /** Called with a chosen option, or with `""` once the field was emptied. */
  onChoose: (value: string) => void;
  /** The field got the focus. */
  onOpen?: () => void;
}

/** How many options show at once. More typing makes them fewer. */
const MOST = 50;

/** A field for one of many names, such as payers: typing a part of a name makes the list shorter. */
export function Combobox({ label, options, value, onChoose, onOpen }: Props) {
  const id = useId();
  /** What was typed since the field got the focus. */
  const text = useSignal<string | undefined>(undefined);
  const open = useSignal(false);
  const isOpen = open.value;
  const wanted = (text.value ?? "").trim().toLowerCase();
  const matching = isOpen ? options.filter((option) => option.toLowerCase().includes(wanted)) : [];
  const found = matching.slice(0, MOST);
  const close = (): void => {
    text.value = undefined;
    open.value = false;
  };
  const choose = (chosen: string): void => {
    close();
    if (chosen !== value) onChoose(chosen);
  };
  const listbox = useListbox(found.length, isOpen, (n) => choose(found[n] ?? ""));
  return (
    <div class="field combobox">
      <label for={id}>{label}</label>
      <input
        {...listbox.field}
        type="text"
        id={id}
        value={text.value ?? value}
        onFocus={onOpen}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          open.value = true;
          listbox.restart();
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape" && isOpen) {
            // Not the dialog around it.
            event.stopPropagation();
            close();
          } else if (event.key === "ArrowDown" && !isOpen) {
            open.value = true;
          } else if (event.key === "Enter" && text.value === "") {
            choose("");
          } else {
            listbox.field.onKeyDown(event);
          }
        }}
        onBlur={() => choose(text.value === "" ? "" : value)}
      />
      <ul {...listbox.list} class="options" aria-label={label} hidden={!isOpen}>
        {found.map((option, n) => (
          <li
            key={option}
            {...listbox.option(n)}
            // The field keeps the focus, or its blur would close the list before the click.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(option)}
          >
            {option}
          </li>
        ))}
      </ul>
      <span class="hidden" role="status">
        {isOpen && (matching.length > MOST ? `More than ${MOST} matches` : plural(matching.length, "match", "matches"))}
      </span>
    </div>
  );
}
