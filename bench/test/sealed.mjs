// What the peer has sealed, opened without any code of it.

import assert from "node:assert/strict";
import { createDecipheriv, createHmac } from "node:crypto";
import { batch } from "../checks/batch.mjs";
import { SEALING_KEYS } from "./service.mjs";

const bytes = (id) => Buffer.from(id.replaceAll("-", ""), "hex");

function open({ practice_id, id, key_version, sealed }) {
  const root = Buffer.from(SEALING_KEYS.split(":")[1], "base64");
  const key = createHmac("sha256", root).update("overturn seal v1").digest();
  const version = Buffer.alloc(4);
  version.writeUInt32BE(key_version);
  const blob = Buffer.from(sealed, "base64");
  const cipher = createDecipheriv("aes-256-gcm", key, blob.subarray(0, 12));
  cipher.setAAD(Buffer.concat([bytes(practice_id), bytes(id), version])).setAuthTag(blob.subarray(-16));
  return Buffer.concat([cipher.update(blob.subarray(12, -16)), cipher.final()]).toString();
}

/** Fails unless every claim of the batch holds its patient, codes and free text, sealed. */
export function assertSealed(claims) {
  const sent = batch("CH-", 100).claims;
  for (const { patient, claim } of sent) {
    const row = claims.find(({ claim_number }) => claim_number === claim.claim_number);
    const { procedure_code, denial_codes, denial_reason, diagnosis_codes } = claim;
    const confidential = { patient, procedure_code, denial_codes, denial_reason, diagnosis_codes };
    assert.equal(open(row), JSON.stringify(confidential));
  }
}
