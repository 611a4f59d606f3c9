// What a form knows: what was entered, what is wrong, and whether a request is under way.

import { type Signal, useSignal } from "@preact/signals";
import { createContext } from "preact";
import { useRef } from "preact/hooks";
import { Intent } from "../lib/intent.ts";
import { asProblem, type Problem } from "../lib/problem.ts";

/** What a person entered, by the fields' names. */
export class Values {
  readonly #data: FormData;

  constructor(form: HTMLFormElement) {
    this.#data = new FormData(form);
  }

  /** The text of a field, without white space around it; `""` if it is empty. */
  text(name: string): string {
    return this.raw(name).trim();
  }

  /** The text of a field exactly as entered, for passwords. */
  raw(name: string): string {
    const value = this.#data.get(name);
    return typeof value === "string" ? value : "";
  }

  /** The text of a field; `null` if it is empty. */
  textOrNull(name: string): string | null {
    return this.text(name) || null;
  }

  all(name: string): string[] {
    return this.#data.getAll(name).filter((value) => typeof value === "string");
  }

  has(name: string): boolean {
    return this.#data.has(name);
  }
}

/** What is wrong with one field. `text` begins after the field's label: "is required". */
export interface FieldError {
  name: string;
  label: string;
  text: string;
  id: string;
}

/** The state of a form, from [`useForm`]. */
export interface FormState {
  errors: Signal<readonly FieldError[]>;
  /** The fields that the person changed since then. Their errors are gone. */
  touched: Signal<readonly string[]>;
  problem: Signal<Problem | undefined>;
  isBusy: Signal<boolean>;
  /** True if the person entered something that the service does not have. */
  isUnsent: () => boolean;
  /** Notes what is entered now. With `isSent`, the service has it. */
  note: (form: HTMLFormElement, isSent?: boolean) => void;
  /** Resolves to true once the change is made. */
  submit: (form: HTMLFormElement) => Promise<boolean>;
}

/** Says what is wrong beyond `required` and the like: the text for each field's name, or nothing. */
export type Check = (values: Values) => Readonly<Record<string, string | undefined>>;

/**
 * Only what the person changed. What they left alone may have been changed by another person since the page was loaded, and
 * stays. `undefined` if the person changed nothing.
 */
export function changes<T extends object>(shown: T, entered: Partial<T>): Partial<T> | undefined {
  const names = (Object.keys(entered) as (keyof T)[]).filter((name) => entered[name] !== shown[name]);
  return names.length === 0 ? undefined : (Object.fromEntries(names.map((name) => [name, entered[name]])) as Partial<T>);
}

/** Wants at least one checked box with a name. */
export const atLeastOne =
  (name: string): Check =>
  (values) => ({ [name]: values.all(name).length === 0 ? "must have at least one choice" : undefined });

/**
 * The state of a form. `act` sends what was entered. A Problem that it throws is shown, at its fields if it names some.
 * All tries of one change share `intent`.
 */
export function useForm(act: (values: Values, intent: Intent) => Promise<void>, check?: Check): FormState {
  const errors = useSignal<readonly FieldError[]>([]);
  const touched = useSignal<readonly string[]>([]);
  const problem = useSignal<Problem | undefined>(undefined);
  const isBusy = useSignal(false);
  const intent = useRef(new Intent());
  const first = useRef("");
  const isChanged = useRef(false);
  const note = (form: HTMLFormElement, isSent = false): void => {
    const now = entered(form);
    if (isSent) first.current = now;
    isChanged.current = now !== first.current;
  };
  const answers = useRef(0);
  // Once the service has answered, `act` may lead to another screen.
  const isUnsent = (): boolean => isChanged.current && !(isBusy.peek() && intent.current.answers > answers.current);
  const submit = async (form: HTMLFormElement): Promise<boolean> => {
    if (isBusy.peek()) return false;
    const values = new Values(form);
    problem.value = undefined;
    touched.value = [];
    const broken = invalid(form);
    errors.value = [...broken, ...checked(form, check?.(values) ?? {}).filter(({ name }) => !broken.some((one) => one.name === name))];
    if (errors.value.length > 0) return false;
    isBusy.value = true;
    answers.current = intent.current.answers;
    try {
      await act(values, intent.current);
      return true;
    } catch (thrown) {
      const found = asProblem(thrown);
      if (found.isCanceled) return false;
      problem.value = found;
      errors.value = found.fields.flatMap(({ field, message }) => at(form, field, message) ?? []);
      return false;
    } finally {
      isBusy.value = false;
    }
  };
  return { errors, touched, problem, isBusy, isUnsent, note, submit };
}

/** Fields for passwords and codes. They are typed again and never kept, so nothing asks before they are lost. */
const CREDENTIALS = /password|one-time-code|username/;

/** What is entered, without credentials, as text. */
function entered(form: HTMLFormElement): string {
  const fields = [...form.elements].filter(isField);
  const credentials = fields.filter(({ autocomplete }) => CREDENTIALS.test(autocomplete)).map(({ name }) => name);
  return JSON.stringify([...new FormData(form)].filter(([name]) => !credentials.includes(name)));
}

function at(form: HTMLFormElement, name: string, text: string): FieldError | undefined {
  const item = form.elements.namedItem(name);
  const element = item instanceof RadioNodeList ? item[0] : item;
  if (!(element instanceof HTMLElement) || !isField(element)) return undefined;
  const isChoice = element.type === "radio" || element.type === "checkbox";
  const legend = isChoice ? element.closest("fieldset")?.querySelector("legend") : undefined;
  const label = (legend ?? element.labels?.[0])?.querySelector("[data-label]")?.textContent ?? name;
  return { name, label, text, id: element.id };
}

type FieldElement = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function isField(element: Element): element is FieldElement {
  return ["INPUT", "SELECT", "TEXTAREA"].includes(element.tagName);
}

/** The fields that break a rule of their own, such as `required`. */
function invalid(form: HTMLFormElement): FieldError[] {
  const fields = [...form.elements].filter(isField);
  const wrong = fields.filter((field) => field.name !== "" && !field.validity.valid);
  const first = wrong.filter((field, n) => wrong.findIndex(({ name }) => name === field.name) === n);
  return first.flatMap((field) => {
    const missing = field.validity.valueMissing ? field.dataset.missing : undefined;
    const found = at(form, field.name, missing ?? ruleOf(field));
    if (!found) return [];
    return missing ? { ...found, label: "" } : found;
  });
}

function ruleOf(field: FieldElement): string {
  const { validity } = field;
  const isChosen = field.tagName === "SELECT" || field.type === "radio";
  if (validity.valueMissing) return isChosen ? "needs a choice" : "is required";
  if (validity.tooLong) return `must be at most ${(field as HTMLInputElement).maxLength} characters`;
  if (validity.typeMismatch && field.type === "email") return "must be an email address";
  if (validity.typeMismatch && field.type === "url") return "must be an address that begins with https://";
  // For a pattern, the title says what it wants.
  if (field.title) return field.title;
  const { min, max } = field as HTMLInputElement;
  if (validity.rangeUnderflow) return `must be at least ${min}`;
  if (validity.rangeOverflow) return `must be at most ${max}`;
  if (validity.badInput) return field.type === "number" ? "must be a number" : "must be a date that the calendar has";
  return "is not valid";
}

function checked(form: HTMLFormElement, found: ReturnType<Check>): FieldError[] {
  return Object.entries(found).flatMap(([name, text]) => (text === undefined ? [] : (at(form, name, text) ?? [])));
}

export const Current = createContext<FormState | undefined>(undefined);
