// Forms: native fields with label, hint and error beside them, a summary that takes the focus, and one request at a time.
//
//   const form = useForm(async (values, intent) => {
//     await post("/api/v1/settings/api_keys", { body: { name: values.text("name"), scopes: values.all("scopes") }, intent });
//   });
//   <Form of={form} submit="Create the key">
//     <TextField name="name" label="Name" maxLength={200} required />
//   </Form>

import type { ComponentChildren, TargetedEvent } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { guardLeaving } from "../lib/index.ts";
import { Button } from "./button.tsx";
import { confirm } from "./dialog.tsx";
import { Current, type FormState } from "./form_state.ts";
import { ProblemView, RequestId, saidOf } from "./problem.tsx";

export { CheckField, type Choice, ChoiceField, SelectField, TextArea, TextField } from "./field.tsx";
export { atLeastOne, changes, type Check, type FormState, useForm, type Values } from "./form_state.ts";

const UNSENT = {
  title: "Leave without saving?",
  text: "What you changed on this page is lost.",
  action: "Leave without saving",
  danger: true,
};
const askUnsent = (): Promise<boolean> => confirm(UNSENT);

/** Ctrl+Enter sends the form, from a field of several lines and from what says why it was not sent. */
function sendOnCtrlEnter(event: TargetedEvent<HTMLFormElement, KeyboardEvent>): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}

interface FormProps {
  of: FormState;
  submit: string;
  /** `danger` for what cannot be undone. */
  look?: "primary" | "danger";
  more?: ComponentChildren;
  children?: ComponentChildren;
}

export function Form({ of, submit, look = "primary", more, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  // All forms of a screen share one question.
  useLayoutEffect(() => {
    if (form.current) of.note(form.current, true);
    return guardLeaving(askUnsent, of.isUnsent);
  }, []);
  return (
    <Current.Provider value={of}>
      <form
        ref={form}
        noValidate
        onKeyDown={sendOnCtrlEnter}
        onInput={(event) => {
          of.note(event.currentTarget);
          of.touched.value = [...of.touched.peek(), (event.target as HTMLInputElement).name];
        }}
        onSubmit={async (event) => {
          event.preventDefault();
          const { currentTarget } = event;
          if (await of.submit(currentTarget)) of.note(currentTarget, true);
        }}
      >
        <Summary of={of} />
        {children}
        <div class="form-actions">
          <Button type="submit" look={look} isBusy={of.isBusy.value}>
            {submit}
          </Button>
          {more}
        </div>
      </form>
    </Current.Provider>
  );
}

/** What is wrong, with links to the fields. It takes the focus when it appears. */
function Summary({ of }: { of: FormState }) {
  const box = useRef<HTMLDivElement>(null);
  const errors = of.errors.value;
  const problem = of.problem.value;
  useEffect(() => {
    if (errors.length > 0 || problem) box.current?.focus();
  }, [errors, problem]);
  if (errors.length === 0) {
    return (
      <div ref={box} tabIndex={-1} class="summary">
        <ProblemView problem={problem} />
      </div>
    );
  }
  return (
    <div ref={box} tabIndex={-1} class="summary">
      <div class="notice bad" role="alert">
        <p class="notice-title">
          {errors.length === 1 ? "One entry needs a change" : `${errors.length} entries need a change`}
        </p>
        <ul>
          {errors.map((error) => (
            <li key={error.name}>
              <a
                href={`#${error.id}`}
                onClick={(event) => {
                  event.preventDefault();
                  document.getElementById(error.id)?.focus();
                }}
              >
                {saidOf(error)}
              </a>
            </li>
          ))}
        </ul>
        {problem && <RequestId problem={problem} />}
      </div>
    </div>
  );
}
