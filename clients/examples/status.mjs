import { Client } from "@overturn/client";

const { claim } = await new Client().claims.readClaimStatus({ claim_number: "CH-2025-00417" });
console.log(claim.status, claim.signing.status);
