import type { Signal } from "@preact/signals";
import { limits } from "../../generated/rules.ts";
import { type Answer, patch, post } from "../../lib/api.ts";
import { navigate, query, useGet, useKeys } from "../../lib/index.ts";
import {
  Button, Dialog, DialogEnd, EndAction, openForm, openWith, ProblemView, RowAction, Rows, Show, TextField, toast,
} from "../../ui/index.ts";
import { canShow, isFiltered, keptQuery, keptWords, queueOf } from "./queue_query.ts";

type Saved = Answer<"/api/v1/staff/filters", "get">["filters"][number];

/** So many filters have a key: their number. */
const KEYS = 9;

/** The filters that the person has saved: one click, or a key, shows the claims of each. */
export function SavedFilters({ searched }: { searched: Signal<string> }) {
  const loaded = useGet("/api/v1/staff/filters");
  const filters = loaded.data?.filters ?? [];
  const now = keptQuery(query.value);
  const isNow = (one: Saved): boolean => !searched.value && canShow(one.query) && queueOf(one.query) === queueOf(now);
  const shown = filters.filter((one) => canShow(one.query));
  useKeys(
    shown.slice(0, KEYS).map((one, n) => ({
      keys: `${n + 1}`,
      what: `Show the saved filter “${one.name}”`,
      run: () => {
        searched.value = "";
        navigate(queueOf(one.query));
      },
    })),
  );
  const canSave = loaded.data && isFiltered(query.value) && !searched.value && !filters.some(isNow) && filters.length < limits.queueFilters;
  if (filters.length === 0 && !canSave) return <ProblemView problem={loaded.problem} />;
  return (
    <nav class="actions saved" aria-label="Saved filters">
      {shown.map((one) => (
        <a
          key={one.id}
          class="button"
          href={queueOf(one.query)}
          aria-current={isNow(one) ? "true" : undefined}
          onClick={() => (searched.value = "")}
        >
          <bdi>{one.name}</bdi>
        </a>
      ))}
      {canSave && <Button onClick={async () => (await save(now)) && loaded.reload()}>Save these filters</Button>}
      {filters.length > 0 && (
        <Button look="quiet" onClick={() => openWith(EditFilters, { now, isNow }).then(loaded.reload)}>
          Edit saved filters
        </Button>
      )}
    </nav>
  );
}

interface EditProps {
  /** The filters of the queue on the screen. */
  now: string;
  isNow: (one: Saved) => boolean;
  onClose: () => void;
}

function EditFilters({ now, isNow, onClose }: EditProps) {
  const loaded = useGet("/api/v1/staff/filters");
  return (
    <Dialog title="Saved filters" onCancel={onClose}>
      <Show of={loaded}>
        {({ filters }) => (
          <>
            <p>Only you see them. You can save up to {limits.queueFilters}.</p>
            <Rows
              label="Saved filters"
              rows={filters}
              none="You have none."
              name={({ name }) => <bdi>{name}</bdi>}
              about={(one) => keptWords(one.query)}
              actions={(one) => (
                <>
                  <RowAction label="Rename" of={one.name} run={async () => (await rename(one)) && loaded.reload()} />
                  {now !== "" && !isNow(one) && (
                    <RowAction
                      label="Replace"
                      of={one.name}
                      ask={{ title: `Replace “${one.name}”?`, text: "It then has the filters that the queue has now.", action: "Replace" }}
                      run={(intent) => patch("/api/v1/staff/filters/{id}", { path: { id: one.id }, body: { query: now }, intent })}
                      said="The saved filter was replaced."
                      then={loaded.reload}
                    />
                  )}
                  <EndAction
                    of={one.name}
                    look="danger"
                    title={`Remove “${one.name}”?`}
                    text="The claims stay as they are."
                    path="/api/v1/staff/filters/{id}"
                    id={one.id}
                    said="The saved filter was removed."
                    then={loaded.reload}
                  />
                </>
              )}
            />
          </>
        )}
      </Show>
      <DialogEnd onClose={onClose} />
    </Dialog>
  );
}

const NAME = { name: "name", label: "Name", hint: "Only you see it. Do not name a patient.", maxLength: limits.queueFilterName, required: true } as const;

const save = (now: string): Promise<boolean | undefined> =>
  openForm({
    title: "Save these filters",
    lead: keptWords(now),
    submit: "Save",
    act: async (values, intent) => {
      await post("/api/v1/staff/filters", { body: { name: values.text("name"), query: now }, intent });
      toast("The filters were saved.");
      return true;
    },
    children: <TextField {...NAME} autofocus />,
  });

const rename = ({ id, name }: Saved): Promise<boolean | undefined> =>
  openForm({
    title: "Rename the saved filter",
    submit: "Rename",
    act: async (values, intent) => {
      await patch("/api/v1/staff/filters/{id}", { path: { id }, body: { name: values.text("name") }, intent });
      return true;
    },
    children: <TextField {...NAME} defaultValue={name} />,
  });
