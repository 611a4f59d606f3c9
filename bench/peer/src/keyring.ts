// The keys of the secret `SEALING_KEYS`, "2:<base64 of 32 bytes>,1:<base64>". The first key seals, the others only read and compare. They are imported once in
// each isolate.

import { Refusal } from "./refusal.ts";

export interface Key {
  version: number;
  /** AES-256-GCM, for practices' data keys. */
  wrapping: CryptoKey;
  /** HMAC-SHA-256, for fingerprints from before practices had data keys. */
  identity: CryptoKey;
  /** HMAC-SHA-256, for the rows of audit trails. */
  trail: CryptoKey;
}

export class Keyring {
  readonly current: Key;
  readonly #keys: Map<number, Key>;

  constructor(keys: [Key, ...Key[]]) {
    this.current = keys[0];
    this.#keys = new Map(keys.map((key) => [key.version, key]));
  }

  get(version: number): Key | undefined {
    return this.#keys.get(version);
  }
}

let imported: { secret: string; keyring: Keyring } | undefined;

export async function keyringOf(secret: string): Promise<Keyring> {
  // Requests share the imported keys, never a promise of another request.
  if (imported?.secret !== secret) imported = { secret, keyring: await importKeys(secret) };
  return imported.keyring;
}

async function importKeys(secret: string): Promise<Keyring> {
  const entries = secret.split(",").filter((entry) => entry.trim() !== "");
  const [first, ...others] = await Promise.all(entries.map(importKey));
  if (first === undefined) throw Refusal.misconfigured("SEALING_KEYS");
  return new Keyring([first, ...others]);
}

async function importKey(entry: string): Promise<Key> {
  const [, version, base64] = /^\s*(\d+)\s*:\s*(\S+)\s*$/.exec(entry) ?? [];
  const root = base64 === undefined ? undefined : Uint8Array.fromBase64(base64);
  if (root?.length !== 32) throw Refusal.misconfigured("SEALING_KEYS");
  const key = await hmacKey(root);
  const [wrapping, identity, trail] = await Promise.all([
    derive(key, "overturn wrap v1").then((key) => crypto.subtle.importKey("raw", key, "AES-GCM", false, ["encrypt", "decrypt"])),
    derive(key, "overturn identity v1").then(hmacKey),
    derive(key, "overturn trail v1").then(hmacKey),
  ]);
  return { version: Number(version), wrapping, identity, trail };
}

/** One key per purpose from a root that is uniformly random. */
export const derive = (root: CryptoKey, purpose: string): Promise<ArrayBuffer> =>
  crypto.subtle.sign("HMAC", root, new TextEncoder().encode(purpose));

export const hmacKey = (bytes: BufferSource) =>
  crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
