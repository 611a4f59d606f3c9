// Field encryption: what is confidential about a claim, sealed by AES-256-GCM before it reaches the database.
//
// One blob a claim, in base64 without padding: `nonce (12 bytes) || ciphertext || tag (16 bytes)`. The additional data
// binds it to its place: practice, claim and key version.

import type { Item } from "../../checks/zod.ts";
import { uuidBytes } from "./ids.ts";
import type { Key } from "./keyring.ts";

const NONCE = 12;
const encoder = new TextEncoder();

/** Seals items of one practice, each for its claim. */
export function sealer({ version, sealing }: Key, practiceId: string) {
  const practice = uuidBytes(practiceId);
  return async (claimId: string, item: Item): Promise<string> => {
    const iv = crypto.getRandomValues(new Uint8Array(NONCE));
    const text = encoder.encode(JSON.stringify(confidential(item)));
    const additionalData = place(practice, claimId, version);
    const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData }, sealing, text);
    const blob = new Uint8Array(NONCE + sealed.byteLength);
    blob.set(iv);
    blob.set(new Uint8Array(sealed), NONCE);
    return blob.toBase64({ omitPadding: true });
  };
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

function place(practice: Uint8Array, claimId: string, version: number): Uint8Array {
  const place = new Uint8Array(36);
  place.set(practice);
  place.set(uuidBytes(claimId), 16);
  new DataView(place.buffer).setUint32(32, version);
  return place;
}
