// Files that a person chose, and how far each is. A list of them sends two at a time.

import { computed, type Signal, signal } from "@preact/signals";
import { bytes } from "../lib/format.ts";
import { Intent } from "../lib/intent.ts";
import { asProblem, type Problem } from "../lib/problem.ts";
import { limits } from "../generated/rules.ts";

export interface Sending {
  /** Takes the bytes that have left. */
  onProgress: (sent: number) => void;
  signal: AbortSignal;
  /** All tries are one upload, so that a file whose answer was lost is not stored twice. */
  intent: Intent;
}

/**
 * `ready`: chosen and not sent. `queued`: waits for its turn. `sending`. `checking`: sent, and scanned for viruses now.
 * `paused`: waits for a limit or for the end of its first try, and then goes on by itself. `lost`: the service was not reached. `failed`: refused.
 */
export type Stage = "ready" | "queued" | "sending" | "checking" | "paused" | "lost" | "stored" | "failed" | "canceled";

/** How long a paused upload waits if the service does not say it. */
const PAUSE_SECONDS = 5;

export class Upload {
  readonly id = crypto.randomUUID();
  readonly file: File;
  readonly stage: Signal<Stage>;
  readonly sent = signal(0);
  /** Why it is not stored, in words. */
  readonly why = signal("");
  readonly requestId = signal<string | undefined>(undefined);
  /** Sends the file. The form sets it, which says what the file is. */
  act: ((how: Sending) => Promise<unknown>) | undefined;
  readonly #list: Uploads;
  readonly #intent = new Intent();
  #canceler = new AbortController();

  constructor(list: Uploads, file: File, refusal: string | undefined) {
    this.#list = list;
    this.file = file;
    this.stage = signal(refusal === undefined ? "ready" : "failed");
    this.why.value = refusal ?? "";
  }

  get isOver(): boolean {
    return ["stored", "failed", "canceled"].includes(this.stage.value);
  }

  async send(): Promise<void> {
    const { act, file } = this;
    if (!act) return;
    this.#canceler = new AbortController();
    this.stage.value = "sending";
    this.sent.value = 0;
    const onProgress = (sent: number): void => {
      this.sent.value = Math.min(sent, file.size);
      this.stage.value = sent >= file.size ? "checking" : "sending";
    };
    try {
      await act({ onProgress, signal: this.#canceler.signal, intent: this.#intent });
      this.stage.value = "stored";
    } catch (thrown) {
      this.#end(asProblem(thrown));
    }
  }

  #end(problem: Problem): void {
    // A file that breaks a rule needs no support.
    this.requestId.value = problem.status === 422 ? undefined : problem.requestId;
    if (problem.isCanceled) {
      this.stage.value = "canceled";
    } else if (problem.status === 429 || problem.reason === "request_running") {
      this.stage.value = "paused";
      setTimeout(() => this.stage.value === "paused" && this.retry(), (problem.retryAfter ?? PAUSE_SECONDS) * 1000);
    } else {
      this.why.value = refusal(problem);
      this.stage.value = problem.isRetryable ? "lost" : "failed";
    }
  }

  retry(): void {
    this.#list.queue(this);
  }

  remove(): void {
    this.#list.remove(this);
  }

  cancel(): void {
    if (this.stage.value === "sending" || this.stage.value === "checking") this.#canceler.abort();
    else this.stage.value = "canceled";
  }
}

/** Why a file was refused, as sentences. */
function refusal(problem: Problem): string {
  if (problem.code === "virus_detected") return "The virus scan found something in this file. We kept nothing of it.";
  if (problem.status === 404) return "There is no such claim.";
  if (problem.fields.length === 0) return problem.detail.endsWith(".") ? problem.detail : `${problem.title}: ${problem.detail}.`;
  return problem.fields.map(({ field, message }) => `${FIELDS[field] ?? field} ${message}.`).join(" ");
}

const FIELDS: Readonly<Record<string, string>> = {
  file: "The file",
  claim_id: "The claim",
  kind: "The kind",
};

/** The form of an upload: the fields that have a value, and then the file. */
export function formOf(file: File, fields: Readonly<Record<string, string | undefined>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) if (value) form.set(name, value);
  form.set("file", file);
  return form;
}

/** A limit, as the service counts it. */
export const mebibytes = (size: number): string => `${size / 2 ** 20} MiB`;

/** Why a file is not even sent; `undefined` if it can be. */
function tooBad(size: number): string | undefined {
  if (size === 0) return "The file is empty.";
  if (size > limits.fileSize) return `The file has ${bytes(size)}. It must have at most ${mebibytes(limits.fileSize)}.`;
  return undefined;
}

const AT_ONCE = 2;

export class Uploads {
  readonly all = signal<readonly Upload[]>([]);
  readonly ready = computed(() => this.all.value.filter(({ stage }) => stage.value === "ready"));
  /** The uploads that are not at their end. */
  readonly running = computed(() => this.all.value.filter((one) => !one.isOver && one.stage.value !== "ready"));
  readonly stored = computed(() => this.all.value.filter(({ stage }) => stage.value === "stored"));

  /** Adds chosen files. Folders and files that are certain to be refused say so at once. */
  add(files: readonly File[], folders: readonly string[] = []): void {
    const chosen = files.map((file) => new Upload(this, file, tooBad(file.size)));
    const refused = folders.map((name) => new Upload(this, new File([], name), "This is a folder. Open it and choose the files in it."));
    this.all.value = [...this.all.value, ...chosen, ...refused];
  }

  remove(one: Upload): void {
    this.all.value = this.all.value.filter((other) => other !== one);
  }

  /** Forgets the uploads that are over. */
  tidy(): void {
    this.all.value = this.all.value.filter((one) => !one.isOver);
  }

  queue(...some: readonly Upload[]): void {
    for (const one of some) one.stage.value = "queued";
    this.#next();
  }

  #next(): void {
    const busy = this.all.value.filter(({ stage }) => ["sending", "checking"].includes(stage.value)).length;
    const waiting = this.all.value.filter(({ stage }) => stage.value === "queued");
    for (const one of waiting.slice(0, Math.max(0, AT_ONCE - busy))) void one.send().then(() => this.#next());
  }

  /** Sends again what the network lost. */
  resume(): void {
    this.queue(...this.all.value.filter(({ stage }) => stage.value === "lost"));
  }
}
