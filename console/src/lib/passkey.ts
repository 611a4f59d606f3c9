// Passkeys of this browser (docs/api/accounts.md, Passkeys).

import { ownProblem } from "./problem.ts";

export const hasPasskeys = (): boolean => typeof window.PublicKeyCredential?.parseRequestOptionsFromJSON === "function";

/** True if the browser can offer passkeys in the field for the email address. */
export async function offersPasskeys(): Promise<boolean> {
  return hasPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable?.());
}

type How = Pick<CredentialRequestOptions, "mediation" | "signal">;

/** Asks for a passkey, and gives what the service takes as `credential`. `options` come from the service. */
export async function askPasskey(options: unknown, how: How = {}): Promise<never> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON);
  return toJson(navigator.credentials.get({ publicKey, ...how }));
}

/** Makes a passkey, and gives what the service takes as `credential`. `options` come from the service. */
export async function makePasskey(options: unknown): Promise<never> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON);
  return toJson(navigator.credentials.create({ publicKey }));
}

async function toJson(asked: Promise<Credential | null>): Promise<never> {
  try {
    const credential = (await asked) as PublicKeyCredential;
    return credential.toJSON() as never;
  } catch (error) {
    const { name } = error as DOMException;
    if (name === "AbortError") throw ownProblem("canceled", "The passkey is no longer asked for.");
    if (name === "InvalidStateError") throw ownProblem("passkey", "This passkey is enrolled already.");
    throw ownProblem("passkey", "No passkey was used. Try again, or choose another way.");
  }
}
