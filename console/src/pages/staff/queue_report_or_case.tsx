// A report or a case from the claims that are selected in the queue. What does not fit is named and stays selected.

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { LevelKind } from "../../generated/rules.ts";
import { post } from "../../lib/api.ts";
import { asProblem, date, type Intent, money, navigate, plural, type Problem, STATUS } from "../../lib/index.ts";
import {
  type Choice, ChoiceField, choiceOf, Dialog, DialogEnd, FormDialog, Notice, openDialog, planOf, toast, type Values,
} from "../../ui/index.ts";
import { FirstStep } from "./case_levels.tsx";
import { named, type ReportOrCase } from "./report_or_case_dialogs.tsx";
import { could, type QueuedClaim } from "./queue_bulk.tsx";


type Misfit = readonly [row: QueuedClaim, why: string];

interface Sorted {
  fits: QueuedClaim[];
  misfits: Misfit[];
}

/** The claims that can come along with the first one that can. Whether they have one patient, only the service knows. */
function sort(what: ReportOrCase, rows: readonly QueuedClaim[]): Sorted {
  const first = rows.find((row) => could(row, what));
  const why = (row: QueuedClaim): string | undefined => {
    const { status, practice, payer_name: payer } = row;
    if (!could(row, what)) return status === "received" ? "take it first" : STATUS[status];
    if (practice.id !== first?.practice.id) return `a claim of ${practice.name}`;
    if (what === "open_case" && payer.toLowerCase() !== first.payer_name.toLowerCase()) return `another payer: ${payer}`;
    return undefined;
  };
  const judged = rows.map((row) => [row, why(row)] as const);
  return {
    fits: judged.flatMap(([row, reason]) => (reason === undefined ? [row] : [])),
    misfits: judged.flatMap(([row, reason]) => (reason === undefined ? [] : [[row, reason] as const])),
  };
}

/** Makes a report or a case. Resolves to the ids of the claims that stay selected; to `undefined` if nothing was sent. */
export function openReportOrCase(what: ReportOrCase, rows: readonly QueuedClaim[]): Promise<string[] | undefined> {
  return openDialog<string[] | undefined>((close) => <ReportOrCaseDialog {...{ what, rows }} onClose={close} />);
}

const SAYS = {
  report: {
    title: "Deliver a report",
    submit: "Deliver the report",
    lead: "sees the report at once, and its webhooks get a message. The claims move to “In a report”. You can attach documents afterwards.",
  },
  open_case: {
    title: "Open a case",
    submit: "Open the case",
    lead: "sees the appeal with its levels, and its webhooks get a message for each claim. The claims move to “In appeal”. All must be of one patient and payer.",
  },
} as const;

interface Props {
  what: ReportOrCase;
  rows: readonly QueuedClaim[];
  onClose: (left?: string[]) => void;
}

function ReportOrCaseDialog({ what, rows, onClose }: Props) {
  const sorted = useRef(sort(what, rows)).current;
  const refused = useSignal<readonly Misfit[]>([]);
  /** The list is old then, and would be refused again. */
  const isRefused = useRef(false);
  const box = useRef<HTMLDivElement>(null);
  const { title, submit, lead } = SAYS[what];
  const practice = sorted.fits[0]?.practice;
  const plan = sorted.fits[0] ? planOf(sorted.fits[0]) : null;
  const dues = sorted.fits.flatMap(({ deadline }) => deadline?.date ?? []);
  const misfits = [...sorted.misfits, ...refused.value];
  const act = async (values: Values, intent: Intent): Promise<string[]> => {
    const chosen = values.all("claims");
    const sent = sorted.fits.filter(({ id }) => chosen.includes(id));
    const made = await make(what, practice?.id ?? "", sent, values, intent).catch((thrown: unknown) => {
      isRefused.current = true;
      const problem = asProblem(thrown);
      const unfit = misfitsOf(problem, sent);
      refused.value = [...refused.value, ...unfit];
      // Another press sends the others.
      for (const [{ id }] of unfit) uncheck(box.current, id);
      throw named(problem, sent, sent);
    });
    const left = rows.flatMap(({ id }) => (sent.some((one) => one.id === id) ? [] : [id]));
    toast(what === "report" ? `The report on ${plural(sent.length, "claim")} was delivered.` : `The case with ${plural(sent.length, "claim")} was opened.`);
    if (left.length === 0) navigate(`/work/${practice?.id}/${what === "report" ? "reports" : "cases"}/${made.id}`);
    return left;
  };
  if (!practice) {
    return (
      <Dialog title={title} onCancel={() => onClose()}>
        <Misfits of={misfits} />
        <DialogEnd onClose={() => onClose()} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={title}
      submit={submit}
      lead={`${practice.name} ${lead}`}
      act={act}
      check={(values) => (values.all("claims").length === 0 ? { claims: "need at least one that fits" } : {})}
      onClose={(left) => onClose(left ?? (isRefused.current ? rows.map(({ id }) => id) : undefined))}
    >
      <div class="stack" ref={box}>
        {what === "open_case" && <FirstStep plan={plan} due={dues.toSorted()[0]} />}
        <ChoiceField kind="checkbox" name="claims" label="Claims" choices={sorted.fits.map(choice)} value={sorted.fits.map(({ id }) => id)} />
        {misfits.length > 0 && <Misfits of={misfits} />}
      </div>
    </FormDialog>
  );
}

function make(what: ReportOrCase, practice: string, sent: readonly QueuedClaim[], values: Values, intent: Intent): Promise<{ id: string }> {
  const claims = sent.map(({ id, version }) => ({ id, version }));
  if (what === "report") return post("/api/v1/staff/practices/{practice}/reports", { path: { practice }, body: { claims }, intent });
  const level = { kind: values.text("kind") as LevelKind, due_on: values.textOrNull("due_on") };
  return post("/api/v1/staff/practices/{practice}/cases", { path: { practice }, body: { claims, ...level }, intent });
}

/** The claims that a refusal names by their places in the request. */
function misfitsOf({ fields }: Problem, sent: readonly QueuedClaim[]): Misfit[] {
  return fields.flatMap(({ field, message }) => {
    const row = field.startsWith("claims[") ? sent[Number(field.replaceAll(/\D/g, ""))] : undefined;
    return row ? [[row, message] as const] : [];
  });
}

function uncheck(box: HTMLElement | null, id: string): void {
  const field = box?.querySelector<HTMLInputElement>(`input[value="${id}"]`);
  if (field) field.checked = false;
}

const choice = ({ id, claim_number, payer_name, date_of_service, denied_amount, billed_amount }: QueuedClaim): Choice =>
  choiceOf(id, claim_number, `${payer_name}, service on ${date(date_of_service)}, ${money(denied_amount ?? billed_amount)}`);

/** What does not come along, and why. */
function Misfits({ of }: { of: readonly Misfit[] }) {
  return (
    <Notice role="status" title={of.length === 1 ? "One claim does not fit. It stays as it is" : `${of.length} claims do not fit. They stay as they are`}>
      <ul>
        {of.map(([{ id, claim_number: number }, why]) => (
          <li key={id}>{`${number}: ${why}`}</li>
        ))}
      </ul>
    </Notice>
  );
}
