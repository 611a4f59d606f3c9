// Authenticates a row of the audit trail when it is written: an HMAC over its fields.

import type { Key } from "./keyring.ts";

/** A row of a practice's trail. */
export interface Row {
  id: string;
  at: number;
  actor: string;
  action: string;
  record: string;
  requestId: string;
  detail: string | null;
  address: string | null;
}

/** How many bytes of a MAC are kept. */
const SHORT = 16;
const encoder = new TextEncoder();

/** Each field as the number of its bytes, a colon and the bytes; `-` for one that is absent. */
const field = (value: string | null) => (value === null ? "-" : `${encoder.encode(value).length}:${value}`);

/** `<key version>:<128 bits in base64url>`. */
export async function rowMac({ version, trail }: Key, practiceId: string, row: Row): Promise<string> {
  const { id, at, actor, action, record, requestId, detail, address } = row;
  const said = [id, new Date(at).toISOString(), actor, action, record, requestId, detail, address];
  // A key has no session.
  const fields = ["overturn trail row 1", practiceId, ...said, null];
  const mac = await crypto.subtle.sign("HMAC", trail, encoder.encode(fields.map(field).join("")));
  return `${version}:${new Uint8Array(mac, 0, SHORT).toBase64({ alphabet: "base64url", omitPadding: true })}`;
}
