import { useEffect } from "preact/hooks";
import { loadSession, practice, today, useGet } from "../../lib/index.ts";
import { Page, Show } from "../../ui/index.ts";
import { Banner } from "./home_banner.tsx";
import { Deadlines } from "./home_deadlines.tsx";
import { Figures, Money, Statuses } from "./home_figures.tsx";
import { NeedsYou, useNeeds } from "./home_needs.tsx";
import { Steps } from "./home_steps.tsx";

/** What the claims of the practice come to. */
export function Home() {
  const own = practice.value;
  const canRead = own?.status === "active" && own.agreement === "in_force";
  // The agreement may have been signed, or the practice changed, since this page was loaded.
  useEffect(() => {
    if (!canRead) loadSession().catch(() => undefined);
  }, []);
  return (
    <Page title="Home" heading={own?.name}>
      <Banner />
      {canRead ? <Overview /> : own?.status === "active" && <Steps />}
    </Page>
  );
}

function Overview() {
  // Both reads begin at once.
  const needs = useNeeds();
  const summary = useGet("/api/v1/denials/summary", { query: { today: today() } });
  const reason = summary.problem?.reason;
  // The banner says it in words of its own.
  useEffect(() => {
    if (reason === "agreement_required" || reason === "practice_inactive") loadSession().catch(() => undefined);
  }, [reason]);
  return (
    <Show of={summary}>
      {(data) =>
        data.total.claims === 0 ? (
          <Steps />
        ) : (
          <div class="stack">
            <NeedsYou of={needs} />
            <Figures of={data} />
            <div class="columns">
              <Statuses of={data} />
              <Money of={data} />
            </div>
            <Deadlines of={data} />
          </div>
        )
      }
    </Show>
  );
}
