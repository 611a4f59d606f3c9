import { type Answer, get, post } from "../../lib/api.ts";
import { ago, plural, time, words } from "../../lib/format.ts";
import type { Intent } from "../../lib/intent.ts";
import { useLoad } from "../../lib/load.ts";
import { cursor } from "../../lib/router.ts";
import { may } from "../../lib/session.ts";
import type { WebhookEvent } from "../../generated/rules.ts";
import { NothingYet } from "../../ui/empty.tsx";
import { Show } from "../../ui/loading.tsx";
import { PagedTable } from "../../ui/paged_table.tsx";
import { RowAction } from "../../ui/row_action.tsx";
import type { Column } from "../../ui/table.tsx";
import { toast } from "../../ui/toast.tsx";

type Delivery = Answer<"/api/v1/settings/webhooks/{id}/deliveries", "get">["deliveries"][number];

const LOOKS: Record<Delivery["state"], string> = { pending: "info", delivered: "good", failed: "bad" };

/** What became of the messages to one webhook. */
export function Deliveries({ webhook, names }: { webhook: string; names: Record<WebhookEvent, string> }) {
  const path = { id: webhook };
  const deliveries = useLoad(
    (signal) => get("/api/v1/settings/webhooks/{id}/deliveries", { path, query: { cursor: cursor.value }, signal }),
    [webhook, cursor.value],
  );
  const columns: Column<Delivery>[] = [
    { head: "Message", cell: ({ type }) => names[type] },
    { head: "Made", cell: ({ created_at: at }) => <span title={time(at)}>{ago(at)}</span> },
    { head: "State", cell: ({ state }) => <span class={`tag ${LOOKS[state]}`}>{words(state)}</span> },
    { head: "Attempts", cell: ({ attempts }) => attempts, isNumber: true },
    { head: "Last answer", cell: (delivery) => <LastAnswer of={delivery} /> },
    {
      head: "Change",
      cell: (delivery) =>
        may("replay_deliveries") &&
        delivery.state !== "pending" && (
          <RowAction
            label="Send again"
            of={`the message of ${time(delivery.created_at)}`}
            run={async (intent) => {
              const one = { id: webhook, delivery_id: delivery.id };
              await post("/api/v1/settings/webhooks/{id}/deliveries/{delivery_id}/replay", { path: one, intent });
              toast("It is sent again.");
              deliveries.reload();
            }}
          />
        ),
    },
  ];
  const missed = async (intent: Intent): Promise<void> => {
    let sent = 0;
    for (;;) {
      const { replayed, more } = await post("/api/v1/settings/webhooks/{id}/replay", { path, body: {}, intent });
      sent += replayed;
      if (!more) break;
    }
    toast(`${plural(sent, "message")} on the way again.`);
    deliveries.reload();
  };
  return (
    <div class="stack">
      <div class="bar">
        <a href="/settings/webhooks">All webhooks</a>
        {may("replay_deliveries") && <RowAction label="Send all failed messages again" run={missed} />}
      </div>
      <h2>Messages</h2>
      <Show of={deliveries}>
        {({ deliveries: rows, next_cursor: next }) => (
          <PagedTable caption="Messages" columns={columns} rows={rows} id={({ id }) => id} next={next}>
            <NothingYet title="No message was sent yet" />
          </PagedTable>
        )}
      </Show>
    </div>
  );
}

function LastAnswer({ of }: { of: Delivery }) {
  if (of.last_error) return <>{words(of.last_error)}</>;
  if (of.last_status !== null) return <>Status {of.last_status}</>;
  return <>–</>;
}
