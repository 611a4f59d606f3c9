import { type Answer, del, get } from "../../lib/api.ts";
import { ago, time } from "../../lib/format.ts";
import { useAction, useLoad } from "../../lib/load.ts";
import { user } from "../../lib/session.ts";
import { Button, confirm, ProblemView, Section, Show, toast } from "../../ui/index.ts";
import { findProviders } from "../auth/providers.tsx";

type Listed = Answer<"/api/v1/auth/identities", "get">["identities"][number];

/** The identities at providers that the person signs in by, and the providers that they could connect. */
export function Identities() {
  const loaded = useLoad(async (signal) => {
    const domain = user.peek()?.email.split("@")[1];
    const [{ identities }, providers] = await Promise.all([get("/api/v1/auth/identities", { signal }), findProviders(domain)]);
    return { identities, providers };
  }, []);
  const removes = useAction(async (intent, one: Listed) => {
    const yes = await confirm({
      title: "Remove the sign-in?",
      text: `Your account at ${nameOf(one)} no longer signs you in here, and all your other sessions end.`,
      action: "Remove",
      danger: true,
    });
    if (!yes) return;
    await del("/api/v1/auth/identities/{id}", { path: { id: one.id }, intent });
    toast("The sign-in was removed.");
    loaded.reload();
  });
  return (
    <Section title="Sign-in at providers" lead="Accounts elsewhere that sign you in here.">
      <ProblemView problem={removes.problem} />
      <Show of={loaded}>
        {({ identities, providers }) => (
          <>
            {identities.length === 0 && <p>You have connected none.</p>}
            <ul class="rows" aria-label="Sign-ins at providers">
              {identities.map((one) => (
                <li key={one.id}>
                  <div>
                    <p>
                      <bdi>{nameOf(one)}</bdi>
                    </p>
                    <p class="quiet-text">
                      <bdi>{one.email}</bdi>, {one.last_used_at ? `used ${ago(one.last_used_at)}` : "not used yet"}, since{" "}
                      {time(one.created_at)}
                    </p>
                  </div>
                  <Button
                    look="danger"
                    aria-label={`Remove ${nameOf(one)}`}
                    onClick={() => removes.run(one)}
                    isBusy={removes.isBusy}
                  >
                    Remove
                  </Button>
                </li>
              ))}
            </ul>
            <p class="actions">
              {providers
                .filter(({ id }) => !identities.some(({ provider }) => provider === id))
                .map(({ id, name, url }) => (
                  <a class="button" key={id} href={url}>
                    Connect {name}
                  </a>
                ))}
            </p>
          </>
        )}
      </Show>
    </Section>
  );
}

function nameOf({ provider_name, provider }: Listed): string {
  return provider_name ?? provider;
}
