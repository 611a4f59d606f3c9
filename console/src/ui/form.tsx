// Forms: native fields with label, hint and error beside them, a summary that takes the focus, and one request at a time.
//
//   const form = useForm(async (values, intent) => {
//     await post("/api/v1/settings/api_keys", { body: { name: values.text("name"), scopes: values.all("scopes") }, intent });
//   });
//   <Form of={form} submit="Create the key">
//     <TextField name="name" label="Name" maxLength={200} required />
//   </Form>

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { guardLeaving } from "../lib/router.ts";
import { Button } from "./button.tsx";
import { confirm } from "./dialog.tsx";
import { Current, type FormState } from "./form_state.ts";
import { ProblemView, RequestId, sentence } from "./problem.tsx";

export { CheckField, type Choice, ChoiceField, SelectField, TextArea, TextField } from "./field.tsx";
export { atLeastOne, changes, type Check, type FormState, useForm, type Values } from "./form_state.ts";

const UNSENT = {
  title: "Leave without saving?",
  text: "What you changed on this page is lost.",
  action: "Leave without saving",
  danger: true,
};

interface FormProps {
  of: FormState;
  /** The label of the button that sends the form. */
  submit: string;
  /** `danger` for what cannot be undone. */
  look?: "primary" | "danger";
  /** Asks before the screen is left with something that was typed and not sent. */
  guards?: boolean;
  /** More buttons, after the first. */
  more?: ComponentChildren;
  children?: ComponentChildren;
}

export function Form({ of, submit, look = "primary", guards = false, more, children }: FormProps) {
  const isTyped = useSignal(false);
  useEffect(() => (isTyped.value ? guardLeaving(() => confirm(UNSENT)) : undefined), [isTyped.value]);
  return (
    <Current.Provider value={of}>
      <form
        noValidate
        onInput={(event) => {
          isTyped.value = guards;
          of.touched.value = [...of.touched.peek(), (event.target as HTMLInputElement).name];
        }}
        onSubmit={async (event) => {
          event.preventDefault();
          if (await of.submit(event.currentTarget)) isTyped.value = false;
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
          {errors.map(({ name, label, text, id }) => (
            <li key={name}>
              <a
                href={`#${id}`}
                onClick={(event) => {
                  event.preventDefault();
                  document.getElementById(id)?.focus();
                }}
              >
                {sentence(`${label} ${text}`)}
              </a>
            </li>
          ))}
        </ul>
        {problem && <RequestId problem={problem} />}
      </div>
    </div>
  );
}
