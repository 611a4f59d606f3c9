import type { Answer } from "../../lib/api.ts";
import { time, useGet } from "../../lib/index.ts";
import { Button, Dialog, Fact, openDialog, Show } from "../../ui/index.ts";

type Logged = Answer<"/api/v1/settings/webhooks/{id}/deliveries/{delivery_id}", "get">;
export type Failure = NonNullable<Logged["last_error"]>;

export const ERRORS: Record<Failure, string> = {
  timed_out: "No answer within ten seconds",
  not_connected: "No connection",
  redirected: "It answered with a redirect, which we do not follow",
  refused: "It refused the message",
  endpoint_inactive: "Not sent: the webhook was paused or removed",
  practice_inactive: "Not sent: the practice was not active",
  agreement_ended: "Not sent: the agreement had ended",
  no_secret: "Not sent yet, because of a fault on our side",
  interrupted: "We were interrupted, so it may have arrived or not",
};

/** Shows each request of a delivery, and what the endpoint answered. */
export function showLog(webhook: string, delivery: string): Promise<void> {
  return openDialog<void>((close) => (
    <Dialog title="Log of the message" wide onCancel={close}>
      <Log webhook={webhook} delivery={delivery} />
      <div class="dialog-actions">
        <Button look="primary" onClick={() => close()}>
          Close
        </Button>
      </div>
    </Dialog>
  ));
}

function Log({ webhook, delivery }: { webhook: string; delivery: string }) {
  const path = { id: webhook, delivery_id: delivery };
  const logged = useGet("/api/v1/settings/webhooks/{id}/deliveries/{delivery_id}", { path });
  return (
    <Show of={logged}>
      {({ body, log }) => (
        <div class="stack">
          <h3>Body</h3>
          <pre class="breaks">{body}</pre>
          {log.length === 0 && <p>We have not sent it yet.</p>}
          {log.map((attempt) => (
            <section key={attempt.headers["webhook-timestamp"]} class="stack">
              <h3>{time(attempt.at)}</h3>
              <dl class="facts">
                <Fact name="Address" look="breaks">{attempt.url}</Fact>
                <Fact name="Result">{attempt.status === null ? attempt.error && ERRORS[attempt.error] : `Status ${attempt.status}`}</Fact>
                <Fact name="Time taken">{attempt.took_ms} ms</Fact>
              </dl>
              <pre class="breaks">{Object.entries(attempt.headers).map(([name, value]) => `${name}: ${value}\n`)}</pre>
              {attempt.answer !== null && <pre class="breaks">{attempt.answer}</pre>}
            </section>
          ))}
        </div>
      )}
    </Show>
  );
}
