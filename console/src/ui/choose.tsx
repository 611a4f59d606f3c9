import { query, setFilters } from "../lib/index.ts";
import { Select } from "./select.tsx";

interface Props {
  /** The name in the address, which is that of the API. */
  name: string;
  label: string;
  choices: readonly (readonly [value: string, label: string])[];
  /** What to call a value of the address that the list does not offer. */
  named?: (value: string) => string;
  /** What else changes with a choice. */
  also?: (value: string) => Readonly<Record<string, undefined>>;
}

/** A filter with a list of choices. It stays in the address, and begins with the first page. */
export function Choose({ name, label, choices, named = (value) => value, also }: Props) {
  const value = query.value.get(name) ?? "";
  const all = choices.some(([of]) => of === value) ? choices : [...choices, [value, named(value)] as const];
  return <Select label={label} choices={all} value={value} onChoose={(chosen) => setFilters({ ...also?.(chosen), [name]: chosen })} />;
}
