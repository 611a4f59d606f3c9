// The screens of a practice besides its home and its remittances, in one script.

export { Appeal } from "./appeal.tsx";
export { Appeals } from "./appeals.tsx";
export { Claim } from "./claim.tsx";
export { Claims } from "./claims.tsx";
export { Documents } from "./documents.tsx";
export { Report } from "./report.tsx";
export { Reports } from "./reports.tsx";
