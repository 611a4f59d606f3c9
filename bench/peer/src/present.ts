// Which optional parts a claim has, one bit each, as in core/src/plan/claims/present.rs.

import type { Item } from "../../checks/zod.ts";

export function presentIn({ patient, claim }: Item): number {
  const parts = [
    claim.denial_date !== undefined,
    claim.plan_type !== undefined,
    claim.denial_codes.length > 0,
    claim.denial_reason !== undefined,
    claim.diagnosis_codes.length > 0,
    patient.account_number !== undefined,
    patient.member_id !== undefined,
  ];
  return parts.reduce((bits, has, n) => (has ? bits | (1 << n) : bits), 0);
}
