// Makes the demo practice trust the SAML provider of `cargo xtask dev --sso` and verifies its mail domain, as its owner
// would in the settings.
//
//   node tools/dev/sso.mjs DEMO_JSON DONE_JSON
//
//   CODE      a code of the owner's authenticator app
//   METADATA  the metadata of the provider, in XML
//   RECORDS   where DNS records of the demo are published (tools/dev/providers/dns.mjs)
//
// DONE_JSON gets the provider as the service answered. It says that the practice knows it.

import { readFileSync, writeFileSync } from "node:fs";

const [demoFile, doneFile] = process.argv.slice(2);
const { base_url, users } = JSON.parse(readFileSync(demoFile, "utf8"));
const cookies = new Map();

/** Posts JSON, and keeps the cookies. */
async function post(path, body, expected) {
  const response = await fetch(`${base_url}${path}`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Cookie: [...cookies].map((pair) => pair.join("=")).join("; "),
      "X-CSRF-Token": cookies.get("csrf_token") ?? "",
    },
    body: JSON.stringify(body),
  });
  for (const line of response.headers.getSetCookie()) {
    const [name, value] = line.split(";")[0].split(/=(.*)/s);
    cookies.set(name, value);
  }
  const answer = await response.json();
  if (response.status !== expected) throw new Error(`${path} got ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}

const { email, password } = users.owner;
const { continuation_token } = await post("/api/v1/auth/session", { email, password }, 402);
await post("/api/v1/auth/session/2fa", { continuation_token, code: process.env.CODE }, 200);
const provider = { name: "Demo provider (SAML)", metadata: process.env.METADATA };
const added = await post("/api/v1/settings/sso/providers", provider, 201);
const domain = await post("/api/v1/settings/sso/domains", { domain: email.split("@")[1] }, 201);
const record = JSON.stringify({ name: domain.txt_name, text: domain.txt_value });
await fetch(process.env.RECORDS, { method: "POST", body: record });
await post(`/api/v1/settings/sso/domains/${domain.id}/verify`, {}, 200);
writeFileSync(doneFile, `${JSON.stringify(added, null, 2)}\n`, { mode: 0o600 });
