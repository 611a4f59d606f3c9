// The OpenID Connect provider: oidc-provider, with a page to choose a person on and nothing else to decide.

import Provider, { interactionPolicy } from "oidc-provider";
import { fields, send } from "./server.mjs";

const ID = "demo";
const CLIENT = "overturn";

/**
 * The callbacks of the service. At this machine, the provider ignores the port. The tests configure the same provider a
 * second time, as `mirror`.
 */
const CALLBACKS = ["localhost", "127.0.0.1"].flatMap((host) =>
  [ID, "mirror"].map((id) => `http://${host}/api/v1/auth/oauth/${id}/callback`),
);

/** The provider at an origin. `answers` may change what it answers. */
export async function oidcProvider(issuer, keys, people, answers) {
  await answers?.sign(issuer, keys.signing);
  const provider = new Provider(issuer, configuration(keys, people));
  provider.on("server_error", (_ctx, error) => process.stderr.write(`providers: ${error.stack}\n`));
  if (answers) provider.use((ctx, next) => answers.change(ctx, next));
  const callback = provider.callback();
  const handle = (request, response) => {
    const uid = /^\/interaction\/([\w-]+)$/.exec(request.url)?.[1];
    const answered = uid === undefined ? callback(request, response) : interact(provider, people, request, response);
    Promise.resolve(answered).catch((error) => send(response, 500, "text/plain", `${error.message}\n`));
  };
  return {
    facts: { issuer, client_id: CLIENT, client_secret: keys.client_secret },
    registration: { id: ID, name: "Demo provider", issuer, client_id: CLIENT, domain_claim: "hd" },
    handle: answers ? answers.entrance(handle) : handle,
  };
}

/** Shows the people, or signs the chosen one in. */
async function interact(provider, people, request, response) {
  const { params } = await provider.interactionDetails(request, response);
  if (request.method !== "POST") {
    const hint = params.login_hint ? ` (${params.login_hint})` : "";
    send(response, 200, "text/html; charset=utf-8", people.page(`Demo provider${hint}`, request.url));
    return;
  }
  const person = people.find((await fields(request)).get("person"));
  if (!person) {
    send(response, 404, "text/plain", "no such person\n");
    return;
  }
  const { amr, acr } = person;
  const login = { accountId: person.id, ...(amr && { amr }), ...(acr && { acr }) };
  await provider.interactionFinished(request, response, { login });
}

function configuration(keys, people) {
  const policy = interactionPolicy.base();
  policy.remove("consent");
  const { Check } = interactionPolicy;
  // Otherwise the browser would stay signed in as the first person.
  const chosen = ({ oidc }) => (oidc.result?.login ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT);
  policy.get("login").checks.add(new Check("chosen", "a person is chosen at each sign-in", chosen));
  return {
    clients: [
      {
        client_id: CLIENT,
        client_secret: keys.client_secret,
        application_type: "native",
        redirect_uris: CALLBACKS,
        grant_types: ["authorization_code"],
        response_types: ["code"],
        token_endpoint_auth_method: "client_secret_basic",
      },
    ],
    jwks: { keys: [keys.signing] },
    cookies: { keys: [keys.client_secret] },
    claims: { openid: ["sub", "amr", "acr"], email: ["email", "email_verified"], profile: ["name", "hd"] },
    // The claims are in the ID token, because nothing asks for them elsewhere.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { policy, url: (_ctx, { uid }) => `/interaction/${uid}` },
    ttl: { AccessToken: 300, AuthorizationCode: 60, Grant: 600, IdToken: 300, Interaction: 600, Session: 600 },
    renderError: (ctx, { error, error_description }) => {
      ctx.type = "text/plain";
      ctx.body = `${error}: ${error_description}\n`;
    },
    findAccount: (_ctx, id) => {
      const person = people.find(id);
      if (!person) return undefined;
      const { name, email, email_verified = true, personal = false } = person;
      // As at Google: the domain of the organization that manages the account.
      const hd = personal ? undefined : email.slice(email.lastIndexOf("@") + 1);
      return { accountId: id, claims: () => ({ sub: id, name, email, email_verified, hd }) };
    },
    // Nobody is asked for consent.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  };
}
