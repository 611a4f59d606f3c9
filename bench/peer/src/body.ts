// The body of a request, up to a size.

import type { HonoRequest } from "hono";

const BODY_MAX = 2 * 1024 * 1024;

/** The bytes of a body, `undefined` when it is too large. */
export async function readBody(request: HonoRequest): Promise<Uint8Array | undefined> {
  const length = Number(request.header("Content-Length") ?? Number.NaN);
  if (length > BODY_MAX) return undefined;
  // If the client announces no length, the body is counted while it is read.
  if (Number.isNaN(length)) return counted(request.raw.body);
  return new Uint8Array(await request.arrayBuffer());
}

async function counted(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > BODY_MAX) return undefined;
    chunks.push(chunk);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
