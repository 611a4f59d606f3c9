import { useSignal } from "@preact/signals";
import { type Answer, get, post } from "../../lib/api.ts";
import { ago, choicesOf, cursor, type Intent, may, plural, time, useGet, words } from "../../lib/index.ts";
import { type Column, NothingYet, Notice, openForm, PagedTable, RowAction, SelectField, Show, toast } from "../../ui/index.ts";
import { ERRORS, showLog } from "./delivery_log.tsx";
import { EVENTS } from "./webhook_events.ts";

type Delivery = Answer<"/api/v1/settings/webhooks/{id}/deliveries", "get">["deliveries"][number];

/** What the list calls each kind of message. */
const NAMES: Record<Delivery["type"], string> = { ...EVENTS, "webhook.test": "A test" };

const LOOKS: Record<Delivery["state"], string> = { pending: "info", delivered: "good", failed: "bad" };

/** What became of the messages to one webhook. */
export function Deliveries({ webhook }: { webhook: string }) {
  const path = { id: webhook };
  const deliveries = useGet("/api/v1/settings/webhooks/{id}/deliveries", { path, query: { cursor: cursor.value } });
  const columns: Column<Delivery>[] = [
    { head: "Message", cell: ({ type, test }) => (test && type !== "webhook.test" ? `Test: ${NAMES[type]}` : NAMES[type]) },
    { head: "Made", cell: ({ created_at: at }) => <span title={time(at)}>{ago(at)}</span> },
    { head: "State", cell: ({ state }) => <span class={`tag ${LOOKS[state]}`}>{words(state)}</span> },
    { head: "Attempts", cell: ({ attempts }) => attempts, isNumber: true },
    { head: "Last answer", cell: (delivery) => <LastAnswer of={delivery} /> },
    {
      head: "Change",
      cell: (delivery) => {
        const of = `of the message of ${time(delivery.created_at)}`;
        return (
          <div class="actions">
            {may("read_delivery") && <RowAction label="Log" of={of} run={() => showLog(webhook, delivery.id)} />}
            {may("replay_deliveries") && delivery.state !== "pending" && (
              <RowAction
                label="Send again"
                of={`the message of ${time(delivery.created_at)}`}
                run={(intent) => {
                  const one = { id: webhook, delivery_id: delivery.id };
                  return post("/api/v1/settings/webhooks/{id}/deliveries/{delivery_id}/replay", { path: one, intent });
                }}
                said="We are sending it again."
                then={deliveries.reload}
              />
            )}
          </div>
        );
      },
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
  const tested = useSignal<Delivery | undefined>(undefined);
  const test = async (intent: Intent, event: Delivery["type"] = "webhook.test"): Promise<void> => {
    tested.value = undefined;
    const sent = await post("/api/v1/settings/webhooks/{id}/test", { path, body: { event }, intent });
    tested.value = await settled(path, sent);
    deliveries.reload();
  };
  const testEvent = () =>
    openForm({
      title: "Send a test of an event",
      lead: "The message is made up, and says so. Its ids name no record.",
      submit: "Send the test",
      act: (values, intent) => test(intent, values.text("event") as Delivery["type"]),
      children: <SelectField name="event" label="Event" choices={choicesOf(EVENTS)} required />,
    });
  return (
    <div class="stack">
      <div class="bar">
        <a href="/settings/webhooks">All webhooks</a>
        {may("manage_webhooks") && (
          <>
            <RowAction label="Send a test message" run={(intent) => test(intent)} />
            <RowAction label="Send a test of an event" run={testEvent} />
          </>
        )}
        {may("replay_deliveries") && <RowAction label="Send all failed messages again" run={missed} />}
      </div>
      <div role="status">{tested.value && <Tested of={tested.value} />}</div>
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
  if (of.last_error && of.last_error !== "refused") return <>{ERRORS[of.last_error]}</>;
  if (of.last_status !== null) return <>Status {of.last_status}</>;
  return <>–</>;
}

/** How long a person waits for the answer to a test: a little longer than we wait for an address. */
const TEST_WAIT_MS = 15_000;
const PAUSE_MS = 750;

const isAnswered = (of: Delivery): boolean => of.last_status !== null || of.last_error !== null;

/** The delivery of a test once its address was called, or as it is after some seconds. */
async function settled(path: { id: string }, sent: Delivery): Promise<Delivery> {
  const until = Date.now() + TEST_WAIT_MS;
  let found = sent;
  while (!isAnswered(found) && Date.now() < until) {
    await new Promise((resume) => setTimeout(resume, PAUSE_MS));
    const { deliveries } = await get("/api/v1/settings/webhooks/{id}/deliveries", { path, query: { limit: 20 } });
    found = deliveries.find(({ id }) => id === sent.id) ?? found;
  }
  return found;
}

function Tested({ of }: { of: Delivery }) {
  if (of.state === "delivered") {
    return (
      <Notice look="good" title="The test arrived">
        <p>
          The address answered with status {of.last_status} on {time(of.last_at)}.
        </p>
      </Notice>
    );
  }
  if (!isAnswered(of)) {
    return (
      <Notice title="There is no answer yet">
        <p>The test is on its way. The list below shows its answer: reload the page after a while.</p>
      </Notice>
    );
  }
  return (
    <Notice look="bad" title="The test did not arrive">
      <p>
        {of.last_error && ERRORS[of.last_error]}
        {of.last_status !== null && `, with status ${of.last_status}`}
        {of.last_at && `, on ${time(of.last_at)}`}.{of.next_at && ` We try again on ${time(of.next_at)}.`}
      </p>
    </Notice>
  );
}
