import { limits } from "../../generated/rules.ts";
import { del } from "../../lib/api.ts";
import { ago, signOut, time, useGet } from "../../lib/index.ts";
import { RowAction, Rows, Section, Show } from "../../ui/index.ts";
import { device } from "./device.ts";

export function Sessions() {
  const loaded = useGet("/api/v1/auth/sessions", { query: { limit: limits.page } });
  return (
    <Section title="Where you are signed in" lead="End a session that you do not know, then change your password.">
      <Show of={loaded}>
        {({ sessions }) => (
          <>
            <Rows
              label="Sessions"
              rows={sessions}
              name={({ agent, current }) => (
                <>
                  {device(agent)} {current && <span class="tag good">This one</span>}
                </>
              )}
              about={(one) => `${one.ip}, used ${ago(one.last_seen_at)}, since ${time(one.created_at)}`}
              actions={({ id, agent, current, created_at: since }) =>
                current ? (
                  <RowAction label="Sign out" run={signOut} />
                ) : (
                  <RowAction
                    label="End"
                    of={`the session ${device(agent)} since ${time(since)}`}
                    run={(intent) => del("/api/v1/auth/sessions/{id}", { path: { id }, intent })}
                    said="The session has ended."
                    then={loaded.reload}
                  />
                )
              }
            />
            {sessions.length > 1 && (
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
        )}
      </Show>
    </Section>
  );
}
