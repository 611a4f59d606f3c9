// Compares patients and claims by keyed fingerprints ("tags"), without opening sealed data.

import type { Item } from "../../checks/zod.ts";

export interface Tags {
  /** Name and date of birth. */
  patient: string;
  /** The procedure code, if there is one. It is bound to the claim number. */
  procedure: string | undefined;
}

/** A tag is half of an HMAC. */
const TAG = 16;
/** The bytes of a part's length. */
const LENGTH = 8;
const encoder = new TextEncoder();
/** Room for the longest parts: a name has at most 200 characters, and NFKC turns one character into at most 33 bytes. */
const message = new Uint8Array(32 * 1024);
const view = new DataView(message.buffer);

export async function tagsOf({ identity }: { identity: CryptoKey }, practice: Uint8Array, { patient, claim }: Item): Promise<Tags> {
  const { first_name, last_name, date_of_birth } = patient;
  const code = claim.procedure_code;
  const [patientTag, procedureTag] = await Promise.all([
    tag(identity, "patient", practice, [normalise(first_name), normalise(last_name), date_of_birth]),
    code === undefined ? undefined : tag(identity, "procedure", practice, [claim.claim_number, normalise(code)]),
  ]);
  return { patient: patientTag, procedure: procedureTag };
}

async function tag(key: CryptoKey, kind: string, practice: Uint8Array, texts: string[]): Promise<string> {
  let end = part(0, kind);
  message.set(practice, end + LENGTH);
  end = close(end, practice.length);
  for (const text of texts) end = part(end, text);
  const mac = await crypto.subtle.sign("HMAC", key, message.slice(0, end));
  return new Uint8Array(mac, 0, TAG).toHex();
}

function part(at: number, text: string): number {
  const { written } = encoder.encodeInto(text, message.subarray(at + LENGTH));
  return close(at, written);
}

/** Writes each part after its length, so that two lists of parts never make the same bytes. Returns the end of the part. */
function close(at: number, length: number): number {
  view.setUint32(at, 0);
  view.setUint32(at + LENGTH / 2, length);
  return at + LENGTH + length;
}

/** Printable ASCII with single spaces inside: only the case needs folding. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

/** Unicode NFKC, white space collapsed and trimmed, case folded. */
function normalise(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  const folded = text.normalize("NFKC").toLowerCase().replaceAll("ß", "ss").replaceAll("ς", "σ").normalize("NFKC");
  return folded.replace(/\p{White_Space}+/gu, " ").replace(/^ | $/g, "");
}
