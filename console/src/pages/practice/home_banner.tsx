import { may, practice } from "../../lib/index.ts";
import { Message } from "../../ui/index.ts";

/** What stops the practice from working, and who can change it. Nothing if all is well. */
export function Banner() {
  const own = practice.value;
  if (!own) return null;
  if (own.status === "inactive") {
    return (
      <div class="notice bad">
        <h2>Your practice is not active</h2>
        <p>
          We take no new claims from it, and the claims that we have cannot be read here. Nothing is lost. Call or write to
          your contact at Overturn to ask why, and to have it switched on again.
        </p>
      </div>
    );
  }
  if (own.agreement === "in_force") return null;
  const isMissing = own.agreement === "missing";
  return (
    <div class="notice warn">
      <h2>{isMissing ? "One agreement is not signed yet" : "Your agreement has ended"}</h2>
      <p>
        The law asks for a business associate agreement between your practice and us, because claims name patients.{" "}
        {isMissing ? "Until it is signed" : "Until a new one is signed"}, we take no claims, and claims and documents cannot
        be read here.
      </p>
      {may("sign_agreement") ? (
        <p class="actions">
          <a class="button primary" href="/settings/agreements">
            Read and sign the agreement
          </a>
          <span class="quiet-text">It takes about five minutes. You sign with your name and your title.</span>
        </p>
      ) : (
        <AskOwner />
      )}
    </div>
  );
}

function AskOwner() {
  const request =
    `Please sign our agreement with Overturn: sign in at ${location.origin}/settings/agreements and follow the steps. ` +
    "Until then, we cannot send denied claims.";
  return (
    <>
      <p>Only an owner or an admin of your practice can sign. Send one of them this message:</p>
      <Message text={request} />
    </>
  );
}
