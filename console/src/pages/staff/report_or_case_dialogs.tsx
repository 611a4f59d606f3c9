// A report or a case from a claim and others of the same patient and payer.

import { useRef } from "preact/hooks";
import type { LevelKind } from "../../generated/rules.ts";
import { type Answer, get, post } from "../../lib/api.ts";
import {
  asProblem, date, FIRST_STEPS, type Intent, LEVEL, type Loaded, money, navigate, PLAN, plural, Problem, STATUS,
  useLoad, words,
} from "../../lib/index.ts";
import {
  changing, type Choice, ChoiceField, choiceOf, confirm, FormDialog, openWith, planOf, Show, toast, type Values,
} from "../../ui/index.ts";
import { FirstStep } from "./case_levels.tsx";
import { type Claim, CLAIM, type ClaimWork } from "./claim_work.tsx";
import type { Path } from "./work.tsx";

type Related = Answer<"/api/v1/staff/practices/{practice}/claims/{id}/related", "get">["claims"][number];

/** The other claims of the same patient and payer. The answer names no patient. */
export function relatedOf(path: Path, signal?: AbortSignal): Promise<readonly Related[]> {
  return get("/api/v1/staff/practices/{practice}/claims/{id}/related", { path, signal }).then(({ claims }) => claims);
}

interface Props {
  work: ClaimWork;
  onClose: () => void;
}

/** What is made of the claims, and what the list of allowed actions calls it. */
export type ReportOrCase = "report" | "open_case";

/** What the person has seen: the open claim, and the others that can come along. */
interface Seen {
  claim: Claim;
  others: readonly Related[];
}

/** The refusals that a change by others can cause. */
const STALE = new Set<string | undefined>(["move_not_possible", "not_taken", "taken_by_other", "version_conflict"]);

/** A claim in the version that the person has seen. */
type Version = Pick<Related, "id" | "version">;

interface OtherClaims {
  claims: Loaded<readonly Related[]>;
  /** Sends the open claim with the chosen ones that can still come along. */
  send: <T>(values: Values, send: (claims: Version[]) => Promise<T>) => Promise<T>;
}

/** The claims that can come along. If somebody else changed them, the person sees how before anything is sent again. */
function useOtherClaims(work: ClaimWork, may: ReportOrCase): OtherClaims {
  const others = useLoad((signal) => relatedOf(work.path, signal), []);
  const seen = useRef<Seen>({ claim: work.of, others: [] });
  if (others.data) seen.current = { ...seen.current, others: others.data };
  const read = async (): Promise<Seen> => {
    const [claim, related] = await Promise.all([CLAIM.read(work.path), relatedOf(work.path)]);
    work.set(claim);
    others.set(related);
    return { claim, others: related };
  };
  const watched = {
    noun: "claim",
    read,
    changes: changesOf,
    isStale: ({ reason }: Problem) => STALE.has(reason),
  };
  const send = async <T,>(values: Values, post: (claims: Version[]) => Promise<T>): Promise<T> => {
    let sent: Version[] = [];
    try {
      return await changing(seen, watched, (now) => {
        const chosen = values.all("claims");
        const along = now.others.filter((one) => one.may.includes(may) && chosen.includes(one.id));
        sent = [now.claim, ...along].map(({ id, version }) => ({ id, version }));
        return post(sent);
      });
    } catch (thrown) {
      throw named(asProblem(thrown), sent, [work.of, ...seen.current.others]);
    }
  };
  return { claims: others, send };
}

/** A refusal with the numbers of the claims, where the service has their places in the request. */
export function named(problem: Problem, sent: readonly Version[], claims: readonly { id: string; claim_number: string }[]): Problem {
  if (!problem.fields.some(({ field }) => field.startsWith("claims["))) return problem;
  const texts = problem.fields.map(({ field, message }) => {
    const id = sent[Number(field.replaceAll(/\D/g, ""))]?.id;
    return `${claims.find((one) => one.id === id)?.claim_number ?? "A claim"}: ${words(message).toLowerCase()}.`;
  });
  const { status, code, reason, requestId } = problem;
  return new Problem({ status, code, reason, requestId, detail: texts.join(" ") });
}

