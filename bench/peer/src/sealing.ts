// Sealing by AES-256-GCM: one blob, in base64 without padding: `nonce (12 bytes) || ciphertext || tag (16 bytes)`.
//
// The additional data binds a blob to its place: the name of this form, table, column, owner, record and key version, each
// after its length.

const FORM = "overturn peer AES-256-GCM";
const NONCE = 12;
const UUID = 16;
const encoder = new TextEncoder();

/** A column with sealed values of one practice. */
export interface Column {
  table: string;
  column: string;
  practice: Uint8Array;
  keyVersion: number;
}

/** The additional data of a sealed value in a column, for the bytes of its record. */
export function binder({ table, column, practice, keyVersion }: Column) {
  const version = new Uint8Array(8);
  new DataView(version.buffer).setBigInt64(0, BigInt(keyVersion));
  const texts = [FORM, table, column].map((text) => encoder.encode(text));
  const parts = [...texts, practice, new Uint8Array(UUID), version];
  const bound = new Uint8Array(parts.reduce((size, part) => size + 4 + part.length, 0));
  const view = new DataView(bound.buffer);
  let end = 0;
  for (const part of parts) {
    view.setUint32(end, part.length);
    bound.set(part, end + 4);
    end += 4 + part.length;
  }
  const record = end - version.length - 4 - UUID;
  return (id: Uint8Array): Uint8Array => {
    const of = bound.slice();
    of.set(id, record);
    return of;
  };
}

export async function seal(key: CryptoKey, bound: Uint8Array, text: Uint8Array): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE));
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData: bound }, key, text);
  const blob = new Uint8Array(NONCE + sealed.byteLength);
  blob.set(iv);
  blob.set(new Uint8Array(sealed), NONCE);
  return blob.toBase64({ omitPadding: true });
}

/** Fails if the value was not sealed with this key for this place. */
export async function open(key: CryptoKey, bound: Uint8Array, blob: string): Promise<Uint8Array> {
  const bytes = Uint8Array.fromBase64(blob);
  const cipher = { name: "AES-GCM", iv: bytes.subarray(0, NONCE), additionalData: bound };
  return new Uint8Array(await crypto.subtle.decrypt(cipher, key, bytes.subarray(NONCE)));
}
