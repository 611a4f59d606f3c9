import { Client } from "@overturn/client";

const client = new Client(); // also reads OVERTURN_API_TOKEN
const url = process.env.HOOK_URL ?? "";
const { secret } = await client.webhooks.createWebhook({ url, events: ["claim.status_changed"] });
console.log(secret);
