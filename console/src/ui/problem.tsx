import type { ComponentChildren } from "preact";
import { plural, type Problem, words } from "../lib/index.ts";
import { Button } from "./button.tsx";
import { Copy } from "./copy.tsx";

/** A problem's sentence as a sentence: with a capital letter and a period. */
export function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}

/** The error of a field as a sentence. One that is whole by itself has no label. */
export const saidOf = ({ label, text }: { label: string; text: string }): string => sentence(label ? `${label} ${text}` : text);

interface Props {
  problem: Problem | undefined;
  /** Tries again. Only shown if that can help. */
  onRetry?: (() => void) | undefined;
  children?: ComponentChildren;
}

/** Why something failed, what to do about it, and the request id that support asks for. */
export function ProblemView({ problem, onRetry, children }: Props) {
  if (problem === undefined || problem.isCanceled) return null;
  // The sentence may be that of a field.
  const fields = problem.fields.map(({ field, message }) => sentence(`${words(field)} ${message}`));
  const others = fields.filter((text) => text.toLowerCase() !== sentence(words(problem.detail)).toLowerCase());
  return (
    <div class="notice bad" role="alert" ref={inSight}>
      <p class="notice-title">{problem.title}</p>
      <p>{sentence(problem.detail)}</p>
      {others.length > 0 && (
        <ul>
          {others.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {problem.retryAfter !== undefined && problem.retryAfter > 1 && <p>Try again in {wait(problem.retryAfter)}.</p>}
      {children}
      {onRetry && problem.isRetryable && (
        <p>
          <Button onClick={onRetry}>Try again</Button>
        </p>
      )}
      <RequestId problem={problem} />
    </div>
  );
}

/** A problem of a button far below must not appear out of sight. */
function inSight(notice: HTMLElement | null): void {
  notice?.scrollIntoView({ block: "nearest" });
}

/** The id of the failed request, for support. */
export function RequestId({ problem }: { problem: Problem }) {
  // Support cannot help with an entry that breaks a rule.
  if (problem.requestId === undefined || problem.status === 422) return null;
  return (
    <p class="request-id">
      Request <code>{problem.requestId}</code> <Copy text={problem.requestId} label="Copy request id" />
    </p>
  );
}

function wait(seconds: number): string {
  if (seconds < 60) return plural(seconds, "second");
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? "a minute" : `${minutes} minutes`;
}
