import type { SsoAdvice } from "../../generated/rules.ts";
import { Problem } from "../../lib/index.ts";
import { ProblemView } from "../../ui/index.ts";

const ADVICE: Record<SsoAdvice, string> = {
  begin_again:
    "The sign-in did not begin in this browser, took longer than five minutes, or was used before. Begin it again here.",
  ended: "The sign-in was ended at the provider. Begin it again, or sign in another way.",
  not_accepted:
    "We did not accept what the provider said. Sign in with your password or with a link by email. If that is no way, ask an admin of your practice, and give your contact at Overturn the request id.",
};

/** Why a sign-in at a provider did not end here, and what to do. Both texts come from the address, so neither is shown as it is. */
export function Refused({ advice, request }: { advice: string; request: string | null }) {
  const detail = ADVICE[advice as SsoAdvice] ?? ADVICE.not_accepted;
  const requestId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(request ?? "") ? (request ?? undefined) : undefined;
  return <ProblemView problem={new Problem({ status: 401, code: "not_authenticated", detail, requestId })} />;
}
