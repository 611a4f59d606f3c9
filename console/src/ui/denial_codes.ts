// What the codes of a denial mean, in words of our own. Only the screens that explain codes load this file.

/** Claim adjustment reason codes (CARC), without their group. */
const REASONS: Readonly<Record<string, string>> = {
  1: "Deductible",
  2: "Coinsurance",
  3: "Copayment",
  4: "The modifier is missing or does not fit the procedure",
  11: "The diagnosis does not fit the procedure",
  16: "The claim lacks information or has a billing error",
  18: "Exact duplicate of another claim or service",
  22: "Another payer may have to pay first",
  23: "What an earlier payer paid or adjusted was taken into account",
  24: "Covered by a capitation agreement or a managed care plan",
  26: "The service was before the coverage began",
  27: "The service was after the coverage ended",
  29: "The time limit for filing the claim has passed",
  31: "The payer cannot identify the patient as insured",
  39: "Authorization was asked for and refused",
  45: "The charge is above the fee schedule or the allowed amount",
  49: "Routine or preventive service that the plan does not cover",
  50: "Not medically necessary, as the payer sees it",
  55: "Experimental or investigational, as the payer sees it",
  58: "The place of service does not fit the treatment",
  59: "Reduced because several procedures were done together",
  96: "Not a covered charge; a remark code says why",
  97: "Included in the payment for another service",
  109: "This payer does not cover the claim; another one may",
  119: "The benefit maximum is reached",
  129: "The information on earlier processing seems wrong",
  140: "The patient’s ID number and name do not match",
  146: "The diagnosis code was not valid on the date of service",
  150: "The records do not support this level of service",
  151: "The records do not support this many services",
  163: "A document that the claim mentions did not arrive",
  165: "The referral is missing or was exceeded",
  167: "The diagnosis is not covered",
  170: "Not paid for this type of provider",
  177: "The patient did not meet the conditions for coverage",
  181: "The procedure code was not valid on the date of service",
  182: "The modifier was not valid on the date of service",
  185: "The provider may not perform this service under the plan",
  193: "The payer looked again and kept its decision",
  197: "Precertification or authorization is missing",
  198: "More was done than the authorization allows",
  204: "Not covered by the patient’s current plan",
  226: "Information from the provider did not come, or not in time",
  227: "Information from the patient did not come, or not in time",
  234: "Not paid separately",
  236: "Not paid together with another procedure of that day",
  242: "The provider is not in the plan’s network",
  252: "The payer needs a document to decide",
};

/** Remittance advice remark codes (RARC). */
const REMARKS: Readonly<Record<string, string>> = {
  M15: "Services billed apart belong together and are paid as one",
  M20: "The procedure code (HCPCS) is missing or not valid",
  M25: "The records do not show that this level of service was needed",
  M51: "The procedure code is missing or not valid",
  M62: "The authorization code is missing or not valid",
  M76: "The diagnosis is missing or not valid",
  M77: "The place of service is missing or not valid",
  M86: "The same or a similar service was paid within a set time",
  M127: "The patient’s medical record for this service is missing",
  MA01: "It says how to appeal if you disagree",
  MA04: "The primary payer’s decision is missing or not readable",
  MA63: "The principal diagnosis is missing or not valid",
  MA130: "The claim cannot be processed: send a corrected one",
  N4: "The earlier payer’s explanation of benefits is missing",
  N30: "The patient is not eligible for this service",
  N56: "The procedure code does not fit the service or its date",
  N95: "This type of provider may not bill this service",
  N115: "Decided by a local coverage rule of Medicare (LCD)",
  N130: "The plan’s documents say what limits this service",
  N290: "The rendering provider’s identifier is missing or not valid",
  N362: "More days or units than the payer accepts",
  N386: "Decided by a national coverage rule of Medicare (NCD)",
  N657: "The service must be billed with another code",
};

/** Who bears the amount. The letters before the number say it. */
const GROUPS: Readonly<Record<string, string>> = {
  CO: "Contractual obligation: it may not be billed to the patient.",
  CR: "Correction or reversal of an earlier decision.",
  OA: "Other adjustment: the payer names no one who has to bear it.",
  PI: "Payer-initiated reduction: as the payer sees it, the patient does not owe it.",
  PR: "Patient responsibility: the payer says that the patient owes it.",
};

/** The value of an own name, so that "constructor" is none. */
const of = (table: Readonly<Record<string, string>>, name: string): string | undefined => (Object.hasOwn(table, name) ? table[name] : undefined);

/** What a code such as `CO-50` or `N130` means, and its group. `meaning` is `undefined` for a code without a gloss. */
export function explain(code: string): { meaning: string | undefined; group: string } {
  const [group = "", reason] = code.split("-");
  if (reason === undefined) return { meaning: of(REMARKS, code), group: "A remark of the payer." };
  return { meaning: of(REASONS, reason), group: of(GROUPS, group) ?? "An adjustment of the payer." };
}
