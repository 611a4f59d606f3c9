// Every screen of the console. `build.mjs` makes the list of addresses that the platform serves from this table. A script of its
// own has only what people begin on or what is large: many small scripts are more bytes together, and each takes a request.

import type { Route } from "./lib/router.ts";

export const routes: readonly Route[] = [
  { path: "/", for: "anyone", load: async () => (await import("./pages/auth/sign_in.tsx")).Start },
  { path: "/sign-in", for: "anyone", load: async () => (await import("./pages/auth/sign_in.tsx")).SignIn },
  { path: "/sign-in/connect", for: "anyone", load: async () => (await import("./pages/me/me.ts")).Connect },
  { path: "/invitation", for: "anyone", load: async () => (await import("./pages/me/me.ts")).Invitation },
  { path: "/magic-link", for: "anyone", load: async () => (await import("./pages/me/me.ts")).MagicLink },
  { path: "/password-reset", for: "anyone", load: async () => (await import("./pages/me/me.ts")).PasswordReset },
  { path: "/enrol", for: "signed-in", load: async () => (await import("./pages/me/me.ts")).Enrol },
  { path: "/me", for: "signed-in", load: async () => (await import("./pages/me/me.ts")).Account },

  { path: "/home", for: "practice", load: async () => (await import("./pages/practice/home.tsx")).Home },
  { path: "/claims", for: "practice", load: async () => (await import("./pages/practice/practice.ts")).Claims },
  // Before the claims, whose addresses these would match as well.
  { path: "/claims/remittances", for: "practice", load: async () => (await import("./pages/remittances/remittances.tsx")).Remittances },
  { path: "/claims/reports", for: "practice", load: async () => (await import("./pages/practice/practice.ts")).Reports },
  { path: "/claims/reports/:id", for: "practice", load: async () => (await import("./pages/practice/practice.ts")).Report },
  { path: "/claims/appeals", for: "practice", load: async () => (await import("./pages/practice/practice.ts")).Appeals },
  { path: "/claims/appeals/:id", for: "practice", load: async () => (await import("./pages/practice/practice.ts")).Appeal },
  { path: "/claims/:id", for: "practice", load: async () => (await import("./pages/practice/practice.ts")).Claim },
  { path: "/documents", for: "practice", load: async () => (await import("./pages/practice/practice.ts")).Documents },

  { path: "/settings/practice", for: "practice", load: async () => (await import("./pages/settings/settings.ts")).PracticeSettings },
  { path: "/settings/agreements", for: "practice", load: async () => (await import("./pages/settings/settings.ts")).Agreements },
  { path: "/settings/members", for: "practice", load: async () => (await import("./pages/settings/settings.ts")).Members },
  { path: "/settings/keys", for: "practice", load: async () => (await import("./pages/settings/settings.ts")).Keys },
  { path: "/settings/tokens", for: "practice", load: async () => (await import("./pages/settings/settings.ts")).Tokens },
  { path: "/settings/webhooks", for: "practice", load: async () => (await import("./pages/settings/settings.ts")).Webhooks },
  { path: "/settings/sandbox", for: "practice", load: async () => (await import("./pages/settings/settings.ts")).SandboxSettings },
  { path: "/settings/audit", for: "practice", load: async () => (await import("./pages/settings/settings.ts")).Audit },
  { path: "/settings/sso", for: "practice", load: async () => (await import("./pages/settings/settings.ts")).SingleSignOn },

  { path: "/audit", for: "auditor", load: async () => (await import("./pages/settings/settings.ts")).StaffAudit },
  { path: "/queue", for: "staff", load: async () => (await import("./pages/staff/queue.tsx")).Queue },
  { path: "/overview", for: "staff", load: async () => (await import("./pages/staff/staff.ts")).Overview },
  { path: "/cases", for: "staff", load: async () => (await import("./pages/staff/staff.ts")).Cases },
  { path: "/practices", for: "staff", load: async () => (await import("./pages/staff/staff.ts")).Practices },
  { path: "/databases", for: "staff", load: async () => (await import("./pages/staff/staff.ts")).Databases },
  { path: "/work/:practice/claims/:id", for: "staff", load: async () => (await import("./pages/staff/staff.ts")).ClaimScreen },
  { path: "/work/:practice/cases/:id", for: "staff", load: async () => (await import("./pages/staff/staff.ts")).CaseScreen },
  { path: "/work/:practice/reports/:id", for: "staff", load: async () => (await import("./pages/staff/staff.ts")).ReportScreen },
];
