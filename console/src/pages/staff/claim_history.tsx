// What happened to a claim: who, when, what. Corrections show as a difference.

import type { Answer } from "../../lib/api.ts";
import { CLOSING, date, money, STATUS, user, words } from "../../lib/index.ts";
import { ChangeOfClaim, Timeline } from "../../ui/index.ts";

type Entry = Answer<"/api/v1/staff/practices/{practice}/claims/{id}", "get">["history"][number];
type Detail = Readonly<Record<string, unknown>>;

export function History({ entries, practice }: { entries: readonly Entry[]; practice?: string }) {
  const steps = entries.map((entry) => ({
    id: entry.version,
    title: what(entry),
    by: who(entry),
    at: entry.at,
    more: <Facts detail={entry.detail ?? {}} practice={practice} />,
  }));
  return <Timeline steps={steps} />;
}

const ACTORS: Readonly<Record<string, string>> = {
  api_key: "The practice’s billing system",
  api_token: "The practice’s integration",
  signing_link: "The patient",
};

function who({ actor, actor_name }: Entry): string {
  const [kind = "", id] = actor.split(":");
  if (id !== undefined && id === user.peek()?.id) return "You";
  return actor_name ?? ACTORS[kind] ?? "Overturn";
}

function what({ kind, status, detail, actor, holder_name: holder }: Entry): string {
  const said = (detail ?? {}) as Detail;
  switch (kind) {
    case "received":
      return "Received";
    case "corrected":
      return "Corrected by the practice";
    case "filled_in":
      return "Completed by the practice";
    case "taken":
      if (holder && typeof said.taken_by === "string" && actor !== `user:${said.taken_by}`) {
        return `Given to ${said.taken_by === user.peek()?.id ? "you" : holder}`;
      }
      return status === "reviewing" ? "Taken for review" : "Taken";
    case "moved":
      return status === "received" ? "Let go" : `Moved to “${STATUS[status]}”`;
    case "signing":
      return signing(said);
    case "signed":
      return "Signed by the patient";
    case "deadline":
      return said.letter === undefined ? "Deadline changed" : "The payer’s letter was read";
    case "amount_corrected":
      return "Amount corrected";
  }
}

function signing({ signing: decision, link }: Detail): string {
  if (decision === "not_needed") return "No signature needed";
  if (link === "revoked") return "Signing link revoked";
  return decision === "needed" ? "Signature needed, link made" : "New signing link made";
}

/** The values that changed, as far as the headline does not say them. */
function Facts({ detail, practice }: { detail: Detail; practice: string | undefined }) {
  const { before, after, filled_in: filled, amount_recovered: amount, closing_reason: reason, appeal_due: due, letter, case_id, report_id } = detail;
  return (
    <>
      <ChangeOfClaim
        before={record(before)}
        after={record(after)}
        filled={Array.isArray(filled) ? filled.map(String) : undefined}
        letter={letter === undefined ? undefined : (record(letter) ?? null)}
      />
      {typeof amount === "string" && <p class="quiet-text">Recovered: {money(amount)}</p>}
      {typeof reason === "string" && <p class="quiet-text">{CLOSING[reason as keyof typeof CLOSING] ?? words(reason)}</p>}
      {due !== undefined && <p class="quiet-text">{typeof due === "string" ? `New deadline: ${date(due)}` : "No deadline from then on"}</p>}
      {practice && typeof case_id === "string" && <a href={`/work/${practice}/cases/${case_id}`}>Show the case</a>}
      {practice && typeof report_id === "string" && <a href={`/work/${practice}/reports/${report_id}`}>Show the report</a>}
    </>
  );
}

const record = (value: unknown): Detail | undefined => (typeof value === "object" && value !== null ? (value as Detail) : undefined);
