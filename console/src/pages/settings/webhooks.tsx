import { type Answer, get, patch, post } from "../../lib/api.ts";
import { ago, choicesOf, cursor, may, query, time, useGet, words } from "../../lib/index.ts";
import { limits, type WebhookEvent, webhookEvents } from "../../generated/rules.ts";
import {
  atLeastOne, changingSetting, ChoiceField, type Column, EndAction, NothingYet, openForm, RowAction, showSecret, TextField,
} from "../../ui/index.ts";
import { Deliveries } from "./deliveries.tsx";
import { Settings } from "./frame.tsx";
import { SettingsList } from "./list.tsx";
import { EVENTS } from "./webhook_events.ts";

type Webhook = Answer<"/api/v1/settings/webhooks", "get">["webhooks"][number];
/** Only a new secret is in the answer. */
type Changed = Partial<Answer<"/api/v1/settings/webhooks", "post">>;

/** The addresses that get a message when something changes, and what became of the messages. */
export function Webhooks() {
  const open = query.value.get("deliveries");
  const page = open ? undefined : cursor.value;
  const webhooks = useGet("/api/v1/settings/webhooks", { query: { cursor: page } });
  const show = async (changed: Changed | undefined): Promise<void> => {
    if (!changed) return;
    const { secret } = changed;
    if (secret !== undefined) await showSecret({ noun: "webhook secret", secret, lost: "Make another one.", children: ABOUT });
    webhooks.reload();
  };
  const columns: Column<Webhook>[] = [
    { head: "Address", cell: ({ url }) => <span class="breaks">{url}</span> },
    { head: "State", cell: (webhook) => <State of={webhook} /> },
    { head: "Messages", cell: ({ events }) => events.map((event) => EVENTS[event]).join("; ") },
    {
      head: "Change",
      cell: (webhook) => (
        <div class="actions">
          <a class="button" href={`/settings/webhooks?deliveries=${webhook.id}`}>
            Messages<span class="hidden"> to {webhook.url}</span>
          </a>
          {may("manage_webhooks") && (
            <>
              <RowAction label="Edit" of={webhook.url} run={async () => show(await edit(webhook))} />
              <RowAction
                label="New secret"
                of={webhook.url}
                ask={{
                  title: "Make a new secret?",
                  text: "Messages carry signatures of both secrets for a day, so your system can switch over.",
                  action: "Make the secret",
                }}
                run={async (intent) => {
                  const path = { id: webhook.id };
                  await show(await changingOne(webhook, (version) => post("/api/v1/settings/webhooks/{id}/rotate_secret", { path, version, intent })));
                }}
              />
              <RowAction
                label={webhook.state === "active" ? "Pause" : "Resume"}
                of={webhook.url}
                run={(intent) => {
                  const body = { state: webhook.state === "active" ? "disabled" : "active" } as const;
                  const path = { id: webhook.id };
                  return changingOne(webhook, (version) => patch("/api/v1/settings/webhooks/{id}", { path, body, version, intent }));
                }}
                then={webhooks.reload}
              />
              <EndAction
                of={webhook.url}
                title="Remove the webhook?"
                text="Messages that wait are not sent any more."
                action="Remove the webhook"
                path="/api/v1/settings/webhooks/{id}"
                id={webhook.id}
                then={webhooks.reload}
              />
            </>
          )}
        </div>
      ),
    },
  ];
  if (open) {
    return (
      <Settings title="Webhooks" lead={LEAD}>
        <Deliveries webhook={open} />
      </Settings>
    );
  }
  return (
    <SettingsList
      title="Webhooks"
      lead={LEAD}
      make={{ label: "Add a webhook", needs: "manage_webhooks", act: async () => show(await edit()) }}
      of={webhooks}
      rows={(page) => page.webhooks}
      columns={columns}
    >
      <NothingYet title="There is no webhook yet">
        <p>You need one only if your billing system wants to be told of changes.</p>
      </NothingYet>
    </SettingsList>
  );
}

const ABOUT = <p>Your system checks the signature of each message with it.</p>;
const LEAD = "We send a signed message to an address of yours when something changes. Messages name no patient.";

function State({ of }: { of: Webhook }) {
  if (of.state === "disabled") return <span class="tag bad">Paused</span>;
  if (of.failing_since) return <span class="tag warn">Failing since {ago(of.failing_since)}</span>;
  return <span class="tag good">{words(of.state)}</span>;
}

/** Sends a change of a webhook. The other secret is a fact, too: a second rotation would end it. */
function changingOne<T>(of: Webhook, send: (version: number) => Promise<T>): Promise<T> {
  const facts = ({ url, events, state, old_secret_until: until }: Webhook) => ({
    Address: url,
    Messages: events.map((event) => EVENTS[event]).join("; "),
    State: words(state),
    Secret: until ? `made new, the one before it counts until ${time(until)}` : "one",
  });
  const read = () => get("/api/v1/settings/webhooks/{id}", { path: { id: of.id } });
  return changingSetting(of, { noun: "webhook", read, facts }, send);
}

/** Asks for the address and the events. Gives the webhook: a new one with its secret. */
const edit = (of?: Webhook) =>
  openForm<Changed>({
    title: of ? "Edit the webhook" : "Add a webhook",
    submit: of ? "Save" : "Add the webhook",
    act: (values, intent) => {
      const body = { url: values.text("url"), events: values.all("events") as WebhookEvent[] };
      if (!of) return post("/api/v1/settings/webhooks", { body, intent });
      return changingOne(of, (version) => patch("/api/v1/settings/webhooks/{id}", { path: { id: of.id }, body, version, intent }));
    },
    check: atLeastOne("events"),
    children: (
      <>
        <TextField name="url" label="Address" hint="It begins with https:// and can be reached from the internet." type="url" defaultValue={of?.url ?? ""} required maxLength={limits.webhookUrl} autocomplete="off" autofocus />
        <ChoiceField name="events" label="Send a message when" kind="checkbox" choices={choicesOf(EVENTS)} value={of?.events ?? webhookEvents} />
      </>
    ),
  });
