// Is this the same patient, and the same claim? Answered by keyed fingerprints ("tags"), without opening anything.

import type { Item } from "../../checks/zod.ts";
import { uuidBytes } from "./ids.ts";
import type { Key } from "./keyring.ts";

export interface Tags {
  /** Name and date of birth. */
  patient: string;
  /** The procedure code, where there is one. It is bound to the claim number. */
  procedure: string | undefined;
}

const encoder = new TextEncoder();
/** A tag is half of an HMAC. */
const TAG = 16;

export async function tagsOf({ identity }: Key, practiceId: string, { patient, claim }: Item): Promise<Tags> {
  const practice = uuidBytes(practiceId);
  const names = [normalise(patient.first_name), normalise(patient.last_name)];
  const code = claim.procedure_code;
  const [patientTag, procedureTag] = await Promise.all([
    tag(identity, "patient", practice, [...names, patient.date_of_birth]),
    code === undefined ? undefined : tag(identity, "procedure", practice, [claim.claim_number, normalise(code)]),
  ]);
  return { patient: patientTag, procedure: procedureTag };
}

/** Each part is preceded by its length, so that no two lists of parts run together. */
async function tag(key: CryptoKey, kind: string, practice: Uint8Array, texts: string[]): Promise<string> {
  const parts = [encoder.encode(kind), practice, ...texts.map((text) => encoder.encode(text))];
  const message = new Uint8Array(parts.reduce((size, part) => size + 8 + part.length, 0));
  const view = new DataView(message.buffer);
  let at = 0;
  for (const part of parts) {
    view.setUint32(at + 4, part.length);
    message.set(part, at + 8);
    at += 8 + part.length;
  }
  const mac = await crypto.subtle.sign("HMAC", key, message);
  return new Uint8Array(mac, 0, TAG).toHex();
}

/** Unicode NFKC, white space collapsed and trimmed, case folded. */
function normalise(text: string): string {
  const folded = text.normalize("NFKC").toLowerCase().replaceAll("ß", "ss").replaceAll("ς", "σ").normalize("NFKC");
  return folded.replace(/\p{White_Space}+/gu, " ").replace(/^ | $/g, "");
}
