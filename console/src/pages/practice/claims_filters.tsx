import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { get } from "../../lib/api.ts";
import { asProblem, choicesOf, OPEN, query, setFilters, SIGNING, STATUS, words } from "../../lib/index.ts";
import { claimStatuses } from "../../generated/rules.ts";
import { Button, Choose, CodeFilter, Combobox } from "../../ui/index.ts";
import { CLEARED, countSet, type Filter, FILTERS, isWhole, MORE } from "./claim_filters.ts";

/** What the list shows, and in which order. */
export function Filters() {
  const set = countSet(query.value, MORE);
  return (
    <div class="stack" role="group" aria-label="Filters">
      <div class="filters">
        <StatusFilter />
        <PayerFilter />
        <Choose
          name="order"
          label="Order"
          choices={[
            ["", "Newest first"],
            ["deadline", "Earliest deadline first"],
          ]}
          also={(order) => (order === "deadline" && !isAllOpen(query.value.get("status")) ? { status: undefined } : {})}
        />
        {countSet(query.value, FILTERS) > 0 && <Button onClick={() => setFilters(CLEARED)}>Clear the filters</Button>}
      </div>
      <details class="filters-more" open={set > 0}>
        <summary>More filters{set > 0 && ` (${set} set)`}</summary>
        <div class="filters">
          <Range label="Deadline" from="due_from" to="due_to" />
          <Range label="Denial date" from="denied_from" to="denied_to" />
          <Range label="Received by us" from="received_from" to="received_to" />
          <Choose
            name="signing_status"
            named={named}
            label="Patient's signature"
            choices={[["", "Any"], ...choicesOf(SIGNING)]}
          />
          <CodeFilter name="denial_code" hint="Such as CO-50 or N130" wrong="This is not a code that payers use for denials." />
        </div>
      </details>
    </div>
  );
}

/** What an address may hold that the lists do not offer. */
const named = (value: string): string =>
  value
    .split(",")
    .map((one) => ({ ...STATUS, ...SIGNING } as Readonly<Record<string, string>>)[one] ?? words(one))
    .join(" or ");

/** In the order of deadlines, the service lists open claims only. */
export const isAllOpen = (status: string | null): boolean => !status || status.split(",").every((one) => OPEN.some((open) => open === one));

function StatusFilter() {
  const offered = query.value.get("order") === "deadline" ? OPEN : claimStatuses;
  const all = offered === OPEN ? ([["", "All open claims"]] as const) : ([["", "All claims"], [OPEN.join(","), "All open claims"]] as const);
  return <Choose named={named} name="status" label="Status" choices={[...all, ...offered.map((status) => [status, STATUS[status]] as const)]} />;
}

function PayerFilter() {
  const payers = useSignal<readonly string[] | undefined>(undefined);
  const failed = useSignal("");
  const load = async (): Promise<void> => {
    if (payers.value) return;
    try {
      payers.value = (await get("/api/v1/denials/payers")).payers.map(({ name }) => name);
      failed.value = "";
    } catch (thrown) {
      failed.value = `The payers could not be read: ${asProblem(thrown).title.toLowerCase()}.`;
    }
  };
  return (
    <div class="field">
      <Combobox
        label="Payer"
        options={payers.value ?? []}
        value={query.value.get("payer_name") ?? ""}
        onChoose={(name) => setFilters({ payer_name: name })}
        onOpen={load}
      />
      {failed.value && (
        <span class="field-error" role="alert">
          {failed.value}
        </span>
      )}
    </div>
  );
}

/** The first and the last day of something. */
function Range({ label, from, to }: { label: string; from: Filter; to: Filter }) {
  const id = useId();
  const [first, last] = [query.value.get(from) ?? "", query.value.get(to) ?? ""];
  const isWrong = first !== "" && last !== "" && first > last;
  const day = (name: Filter, of: string, value: string) => (
    <span class="field">
      <label for={`${id}-${name}`} class="hint">
        {of}
        <span class="hidden"> ({label.toLowerCase()})</span>
      </label>
      <input
        type="date"
        id={`${id}-${name}`}
        value={value}
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? `${id}-error` : undefined}
        onChange={({ currentTarget: { value: typed, validity } }) => {
          if (validity.valid && isWhole(typed)) setFilters({ [name]: typed });
        }}
      />
    </span>
  );
  return (
    <fieldset class="field range">
      <legend>{label}</legend>
      {day(from, "from", first)}
      {day(to, "to", last)}
      {isWrong && (
        <span class="field-error" id={`${id}-error`}>
          The first day is after the last one, so nothing can match.
        </span>
      )}
    </fieldset>
  );
}
