import { get } from "../../lib/api.ts";
import { navigate, useAction, useKeys } from "../../lib/index.ts";
import { Button, hint, ProblemView } from "../../ui/index.ts";
import { PAGE, type QueueQuery } from "./queue_query.ts";

/** The address of the queue with the filters that the person last used. It is in the memory of this tab only. */
export const lastQueue = { href: "/queue" };

/** The claim that the person last opened. It is in the memory of this tab only. */
export const lastClaim = { id: "" };

/** Leads back to the queue as it was left: the same filters, page and row. */
export function BackToQueue() {
  useKeys([{ keys: "g q", what: "Go to Queue", run: () => navigate(lastQueue.href) }]);
  return (
    <a class="button quiet" href={lastQueue.href}>
      Back to the queue
    </a>
  );
}

/** A claim in the list that the person came from. */
interface Stop {
  id: string;
  practice: { id: string };
}

/** The list of claims that the person came from, in its order. It is in the memory of this tab only. */
export const walk = {
  stops: [] as readonly Stop[],
  /** What the list was asked for, and where its next page begins; `null` on the last page. */
  asked: {} as QueueQuery,
  next: null as string | null,
};

/** Reads the next page of the list, which names no patient. Nothing is read before the person goes there. */
async function nextPage(): Promise<void> {
  if (walk.next === null) return;
  const cursor = walk.next;
  const { claims, next_cursor: next } = await get("/api/v1/staff/claims", { query: { ...walk.asked, cursor, limit: PAGE } });
  const known = new Set(walk.stops.map(({ id }) => id));
  walk.stops = [...walk.stops, ...claims.filter(({ id }) => !known.has(id))];
  walk.next = next;
  const back = new URL(lastQueue.href, location.origin);
  back.searchParams.set("cursor", cursor);
  lastQueue.href = back.pathname + back.search;
}

/** Leads to the next and the previous claim of the list that the person came from. */
export function NextClaim({ id }: { id: string }) {
  const at = walk.stops.findIndex((stop) => stop.id === id);
  const going = useAction(async (_, to: number) => {
    if (to >= walk.stops.length) await nextPage();
    const stop = walk.stops[to];
    if (stop) navigate(`/work/${stop.practice.id}/claims/${stop.id}`);
    else hint(to < 0 ? "This is the first claim of the list." : "This was the last claim of the list.");
  });
  const go = (by: number) => (): void => void going.run(at + by);
  useKeys(
    at < 0
      ? []
      : [
          // Each claim that opens shows a patient, and is recorded.
          { keys: "j", what: "Next claim of the list", run: go(1), once: true },
          { keys: "k", what: "Previous claim of the list", run: go(-1), once: true },
        ],
  );
  if (at < 0) return null;
  const isLast = at + 1 === walk.stops.length && walk.next === null;
  return (
    <>
      <ProblemView problem={going.problem} />
      {at > 0 && (
        <Button look="quiet" onClick={go(-1)}>
          Previous claim
        </Button>
      )}
      {!isLast && (
        <Button look="quiet" isBusy={going.isBusy} onClick={go(1)}>
          Next claim
        </Button>
      )}
    </>
  );
}
