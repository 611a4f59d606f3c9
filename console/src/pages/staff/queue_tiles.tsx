import { limits } from "../../generated/rules.ts";
import type { Answer } from "../../lib/api.ts";
import { claimsIn, deniedInWords, dueSoon, isOpen, plural, query, STATUS, whole } from "../../lib/index.ts";
import { hrefWith } from "./queue_query.ts";

export type Summary = Answer<"/api/v1/staff/summary", "get">;

/** The claims by status. Each count is a filter. */
export function QueueTiles({ summary }: { summary: Summary }) {
  const { late, none } = summary.deadlines;
  const chosen = query.value.get("status") ?? undefined;
  const open = summary.statuses.filter(({ status }) => isOpen(status));
  return (
    <section aria-label="Claims by status" class="stack tight">
      <ul class="tiles">
        <li>
          <Tile status={undefined} label="Everything open" claims={claimsIn(open)} isChosen={chosen === undefined} />
        </li>
        {summary.statuses.map(({ status, claims, denied_amount }) => (
          <li key={status}>
            <Tile {...{ status, claims }} label={STATUS[status]} amount={denied_amount} isChosen={chosen === status} />
          </li>
        ))}
      </ul>
      <p class="quiet-text wide-text">
        <span class={late.claims > 0 ? "due late" : "due"}>
          {plural(late.claims, "claim")} late{late.claims > 0 && <span aria-hidden="true"> ▲</span>}
        </span>
        {", "}
        <span class={dueSoon(summary) > 0 ? "due soon" : "due"}>{whole(dueSoon(summary))} due within a week</span>
        {`, ${whole(none.claims)} without a known deadline. The soonest deadline comes first.`}
      </p>
      <DecisionsDue count={summary.decisions_due} />
    </section>
  );
}

/** The payers' decisions that are due or overdue, if there are any: a link to their cases. */
export function DecisionsDue({ count }: { count: number }) {
  if (count === 0) return null;
  const more = count >= limits.decisionsCounted ? " or more" : "";
  return (
    <p class="wide-text">
      <a href="/cases?awaiting=due">
        {`${whole(count)}${more} ${count === 1 ? "decision" : "decisions"} of payers due or overdue`}
        <span aria-hidden="true"> ▲</span>
      </a>
    </p>
  );
}

interface TileProps {
  status: string | undefined;
  label: string;
  claims: number;
  amount?: string;
  isChosen: boolean;
}

function Tile({ status, label, claims, amount, isChosen }: TileProps) {
  return (
    <a class="tile" href={hrefWith(query.value, "status", status)} aria-current={isChosen ? "true" : undefined}>
      <span>{label}</span>
      <strong>{whole(claims)}</strong>
      {amount !== undefined && <span class="under">{deniedInWords(claims, amount)}</span>}
    </a>
  );
}
