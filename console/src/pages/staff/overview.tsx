import { limits } from "../../generated/rules.ts";
import {
  addDays, claimsIn, date, daysUntil, deniedInWords, deniedOn, dueSoon, isOpen, money, plural, SOON_DAYS, STATUS, sum,
  today, useGet, whole,
} from "../../lib/index.ts";
import { Figure, MissingCells, Page, Section, Show, Table } from "../../ui/index.ts";
import { DecisionsDue, type Summary } from "./queue_tiles.tsx";

/** The work of all practices in numbers. It names no patient. */
export function Overview() {
  const loaded = useGet("/api/v1/staff/summary", { query: { today: today() } });
  return (
    <Page title="Overview" lead="The claims of all practices.">
      <Show of={loaded}>
        {(summary) => (
          <div class="stack">
            <MissingCells cells={summary.missing_cells} />
            <Figures summary={summary} />
            <DecisionsDue count={summary.decisions_due} />
            <Days summary={summary} />
            <Statuses summary={summary} />
          </div>
        )}
      </Show>
    </Page>
  );
}

function Figures({ summary: { statuses, deadlines, total, today: day }, summary }: { summary: Summary }) {
  const open = statuses.filter(({ status }) => isOpen(status));
  return (
    <dl class="cards figures five">
      <Figure name="Open claims" value={whole(claimsIn(open))}>
        of {plural(total.claims, "claim")} in all
      </Figure>
      <Figure name="Late" value={whole(deadlines.late.claims)}>
        {deniedInWords(deadlines.late.claims, deadlines.late.denied_amount)}
      </Figure>
      <Figure name="Due within a week" value={whole(dueSoon(summary))}>
        until {date(addDays(day, SOON_DAYS))}
      </Figure>
      <Figure name="Denied, still open" value={deniedOn(claimsIn(open), sum(open.map(({ denied_amount }) => denied_amount)))}>
        as far as practices sent it
      </Figure>
      <Figure name="Recovered" value={money(total.amount_recovered)}>
        since the beginning
      </Figure>
    </dl>
  );
}

/** Today, and the days after it that the summary has. */
const DAYS = limits.summaryDays + 1;

/** The deadlines of the next 30 days as a picture. Its text says the same. */
function Days({ summary: { deadlines, today: day } }: { summary: Summary }) {
  const { days } = deadlines;
  const most = Math.max(1, ...days.map(({ claims }) => claims));
  const count = claimsIn(days);
  const busiest = days.find(({ claims }) => claims === most);
  const text = busiest ? `${plural(count, "claim")}. The most are due on ${date(busiest.date)}: ${whole(most)}.` : "No claim is due in this time.";
  return (
    <Section title="Deadlines of the next 30 days">
      {busiest && (
        <figure class="days">
          <svg viewBox={`0 0 ${DAYS * 20} 100`} preserveAspectRatio="none" aria-hidden="true">
            {days.map(({ date: on, claims }) => (
              <rect key={on} x={daysUntil(on, day) * 20 + 2} y={100 - (claims / most) * 100} width="16" height={(claims / most) * 100} />
            ))}
          </svg>
        </figure>
      )}
      <p>{text}</p>
    </Section>
  );
}

function Statuses({ summary: { statuses } }: { summary: Summary }) {
  return (
    <Table
      caption="Claims by status"
      rows={statuses}
      id={({ status }) => status}
      href={({ status }) => `/queue?status=${status}`}
      columns={[
        { head: "Status", cell: ({ status }) => STATUS[status] },
        { head: "Claims", cell: ({ claims }) => whole(claims), isNumber: true },
        { head: "Billed", cell: ({ billed_amount }) => money(billed_amount), isNumber: true },
        { head: "Denied", cell: ({ claims, denied_amount }) => deniedOn(claims, denied_amount), isNumber: true },
        { head: "Recovered", cell: ({ amount_recovered }) => money(amount_recovered), isNumber: true },
      ]}
    />
  );
}
