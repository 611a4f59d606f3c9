// The SAML identity provider: samlify. It answers any service of this machine whose request is signed by the key in the
// service's metadata, which are at the address that is its entity id.

import samlify from "samlify";
import { escape, page } from "./people.mjs";
import { fields, send } from "./server.mjs";

const { redirect, post } = samlify.Constants.namespace.binding;
const { persistent } = samlify.Constants.namespace.format;
const AES_GCM = "http://www.w3.org/2009/xmlenc11#aes256-gcm";
const PASSWORD = "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport";

// samlify requires a validator. The documents come from the service on this machine.
samlify.setSchemaValidator({ validate: async () => "not validated" });

/** The provider at an origin. */
export function samlProvider(origin, keys, people) {
  const entityID = `${origin}/metadata`;
  const describe = (isAssertionEncrypted) => samlify.IdentityProvider({
    entityID,
    signingCert: keys.saml.certificate,
    privateKey: keys.saml.key,
    wantAuthnRequestsSigned: true,
    isAssertionEncrypted,
    dataEncryptionAlgorithm: AES_GCM,
    nameIDFormat: [persistent],
    singleSignOnService: [{ Binding: redirect, Location: `${origin}/sign-in` }],
    loginResponseTemplate: template(),
  });
  const [plain, encrypting] = [describe(false), describe(true)];
  const metadata = plain.getMetadata();
  const handle = (request, response) => {
    const { pathname } = new URL(request.url, origin);
    const answer = async () => {
      if (pathname === "/metadata") return send(response, 200, "application/samlmetadata+xml", metadata);
      if (pathname === "/sign-in") return signIn({ plain, encrypting }, people, request, response);
      return send(response, 404, "text/plain", "not found\n");
    };
    answer().catch((error) => send(response, 400, "text/plain", `${error.message ?? error}\n`));
  };
  return {
    facts: { entity_id: entityID, metadata_url: entityID, metadata, key: keys.saml.key, certificate: keys.saml.certificate },
    handle,
  };
}

/**
 * Shows the people, or posts an assertion of the chosen one to the service. The assertion is signed. It is encrypted unless
 * the person is `plain`, and then the whole response is signed, too.
 */
async function signIn(providers, people, request, response) {
  const asked = await fields(request);
  // The fields of the page have the request's own query, because its signature covers the text as it was sent.
  const query = request.method === "POST" ? asked.get("query") : new URL(request.url, "http://localhost").search.slice(1);
  const { service, login } = await readRequest(providers.plain, query);
  if (request.method !== "POST") {
    send(response, 200, "text/html; charset=utf-8", people.page("Demo provider (SAML)", "/sign-in", { query }));
    return;
  }
  const person = people.find(asked.get("person"));
  if (!person) throw new Error("no such person");
  const provider = person.plain ? providers.plain : providers.encrypting;
  service.entitySetting.wantMessageSigned = !person.plain;
  const fill = (text) => ({ context: samlify.SamlLib.replaceTagsByValue(text, values(provider, service, login, person)) });
  const { context, entityEndpoint } = await provider.createLoginResponse(service, login, "post", person, {
    customTagReplacement: fill,
    encryptThenSign: true,
  });
  const hidden = { SAMLResponse: context, RelayState: new URLSearchParams(query).get("RelayState") ?? "" };
  const inputs = Object.entries(hidden).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escape(value)}">`,
  );
  const form = `<form method="post" action="${escape(entityEndpoint)}">${inputs.join("")}<button>Continue</button></form>
<script>document.forms[0].submit()</script>`;
  send(response, 200, "text/html; charset=utf-8", page("Demo provider (SAML)", form));
}

/** The service that sent a request, and the request, whose signature is checked. */
async function readRequest(provider, query) {
  const { SAMLRequest, SigAlg, Signature } = Object.fromEntries(new URLSearchParams(query));
  if (!SAMLRequest) throw new Error("SAMLRequest is missing");
  const { issuer } = samlify.Extractor.extract(
    samlify.Utility.inflateString(SAMLRequest),
    samlify.Extractor.loginRequestFields,
  );
  const { hostname } = new URL(issuer);
  if (!["localhost", "127.0.0.1"].includes(hostname)) throw new Error("the service is not on this machine");
  const described = await fetch(issuer);
  if (!described.ok) throw new Error(`the metadata of the service: ${described.status}`);
  const service = samlify.ServiceProvider({ metadata: await described.text() });
  const signed = query.split("&").filter((part) => /^(SAMLRequest|RelayState|SigAlg)=/.test(part));
  const octetString = signed.join("&");
  const login = await provider.parseLoginRequest(service, "redirect", { query: { SAMLRequest, SigAlg, Signature }, octetString });
  return { service, login };
}

/** The usual response, and how and when the person signed in. */
function template() {
  const statement = `<saml:AuthnStatement AuthnInstant="{IssueInstant}" SessionIndex="{AssertionID}"><saml:AuthnContext><saml:AuthnContextClassRef>{AuthnContext}</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`;
  const context = samlify.SamlLib.defaultLoginResponseTemplate.context.replace("{AuthnStatement}", statement);
  const attribute = (name) => ({
    name,
    nameFormat: "urn:oasis:names:tc:SAML:2.0:attrname-format:basic",
    valueTag: name,
    valueXsiType: "xs:string",
  });
  return { context, attributes: [attribute("email"), attribute("displayName")] };
}

/** What goes into the template. */
function values(provider, service, login, person) {
  const now = new Date();
  const end = new Date(now.getTime() + 300_000).toISOString();
  const acs = service.entityMeta.getAssertionConsumerService("post");
  const make = provider.entitySetting.generateID;
  const id = make();
  return {
    ID: make(),
    AssertionID: id,
    Destination: acs,
    SubjectRecipient: acs,
    AssertionConsumerServiceURL: acs,
    Audience: service.entityMeta.getEntityID(),
    Issuer: provider.entityMeta.getEntityID(),
    IssueInstant: now.toISOString(),
    StatusCode: samlify.Constants.StatusCode.Success,
    ConditionsNotBefore: now.toISOString(),
    ConditionsNotOnOrAfter: end,
    SubjectConfirmationDataNotOnOrAfter: end,
    NameIDFormat: persistent,
    NameID: person.id,
    InResponseTo: login.extract.request.id,
    AuthnContext: person.acr ?? PASSWORD,
    attrEmail: person.email,
    attrDisplayName: person.name,
  };
}