/** What others changed; `undefined` if it is nothing. */
function changesOf(before: Seen, now: Seen) {
  const changed = now.others.filter((one) => before.others.some(({ id, version }) => id === one.id && version < one.version));
  const isChanged = now.claim.version > before.claim.version;
  if (changed.length === 0 && !isChanged) return undefined;
  return (
    <>
      {isChanged && CLAIM.changes(before.claim, now.claim)}
      {changed.length > 0 && (
        <ul>
          {changed.map(({ id, claim_number: number, status, taken_by: holder }) => (
            <li key={id}>{`${number}: ${STATUS[status].toLowerCase()}, taken by ${holder?.name ?? "no one"}`}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The other claims that can come along. */
function Others({ of, work, may }: { of: OtherClaims; work: ClaimWork; may: ReportOrCase }) {
  return (
    <Show of={of.claims}>
      {(all) => {
        const fitting = all.filter((one) => one.may.includes(may));
        if (fitting.length === 0) return <p class="quiet-text">No other claim of this patient and payer can come along.</p>;
        return (
          <ChoiceField
            kind="checkbox"
            name="claims"
            label="Other claims of this patient and payer"
            hint={`${work.of.claim_number} is always part of it.`}
            choices={fitting.map(choice)}
          />
        );
      }}
    </Show>
  );
}

const choice = ({ id, claim_number, date_of_service, denied_amount, billed_amount, status }: Related): Choice =>
  choiceOf(id, claim_number, `Service on ${date(date_of_service)}, ${money(denied_amount ?? billed_amount)}, ${STATUS[status].toLowerCase()}`);

export const openReport = (work: ClaimWork): Promise<void> => openWith(ReportDialog, { work });

function ReportDialog({ work, onClose }: Props) {
  const { practice } = work.path;
  const others = useOtherClaims(work, "report");
  const deliver = async (values: Values, intent: Intent): Promise<void> => {
    const { id, claims } = await others.send(values, (seen) =>
      post("/api/v1/staff/practices/{practice}/reports", { path: { practice }, body: { claims: seen }, intent }),
    );
    toast(`The report on ${plural(claims, "claim")} was delivered.`);
    onClose();
    navigate(`/work/${practice}/reports/${id}`);
  };
  const lead = `${work.of.practice.name} sees the report at once, and its webhooks get a message. The claims move to “In a report”. You can attach documents afterwards.`;
  return (
    <FormDialog title="Deliver a report" submit="Deliver the report" act={deliver} {...{ lead, onClose }}>
      <Others of={others} work={work} may="report" />
    </FormDialog>
  );
}

export const openCase = (work: ClaimWork): Promise<void> => openWith(CaseDialog, { work });

function CaseDialog({ work, onClose }: Props) {
  const { practice } = work.path;
  const others = useOtherClaims(work, "open_case");
  const plan = planOf(work.of);
  const { deadline, signing_status: signing, practice: { name } } = work.of;
  const usual = (plan && FIRST_STEPS[plan]) ?? [];
  const open = async (values: Values, intent: Intent): Promise<boolean> => {
    const level = { kind: values.text("kind") as LevelKind, due_on: values.textOrNull("due_on") };
    if (plan && usual.length > 0 && !usual.includes(level.kind)) {
      const text = `${LEVEL[level.kind]} is not the usual first step for ${PLAN[plan]}.`;
      if (!(await confirm({ title: "Open the case like this?", text, action: "Open the case" }))) return false;
    }
    const { id } = await others.send(values, (claims) =>
      post("/api/v1/staff/practices/{practice}/cases", { path: { practice }, body: { claims, ...level }, intent }),
    );
    toast("The case was opened.");
    onClose();
    navigate(`/work/${practice}/cases/${id}`);
    return true;
  };
  const lead = `${name} sees the appeal with its levels, and its webhooks get a message for each claim. The claims move to “In appeal”.${signing === "needed" ? " The patient has not signed yet." : ""}`;
  // Until the person enters another day, it is the earliest deadline of the chosen claims.
  const due = useRef(deadline?.date ?? "");
  const onInput = ({ currentTarget }: { currentTarget: HTMLElement }): void => {
    const form = currentTarget.closest("form");
    const field = form?.querySelector<HTMLInputElement>("[name=due_on]");
    if (!form || field?.value !== due.current) return;
    const chosen = new FormData(form).getAll("claims");
    const along = others.claims.data?.filter(({ id }) => chosen.includes(id)) ?? [];
    due.current = [work.of, ...along].flatMap((one) => one.deadline?.date ?? []).toSorted()[0] ?? "";
    field.value = due.current;
  };
  return (
    <FormDialog title="Open a case" submit="Open the case" act={open} {...{ lead, onClose }}>
      <div class="stack" onInput={onInput}>
        <FirstStep plan={plan} due={deadline?.date} />
        <Others of={others} work={work} may="open_case" />
      </div>
    </FormDialog>
  );
}
