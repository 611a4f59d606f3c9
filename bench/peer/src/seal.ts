// Field encryption: seals the confidential fields of a claim before they reach the database.

import type { Item } from "../../checks/zod.ts";
import type { DataKey } from "./data_key.ts";
import { uuidBytes } from "./ids.ts";
import { binder, seal } from "./sealing.ts";

const encoder = new TextEncoder();

/** Seals items of one practice, each for its claim. */
export function sealer({ version, sealing }: DataKey, practiceId: string) {
  const bound = binder({ table: "claims", column: "sealed", practice: uuidBytes(practiceId), keyVersion: version });
  return (claimId: string, item: Item): Promise<string> =>
    seal(sealing, bound(uuidBytes(claimId)), encoder.encode(JSON.stringify(confidential(item))));
}

/** The patient, the codes as sent and all free text. */
function confidential({ patient, claim }: Item) {
  const { procedure_code, denial_codes, denial_reason, diagnosis_codes } = claim;
  return {
    patient,
    procedure_code,
    denial_codes: denial_codes.length > 0 ? denial_codes : undefined,
    denial_reason,
    diagnosis_codes: diagnosis_codes.length > 0 ? diagnosis_codes : undefined,
  };
}
