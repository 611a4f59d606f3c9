// A server for browsers of this machine.

import { once } from "node:events";
import { createServer } from "node:http";

// Browsers and the service are on the same machine. The service's pages are usually at 127.0.0.1, so this is another site.
const HOST = "localhost";

/** Listens on a port, or on any free one. It answers once `serve(handle)` is called. */
export async function listen(port = 0) {
  const server = createServer();
  server.listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (error) {
    throw new Error(`cannot listen on port ${port}: ${error.code}`);
  }
  const { port: found } = server.address();
  return {
    server,
    port: found,
    origin: `http://${HOST}:${found}`,
    serve: (handle) => server.on("request", handle),
  };
}

/** The fields of a posted form or of a query. */
export async function fields(request, limit = 1 << 20) {
  if (request.method !== "POST") return new URL(request.url, "http://localhost").searchParams;
  return new URLSearchParams((await readBody(request, limit)).toString());
}

/** A posted body. */
export async function readBody(request, limit = 1 << 20) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > limit) throw new Error("the body is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Answers with a text. */
export function send(response, status, type, text) {
  response.writeHead(status, { "Content-Type": type, "Cache-Control": "no-store" }).end(text);
}
