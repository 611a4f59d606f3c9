// The types of the package for who requires it.

import core = require("@overturn/core");
import payers = require("@overturn/core/payer");
import remittances = require("@overturn/core/remit");

const request: core.SendRequest = {
  patient: { first_name: "Dana", last_name: "Whitfield", date_of_birth: "1984-06-02" },
  claim: {
    claim_number: "A-1",
    payer_claim_number: "P-1",
    payer_name: "Blue Prairie Health",
    date_of_service: "2025-01-14",
    billed_amount: "245.00",
    denial_codes: ["CO-50"],
  },
};
export const report: core.Report = core.validate(request);
export const first: core.ClaimStatus | undefined = core.statuses[0];
export const played: payers.PlayedFiles = payers.payer();
export const outcome: remittances.Outcome = new remittances.Remit().finish();
// @ts-expect-error: no such export
export const none = core.compile;
