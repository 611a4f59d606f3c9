// Field encryption: what is confidential about a claim, sealed by AES-256-GCM before it reaches the database.
//
// One blob a claim, in base64 without padding: `nonce (12 bytes) || ciphertext || tag (16 bytes)`. The additional data
// binds it to its place: practice, claim and key version.

import type { Item } from "../../checks/zod.ts";
import { uuidBytes } from "./ids.ts";
import type { Key } from "./keyring.ts";

const NONCE = 12;
const encoder = new TextEncoder();

export async function seal(key: Key, practiceId: string, claimId: string, item: Item): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE));
  const additionalData = place(practiceId, claimId, key.version);
  const text = encoder.encode(JSON.stringify(confidential(item)));
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData }, key.sealing, text);
  const blob = new Uint8Array(NONCE + sealed.byteLength);
  blob.set(iv);
  blob.set(new Uint8Array(sealed), NONCE);
  return blob.toBase64({ omitPadding: true });
}

/** The patient, the codes as sent and all free text. */
function confidential({ patient, claim }: Item) {
  const { procedure_code, denial_codes, denial_reason, diagnosis_codes } = claim;
  return {
    patient,
    procedure_code,
    denial_codes: denial_codes.length > 0 ? denial_codes : undefined,
    denial_reason,
    diagnosis_codes: diagnosis_codes.length > 0 ? diagnosis_codes : undefined,
  };
}

function place(practiceId: string, claimId: string, version: number): Uint8Array {
  const place = new Uint8Array(36);
  place.set(uuidBytes(practiceId));
  place.set(uuidBytes(claimId), 16);
  new DataView(place.buffer).setUint32(32, version);
  return place;
}
