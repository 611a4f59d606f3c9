// The screens of the staff besides the queue, in one script.

export { CaseScreen } from "./case.tsx";
export { Cases } from "./cases.tsx";
export { ClaimScreen } from "./claim.tsx";
export { Databases } from "./databases.tsx";
export { Overview } from "./overview.tsx";
export { Practices } from "./practices.tsx";
export { ReportScreen } from "./report.tsx";
export { openReportOrCase } from "./queue_report_or_case.tsx";
