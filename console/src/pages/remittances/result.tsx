import { date, money, plural, sum, whole } from "../../lib/index.ts";
import { CLAIM_COLUMNS, type Column, Figure, Paged, Section, sentence, Table } from "../../ui/index.ts";
import type { HeldClaim, Outcome, WrittenClaim } from "../../worker/messages.ts";

/** The item of a request, as far as the table shows it. */
interface Item {
  patient: { first_name: string; last_name: string };
  claim: { payer_name: string; date_of_service: string; denial_codes?: string[] };
}

/** A claim with its item, which is only read for the rows that are shown. */
interface Row extends WrittenClaim {
  item: Item;
}

/** The numbers that say most. What was not read comes first, because the other numbers lack it. */
export function Figures({ of: { counts }, unread, files }: { of: Outcome; unread: number; files: number }) {
  const { written, held, skipped, claim_payments } = counts;
  const notDenied = skipped.reduce((count, one) => count + one.count, 0);
  return (
    <dl class="cards figures">
      {unread > 0 && (
        <Figure name="Not fully read" value={whole(unread)}>
          of {plural(files, "file")}
        </Figure>
      )}
      <Figure name="Claims to send" value={whole(written.count)}>
        {money(written.amount)} denied
      </Figure>
      <Figure name="Held back" value={whole(held.count)}>
        {money(held.amount)} denied
      </Figure>
      <Figure name="Not denied" value={whole(notDenied)}>
        of {plural(claim_payments, "claim payment")}
      </Figure>
    </dl>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  CLAIM_COLUMNS.number,
  { head: "Patient", cell: ({ item: { patient } }) => `${patient.last_name}, ${patient.first_name}` },
  { head: "Payer", cell: ({ item: { claim } }) => <span class="payer">{claim.payer_name}</span> },
  { head: "Date of service", cell: ({ item: { claim } }) => date(claim.date_of_service), isShort: true },
  { head: "Codes", cell: ({ item: { claim } }) => claim.denial_codes?.join(", ") ?? "none" },
  { head: "Denied", cell: ({ denied_amount }) => money(denied_amount), isNumber: true },
];

export function Claims({ of, caption }: { of: readonly WrittenClaim[]; caption: string }) {
  return (
    <Paged rows={of} label={caption} size={20}>
      {(shown) => (
        <Table
          caption={caption}
          columns={COLUMNS}
          rows={shown.map((claim) => ({ ...claim, item: JSON.parse(claim.json) as Item }))}
          id={({ claim_number }) => claim_number}
        />
      )}
    </Paged>
  );
}

/** What a person can do here about a denial that is held, by its reason. */
const HELP: Readonly<Record<string, string>> = {
  no_date_of_birth: "Fill it in above, or add the claim file (837) with this claim.",
  no_claim_number: "Add the claim file (837) with this claim.",
  shared_number: "If you use one number for all visits of a patient, see “More options”.",
  later_answer: "Ask the payer whether this denial still stands. If it does, send it from your billing system.",
  answered_twice: "Ask the payer what it denied. Then send the claim from your billing system.",
  parts_unclear: "Add the claim file (837) with this claim, or ask the payer what it denied.",
  split_sum: "Ask the payer what it denied. Then send the claim from your billing system.",
  member_ids_differ: "Ask the payer which patient it means. Then send the claim from your billing system.",
  contradiction: "Ask the payer which answer counts. If it is the denial, send it from your billing system.",
  cut_off: "Get the whole remittance, and read it again.",
};
const ELSEWHERE = "Correct it in your billing system, and send it from there.";

const HELD: readonly Column<HeldClaim & { id: string }>[] = [
  { head: "Claim number", cell: ({ claim_number }) => <span class="claim-number">{claim_number || "none"}</span> },
  {
    head: "Why, and what to do",
    cell: ({ reason, text }) => (
      <>
        {sentence(text)} <span class="quiet-text">{HELP[reason] ?? ELSEWHERE}</span>
      </>
    ),
  },
  { head: "Denied", cell: ({ denied_amount }) => money(denied_amount), isNumber: true },
];

export function HeldClaims({ of }: { of: readonly HeldClaim[] }) {
  if (of.length === 0) return null;
  return (
    <Section title={`Held back: ${plural(of.length, "denial")}, ${money(sum(of.map((one) => one.denied_amount)))}`} look="stack">
      <Paged rows={of} label="denials held back" size={20}>
        {(shown) => (
          <Table
            caption="Denials held back"
            columns={HELD}
            rows={shown.map((one, n) => ({ ...one, id: `${one.claim_number} ${n}` }))}
            id={({ id }) => id}
          />
        )}
      </Paged>
    </Section>
  );
}
