import { limits } from "../../generated/rules.ts";
import type { Answer } from "../../lib/api.ts";
import { plural, SIGNING, STATUS, words } from "../../lib/index.ts";
import { ChangeOfClaim, Section, Timeline } from "../../ui/index.ts";
import { STATUS_MEANS } from "./words.ts";

type Denial = Answer<"/api/v1/denials/{id}", "get">;
type Event = Denial["history"][number];

const BY: Readonly<Record<Event["by"], string>> = {
  billing_system: "Your billing system",
  practice: "Your practice",
  staff: "Our staff",
  patient: "The patient",
};

const KINDS: Readonly<Record<string, string>> = {
  received: "sent the claim for the first time",
  corrected: "sent the claim again with corrections",
  filled_in: "sent the claim again and added what was missing",
  taken: "began to work on the claim",
  signed: "signed the authorization",
  deadline: "changed the deadline of the appeal",
  amount_corrected: "corrected the amount that the payer paid",
};

export function History({ of: { history } }: { of: Denial }) {
  return (
    <Section title="What happened">
      <Changes of={history.toReversed()} />
      {history.length >= limits.claimEvents && <p class="quiet-text">These are the latest {plural(limits.claimEvents, "change")}.</p>}
    </Section>
  );
}

/** Some changes of the claim. */
export function Changes({ of }: { of: readonly Event[] }) {
  return (
    <Timeline
      steps={of.map((event) => ({
        id: event.version,
        title: what(event),
        at: event.at,
        more: (
          <>
            {event.kind === "moved" && <p>{STATUS_MEANS[event.status]}</p>}
            <ChangeOfClaim before={event.before} after={event.after} filled={event.filled_in} letter={event.letter ?? undefined} />
          </>
        ),
      }))}
    />
  );
}

function what({ kind, by, status, signing, letter }: Event): string {
  const who = BY[by] ?? "A person";
  if (letter) return `${who} read the payer's letter`;
  if (kind === "moved") return `${who} moved the claim to “${STATUS[status]}”`;
  if (kind === "signing") return `${who} decided on the patient's signature: ${SIGNING[signing ?? "not_decided"].toLowerCase()}`;
  return `${who} ${KINDS[kind] ?? `changed the claim (${words(kind).toLowerCase()})`}`;
}
