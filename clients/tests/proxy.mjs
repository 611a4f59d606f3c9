// A proxy between a client and the service that makes faults: `node proxy.mjs SERVICE` prints its address.
//
//   POST /faults  what to do with the next calls, in their order, as JSON: "pass", "lose" (the service gets the call, and its
//                 answer is lost), "drop" (the service does not get it), or a status with a body and a Retry-After
//   GET /seen     the calls since then

import { createHash } from "node:crypto";
import { createServer } from "node:http";

const SERVICE = process.argv[2];
let [faults, seen] = [[], []];

async function all(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function answer(request, response) {
  const { method, url, headers } = request;
  const body = await all(request);
  if (url === "/faults") {
    [faults, seen] = [JSON.parse(body), []];
    return response.end();
  }
  if (url === "/seen") return response.end(JSON.stringify(seen));
  seen.push({ method, url, key: headers["idempotency-key"], body: createHash("sha256").update(body).digest("hex") });
  const fault = faults.shift() ?? "pass";
  if (fault === "drop") return request.socket.destroy();
  if (typeof fault === "object") {
    const said = typeof fault.body === "string" ? fault.body : JSON.stringify(fault.body ?? {});
    return response.writeHead(fault.status, fault.retry_after === undefined ? {} : { "Retry-After": fault.retry_after }).end(said);
  }
  const { host, connection, "content-length": length, ...passed } = headers;
  const found = await fetch(SERVICE + url, { method, headers: passed, body: ["GET", "HEAD"].includes(method) ? undefined : body, redirect: "manual" });
  const content = Buffer.from(await found.arrayBuffer());
  if (fault === "lose") return request.socket.destroy();
  const headersBack = [...found.headers].filter(([name]) => !["content-encoding", "content-length", "transfer-encoding", "connection"].includes(name));
  response.writeHead(found.status, headersBack.flat()).end(content);
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => response.writeHead(599).end(String(error)));
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
