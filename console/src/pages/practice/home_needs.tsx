import { get } from "../../lib/api.ts";
import { day, plural } from "../../lib/format.ts";
import { useLoad } from "../../lib/load.ts";
import { may } from "../../lib/session.ts";
import { OPEN } from "../../lib/terms.ts";
import { Due } from "../../ui/due.tsx";
import { Show } from "../../ui/loading.tsx";
import { Section } from "../../ui/section.tsx";

/** How many of the waiting claims are named. */
const NAMED = 5;

async function load(signal: AbortSignal) {
  const [{ denials, more }, { reports }, agreements] = await Promise.all([
    get("/api/v1/denials", { query: { status: [...OPEN], signing_status: ["needed"], order: "deadline", limit: NAMED }, signal }),
    get("/api/v1/reports", { query: { limit: 1 }, signal }),
    may("sign_agreement") ? get("/api/v1/settings/agreements", { signal }).then((answer) => answer.agreements) : [],
  ]);
  return { denials, more, report: reports[0], toSign: agreements.some(({ signed, version }) => signed?.version !== version) };
}

/** Reads what waits for the people of the practice. */
export const useNeeds = () => useLoad(load, []);

/** What waits for the people of the practice. */
export function NeedsYou({ of }: { of: ReturnType<typeof useNeeds> }) {
  return (
    <Section title="Needs you">
      <Show of={of}>
        {({ denials, more, report, toSign }) => (
          <ul class="needs">
            {toSign && (
              <li>
                <a href="/settings/agreements">Read and sign the newer agreement</a>
                <span class="under">The one that you signed stays in force until then.</span>
              </li>
            )}
            {denials.length > 0 && (
              <li>
                <a href={`/claims?signing_status=needed&order=deadline&status=${OPEN.join(",")}`}>
                  {more ? `More than ${plural(denials.length, "claim")}` : plural(denials.length, "claim")} waiting for the patient’s signature
                </a>
                <ul>
                  {denials.map(({ id, claim_number, payer_name, deadline }) => (
                    <li key={id}>
                      <Due day={deadline?.date} />
                      <span>
                        <a href={`/claims/${id}`}>{claim_number}</a>
                        <span class="under">{payer_name}</span>
                      </span>
                    </li>
                  ))}
                </ul>
              </li>
            )}
            {report && (
              <li>
                <a href={`/claims/reports/${report.id}`}>Read the newest report</a>
                <span class="under">
                  Delivered on {day(report.delivered_at)}, with {plural(report.claims, "claim")}.
                </span>
              </li>
            )}
            {!toSign && denials.length === 0 && !report && <li>Nothing waits for you now.</li>}
          </ul>
        )}
      </Show>
    </Section>
  );
}
