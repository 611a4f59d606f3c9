import { createServer } from "node:http";
import { verifyWebhook } from "@overturn/client";

const server = createServer(async (request, response) => {
  const chunks = await request.toArray();
  try {
    const secret = process.env.OVERTURN_WEBHOOK_SECRET ?? "";
    const event = await verifyWebhook(Buffer.concat(chunks), request.headers, secret);
    if (event.type === "claim.status_changed") console.log(event.data.claim.claim_number, event.data.claim.status);
    response.writeHead(204).end();
  } catch (error) {
    console.error(String(error));
    response.writeHead(400).end();
  }
});
server.listen(3000, "127.0.0.1");
