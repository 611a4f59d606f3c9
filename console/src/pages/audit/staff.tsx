import { Page } from "../../ui/index.ts";
import { AuditTrail } from "./trail.tsx";

/** Who of the staff did what, for auditors. */
export function StaffAudit() {
  return (
    <Page title="Audit trail of the staff" lead="What our own people did: sign-ins, searches, and changes to accounts.">
      <AuditTrail of="staff" />
    </Page>
  );
}
