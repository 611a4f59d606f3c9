// What is wrong with an address, a key or a secret is said before anything is sent, and without repeating it.

import { checkKey, checkToken } from "@overturn/core";
import { OverturnError } from "./errors.js";

const LOCAL = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** The address of the service, without the slash at its end. */
export function address(given: string): string {
  const base = given.trim().replace(/\/+$/, "");
  if (base === "") throw new OverturnError("no address: set OVERTURN_URL, or give the address (baseUrl)");
  const [, origin = "", more] = /^(https?:\/\/[^/?#]+)(.*)$/s.exec(base) ?? [];
  if (!origin.startsWith("https://") && !LOCAL.test(origin)) {
    throw new OverturnError("the address must begin with https://, except on this machine");
  }
  if (more !== "" || /[@\s]/.test(origin)) {
    throw new OverturnError("the address must be https://host or https://host:port, without a path or a user name");
  }
  return base;
}

function checked(name: string, what: string, prefix: string, check: typeof checkKey, text: string | undefined): string | undefined {
  if (!text) return undefined;
  const found = check(text);
  if (found.valid) return text;
  const reasons = {
    prefix: `it must begin with ${prefix}live_ or ${prefix}test_`,
    form: "it has not the length or the characters of one",
    checksum: "its checksum is wrong, so it was mistyped or cut",
  };
  const why = /\s/.test(text) ? "it has a space or a line break" : reasons[found.problem];
  throw new OverturnError(`${name} is no ${what}: ${why}. Copy the whole ${what} again; nothing was sent`);
}

/** The API key, if there is one. */
export const keyOf = (text: string | undefined) => checked("apiKey (OVERTURN_API_KEY)", "API key", "ovt_", checkKey, text);

/** The API token, if there is one. */
export const tokenOf = (text: string | undefined) => checked("apiToken (OVERTURN_API_TOKEN)", "API token", "ovu_", checkToken, text);
