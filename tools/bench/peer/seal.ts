// Seals what is confidential under the data key of the practice, and compares patients by keyed tags.

import type { Item } from "../checks/zod.ts";
import { uuids } from "./ids.ts";
import { Refusal } from "./refusal.ts";

const encoder = new TextEncoder();
const NONCE = 12;

const hmacKey = (bytes: BufferSource) => crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
const aesKey = (bytes: BufferSource) => crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
/** One key per purpose from a root that is uniformly random. */
const derive = (root: CryptoKey, purpose: string) => crypto.subtle.sign("HMAC", root, encoder.encode(purpose));
/** Where a sealed value belongs. It opens nowhere else. */
const place = (...parts: (string | number)[]) => encoder.encode(JSON.stringify(parts));

/** `nonce || ciphertext || tag`, in base64 without padding. */
async function seal(key: CryptoKey, additionalData: Uint8Array, text: Uint8Array): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE));
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData }, key, text);
  const blob = new Uint8Array(NONCE + sealed.byteLength);
  blob.set(iv);
  blob.set(new Uint8Array(sealed), NONCE);
  return blob.toBase64({ omitPadding: true });
}

let imported: { secret: string; version: number; key: CryptoKey } | undefined;

/** The first key of `SEALING_KEYS`, "1:<base64 of 32 bytes>". It wraps the data keys. */
async function wrapping(secret: string) {
  if (imported?.secret === secret) return imported;
  const [version = "", base64 = ""] = secret.split(",", 1)[0]!.split(":");
  const key = await aesKey(await derive(await hmacKey(Uint8Array.fromBase64(base64)), "overturn wrap v1"));
  imported = { secret, version: Number(version), key };
  return imported;
}

export interface DataKey {
  id: string;
  sealing: CryptoKey;
  tagging: CryptoKey;
  /** What to store of it, if it is new. */
  row: { keyVersion: number; wrapped: string } | undefined;
}

/** The practice's data key from its row, or a new one. Its row is read by every send, so that a destroyed key is gone. */
export async function dataKeyOf(practice: string, row: unknown, secret: string, now: number): Promise<DataKey> {
  const { version, key } = await wrapping(secret);
  if (row !== null) {
    const [, id, keyVersion, wrapped] = row as [number, string, number, string | null];
    if (wrapped === null || keyVersion !== version) throw Refusal.internal();
    const bytes = Uint8Array.fromBase64(wrapped);
    const additionalData = place("practice_keys", practice, id, keyVersion);
    const iv = bytes.subarray(0, NONCE);
    return keysOf(id, await crypto.subtle.decrypt({ name: "AES-GCM", iv, additionalData }, key, bytes.subarray(NONCE)), undefined);
  }
  const [id] = uuids(1, now) as [string];
  const root = crypto.getRandomValues(new Uint8Array(32));
  return keysOf(id, root, { keyVersion: version, wrapped: await seal(key, place("practice_keys", practice, id, version), root) });
}

async function keysOf(id: string, bytes: BufferSource, row: DataKey["row"]): Promise<DataKey> {
  const root = await hmacKey(bytes);
  const [sealing, tagging] = await Promise.all([derive(root, "seal").then(aesKey), derive(root, "tag").then(hmacKey)]);
  return { id, sealing, tagging, row };
}

/** Seals the patient, the codes as sent and all free text. */
export function sealed({ sealing }: DataKey, practice: string, claimId: string, { patient, claim }: Item): Promise<string> {
  const { procedure_code, denial_codes, denial_reason, diagnosis_codes } = claim;
  const confidential = { patient, procedure_code, denial_codes, denial_reason, diagnosis_codes };
  return seal(sealing, place("claims", practice, claimId), encoder.encode(JSON.stringify(confidential)));
}

/** The tags of the patient and of the procedure, if there is one. */
export function tagsOf({ tagging }: DataKey, { patient, claim }: Item): Promise<[string, string | undefined]> {
  const { first_name, last_name, date_of_birth } = patient;
  const { claim_number, procedure_code } = claim;
  const tag = async (...texts: string[]) =>
    new Uint8Array(await crypto.subtle.sign("HMAC", tagging, encoder.encode(JSON.stringify(texts))), 0, 16).toHex();
  return Promise.all([
    tag("patient", normalise(first_name), normalise(last_name), date_of_birth),
    procedure_code === undefined ? undefined : tag("procedure", claim_number, normalise(procedure_code)),
  ]);
}

/** Unicode NFKC, white space collapsed and trimmed, case folded. */
function normalise(text: string): string {
  const folded = text.normalize("NFKC").toLowerCase().replaceAll("ß", "ss").replaceAll("ς", "σ").normalize("NFKC");
  return folded.replace(/\p{White_Space}+/gu, " ").replace(/^ | $/g, "");
}
