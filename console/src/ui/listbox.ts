// Choosing from a list with the focus in a text field (the combobox pattern of WAI-ARIA).

import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";

/** The attributes of the field and of the list with its `count` options. Enter calls `onChoose` with the index of one. */
export function useListbox(count: number, isOpen: boolean, onChoose: (n: number) => void) {
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
    /** For a new list of options. */
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
    option: (n: number) => ({ role: "option", id: `${id}-${n}`, "aria-selected": n === current }) as const,
  } as const;
}
