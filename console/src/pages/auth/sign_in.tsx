import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { limits } from "../../generated/rules.ts";
import { post } from "../../lib/api.ts";
import {
  asProblem, destination, firstFactor, forgetFragment, fragmentOf, hasPasskeys, keepReturn, navigate, offersPasskeys, ownProblem,
  query, session, signInByPasskey, useAction, withReturn,
} from "../../lib/index.ts";
import { Button, Form, Page, ProblemView, TextField, useForm } from "../../ui/index.ts";
import { arrive, Code } from "./arrive.tsx";
import { findProviders, Providers, type Provider } from "./providers.tsx";
import { Refused } from "./refused.tsx";

const FAREWELLS: Record<string, string> = {
  "signed-out": "You are signed out.",
  idle: "You were signed out because nothing was done for a while. Sign in to go on where you were.",
  expired: "Your session has ended. Sign in to go on where you were.",
};

const WRONG = "The email address or the password is wrong. If you forgot your password, we can email you a link for a new one.";

/** `/`: leads each person to where they begin. */
export function Start() {
  useEffect(() => navigate(session.value ? destination() : "/sign-in", { replace: true }), []);
  return null;
}

/** `/sign-in`: password and second factor, passkey, or a provider. A provider leads back to it for the second factor. */
export function SignIn() {
  const token = useSignal<string | undefined>(undefined);
  const led = new URLSearchParams(fragmentOf("/sign-in"));
  const refused = led.get("refused");
  const continued = token.value ?? led.get("continue");
  useEffect(() => {
    if (session.peek() && !refused && !continued) arrive(session.peek());
  }, []);
  const farewell = FAREWELLS[query.value.get("because") ?? ""];
  if (continued) {
    return (
      <Code
        token={continued}
        onBack={() => {
          token.value = undefined;
          forgetFragment();
        }}
      />
    );
  }
  return (
    <Page title="Sign in" narrow>
      {refused && <Refused advice={refused} request={led.get("request")} />}
      {farewell && !refused && (
        <p class="notice" role="status">
          {farewell}
        </p>
      )}
      <FirstFactor onToken={(given) => (token.value = given)} />
    </Page>
  );
}

function FirstFactor({ onToken }: { onToken: (token: string) => void }) {
  const providers = useSignal<readonly Provider[]>([]);
  const form = useForm(async (values, intent) => {
    const body = { email: values.text("email"), password: values.raw("password") };
    try {
      const token = await firstFactor(() => post("/api/v1/auth/session", { body, intent, anonymous: true }), arrive);
      if (token !== undefined) onToken(token);
    } catch (thrown) {
      throw asProblem(thrown).status === 401 ? ownProblem("refused", WRONG) : thrown;
    }
  });
  const offer = useRef(() => {});
  const passkey = useAction(async () => {
    // A browser asks for one passkey at a time.
    offer.current();
    arrive(await signInByPasskey());
  });
  useEffect(() => {
    offer.current = offerPasskey();
    return () => offer.current();
  }, []);
  useEffect(() => {
    void findProviders(undefined).then((found) => {
      // A later answer, for the address in the field, is newer.
      if (providers.peek().length === 0) providers.value = found;
    });
  }, []);
  return (
    <>
      <Form of={form} submit="Sign in">
        <TextField
          name="email"
          label="Email address"
          type="email"
          autocomplete="username webauthn"
          maxLength={limits.email}
          onChange={async (event) => {
            const domain = event.currentTarget.value.split("@")[1]?.trim();
            providers.value = await findProviders(domain);
          }}
          required
        />
        <TextField name="password" label="Password" type="password" autocomplete="current-password" required />
      </Form>
      <p class="bar spread">
        <a href={withReturn("/password-reset")}>Forgot your password?</a>
        <a href={withReturn("/magic-link")}>Get a sign-in link</a>
      </p>
      <div class="other-ways">
        <ProblemView problem={passkey.problem} />
        {hasPasskeys() && (
          <Button onClick={() => passkey.run()} isBusy={passkey.isBusy}>
            Sign in with a passkey
          </Button>
        )}
        <Providers of={providers.value} onLeave={() => keepReturn(query.peek().get("return"), "tab")} />
      </div>
    </>
  );
}

/** Offers the passkeys of this device in the field for the email address, until the screen closes. */
function offerPasskey(): () => void {
  const canceler = new AbortController();
  void (async () => {
    if (!(await offersPasskeys()) || canceler.signal.aborted) return;
    arrive(await signInByPasskey({ mediation: "conditional", signal: canceler.signal }));
  })().catch(() => {
    // Without a passkey, the person signs in another way.
  });
  return () => canceler.abort();
}
