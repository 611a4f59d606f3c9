// What screens and parts use besides the calls to the service, which are in api.ts. See `lists` in build.mjs.

export * from "./amount.ts";
export * from "./csv.ts";
export * from "./download.ts";
export * from "./find_claim.ts";
export * from "./focus.ts";
export * from "./format.ts";
export * from "./fragment.ts";
export * from "./idle.ts";
export * from "./intent.ts";
export * from "./keys.ts";
export * from "./load.ts";
export * from "./passkey.ts";
export * from "./practice_details.ts";
export * from "./problem.ts";
export * from "./return.ts";
export * from "./router.ts";
export * from "./session.ts";
export * from "./summary.ts";
export * from "./tabs.ts";
export * from "./terms.ts";
