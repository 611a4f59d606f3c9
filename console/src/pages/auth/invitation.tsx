import { useSignal } from "@preact/signals";
import { limits } from "../../generated/rules.ts";
import { type Answer, post } from "../../lib/api.ts";
import {
  asProblem, firstFactor, forgetFragment, fragmentOf, type Intent, navigate, ownProblem, useLoad,
} from "../../lib/index.ts";
import {
  checkPassword, Form, Loading, NewPassword, Page, ProblemView, TextField, toast, useForm, type Values,
} from "../../ui/index.ts";
import { arrive, Code } from "./arrive.tsx";
import { DeadLink } from "./dead_link.tsx";

type Invited = Answer<"/api/v1/auth/invitation/preview", "post">;

const TITLE = "Accept your invitation";
const TAKEN =
  "Your address has an account already, or the invitation was changed. Sign in with the account that you have, or ask the person who invited you.";

/** `/invitation`: the invited person gives a name and a password, is signed in, and goes on to enroll a second factor. */
export function Invitation() {
  const token = fragmentOf("/invitation");
  return token ? <Opened token={token} /> : <NoLink />;
}

function Opened({ token }: { token: string }) {
  const invited = useLoad(
    (signal) => post("/api/v1/auth/invitation/preview", { body: { token }, anonymous: true, signal }),
    [token],
  );
  if (invited.problem?.status === 401) return <Dead />;
  return (
    <Page title={TITLE} narrow>
      {invited.problem && <ProblemView problem={invited.problem} onRetry={invited.reload} />}
      {invited.data && <Joining token={token} invited={invited.data} />}
      {invited.isLoading && !invited.data && <Loading />}
    </Page>
  );
}

function NoLink() {
  return (
    <Page title={TITLE} narrow>
      <p>This page needs the link in your invitation. Open it again in the email. A reload forgets it, and it has not been used.</p>
      <p>
        <a href="/sign-in">I have an account already</a>
      </p>
    </Page>
  );
}

function Dead() {
  return (
    <DeadLink>
      <p>If you have accepted it before, sign in. Otherwise ask the person who invited you for a new one.</p>
    </DeadLink>
  );
}

function Joining({ token, invited }: { token: string; invited: Invited }) {
  const isDead = useSignal(false);
  const factor = useSignal<string | undefined>(undefined);
  const form = useForm(
    async (values, intent) => {
      try {
        await join(token, values, intent);
      } catch (thrown) {
        const { status } = asProblem(thrown);
        if (status === 409) throw ownProblem("refused", TAKEN);
        if (status !== 401) throw thrown;
        isDead.value = true;
        return;
      }
      try {
        factor.value = await firstFactor(() => {
          const body = { email: invited.email, password: values.raw("password") };
          return post("/api/v1/auth/session", { body, anonymous: true });
        }, arrive);
      } catch {
        // The account exists, whatever became of signing in.
        toast("Your account is ready. Sign in to it.");
        forgetFragment();
        navigate("/sign-in", { replace: true });
      }
    },
    (values) => ({ password: checkPassword(values.raw("password")) }),
  );
  if (isDead.value) return <Dead />;
  if (factor.value) return <Code token={factor.value} onBack={() => navigate("/sign-in", { replace: true })} />;
  return (
    <>
      <p>
        You are invited to <bdi>{invited.practice_name ?? "Overturn"}</bdi>. After this, you protect your account with a second
        factor. Keep your phone at hand.
      </p>
      <Form of={form} submit="Accept the invitation">
        <TextField
          name="email"
          label="Email address"
          type="email"
          hint="You sign in with it."
          defaultValue={invited.email}
          autocomplete="username"
          readOnly
          required
        />
        <TextField
          name="name"
          label="Your name"
          hint="As your colleagues know you."
          autocomplete="name"
          maxLength={limits.personName}
          autofocus
          required
        />
        <NewPassword name="password" />
      </Form>
    </>
  );
}

async function join(token: string, values: Values, intent: Intent): Promise<void> {
  const body = { token, name: values.text("name"), password: values.raw("password") };
  await post("/api/v1/auth/invitation", { body, intent, anonymous: true });
}
