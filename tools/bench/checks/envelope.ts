// The envelope of a send request: bytes, JSON, and whether it is one item or a batch.

export type Envelope =
  | { items?: never; errors: string[] }
  /** The problems of the envelope, and the items, which are still unchecked. */
  | { items: unknown[]; isBatch: boolean; errors: string[] };

const BATCH_MAX = 100;

// A byte order mark is not valid JSON.
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

/** The same for a body that is already an object. */
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
