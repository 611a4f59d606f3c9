import type { Answer } from "../../lib/api.ts";
import {
  addDays, cents, claimsIn, deniedOn, dueSoon, isOpen, money, OPEN, plural, SOON_DAYS, STATUS, sum, whole,
} from "../../lib/index.ts";
import { type Column, Figure, PlainTable, Section } from "../../ui/index.ts";
import { STATUS_MEANS } from "./words.ts";

export type Summary = Answer<"/api/v1/denials/summary", "get">;

export function Figures({ of }: { of: Summary }) {
  const { statuses, total, deadlines, today } = of;
  const open = statuses.filter(({ status }) => isOpen(status));
  const recovered = statuses.find(({ status }) => status === "recovered")?.claims ?? 0;
  return (
    <dl class="cards figures">
      <Figure name="Open claims" value={whole(claimsIn(open))} href={`/claims?status=${OPEN.join(",")}`}>
        of {plural(total.claims, "claim")} in all
      </Figure>
      <Figure name="Due within 7 days" value={whole(dueSoon(of))} href={`/claims?order=deadline&due_from=${today}&due_to=${addDays(today, SOON_DAYS)}`}>
        {deadlines.late.claims > 0 ? `and ${whole(deadlines.late.claims)} late` : "and none late"}
      </Figure>
      <Figure name="Denied, still open" value={deniedOn(claimsIn(open), sum(open.map((one) => one.denied_amount)))}>
        {cents(total.denied_amount) === 0n ? "No denied amount was sent" : `of ${money(total.denied_amount)} in all`}
      </Figure>
      <Figure name="Recovered" value={money(total.amount_recovered)} href="/claims?status=recovered">
        {plural(recovered, "claim")} paid in full or in part
      </Figure>
    </dl>
  );
}

const BY_STATUS: readonly Column<Summary["statuses"][number]>[] = [
  {
    head: "Status",
    cell: ({ status }) => (
      <>
        <a href={`/claims?status=${status}`}>{STATUS[status]}</a>
        <span class="under">{STATUS_MEANS[status]}</span>
      </>
    ),
  },
  { head: "Claims", cell: ({ claims }) => whole(claims), isNumber: true },
  { head: "Denied", cell: ({ claims, denied_amount }) => deniedOn(claims, denied_amount), isNumber: true },
];

export function Statuses({ of: { statuses, total } }: { of: Summary }) {
  return (
    <Section title="Claims by status">
      <div class="plain-table">
        <PlainTable
          columns={BY_STATUS}
          rows={statuses}
          id={({ status }) => status}
          foot={["All claims", whole(total.claims), deniedOn(total.claims, total.denied_amount)]}
        />
      </div>
    </Section>
  );
}

/** The money denied and what became of it, as bars that add up. The amounts beside them say the same. */
export function Money({ of: { statuses, total } }: { of: Summary }) {
  const kept = (keep: (status: Summary["statuses"][number]["status"]) => boolean) => statuses.filter(({ status }) => keep(status));
  const bar = (of: Summary["statuses"]) => ({ claims: claimsIn(of), amount: sum(of.map((one) => one.denied_amount)) });
  const decided = bar(kept((status) => !isOpen(status))).amount;
  const bars = [
    { what: "Still open", ...bar(kept(isOpen)), look: "open" },
    { what: "Recovered, in full or in part", ...bar(kept((status) => status === "recovered")), look: "recovered" },
    { what: "Closed without payment", ...bar(kept((status) => status === "closed")), look: "closed" },
    { what: "Denied in all", claims: total.claims, amount: total.denied_amount, look: "all" },
  ];
  const most = bars.reduce((most, { amount }) => (cents(amount) > most ? cents(amount) : most), 1n);
  const share = percent(total.amount_recovered, decided);
  return (
    <Section title="Denied and recovered">
      <p>
        {money(total.amount_recovered)} came back so far
        {share === undefined ? "" : `: ${share} percent of the ${money(decided)} that was denied on decided claims`}.
      </p>
      <dl class="bars">
        {bars.map(({ what, claims, amount, look }) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd class="number">{deniedOn(claims, amount)}</dd>
            <svg class={`bar-line ${look}`} viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
              <rect class="rail" width="1000" height="10" />
              <rect width={Number((cents(amount) * 1000n) / most)} height="10" />
            </svg>
          </div>
        ))}
      </dl>
      <p class="quiet-text">
        The bars show what payers denied, by what became of it. A claim that was sent without its denied amount counts as $0.00.
        What a payer paid can be more or less than what it denied.
      </p>
    </Section>
  );
}

function percent(part: string, whole: string): number | undefined {
  return cents(whole) === 0n ? undefined : Number((cents(part) * 100n) / cents(whole));
}
