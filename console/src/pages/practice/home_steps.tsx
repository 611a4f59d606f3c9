import type { ComponentChildren } from "preact";
import { may, practice, useGet } from "../../lib/index.ts";
import { Instructions, Section } from "../../ui/index.ts";

/** What a practice does first, as long as we have no claim of it. */
export function Steps() {
  const isSigned = practice.value?.agreement === "in_force";
  const own = useGet("/api/v1/settings/practice");
  const done = [isSigned, own.data?.has_api_key ?? false, false];
  const next = done.indexOf(false);
  return (
    <Section title="Three steps to your first claim">
      <ol class="first-steps">
        <Step title="Sign the agreement" n={0} next={next} done={done}>
          {may("sign_agreement") ? (
            <a href="/settings/agreements">Open the agreements</a>
          ) : (
            <p>Ask an owner or an admin of your practice to sign it. The message above says how.</p>
          )}
        </Step>
        <Step title="Make an API key" n={1} next={next} done={done}>
          <p>A key is the password with which your billing system sends claims to us.</p>
          {may("manage_api_keys") ? (
            <a href="/settings/keys">Open the API keys</a>
          ) : (
            <p>Ask an owner or an admin of your practice to make it.</p>
          )}
        </Step>
        <Step title="Send the first claim" n={2} next={next} done={done}>
          <p>
            Your billing system does this. Give the key, in a safe way, to the person who runs the system, with this message:
          </p>
          <Instructions />
        </Step>
      </ol>
      {isSigned && (
        <p>
          Your billing system cannot send claims? <a href="/claims/remittances">Make them from remittance files (835)</a>.
        </p>
      )}
      {next === 2 && <p class="quiet-text">Claims show up here a moment after they were sent. Reload the page to see them.</p>}
    </Section>
  );
}

interface StepProps {
  title: string;
  n: number;
  next: number;
  done: readonly boolean[];
  children: ComponentChildren;
}

function Step({ title, n, next, done, children }: StepProps) {
  const isNext = n === next;
  const state = done[n] ? "done" : isNext ? "next" : "later";
  return (
    <li class={`step ${state}`} aria-current={isNext ? "step" : undefined}>
      <p class="step-title">
        {title} {done[n] ? <span class="tag good">Done</span> : isNext && <span class="tag info">Next</span>}
      </p>
      {isNext && children}
    </li>
  );
}
