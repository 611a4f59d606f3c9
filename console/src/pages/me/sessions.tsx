import { useSignal } from "@preact/signals";
import { limits } from "../../generated/rules.ts";
import { type Answer, del, get } from "../../lib/api.ts";
import { ago, time } from "../../lib/format.ts";
import { useAction, useLoad } from "../../lib/load.ts";
import { signOut } from "../../lib/session.ts";
import { Button, confirm, ProblemView, Section, Show, toast } from "../../ui/index.ts";
import { device } from "./device.ts";

type Listed = Answer<"/api/v1/auth/sessions", "get">["sessions"][number];

/** Where the person is signed in. */
export function Sessions() {
  const loaded = useLoad((signal) => get("/api/v1/auth/sessions", { query: { limit: limits.page }, signal }), []);
  const ended = useSignal<ReadonlySet<string>>(new Set());
  const ending = useSignal("");
  const ends = useAction(async (intent, one: Listed) => {
    ending.value = one.id;
    if (one.current) return signOut();
    await del("/api/v1/auth/sessions/{id}", { path: { id: one.id }, intent });
    ended.value = new Set([...ended.value, one.id]);
    toast("The session has ended.");
  });
  const endsOthers = useAction(async (intent) => {
    const yes = await confirm({
      title: "End all other sessions?",
      text: "You are signed out everywhere except here.",
      action: "End the others",
      danger: true,
    });
    if (!yes) return;
    await del("/api/v1/auth/sessions", { intent });
    toast("All other sessions have ended.");
    loaded.reload();
  });
  return (
    <Section title="Where you are signed in" lead="End a session that you do not know, then change your password.">
      <ProblemView problem={ends.problem ?? endsOthers.problem} />
      <Show of={loaded}>
        {({ sessions }) => {
          const left = sessions.filter(({ id }) => !ended.value.has(id));
          return (
            <>
              <ul class="rows" aria-label="Sessions">
                {left.map((one) => (
                  <li key={one.id}>
                    <div>
                      <p>
                        {device(one.agent)} {one.current && <span class="tag good">This one</span>}
                      </p>
                      <p class="quiet-text">
                        {one.ip}, used {ago(one.last_seen_at)}, since {time(one.created_at)}
                      </p>
                    </div>
                    <Button
                      onClick={() => ends.run(one)}
                      isBusy={ends.isBusy && ending.value === one.id}
                      aria-label={one.current ? undefined : `End the session ${device(one.agent)} since ${time(one.created_at)}`}
                    >
                      {one.current ? "Sign out" : "End"}
                    </Button>
                  </li>
                ))}
              </ul>
              {left.length > 1 && (
                <p class="actions">
                  <Button look="danger" onClick={() => endsOthers.run()} isBusy={endsOthers.isBusy}>
                    End all others
                  </Button>
                </p>
              )}
            </>
          );
        }}
      </Show>
    </Section>
  );
}
