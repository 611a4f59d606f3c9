import { useSignal } from "@preact/signals";
import { type Answer, get } from "../../lib/api.ts";
import { plural, useAction, words } from "../../lib/index.ts";
import { Button, ProblemView } from "../../ui/index.ts";

type Verified = Answer<"/api/v1/settings/audit/verify", "get">;

const PATHS = { practice: "/api/v1/settings/audit/verify", staff: "/api/v1/staff/audit/verify" } as const;

/** Checks that no row of the trail was changed or removed, page by page. */
export function Verify({ of }: { of: "practice" | "staff" }) {
  const checked = useSignal(0);
  const found = useSignal<Verified | undefined>(undefined);
  const verify = useAction(async () => {
    checked.value = 0;
    found.value = undefined;
    let cursor: string | undefined;
    let page: Verified;
    do {
      page = await get(PATHS[of], { query: { cursor } });
      checked.value += page.rows_checked;
      cursor = page.next_cursor ?? undefined;
    } while (page.intact && cursor !== undefined);
    found.value = page;
  });
  return (
    <>
      <Button onClick={verify.run} isBusy={verify.isBusy}>
        Check the trail
      </Button>
      <span role="status">
        {verify.isBusy && `${plural(checked.value, "row")} so far…`}
        {found.value?.intact && <span class="tag good">{plural(checked.value, "row")} checked, all unchanged</span>}
        {found.value?.broken && (
          <span class="tag bad">
            Row {found.value.broken.sequence} failed: {words(found.value.broken.reason)}. Tell your contact at Overturn.
          </span>
        )}
      </span>
      <ProblemView problem={verify.problem} onRetry={verify.run} />
    </>
  );
}
