import { AuditTrail } from "../audit/trail.tsx";
import { Settings } from "./frame.tsx";

export function Audit() {
  return (
    <Settings title="Audit trail" lead="Every change, and every look at a patient, leaves a row that cannot be changed later.">
      <AuditTrail of="practice" />
    </Settings>
  );
}
