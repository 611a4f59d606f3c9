import { useRef } from "preact/hooks";
import { limits } from "../../generated/rules.ts";
import { post } from "../../lib/api.ts";
import { type Intent, time, useKeys } from "../../lib/index.ts";
import { Form, openForm, Section, TextArea, toast, useForm, type Values } from "../../ui/index.ts";
import type { ClaimWork } from "./claim_work.tsx";
import type { Path } from "./work.tsx";

async function save(path: Path, values: Values, intent: Intent): Promise<void> {
  const body = { text: values.text("text") };
  await post("/api/v1/staff/practices/{practice}/claims/{id}/notes", { path, body, intent });
  toast("The note was saved.");
}

const NOTE = {
  name: "text",
  hint: "Only our staff see notes. Ctrl+Enter saves.",
  maxLength: limits.noteText,
  required: true,
} as const;

/** Writes a note about a claim without opening it. */
export function openNote(path: Path): Promise<unknown> {
  return openForm({
    title: "Write a note",
    submit: "Save the note",
    act: (values, intent) => save(path, values, intent),
    children: <TextArea {...NOTE} label="Note" autofocus />,
  });
}

/** The notes of a claim, the newest first, and a field for another one. */
export function Notes({ work }: { work: ClaimWork }) {
  const box = useRef<HTMLDivElement>(null);
  const field = (): HTMLTextAreaElement | null => box.current?.querySelector("textarea") ?? null;
  const form = useForm(async (values, intent) => {
    await save(work.path, values, intent);
    const written = field();
    if (written) written.value = "";
    work.reload();
  });
  useKeys([{ keys: "n", what: "Write a note", run: () => field()?.focus() }]);
  const notes = work.of.notes.toReversed();
  return (
    <Section title="Notes">
      {work.may("note") && (
        <div ref={box} class="no-print">
          <Form of={form} submit="Save the note">
            <TextArea {...NOTE} label="New note" rows={3} />
          </Form>
        </div>
      )}
      {notes.length === 0 && <p class="quiet-text">No notes yet.</p>}
      <ul class="notes">
        {notes.map(({ id, at, author, text }) => (
          <li key={id}>
            <p>{text}</p>
            <span class="under">
              {author.name}, <time dateTime={at}>{time(at)}</time>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
