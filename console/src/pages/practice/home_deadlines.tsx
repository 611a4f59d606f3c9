import { limits } from "../../generated/rules.ts";
import { addDays, claimsIn, date, deadline, deniedOn, plural, whole } from "../../lib/index.ts";
import { Due } from "../../ui/index.ts";
import type { Summary } from "./home_figures.tsx";

/** Today, and the days after it that the summary has. */
const DAYS = limits.summaryDays + 1;
/** How many days the list shows at first. */
const SHOWN = 9;

/** The deadlines of the next 30 days, as a picture and as a list. */
export function Deadlines({ of: { deadlines, today } }: { of: Summary }) {
  const { late, days, later, none } = deadlines;
  const claims = claimsIn(days);
  return (
    <section class="card" aria-labelledby="deadlines">
      <div class="bar spread">
        <h2 id="deadlines">Deadlines of the next 30 days</h2>
        <a href="/claims?order=deadline">All open claims by deadline</a>
      </div>
      <p>
        {claims === 0 ? "No claim has its deadline in the next 30 days." : `${plural(claims, "open claim")} must be appealed in this time.`}{" "}
        {late.claims > 0 && (
          <a class="due late" href={`/claims?order=deadline&due_to=${addDays(today, -1)}`}>
            {plural(late.claims, "open claim is late", "open claims are late")}
          </a>
        )}
      </p>
      {claims > 0 && <Picture days={days} today={today} />}
      {claims > 0 && <List days={days} />}
      <p class="quiet-text">
        {plural(later.claims, "open claim has a later deadline", "open claims have a later deadline")}. For {whole(none.claims)}, we
        know no rule, or the denial date or the plan type was not sent. A date in the payer's letter always counts.
      </p>
    </section>
  );
}

type Day = Summary["deadlines"]["days"][number];

function Picture({ days, today }: { days: readonly Day[]; today: string }) {
  const most = Math.max(...days.map(({ claims }) => claims));
  const busiest = days.find(({ claims }) => claims === most);
  const text =
    `Claims by deadline for each of the next 30 days. The most are due on ${date(busiest?.date)}: ${plural(most, "claim")}. ` +
    "The list below has each day.";
  const columns = Array.from({ length: DAYS }, (_, n) => {
    const day = addDays(today, n);
    return { day, claims: days.find((one) => one.date === day)?.claims ?? 0 };
  });
  return (
    <figure class="deadline-chart">
      <svg viewBox={`0 0 ${DAYS * 20} 100`} preserveAspectRatio="none" role="img" aria-label={text}>
        {columns.map(({ day, claims }, n) => (
          <rect
            key={day}
            class={claims === 0 ? "rail" : deadline(day, today).urgency}
            x={n * 20 + 2}
            width="16"
            y={claims === 0 ? 98 : 100 - height(claims, most)}
            height={claims === 0 ? 2 : height(claims, most)}
          />
        ))}
      </svg>
      <figcaption class="bar spread quiet-text">
        <span>today</span>
        <span>most on one day: {whole(most)}</span>
        <span>{date(addDays(today, DAYS - 1))}</span>
      </figcaption>
    </figure>
  );
}

/** Even one claim among hundreds is to be seen. */
const height = (claims: number, most: number): number => Math.max(8, (claims / most) * 100);

function List({ days }: { days: readonly Day[] }) {
  const rest = days.slice(SHOWN);
  return (
    <>
      <Days of={days.slice(0, SHOWN)} />
      {rest.length > 0 && (
        <details>
          <summary>{plural(rest.length, "more day", "more days")}</summary>
          <Days of={rest} />
        </details>
      )}
    </>
  );
}

function Days({ of }: { of: readonly Day[] }) {
  return (
    <ul class="day-list">
      {of.map((day) => (
        <li key={day.date}>
          <Due day={day.date} />
          <a href={`/claims?order=deadline&due_from=${day.date}&due_to=${day.date}`}>
            {plural(day.claims, "claim")}
            <span class="hidden"> due on {date(day.date)}</span>
          </a>
          <span class="number">{deniedOn(day.claims, day.denied_amount)}</span>
        </li>
      ))}
    </ul>
  );
}
