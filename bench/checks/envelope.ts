// The outside of a send request: bytes, JSON, and whether it is one item or a batch.

export type Envelope =
  | { items?: never; errors: string[] }
  /** What is wrong around the items, and the items, which have not been looked at. */
  | { items: unknown[]; isBatch: boolean; errors: string[] };

const BATCH_MAX = 100;

// A byte order mark is no part of JSON.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function readEnvelope(bytes: Uint8Array): Envelope {
  let body: unknown;
  try {
    body = JSON.parse(utf8.decode(bytes));
  } catch {
    return { errors: ["body must be valid JSON"] };
  }
  return envelopeOf(body);
}

/** The same for a body that has been parsed, or never was text. */
export function envelopeOf(body: unknown): Envelope {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return { errors: ["body must be an object"] };
  if (!Object.hasOwn(body, "claims")) return { items: [body], isBatch: false, errors: [] };
  return batch(body as { claims: unknown });
}

function batch(body: { claims: unknown }): Envelope {
  const errors = Object.keys(body).length > 1 ? ["claims must be the only key of a batch"] : [];
  const { claims } = body;
  if (!Array.isArray(claims)) return { errors: [...errors, "claims must be an array"] };
  if (claims.length < 1 || claims.length > BATCH_MAX) {
    return { errors: [...errors, `claims must have 1 to ${BATCH_MAX} items`] };
  }
  return { items: claims, isBatch: true, errors };
}
