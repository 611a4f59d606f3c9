import { post } from "../../lib/api.ts";
import { homePath, mustEnrol, navigate, session, useAction, useGet, user } from "../../lib/index.ts";
import { Button, Loading, Page, ProblemView, toast } from "../../ui/index.ts";

const TITLE = "Connect your sign-in";

/** `/sign-in/connect`: the identity at a provider that waits in this browser becomes a way to sign in to an account. */
export function Connect() {
  if (session.value === undefined) return <SignInFirst />;
  if (mustEnrol.value) return <EnrolFirst />;
  return <Waiting />;
}

function SignInFirst() {
  return (
    <Page title="Not connected yet" narrow>
      <p>Your sign-in at the provider worked, but it is not connected to an account here yet.</p>
      <p>
        If you have an account, sign in to it within five minutes in another way, such as with your password. Then you can
        connect the two.
      </p>
      <p>If you have no account, ask an admin of your practice to invite you.</p>
      <p class="form-actions">
        <a class="button primary" href="/sign-in?return=%2Fsign-in%2Fconnect">
          Sign in to my account
        </a>
      </p>
    </Page>
  );
}

function EnrolFirst() {
  return (
    <Page title="Add a second factor first" narrow>
      <p>Your account has no second factor yet. Add one, then sign in at the provider again, and you come back here.</p>
      <p class="form-actions">
        <a class="button primary" href="/enrol">
          Go on
        </a>
      </p>
    </Page>
  );
}

function Waiting() {
  const waiting = useGet("/api/v1/auth/identities/waiting");
  const connects = useAction(async (intent) => {
    // The service compares the id: another tab may have replaced what waits since it was shown.
    const joined = await post("/api/v1/auth/identities", { body: { id: waiting.data?.id ?? "" }, intent });
    toast(`From now on, you can sign in with ${joined.provider_name}.`);
    navigate("/me", { replace: true });
  });
  const { data, problem } = waiting;
  if (problem?.status === 404) {
    return (
      <Page title="There is nothing to connect" narrow>
        <p>Begin again: sign in at the provider, in this browser. You come back here, and have five minutes.</p>
        <p>
          <a href="/me">Your account</a>
        </p>
      </Page>
    );
  }
  return (
    <Page title={TITLE} narrow>
      {!data && !problem && <Loading />}
      {problem && (
        <ProblemView problem={problem} onRetry={waiting.reload}>
          {problem.status === 409 && (
            <p>Sign out at the provider, and sign in there with the address of your account, {user.value?.email}.</p>
          )}
        </ProblemView>
      )}
      {data && (
        <>
          <p>
            Connect your sign-in at{" "}
            <strong>
              <bdi>{data.provider_name}</bdi>
            </strong>{" "}
            as{" "}
            <strong>
              <bdi>{data.email}</bdi>
            </strong>{" "}
            to your account? From then on, it signs in to your account.
          </p>
          <p>If you did not just sign in there, do not connect it.</p>
          <ProblemView problem={connects.problem} />
          <p class="form-actions">
            <Button look="primary" onClick={() => connects.run()} isBusy={connects.isBusy}>
              Connect
            </Button>
            <a class="button" href={homePath()}>
              Not now
            </a>
          </p>
        </>
      )}
    </Page>
  );
}
