import { useSignal } from "@preact/signals";
import { limits } from "../../generated/rules.ts";
import { type Answer, del } from "../../lib/api.ts";
import { ago, type Intent, signOut, time, useGet } from "../../lib/index.ts";
import { RowAction, Rows, Section, Show, toast } from "../../ui/index.ts";
import { device } from "./device.ts";

type Listed = Answer<"/api/v1/auth/sessions", "get">["sessions"][number];

export function Sessions() {
  const loaded = useGet("/api/v1/auth/sessions", { query: { limit: limits.page } });
  const ended = useSignal<ReadonlySet<string>>(new Set());
  const end = async (one: Listed, intent: Intent): Promise<void> => {
    if (one.current) return signOut();
    await del("/api/v1/auth/sessions/{id}", { path: { id: one.id }, intent });
    ended.value = new Set([...ended.value, one.id]);
    toast("The session has ended.");
  };
  return (
    <Section title="Where you are signed in" lead="End a session that you do not know, then change your password.">
      <Show of={loaded}>
        {({ sessions }) => {
          const left = sessions.filter(({ id }) => !ended.value.has(id));
          return (
            <>
              <Rows
                label="Sessions"
                rows={left}
                name={({ agent, current }) => (
                  <>
                    {device(agent)} {current && <span class="tag good">This one</span>}
                  </>
                )}
                about={(one) => `${one.ip}, used ${ago(one.last_seen_at)}, since ${time(one.created_at)}`}
                actions={(one) => (
                  <RowAction
                    label={one.current ? "Sign out" : "End"}
                    of={one.current ? null : `the session ${device(one.agent)} since ${time(one.created_at)}`}
                    run={(intent) => end(one, intent)}
                  />
                )}
              />
              {left.length > 1 && (
                <div class="actions">
                  <RowAction
                    label="End all others"
                    look="danger"
                    ask={{
                      title: "End all other sessions?",
                      text: "You are signed out everywhere except here.",
                      action: "End the others",
                      danger: true,
                    }}
                    run={(intent) => del("/api/v1/auth/sessions", { intent })}
                    said="All other sessions have ended."
                    then={loaded.reload}
                  />
                </div>
              )}
            </>
          );
        }}
      </Show>
    </Section>
  );
}
