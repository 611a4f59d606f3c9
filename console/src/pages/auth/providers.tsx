import { type Answer, get } from "../../lib/api.ts";

export type Provider = Answer<"/api/v1/auth/providers", "get">["providers"][number];

/** Links to the sign-in pages of providers. The service leads the browser there and back. `onLeave` runs before. */
export function Providers({ of, onLeave }: { of: readonly Provider[]; onLeave: () => void }) {
  if (of.length === 0) return null;
  return (
    <ul class="providers" aria-label="Other ways to sign in">
      {of.map(({ id, name, url }) => (
        <li key={id}>
          <a class="button" href={url} onClick={onLeave}>
            Sign in with {name}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The providers of this installation, and those of the practice that has verified the domain of an email address. */
export async function findProviders(domain: string | undefined): Promise<readonly Provider[]> {
  const none = { providers: [] };
  const [general, own] = await Promise.all([
    get("/api/v1/auth/providers", { anonymous: true }).catch(() => none),
    domain ? get("/api/v1/auth/providers", { query: { domain }, anonymous: true }).catch(() => none) : none,
  ]);
  return [...own.providers, ...general.providers];
}
