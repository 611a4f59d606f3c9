import { Client } from "@overturn/client";

const client = new Client();
await client.claims.advanceSandboxClock({ advance: "P40D" });
const { claim } = await client.claims.readClaimStatus({ claim_number: "RECOVER-1" });
console.log(claim.status); // recovered
