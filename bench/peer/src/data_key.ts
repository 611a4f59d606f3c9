// A practice's data key: 32 random bytes, stored wrapped under a key of the service. Every send unwraps it and then forgets it, so destroying its row destroys
// all data sealed with it. The first send of a practice creates it.

import { uuidBytes, uuids } from "./ids.ts";
import { derive, hmacKey, type Keyring } from "./keyring.ts";
import { Refusal } from "./refusal.ts";
import type { StoredDataKey } from "./rows.ts";
import { binder, open, seal } from "./sealing.ts";

export interface DataKey {
  id: string;
  /** Counts the practice's data keys from 1. */
  number: number;
  /** The version stored with its sealed values: its number, negated. */
  version: number;
  /** AES-256-GCM, for patient data. */
  sealing: CryptoKey;
  /** HMAC-SHA-256, for fingerprints. */
  identity: CryptoKey;
  /** The row to store, if it is new. */
  row: { keyVersion: number; wrapped: string } | undefined;
}

/** The key for sealing: the stored one, or a new one if the practice has none. */
export async function dataKeyOf(
  practiceId: string,
  stored: StoredDataKey | undefined,
  keyring: Keyring,
  now: number,
): Promise<DataKey> {
  const practice = uuidBytes(practiceId);
  const place = (keyVersion: number) => binder({ table: "practice_keys", column: "wrapped", practice, keyVersion });
  if (stored !== undefined && stored.wrapped !== null) {
    const key = keyring.get(stored.keyVersion);
    // During a rotation, another instance may already use a newer key.
    if (key === undefined) throw Refusal.unavailable("a data key's key version is not in the keyring");
    const secret = await open(key.wrapping, place(stored.keyVersion)(uuidBytes(stored.id)), stored.wrapped).catch(() => {
      throw Refusal.internal("tampered: practice_keys.wrapped");
    });
    return made(stored.id, stored.version, secret, undefined);
  }
  const [id] = uuids(1, now) as [string];
  const secret = crypto.getRandomValues(new Uint8Array(32));
  const { version: keyVersion, wrapping } = keyring.current;
  const wrapped = await seal(wrapping, place(keyVersion)(uuidBytes(id)), secret);
  return made(id, (stored?.version ?? 0) + 1, secret, { keyVersion, wrapped });
}

async function made(id: string, number: number, secret: Uint8Array, row: DataKey["row"]): Promise<DataKey> {
  const root = await hmacKey(secret);
  const [sealing, identity] = await Promise.all([
    derive(root, "overturn data seal v1").then((key) => crypto.subtle.importKey("raw", key, "AES-GCM", false, ["encrypt"])),
    derive(root, "overturn data identity v1").then(hmacKey),
  ]);
  return { id, number, version: -number, sealing, identity, row };
}
