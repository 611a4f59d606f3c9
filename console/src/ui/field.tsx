// The fields of a form: native elements with label, hint and error.

import type { ComponentChildren, TargetedEvent } from "preact";
import { useContext, useId, useLayoutEffect } from "preact/hooks";
import { Current, type FieldError } from "./form_state.ts";
import { saidOf } from "./problem.tsx";

function useError(name: string): FieldError | undefined {
  const form = useContext(Current);
  return form?.touched.value.includes(name) ? undefined : form?.errors.value.find((error) => error.name === name);
}

interface FieldProps {
  name: string;
  label: string;
  /** What to enter, and how. It stands between label and field. */
  hint?: ComponentChildren;
}

/** The names of a field for its label, hint and error. */
function useNames(name: string, hint: ComponentChildren) {
  const id = useId();
  const error = useError(name);
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return {
    id,
    error,
    aria: { "aria-invalid": error ? true : undefined, "aria-describedby": describedBy || undefined },
  };
}

function Hint({ id, hint }: { id: string; hint: ComponentChildren }) {
  return hint ? (
    <span class="hint" id={`${id}-hint`}>
      {hint}
    </span>
  ) : null;
}

function FieldErrorText({ id, error }: { id: string; error: FieldError | undefined }) {
  return error ? (
    <span class="field-error" id={`${id}-error`}>
      {saidOf(error)}
    </span>
  ) : null;
}

interface FrameProps extends FieldProps {
  optional: boolean;
  names: ReturnType<typeof useNames>;
  children: ComponentChildren;
}

function Frame({ label, hint, optional, names: { id, error }, children }: FrameProps) {
  return (
    <div class="field">
      <label for={id}>
        <span data-label>{label}</span>
        {optional && <span class="optional"> (optional)</span>}
      </label>
      <Hint id={id} hint={hint} />
      {children}
      <FieldErrorText id={id} error={error} />
    </div>
  );
}

interface Attributes<E extends EventTarget> {
  /** What the field has at first. */
  defaultValue?: string;
  required?: boolean;
  readOnly?: boolean;
  maxLength?: number;
  autocomplete?: string;
  autofocus?: boolean;
  spellcheck?: boolean;
  onInput?: (event: TargetedEvent<E>) => void;
  onChange?: (event: TargetedEvent<E>) => void;
}

interface InputProps extends Attributes<HTMLInputElement> {
  type?: "text" | "email" | "password" | "date" | "number" | "url";
  inputMode?: "numeric" | "decimal";
  autocapitalize?: "off";
  /** What the text must match, and `title` says in words: "must be five digits". */
  pattern?: string;
  title?: string;
  min?: string;
  max?: string;
}

/** A field for one line of text, a date, an email address or a password (`type`). */
export function TextField({ name, label, hint, autofocus = false, ...input }: FieldProps & InputProps) {
  const names = useNames(name, hint);
  // Browsers obey `autofocus` only while a page loads.
  useLayoutEffect(() => {
    if (autofocus) document.getElementById(names.id)?.focus();
  }, []);
  return (
    <Frame {...{ name, label, hint, names }} optional={!input.required}>
      <input type="text" {...(input as object)} {...names.aria} id={names.id} name={name} autofocus={autofocus} />
    </Frame>
  );
}

export function TextArea({
  name,
  label,
  hint,
  ...input
}: FieldProps & Attributes<HTMLTextAreaElement> & { rows?: number }) {
  const names = useNames(name, hint);
  return (
    <Frame {...{ name, label, hint, names }} optional={!input.required}>
      <textarea rows={4} {...input} {...names.aria} id={names.id} name={name} />
    </Frame>
  );
}

/** One of several choices: the value and what it is called. */
export type Choice = readonly [value: string, label: ComponentChildren];

/** A choice with what it says of itself below it. */
export const choiceOf = (value: string, label: string, under: string): Choice => [
  value,
  <>
    {label}
    <span class="under">{under}</span>
  </>,
];

/** A list to choose one from. Without `value`, nothing is chosen at first. */
export function SelectField({
  name,
  label,
  hint,
  choices,
  value,
  ...input
}: FieldProps & Attributes<HTMLSelectElement> & { choices: readonly Choice[]; value?: string }) {
  const names = useNames(name, hint);
  return (
    <Frame {...{ name, label, hint, names }} optional={!input.required}>
      <select {...input} {...names.aria} id={names.id} name={name}>
        {value === undefined && <option value="">Choose…</option>}
        {choices.map(([of, shown]) => (
          <option key={of} value={of} selected={of === value}>
            {shown}
          </option>
        ))}
      </select>
    </Frame>
  );
}

interface CheckProps {
  defaultChecked?: boolean;
  required?: boolean;
  /** What to say, as a sentence of its own, if a required box is not checked. */
  missing?: string;
}

/** One box to check. Read it with `values.has(name)`. */
export function CheckField({ name, label, hint, missing, ...input }: FieldProps & CheckProps) {
  const { id, error, aria } = useNames(name, hint);
  return (
    <div class="field">
      <label class="check" for={id}>
        <input {...input} {...aria} type="checkbox" id={id} name={name} data-missing={missing} />
        <span data-label>{label}</span>
      </label>
      <Hint id={id} hint={hint} />
      <FieldErrorText id={id} error={error} />
    </div>
  );
}

interface GroupProps extends FieldProps {
  choices: readonly Choice[];
  /** The values that are chosen at first. */
  value?: readonly string[];
  /** `checkbox` for any number of choices, `radio` for one. */
  kind: "checkbox" | "radio";
  required?: boolean;
}

/** Boxes of which a person checks some, or buttons of which they choose one. */
export function ChoiceField({ name, label, hint, choices, value = [], kind, required = false }: GroupProps) {
  const { id, error, aria } = useNames(name, hint);
  return (
    <fieldset class="field" aria-describedby={aria["aria-describedby"]}>
      <legend>
        <span data-label>{label}</span>
      </legend>
      <Hint id={id} hint={hint} />
      {choices.map(([of, shown], n) => (
        <label class="check" key={of} for={`${id}-${n}`}>
          <input
            type={kind}
            id={`${id}-${n}`}
            name={name}
            value={of}
            defaultChecked={value.includes(of)}
            required={required && kind === "radio"}
          />
          <span>{shown}</span>
        </label>
      ))}
      <FieldErrorText id={id} error={error} />
    </fieldset>
  );
}
