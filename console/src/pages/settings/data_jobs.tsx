import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { limits } from "../../generated/rules.ts";
import { type Answer, get, getFile, post } from "../../lib/api.ts";
import {
  day, may, ownProblem, plural, practice, save, time, today, useAction, useGet, words,
} from "../../lib/index.ts";
import { Button, openForm, ProblemView, RowAction, Section, Show, Table, TextField } from "../../ui/index.ts";

type Job = Answer<"/api/v1/settings/data_jobs", "get">["data_jobs"][number];

const STATES: Record<Job["state"], string> = { waiting: "Waiting", running: "Running", cancelled: "Canceled", done: "Done" };

/** Taking a copy of all data, and having it destroyed. */
export function DataJobs() {
  const jobs = useGet("/api/v1/settings/data_jobs");
  const destroy = async (): Promise<void> => {
    if (await askToDestroy()) jobs.reload();
  };
  const canDestroy = practice.value?.agreement === "ended";
  return (
    <Section title="Your data" look="stack no-print">
      <p class="measure">
        Owners can take a copy of all data of the practice at any time. Once the agreement has ended, they can have the data
        destroyed.
      </p>
      {may("manage_data_jobs") && (
        <div class="actions">
          <RowAction
            label="Take a copy"
            ask={{
              title: "Take a copy of all data?",
              text: "The copy names patients. Keep it as safe as your own records. All owners get an email.",
              action: "Make the copy",
            }}
            run={(intent) => post("/api/v1/settings/data_jobs", { body: { kind: "return" }, intent })}
            then={jobs.reload}
          />
          {canDestroy && (
            <Button look="danger" onClick={destroy}>
              Have all data destroyed
            </Button>
          )}
        </div>
      )}
      <Show of={jobs}>
        {({ data_jobs: rows }) =>
          rows.length > 0 && (
            <Table
              caption="Copies and destructions"
              rows={rows}
              id={({ id }) => id}
              columns={[
                { head: "What", cell: ({ kind }) => (kind === "return" ? "Copy of all data" : "Destruction") },
                { head: "Asked for", cell: ({ requested_at: at }) => time(at) },
                { head: "State", cell: (job) => <State of={job} /> },
                { head: "Change", cell: (job) => may("manage_data_jobs") && <Changes of={job} changed={jobs.reload} /> },
              ]}
            />
          )
        }
      </Show>
    </Section>
  );
}

function State({ of }: { of: Job }) {
  return (
    <>
      {STATES[of.state]}
      {of.state === "waiting" && of.due_at && `, begins ${time(of.due_at)}`}
      {of.finished_at && ` ${day(of.finished_at)}`}
      {of.report?.kept && <div class="quiet-text">Kept: {of.report.kept.map(words).join(", ")}</div>}
      {of.report?.sha256 && (
        <div class="quiet-text">
          SHA-256 of the file: <code>{of.report.sha256}</code>
        </div>
      )}
    </>
  );
}

function Changes({ of, changed }: { of: Job; changed: () => void }) {
  const isOpen = of.state === "waiting" || of.state === "running";
  return (
    <div class="actions">
      {of.kind === "return" && of.state === "running" && <Download of={of} changed={changed} />}
      {isOpen && (
        <RowAction
          label="Cancel"
          of={of.kind === "return" ? "the copy" : "the destruction"}
          run={(intent) => post("/api/v1/settings/data_jobs/{id}/cancel", { path: { id: of.id }, intent })}
          then={changed}
        />
      )}
    </div>
  );
}

/**
 * Reads all pages from where the job stands, and saves them as one file. A page whose answer was lost is read again with
 * the same cursor: the job itself may already be behind it.
 */
function Download({ of, changed }: { of: Job; changed: () => void }) {
  const pages = useSignal<readonly Blob[]>([]);
  // The page that is read next, or that was read last.
  const place = useRef({ cursor: of.cursor ?? "", isRead: false });
  const isWhole = useRef(!of.cursor);
  const path = { id: of.id };
  const download = useAction(async () => {
    let job: Job;
    for (;;) {
      const { cursor, isRead } = place.current;
      if (!isRead) {
        const query = { cursor: cursor || undefined };
        pages.value = [...pages.value, await getFile("/api/v1/settings/data_jobs/{id}/records", { path, query })];
        place.current = { cursor, isRead: true };
      }
      job = await get("/api/v1/settings/data_jobs/{id}", { path });
      if (job.cursor === null) break;
      place.current = { cursor: job.cursor, isRead: false };
    }
    const file = new Blob([...pages.value], { type: "application/x-ndjson" });
    const isRight = !isWhole.current || (await sha256(file)) === job.report?.sha256;
    if (!isRight) throw ownProblem("unreadable", "The file is not the one that the service sent. Cancel this copy, and take a new one.");
    save(`overturn-data-${isWhole.current ? "" : "rest-"}${today()}.ndjson`, file);
    pages.value = [];
    changed();
  });
  const count = pages.value.length;
  return (
    <>
      <Button onClick={download.run} isBusy={download.isBusy}>
        {of.cursor ? "Download the rest" : "Download"}
      </Button>
      <span role="status">{count > 0 && `${plural(count, "part")} so far`}</span>
      <ProblemView problem={download.problem} onRetry={download.run} />
    </>
  );
}

async function sha256(file: Blob): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const askToDestroy = (): Promise<boolean | undefined> =>
  openForm({
    title: "Have all data destroyed",
    lead: "After a wait of some days, all claims, documents and signatures are destroyed for good. Any owner can cancel it until it begins. All owners get an email. Take a copy first.",
    submit: "Have it destroyed",
    look: "danger",
    act: async (values, intent) => {
      await post("/api/v1/settings/data_jobs", { body: { kind: "destruction", practice_name: values.text("practice_name") }, intent });
      return true;
    },
    children: (
      <TextField name="practice_name" label="Name of the practice" hint={`Type “${practice.value?.name}”.`} required maxLength={limits.practiceName} autocomplete="off" autofocus />
    ),
  });
