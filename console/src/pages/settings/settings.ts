// The settings of a practice and both audit trails, in one script.

export { Agreements } from "./agreements.tsx";
export { Audit } from "./audit.tsx";
export { Keys } from "./keys.tsx";
export { Members } from "./members.tsx";
export { PracticeSettings } from "./practice.tsx";
export { SandboxSettings } from "./sandbox.tsx";
export { SingleSignOn } from "./sso.tsx";
export { StaffAudit } from "../audit/staff.tsx";
export { Tokens } from "./tokens.tsx";
export { Webhooks } from "./webhooks.tsx";
