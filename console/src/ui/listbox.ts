// Choosing from a list with the focus in a text field (the combobox pattern of WAI-ARIA).

import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";

/** The attributes of the field and the list, and which option the arrow keys are at. */
interface Listbox {
  at: number;
  /** For a new list of options. */
  restart: () => void;
  field: {
    role: "combobox";
    autocomplete: "off";
    "aria-autocomplete": "list";
    "aria-expanded": boolean;
    "aria-controls": string;
    "aria-activedescendant": string | undefined;
    onKeyDown: (event: KeyboardEvent) => void;
  };
  list: { role: "listbox"; id: string };
  option: (n: number) => { role: "option"; id: string; "aria-selected": boolean };
}

/** The keyboard of a list with `count` options. Enter calls `onChoose` with the index of one. */
export function useListbox(count: number, isOpen: boolean, onChoose: (n: number) => void): Listbox {
  const at = useSignal(0);
  const id = useId();
  const current = Math.min(at.value, Math.max(count - 1, 0));
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && isOpen && count > 0) {
      event.preventDefault();
      at.value = (current + step + count) % count;
      document.getElementById(`${id}-${at.value}`)?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter" && isOpen && count > 0) {
      event.preventDefault();
      onChoose(current);
    }
  };
  return {
    at: current,
    restart: () => {
      at.value = 0;
    },
    field: {
      role: "combobox",
      autocomplete: "off",
      "aria-autocomplete": "list",
      "aria-expanded": isOpen,
      "aria-controls": id,
      "aria-activedescendant": isOpen && count > 0 ? `${id}-${current}` : undefined,
      onKeyDown,
    },
    list: { role: "listbox", id },
    option: (n) => ({ role: "option", id: `${id}-${n}`, "aria-selected": n === current }),
  };
}
