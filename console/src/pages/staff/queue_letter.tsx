// The date of the payer's letter, from the queue. It opens no patient.

import { get } from "../../lib/api.ts";
import { date, ownProblem, STATUS } from "../../lib/index.ts";
import { changing, isStale, letterInWords, openLetter, type Watched } from "../../ui/index.ts";
import { sendLetter } from "./claim_moves.ts";
import type { QueuedClaim } from "./queue_bulk.tsx";

/** Records the letter of a claim in the queue. The list is read again, because the claim has another place then. */
export function openLetterOf(row: QueuedClaim, { onChanged }: { onChanged: () => void }, reload: () => void): Promise<unknown> {
  const seen = { current: row };
  return openLetter(row, async (body, intent) => {
    const recorded = await changing(seen, watched(row), ({ id, practice, version }) => sendLetter({ practice: practice.id, id }, body, version, intent));
    reload();
    onChanged();
    return recorded;
  });
}

/** The claim of a row. The list finds it by its number, without its patient. */
function watched({ id, practice, claim_number }: QueuedClaim): Watched<QueuedClaim> {
  return {
    noun: "claim",
    read: async () => {
      const { claims } = await get("/api/v1/staff/claims", { query: { practice_id: practice.id, claim_number } });
      const found = claims.find((one) => one.id === id);
      if (!found) throw ownProblem("refused", "The claim is no longer in the queue.");
      return found;
    },
    changes: (before, now) => {
      const others = facts(now).filter((line) => !facts(before).includes(line));
      if (others.length === 0) return <p>Something that the queue does not show.</p>;
      return (
        <ul>
          {others.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      );
    },
    isStale,
  };
}

function facts({ status, taken_by, deadline, letter }: QueuedClaim): string[] {
  return [
    `Status: ${STATUS[status]}.`,
    `Taken by ${taken_by?.name ?? "no one"}.`,
    deadline ? `The deadline is ${date(deadline.date)}.` : "There is no deadline.",
    letterInWords(letter),
  ];
}
