// A DNS resolver over HTTP for the demo, because its domains do not exist. It answers in JSON.
//
//   POST /records  {"name", "text"}  publishes a TXT record
//   GET /dns-query?name=NAME&type=TXT

import { readBody, send } from "./server.mjs";

const [NO_ERROR, NO_SUCH_NAME] = [0, 3];
const TXT = 16;

/** The resolver at an origin. */
export function dnsResolver(origin) {
  const records = new Map();
  const handle = async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, origin);
    if (pathname === "/records" && request.method === "POST") {
      const { name, text } = JSON.parse(await readBody(request));
      records.set(name, text);
      send(response, 200, "application/json", "{}");
      return;
    }
    const name = searchParams.get("name");
    const text = records.get(name);
    const found = { Status: NO_ERROR, Answer: [{ name, type: TXT, TTL: 60, data: JSON.stringify(text) }] };
    const answer = text === undefined ? { Status: NO_SUCH_NAME } : found;
    send(response, 200, "application/dns-json", JSON.stringify(answer));
  };
  return { facts: { resolver: `${origin}/dns-query`, records: `${origin}/records` }, handle };
}
