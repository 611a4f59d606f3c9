import { useSignal } from "@preact/signals";
import { date, money, useLoad } from "../../lib/index.ts";
import { Button, Section, Show, StatusTag } from "../../ui/index.ts";
import { relatedOf } from "./report_or_case_dialogs.tsx";
import type { Path } from "./work.tsx";

/** The other claims of the same patient and payer. They are read when the person asks for them. */
export function RelatedClaims({ path }: { path: Path }) {
  const isOpen = useSignal(false);
  return (
    <Section title="Same patient and payer" look="card no-print">
      {isOpen.value ? (
        <List path={path} />
      ) : (
        <div>
          <Button onClick={() => (isOpen.value = true)}>Show other claims</Button>
        </div>
      )}
    </Section>
  );
}

function List({ path }: { path: Path }) {
  const loaded = useLoad((signal) => relatedOf(path, signal), [path.id]);
  return (
    <Show of={loaded}>
      {(claims) => (
        <>
          {claims.length === 0 && <p class="quiet-text">There is no other claim.</p>}
          <ul class="documents">
            {claims.map(({ id, claim_number, status, date_of_service, denied_amount, billed_amount }) => (
              <li key={id}>
                <span>
                  <a href={`/work/${path.practice}/claims/${id}`}>{claim_number}</a>
                  <span class="under">
                    Service on {date(date_of_service)}, {money(denied_amount ?? billed_amount)}
                  </span>
                </span>
                <StatusTag of={status} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Show>
  );
}
