import { useRef } from "preact/hooks";
import { limits } from "../../generated/rules.ts";
import type { Answer } from "../../lib/api.ts";
import { date, whole } from "../../lib/index.ts";
import { Button, Notice, type Sorted } from "../../ui/index.ts";
import { type PatientSearch, patientSearch } from "./find_patient.tsx";

type Count = NonNullable<Answer<"/api/v1/staff/claims", "get">["count"]>;

interface Props {
  /** How many claims pass the filters, on a first page. */
  count: Count | undefined;
  /** What the list is asked for besides its page. A count stays for its later pages. */
  of: string;
  sorted: Sorted;
}

/** How many claims a filtered list has, and what its order means. */
export function QueueHead({ count, of, sorted }: Props) {
  const known = useRef<{ of: string; count: Count | undefined }>({ of, count });
  if (known.current.of !== of || count) known.current = { of, count };
  const counted = known.current.count;
  if (!counted) return null;
  const isCut = sorted.by !== "deadline" && counted.more;
  return (
    <p class="quiet-text" role="status">
      {said(counted)} {isCut && `Of each status, the ${whole(limits.claimsCounted)} with the earliest deadlines are sorted this way.`}
    </p>
  );
}

function said({ claims, more }: Count): string {
  if (more) return claims === 0 ? `We looked at the first ${whole(limits.claimsCounted)} claims only, and none matches.` : `At least ${whole(claims)} claims.`;
  return claims === 1 ? "1 claim." : `${whole(claims)} claims.`;
}

/** Whose claims the list shows instead of the queue. */
export function OfPatient({ search: { asked }, isComplete }: { search: PatientSearch; isComplete: boolean }) {
  return (
    <Notice role="status" title={`Claims of ${asked.first_name} ${asked.last_name}, born ${date(asked.date_of_birth)}`}>
      {!isComplete && <p>There may be more. Search again and choose the practice, so that more of its new claims are looked at.</p>}
      <Button onClick={() => (patientSearch.value = undefined)}>Show the queue</Button>
    </Notice>
  );
}
