import { type Answer, get, patch } from "../../lib/api.ts";
import { CLOSING, isOpen, type Loaded, money, type ScreenProps, time, useGet } from "../../lib/index.ts";
import {
  Button, changerOf, DeadlineSources, DenialCodes, DenialFacts, Due, Fact, openLetter, Section, SET_LETTER, StatusTag,
} from "../../ui/index.ts";
import { Changes, History } from "./claim_history.tsx";
import { Signature } from "./claim_signature.tsx";
import { nextStep } from "./next_step.ts";
import { RecordPage } from "./record.tsx";
import { STATUS_MEANS } from "./words.ts";

type Denial = Answer<"/api/v1/denials/{id}", "get">;

export function Claim({ params: { id = "" } }: ScreenProps) {
  const denial = useGet("/api/v1/denials/{id}", { path: { id } });
  return (
    <RecordPage
      title="Denial"
      of={denial}
      heading={({ claim_number }) => `Claim ${claim_number}`}
      back={{ href: "/claims", label: "All denials" }}
    >
      {(data) => <Details of={data} onSet={() => openLetterOf(data, denial)} />}
    </RecordPage>
  );
}

function Details({ of, onSet }: { of: Denial; onSet: () => void }) {
  return (
    <div class="stack">
      <NextStep of={of} />
      <div class="cards top-cards">
        <Standing of={of} />
        <Deadline of={of} onSet={onSet} />
        <Amounts of={of} />
      </div>
      <div class="columns">
        <div class="stack">
          <Facts of={of} />
          <History of={of} />
        </div>
        <div class="stack">
          <Signature of={of} />
          <Related of={of} />
        </div>
      </div>
    </div>
  );
}

function NextStep({ of }: { of: Denial }) {
  const { text, isYours } = nextStep(of);
  return (
    <Section title="What you can do" look={isYours ? "notice warn" : "notice"}>
      <p>{text}</p>
    </Section>
  );
}

function Standing({ of: { status, closing_reason, updated_at } }: { of: Denial }) {
  return (
    <Section title="Status">
      <p>
        <StatusTag of={status} />
      </p>
      <p>{STATUS_MEANS[status]}</p>
      {status === "closed" && closing_reason && <p>{`${CLOSING[closing_reason]}.`}</p>}
      <p class="quiet-text">Last change: {time(updated_at)}</p>
    </Section>
  );
}

function Facts({ of }: { of: Denial }) {
  return (
    <Section title="The claim">
      <dl class="facts">
        <DenialFacts of={of} />
        <Fact name="Received by us">{time(of.received_at)}</Fact>
      </dl>
      <p class="quiet-text">We show no patient’s name here. Look up the claim number in your billing system to see whose claim it is.</p>
      <h3>Denial codes</h3>
      {of.adjustment_codes.length === 0 ? (
        <p class="quiet-text">No code was sent that we can show.</p>
      ) : (
        <DenialCodes of={of.adjustment_codes} />
      )}
    </Section>
  );
}

function Deadline({ of, onSet }: { of: Denial; onSet: () => void }) {
  const { deadline, status, may } = of;
  return (
    <Section title="Deadline of the appeal">
      <p class="big-due">
        <Due day={deadline?.date} isOver={!isOpen(status)} />
      </p>
      {isOpen(status) && <DeadlineSources of={of} reader="practice" />}
      {may.includes("set_letter") && (
        <p class="no-print">
          <Button onClick={onSet}>{SET_LETTER}</Button>
        </p>
      )}
    </Section>
  );
}

/** Records what the payer's letter says, in the version that the person has seen. */
function openLetterOf(found: Denial, loaded: Loaded<Denial>): Promise<unknown> {
  const path = { id: found.id };
  const kind = {
    noun: "claim",
    read: () => get("/api/v1/denials/{id}", { path }),
    changes: (before: Denial, now: Denial) => <Changes of={now.history.filter(({ version }) => version > before.version)} />,
  };
  const change = changerOf(kind, found, loaded);
  return openLetter(found, (body, intent) => change((version) => patch("/api/v1/denials/{id}/letter", { path, body, version, intent })));
}

function Amounts({ of: { billed_amount, denied_amount, amount_recovered, status } }: { of: Denial }) {
  const rows = [
    ["Billed", billed_amount, "not sent"],
    ["Denied", denied_amount, "not sent"],
    ["Recovered", amount_recovered, isOpen(status) ? "nothing yet" : "nothing"],
  ] as const;
  return (
    <Section title="Amounts">
      <dl class="amounts">
        {rows.map(([name, amount, none]) => (
          <Fact key={name} name={name} look="number">
            {amount === null ? <span class="quiet-text">{none}</span> : money(amount)}
          </Fact>
        ))}
      </dl>
    </Section>
  );
}

/** Where else the claim is. Nothing of it is read before it is opened. */
function Related({ of: { id, report_id, case_id } }: { of: Denial }) {
  return (
    <Section title="Goes with this claim" look="card no-print">
      <ul class="lines">
        <li>
          {report_id ? <a href={`/claims/reports/${report_id}`}>The report that it is in</a> : <span class="quiet-text">Not in a report yet</span>}
        </li>
        <li>
          {case_id ? <a href={`/claims/appeals/${case_id}`}>The appeal that it is in</a> : <span class="quiet-text">Not in an appeal yet</span>}
        </li>
        <li>
          <a href={`/documents?claim_id=${id}`}>Documents of this claim</a>
        </li>
      </ul>
    </Section>
  );
}
