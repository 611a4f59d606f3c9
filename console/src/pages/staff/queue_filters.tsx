import { type Signal, useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { query, setFilters, setQuery, user } from "../../lib/index.ts";
import { Button, Choose, Combobox, NumberSearch } from "../../ui/index.ts";
import { denialCode } from "../practice/claim_filters.ts";
import { usePayers } from "./names.ts";
import { PracticeFilter } from "./practice_filter.tsx";
import { AGES, isFiltered, NO_FILTERS } from "./queue_query.ts";

interface Props {
  colleagues: readonly { id: string; name: string }[];
  /** The claim number that is searched for. It is in no address. */
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
      <CodeFilter value={params.get("code") ?? ""} />
      <Choose
        label="Taken by"
        name="taken"
        choices={[["", "Anyone or no one"], ["me", "Me"], ["nobody", "No one"], ...others.map(({ id, name }) => [id, name] as const)]}
      />
      <Choose label="Signature" name="signature" choices={[["", "Any"], ["waiting", "Waiting for the patient"], ["link_dead", "Link no longer works"]]} />
      <Choose label="Age" name="age" choices={[["", "Any age"], ...AGES.map(([value, label]) => [value, label] as const)]} />
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

function CodeFilter({ value }: { value: string }) {
  const id = useId();
  const isWrong = useSignal(false);
  const apply = (typed: string): void => {
    const code = denialCode(typed);
    isWrong.value = code === undefined;
    if (code !== undefined && code !== value) setFilters({ code });
  };
  return (
    <div class="field">
      <label for={id}>Denial code</label>
      <input
        type="text"
        id={id}
        key={value}
        defaultValue={value}
        placeholder="CO-45"
        maxLength={8}
        autocomplete="off"
        spellcheck={false}
        aria-invalid={isWrong.value || undefined}
        aria-describedby={isWrong.value ? `${id}-error` : undefined}
        onChange={(event) => apply(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Enter" && apply(event.currentTarget.value)}
      />
      {isWrong.value && (
        <span class="field-error" id={`${id}-error`} role="alert">
          Enter a whole code, such as CO-45 or N130.
        </span>
      )}
    </div>
  );
}
