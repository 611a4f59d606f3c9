// The identity Worker with a SAML identity provider.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { Browser, readForm } from "./browser.mjs";
import { startIdentity, startProviders } from "./workers.mjs";

const PAUL = { id: "paul", name: "Paul Plain", email: "paul@practice.example", acr: "urn:strong", plain: true };
const OLIVIA = { id: "olivia-4711", name: "Olivia Owner & Sons", email: "olivia@practice.example" };

let identity;
let providers;
let server;
let sp;

before(async () => {
  [identity, providers] = await Promise.all([startIdentity(), startProviders([OLIVIA, PAUL])]);
  server = createServer(async (_request, response) => {
    const { xml } = await identity.ask("/saml/metadata", { sp });
    response.end(xml);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const home = `http://127.0.0.1:${server.address().port}`;
  sp = { entity_id: `${home}/metadata`, acs: `${home}/acs`, keys: JSON.parse(providers.vars.SAML_KEYS) };
});

after(async () => {
  server.close();
  await Promise.all([identity.dispose(), providers.stop()]);
});

/** Signs in at the provider. Returns the form that comes back to the service. */
async function signIn(person = OLIVIA) {
  const { metadata } = providers.saml;
  const begun = await identity.ask("/saml/begin", { sp, metadata, relay_state: "r & s", now: Date.now() });
  assert.equal(typeof begun, "object", begun);
  const browser = new Browser(sp.acs);
  const page = await browser.open(begun.url);
  assert.equal(page.status, 200, page.text);
  const answer = await browser.submit(page, { person: person.id });
  assert.equal(answer.status, 200, answer.text);
  return { begun, form: readForm(answer.text) };
}

test("the provider's metadata say who it is", async () => {
  const described = await identity.ask("/saml/describe", { metadata: providers.saml.metadata, now: Date.now(), local: true });
  assert.equal(described.entity_id, providers.saml.entity_id);
  assert.equal(described.certificates.length, 1);
});

test("a person who signs in is known by an encrypted and signed assertion", async () => {
  const { begun, form } = await signIn();
  assert.equal(form.action, sp.acs);
  assert.equal(form.fields.RelayState, "r & s");
  const response = form.fields.SAMLResponse;
  assert.match(atob(response), /EncryptedAssertion/);
  const { metadata } = providers.saml;
  const question = { sp, metadata, response, request_id: begun.request_id, now: Date.now() };
  const claims = await identity.ask("/saml/check", question);
  assert.equal(typeof claims, "object", claims);
  assert.deepEqual([claims.subject, claims.email, claims.name], [OLIVIA.id, OLIVIA.email, OLIVIA.name]);
  assert.deepEqual(claims.contexts, ["urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport"]);
  for (const changes of [{ request_id: "_other" }, { now: Date.now() + 7_200_000 }, { sp: { ...sp, keys: [] } }]) {
    assert.equal(typeof (await identity.ask("/saml/check", { ...question, ...changes })), "string");
  }
});

test("a person who signs in is known by an assertion that is signed and not encrypted", async () => {
  const { begun, form } = await signIn(PAUL);
  const response = form.fields.SAMLResponse;
  assert.doesNotMatch(atob(response), /EncryptedAssertion/);
  const { metadata } = providers.saml;
  const question = { sp, metadata, response, request_id: begun.request_id, now: Date.now() };
  const claims = await identity.ask("/saml/check", question);
  assert.deepEqual([claims.subject, claims.email, claims.contexts], ["paul", PAUL.email, ["urn:strong"]]);
  const changed = btoa(atob(response).replace("paul@practice.example", "olivia@practice.example"));
  assert.notEqual(changed, response);
  assert.equal(typeof (await identity.ask("/saml/check", { ...question, response: changed })), "string");
});

test("a request that was changed after it was signed is not answered", async () => {
  const { metadata } = providers.saml;
  const { url } = await identity.ask("/saml/begin", { sp, metadata, relay_state: "r", now: Date.now() });
  const changed = new URL(url);
  changed.searchParams.set("RelayState", "other");
  assert.equal((await new Browser(sp.acs).open(changed)).status, 400);
});
