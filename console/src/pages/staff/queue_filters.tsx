import { type Signal, useSignal } from "@preact/signals";
import { query, setFilters, setQuery, user } from "../../lib/index.ts";
import { Button, Choose, CodeFilter, Combobox, NumberSearch } from "../../ui/index.ts";
import { usePayers } from "./names.ts";
import { PracticeFilter } from "./practice_filter.tsx";
import { CHOICES, isFiltered, NO_FILTERS } from "./queue_query.ts";

interface Props {
  colleagues: readonly { id: string; name: string }[];
  searched: Signal<string>;
}

/** The filters of the queue. All but the claim number are in the address. */
export function QueueFilters({ colleagues, searched }: Props) {
  const isOpened = useSignal(false);
  const params = query.value;
  const payers = usePayers(params.get("practice") || undefined, isOpened.value);
  const others = colleagues.filter(({ id }) => id !== user.value?.id);
  return (
    <div class="filters" role="group" aria-label="Filters">
      <NumberSearch
        value={searched.value}
        hint="The whole number. Your search is recorded."
        onSearch={(number) => {
          searched.value = number;
          setQuery({ cursor: undefined }, { replace: true });
        }}
      />
      <PracticeFilter />
      <Combobox
        label="Payer"
        options={payers}
        value={params.get("payer") ?? ""}
        onOpen={() => (isOpened.value = true)}
        onChoose={(name) => setFilters({ payer: name })}
      />
      <CodeFilter name="code" placeholder="CO-45" wrong="Enter a whole code, such as CO-45 or N130." />
      <Choose
        label="Taken by"
        name="taken"
        choices={[["", "Anyone or no one"], ["me", "Me"], ["nobody", "No one"], ...others.map(({ id, name }) => [id, name] as const)]}
      />
      {CHOICES.map(({ name, label, any, values }) => (
        <Choose key={name} {...{ name, label }} choices={[["", any], ...values.map(([value, label]) => [value, label] as const)]} />
      ))}
      {(isFiltered(params) || searched.value) && (
        <Button
          look="quiet"
          onClick={() => {
            searched.value = "";
            setFilters(NO_FILTERS);
          }}
        >
          Clear the filters
        </Button>
      )}
    </div>
  );
}
