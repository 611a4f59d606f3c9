import { useSignal } from "@preact/signals";
import { query, setFilters } from "../../lib/index.ts";
import { Combobox } from "../../ui/index.ts";
import { usePractices } from "./names.ts";

/** The filter of a list for one practice. It is in the address. The names are read once they are needed. */
export function PracticeFilter() {
  const isOpened = useSignal(false);
  const chosen = query.value.get("practice") ?? "";
  const practices = usePractices(isOpened.value || chosen !== "");
  return (
    <Combobox
      label="Practice"
      options={practices.map(({ name }) => name)}
      value={practices.find(({ id }) => id === chosen)?.name ?? ""}
      onOpen={() => (isOpened.value = true)}
      onChoose={(name) => setFilters({ practice: practices.find((one) => one.name === name)?.id })}
    />
  );
}
