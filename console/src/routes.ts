// Every screen of the console. `build.mjs` makes the list of addresses that the platform serves from this table.

import type { Route } from "./lib/router.ts";

export const routes: readonly Route[] = [
  { path: "/", for: "anyone", load: () => import("./pages/auth/start.tsx") },
  { path: "/sign-in", for: "anyone", load: () => import("./pages/auth/sign_in.tsx") },
  { path: "/sign-in/connect", for: "anyone", load: () => import("./pages/auth/connect.tsx") },
  { path: "/invitation", for: "anyone", load: () => import("./pages/auth/invitation.tsx") },
  { path: "/magic-link", for: "anyone", load: () => import("./pages/auth/magic_link.tsx") },
  { path: "/password-reset", for: "anyone", load: () => import("./pages/auth/password_reset.tsx") },
  { path: "/enrol", for: "signed-in", load: () => import("./pages/auth/enrol.tsx") },
  { path: "/me", for: "signed-in", load: () => import("./pages/me/account.tsx") },

  { path: "/home", for: "practice", load: () => import("./pages/practice/home.tsx") },
  { path: "/claims", for: "practice", load: () => import("./pages/practice/claims.tsx") },
  // Before the claims, whose addresses these would match as well.
  { path: "/claims/remittances", for: "practice", load: () => import("./pages/remittances/remittances.tsx") },
  { path: "/claims/reports", for: "practice", load: () => import("./pages/practice/reports.tsx") },
  { path: "/claims/reports/:id", for: "practice", load: () => import("./pages/practice/report.tsx") },
  { path: "/claims/appeals", for: "practice", load: () => import("./pages/practice/appeals.tsx") },
  { path: "/claims/appeals/:id", for: "practice", load: () => import("./pages/practice/appeal.tsx") },
  { path: "/claims/:id", for: "practice", load: () => import("./pages/practice/claim.tsx") },
  { path: "/documents", for: "practice", load: () => import("./pages/practice/documents.tsx") },

  { path: "/settings/practice", for: "practice", load: () => import("./pages/settings/practice.tsx") },
  { path: "/settings/agreements", for: "practice", load: () => import("./pages/settings/agreements.tsx") },
  { path: "/settings/members", for: "practice", load: () => import("./pages/settings/members.tsx") },
  { path: "/settings/keys", for: "practice", load: () => import("./pages/settings/keys.tsx") },
  { path: "/settings/tokens", for: "practice", load: () => import("./pages/settings/tokens.tsx") },
  { path: "/settings/webhooks", for: "practice", load: () => import("./pages/settings/webhooks.tsx") },
  { path: "/settings/audit", for: "practice", load: () => import("./pages/settings/audit.tsx") },
  { path: "/settings/sso", for: "practice", load: () => import("./pages/settings/sso.tsx") },

  { path: "/audit", for: "auditor", load: () => import("./pages/audit/staff.tsx") },
  { path: "/queue", for: "staff", load: () => import("./pages/staff/queue.tsx") },
  { path: "/overview", for: "staff", load: () => import("./pages/staff/overview.tsx") },
  { path: "/cases", for: "staff", load: () => import("./pages/staff/cases.tsx") },
  { path: "/practices", for: "staff", load: () => import("./pages/staff/practices.tsx") },
  { path: "/work/:practice/claims/:id", for: "staff", load: () => import("./pages/staff/claim.tsx") },
  { path: "/work/:practice/cases/:id", for: "staff", load: () => import("./pages/staff/case.tsx") },
  { path: "/work/:practice/reports/:id", for: "staff", load: () => import("./pages/staff/report.tsx") },
];
