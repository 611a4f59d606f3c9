// The entrance for tests: other people, and answers of the OpenID provider that it would never give.
//
//   POST /.tests/people   a JSON list of people, who are added
//   POST /.tests/answers  a JSON object. It replaces the last one; {} leaves the answers alone:
//
//     {"claims": {"aud": "other", "nonce": null}}  changes or removes claims of each ID token
//     {"header": {"kid": "other"}}                 changes its header
//     {"sign": "RS256"}                            how a changed token is signed: by the provider's key (RS256), not at all
//                                                  (none), with the public key as a secret (HS256), by a key that the key
//                                                  set does not have (stranger), or with a broken signature (broken)
//     {"rotate": true}                             replaces the key: the key set has only the new one, which signs
//     {"callback": {"iss": "…", "state": null}}    changes parameters of the address that the browser returns to
//     {"discovery": {"issuer": "…"}}               changes fields of the discovery document
//     {"jwks": {"keys": []}}                       the key set
//     {"fail": {"/token": 500}}                    answers these paths with a status
//
// GET /.tests/count tells how often each path was asked.

import { createHmac, randomBytes } from "node:crypto";
import { SignJWT, decodeJwt, decodeProtectedHeader, exportSPKI, importJWK } from "jose";
import { signingKey } from "./keys.mjs";
import { readBody, send } from "./server.mjs";

const base64url = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
const publicKey = ({ kty, n, e, alg, use, kid }) => ({ kty, n, e, alg, use, kid });

/** How the answers of the OpenID provider are changed. */
export class Answers {
  #people;
  #now = {};
  #counts = {};
  #key;
  #stranger;

  constructor(people) {
    this.#people = people;
  }

  /** The provider's key, before the first request. */
  async sign(_issuer, key) {
    this.#key = key;
    this.#stranger = await signingKey();
  }

  /** The handler of requests, with the entrance before it. */
  entrance(handle) {
    return (request, response) => {
      const path = new URL(request.url, "http://localhost").pathname;
      if (!path.startsWith("/.tests/")) {
        this.#counts[path] = (this.#counts[path] ?? 0) + 1;
        const status = this.#now.fail?.[path];
        return status ? send(response, status, "text/plain", "as a test asked\n") : handle(request, response);
      }
      return this.#told(path, request, response).catch((error) => send(response, 400, "text/plain", error.message));
    };
  }

  async #told(path, request, response) {
    if (path === "/.tests/people") this.#people.add(JSON.parse(await readBody(request)));
    if (path === "/.tests/answers") {
      this.#now = JSON.parse(await readBody(request));
      if (this.#now.rotate) this.#key = await signingKey();
    }
    send(response, 200, "application/json", JSON.stringify(this.#counts));
  }

  /** Changes the answer of the provider (koa middleware). */
  async change(ctx, next) {
    await next();
    const { callback, discovery } = this.#now;
    if (ctx.path === "/.well-known/openid-configuration" && discovery) Object.assign(ctx.body, discovery);
    if (ctx.path === "/jwks") ctx.body = this.#now.jwks ?? { keys: [publicKey(this.#key)] };
    if (ctx.body?.id_token) ctx.body.id_token = await this.#token(ctx.body.id_token);
    const back = ctx.response.get("Location");
    if (callback && /[?&]code=/.test(back)) ctx.set("Location", changedAddress(back, callback));
  }

  /** An ID token, signed again. */
  async #token(token) {
    const { claims = {}, header = {}, sign = "RS256" } = this.#now;
    const payload = changed(decodeJwt(token), claims);
    const key = sign === "stranger" ? this.#stranger : this.#key;
    const head = changed({ ...decodeProtectedHeader(token), kid: key.kid }, header);
    if (sign === "none") return `${base64url({ ...head, alg: "none" })}.${base64url(payload)}.`;
    if (sign === "HS256") {
      const secret = await exportSPKI(await importJWK(publicKey(key), "RS256", { extractable: true }));
      const signed = `${base64url({ ...head, alg: "HS256" })}.${base64url(payload)}`;
      return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
    }
    const made = await new SignJWT(payload).setProtectedHeader(head).sign(await importJWK(key, "RS256"));
    return sign === "broken" ? `${made.slice(0, made.lastIndexOf("."))}.${randomBytes(256).toString("base64url")}` : made;
  }
}

/** An object with other fields; null removes one. */
function changed(object, changes) {
  const all = Object.entries({ ...object, ...changes });
  return Object.fromEntries(all.filter(([, value]) => value !== null));
}

function changedAddress(address, changes) {
  const url = new URL(address);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return url.href;
}
