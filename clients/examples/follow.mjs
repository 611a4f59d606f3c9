import { Client } from "@overturn/client";

const client = new Client(); // also reads OVERTURN_API_TOKEN
let changes_after = "start"; // later: the cursor that you stored
for (let more = true; more; ) {
  const page = await client.denials.listDenials({ limit: 100, changes_after });
  for (const { claim_number, status } of page.denials) console.log(claim_number, status);
  ({ more, changes_cursor: changes_after } = page);
}
console.log("store", changes_after);
