import type { ComponentChildren } from "preact";
import { get } from "../../lib/api.ts";
import { day, listed, may, missingDetails, OPEN, plural, useLoad } from "../../lib/index.ts";
import { Due, Section, Show } from "../../ui/index.ts";

/** How many of the waiting claims are named. */
const NAMED = 5;

async function load(signal: AbortSignal) {
  const [{ denials, more }, { reports }, agreements, own, expiring] = await Promise.all([
    get("/api/v1/denials", { query: { status: [...OPEN], signing_status: ["needed"], order: "deadline", limit: NAMED }, signal }),
    get("/api/v1/reports", { query: { limit: 1 }, signal }),
    may("read_agreements") ? get("/api/v1/settings/agreements", { signal }).then((answer) => answer.agreements) : [],
    get("/api/v1/settings/practice", { signal }),
    may("manage_api_keys") ? get("/api/v1/settings/expiring", { signal }).then((answer) => answer.expiring) : [],
  ]);
  const toSign = agreements.some(({ signed, version }) => signed?.version !== version);
  return { denials, more, report: reports[0], toSign, missing: missingDetails(own), expiring };
}

interface TaskProps {
  /** Whether the person may do it. */
  isMine: boolean;
  href: string;
  mine: string;
  theirs: string;
  children: ComponentChildren;
}

/** Something that the practice has to do, for the person who may do it and for those who have to ask. */
function Task({ isMine, href, mine, theirs, children }: TaskProps) {
  return (
    <li>
      {isMine ? <a href={href}>{mine}</a> : theirs}
      <span class="under">{children}</span>
    </li>
  );
}

export const useNeeds = () => useLoad(load, []);

export function NeedsYou({ of }: { of: ReturnType<typeof useNeeds> }) {
  return (
    <Section title="Needs you">
      <Show of={of}>
        {({ denials, more, report, toSign, missing, expiring }) => (
          <ul class="needs">
            {toSign && (
              <Task
                isMine={may("sign_agreement")}
                href="/settings/agreements"
                mine="Read and sign the newer agreement"
                theirs="Ask an owner or an admin of your practice to sign the newer agreement"
              >
                The one that {may("sign_agreement") ? "you" : "they"} signed stays in force until then.
              </Task>
            )}
            {missing.length > 0 && (
              <Task
                isMine={may("edit_practice")}
                href="/settings/practice"
                mine={`Enter ${listed(missing)} of your practice`}
                theirs={`Ask an owner or an admin of your practice to enter ${listed(missing)}`}
              >
                Payers ask for this in every appeal.
              </Task>
            )}
            {expiring.map(({ kind, id, name, prefix, expires_at: at }) => (
              <li key={id}>
                <a href={kind === "api_key" ? "/settings/keys" : "/settings/tokens"}>
                  {kind === "api_key" ? "The API key" : "The API token"} “{name}” ends on {day(at)}
                </a>
                <span class="under">It begins with {prefix}. Make a new one before, and switch your program to it.</span>
              </li>
            ))}
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
            {!toSign && missing.length === 0 && expiring.length === 0 && denials.length === 0 && !report && <li>Nothing waits for you now.</li>}
          </ul>
        )}
      </Show>
    </Section>
  );
}
