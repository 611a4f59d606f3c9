// Two identity providers on this machine, for the demo and the tests: OpenID Connect and SAML.
//
//   node tools/dev/providers/main.mjs [--keep FILE] [--dns] [--tests]
//
//   --keep FILE  keeps keys and ports in this file, so that they are the same at the next start
//   --dns        also starts a DNS resolver (dns.mjs)
//   --tests      adds the entrance for tests, which changes people and answers (tests.mjs)
//
//   OVERTURN_PEOPLE  JSON list of the people who can sign in: {"id", "name", "email"}, and with OpenID Connect
//                    {"email_verified", "personal", "amr", "acr"}; with SAML {"acr", "plain"}, without encryption
//
// Anybody signs in as anybody, so both listen only on this machine. Standard output has one line of JSON:
//
//   {"event":"providers",
//    "oidc":{"issuer","client_id","client_secret"},
//    "saml":{"entity_id","metadata_url","metadata","key","certificate"},
//    "dns":{"resolver","records"},
//    "vars":{…}}  variables and secrets of the service that make it use them
//
// It ends on SIGINT, on SIGTERM, and when its standard input is a pipe that closes.

import { fstatSync } from "node:fs";
import { parseArgs } from "node:util";
import { dnsResolver } from "./dns.mjs";
import { loadKeys } from "./keys.mjs";
import { oidcProvider } from "./oidc.mjs";
import { People } from "./people.mjs";
import { samlProvider } from "./saml.mjs";
import { listen } from "./server.mjs";
import { Answers } from "./tests.mjs";

// The libraries would say here what a provider of real people needs.
console.info = console.warn = () => {};

const { values } = parseArgs({
  options: { keep: { type: "string" }, dns: { type: "boolean" }, tests: { type: "boolean" } },
});
const people = new People(JSON.parse(process.env.OVERTURN_PEOPLE ?? "[]"));
const answers = values.tests ? new Answers(people) : undefined;

const servers = [];
try {
  const kept = await loadKeys(values.keep);
  const [oidcServer, samlServer] = [await listen(kept.ports?.oidc), await listen(kept.ports?.saml)];
  servers.push(oidcServer.server, samlServer.server);
  const dns = values.dns ? await startDns() : undefined;
  await kept.save({ oidc: oidcServer.port, saml: samlServer.port });
  const oidc = await oidcProvider(oidcServer.origin, kept.keys, people, answers);
  const saml = samlProvider(samlServer.origin, kept.keys, people);
  oidcServer.serve(oidc.handle);
  samlServer.serve(saml.handle);
  const vars = {
    OIDC_PROVIDERS: JSON.stringify([oidc.registration]),
    OIDC_SECRETS: JSON.stringify({ [oidc.registration.id]: oidc.facts.client_secret }),
    SAML_KEYS: JSON.stringify([kept.keys.service]),
    ...(dns && { DNS_RESOLVER: dns.resolver }),
  };
  const line = { event: "providers", oidc: oidc.facts, saml: saml.facts, dns, vars };
  process.stdout.write(`${JSON.stringify(line)}\n`);
  await askedToEnd();
} catch (error) {
  process.stderr.write(`providers: ${error.message}\n`);
  process.exitCode = 1;
}
for (const server of servers) {
  server.close();
  server.closeAllConnections();
}
process.exit();

/** Starts the DNS resolver. Nothing remembers its port, because a record is read once. */
async function startDns() {
  const { server, origin, serve } = await listen();
  servers.push(server);
  const { facts, handle } = dnsResolver(origin);
  serve(handle);
  return facts;
}

/** Resolves when this process should end. */
function askedToEnd() {
  return new Promise((end) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, end);
    process.stdout.on("error", end);
    const stdin = fstatSync(0);
    if (stdin.isFIFO() || stdin.isSocket()) process.stdin.on("end", end).on("error", end).resume();
  });
}
