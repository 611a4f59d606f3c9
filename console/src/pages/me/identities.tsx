import { type Answer, get } from "../../lib/api.ts";
import { ago, time, useLoad, user } from "../../lib/index.ts";
import { EndAction, Rows, Section, Show } from "../../ui/index.ts";
import { findProviders } from "../auth/providers.tsx";

type Listed = Answer<"/api/v1/auth/identities", "get">["identities"][number];

/** The identities at providers that the person signs in by, and the providers that they could connect. */
export function Identities() {
  const loaded = useLoad(async (signal) => {
    const domain = user.peek()?.email.split("@")[1];
    const [{ identities }, providers] = await Promise.all([get("/api/v1/auth/identities", { signal }), findProviders(domain)]);
    return { identities, providers };
  }, []);
  return (
    <Section title="Sign-in at providers" lead="Accounts elsewhere that sign you in here.">
      <Show of={loaded}>
        {({ identities, providers }) => (
          <>
            <Rows
              label="Sign-ins at providers"
              rows={identities}
              none="You have connected none."
              name={(one) => <bdi>{nameOf(one)}</bdi>}
              about={({ email, last_used_at: used, created_at }) => (
                <>
                  <bdi>{email}</bdi>, {used ? `used ${ago(used)}` : "not used yet"}, since {time(created_at)}
                </>
              )}
              actions={(one) => (
                <EndAction
                  of={nameOf(one)}
                  look="danger"
                  title="Remove the sign-in?"
                  text={`Your account at ${nameOf(one)} no longer signs you in here, and all your other sessions end.`}
                  path="/api/v1/auth/identities/{id}"
                  id={one.id}
                  said="The sign-in was removed."
                  then={loaded.reload}
                />
              )}
            />
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

const nameOf = ({ provider_name, provider }: Listed): string => provider_name ?? provider;
