import { useKeys } from "../../lib/keys.ts";
import { navigate } from "../../lib/router.ts";

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
