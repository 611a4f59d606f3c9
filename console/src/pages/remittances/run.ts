// One visit of the page: the chosen files, the settings, the run in the worker, and what came out. It is all in memory.

import { computed, signal } from "@preact/signals";
import { today } from "../../lib/format.ts";
import { loadModule, startWorker } from "../../lib/remittance_worker.ts";
import type { Chosen, Failure, MissingBirth, Order, Outcome, Progress, Report, WrittenClaim } from "../../worker/messages.ts";
import { birthDay, birthsFile } from "./births.ts";
import { isAmong, looks } from "./same_file.ts";

export interface TextFile {
  name: string;
  text: string;
}

const AT_START: Progress = { bytes: 0, files: 0, claimPayments: 0 };

export interface Listed extends Chosen {
  id: number;
}

export class Run {
  readonly files = signal<readonly Listed[]>([]);
  readonly payers = signal<TextFile | undefined>(undefined);
  readonly carcs = signal<TextFile | undefined>(undefined);
  readonly appendDay = signal(false);
  /** Every patient that lacked a date of birth in any run, by key. */
  readonly patients = signal<ReadonlyMap<string, MissingBirth>>(new Map());
  /** What was entered for them, by key. */
  readonly births = signal<ReadonlyMap<string, string>>(new Map());
  /** What was entered before the run of the result. */
  #used: ReadonlyMap<string, string> = new Map();
  /** How far the worker is; `undefined` while it does nothing. */
  readonly progress = signal<Progress | undefined>(undefined);
  readonly failure = signal<Failure | undefined>(undefined);
  readonly result = signal<Outcome | undefined>(undefined);
  /** True if files or settings have changed since the result. */
  readonly isStale = signal(false);
  /** What the service has answered in this visit: the claims by their numbers. */
  readonly #answered = signal<ReadonlyMap<string, string>>(new Map());
  /** The claims that the service has not seen as they are now. */
  readonly unsent = computed(() => (this.result.value?.claims ?? []).filter((one) => this.#answered.value.get(one.claim_number) !== one.json));
  /** True if the service does not have something that was entered for a patient, even if it is no date yet. */
  readonly hasUnsentBirth = computed(() => {
    const isUnsent = this.unsent.value.length > 0;
    const isInResult = (key: string, typed: string): boolean => this.#used.get(key) === typed && birthDay(typed, today()) !== undefined;
    return [...this.births.value].some(([key, typed]) => typed.trim() !== "" && (isUnsent || !isInResult(key, typed)));
  });
  readonly size = computed(() => this.files.value.reduce((sum, { file }) => sum + file.size, 0));
  #worker: Worker | undefined;
  /** True if files or settings have changed since the run began. */
  #isChanged = false;
  #lastId = 0;

  /** Adds files, and says how many. Those that are there already stay once. */
  async add(chosen: readonly Chosen[]): Promise<number> {
    const added: Listed[] = [];
    const known = Map.groupBy<string, Chosen>(this.files.value, looks);
    for (const one of chosen) {
      const alike = known.get(looks(one)) ?? [];
      if (await isAmong(one, alike)) continue;
      known.set(looks(one), [...alike, one]);
      this.#lastId += 1;
      added.push({ ...one, id: this.#lastId });
    }
    if (added.length === 0) return 0;
    this.files.value = [...this.files.value, ...added];
    this.change();
    return added.length;
  }

  remove({ id }: Listed): void {
    this.files.value = this.files.value.filter((one) => one.id !== id);
    this.change();
  }

  /** Notes that the result is not that of the files and settings. */
  change(): void {
    this.#isChanged = true;
    this.isStale.value = this.result.value !== undefined;
    this.failure.value = undefined;
  }

  enter(dates: Iterable<readonly [string, string]>): void {
    this.births.value = new Map([...this.births.value, ...dates]);
  }

  /** Reads all files. A run that is under way ends. */
  start(): void {
    this.cancel();
    this.#isChanged = false;
    this.failure.value = undefined;
    this.progress.value = AT_START;
    const worker = startWorker();
    const births = this.births.value;
    this.#worker = worker;
    worker.addEventListener("message", ({ data }: MessageEvent<Report>) => this.#hear(data, births));
    // The worker itself could not be loaded.
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.#hear({ failure: { why: "module" } });
    });
    const order: Omit<Order, "module"> = {
      files: this.files.value,
      settings: {
        births: births.size > 0 ? birthsFile(births, today()) : undefined,
        payers: this.payers.value?.text,
        carcs: this.carcs.value?.text,
        appendDay: this.appendDay.value,
      },
    };
    loadModule().then(
      (module) => worker.postMessage({ ...order, module }, [module]),
      () => this.#worker === worker && this.#hear({ failure: { why: "module" } }),
    );
  }

  #hear(report: Report, births = this.#used): void {
    if ("progress" in report) {
      this.progress.value = report.progress;
      return;
    }
    this.cancel();
    if ("failure" in report) {
      this.failure.value = report.failure;
      return;
    }
    const { result } = report;
    this.#used = births;
    this.patients.value = new Map([...this.patients.value, ...result.missing_births.map((one) => [one.key, one] as const)]);
    this.result.value = result;
    this.isStale.value = this.#isChanged;
  }

  cancel(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.progress.value = undefined;
  }

  /** Notes that the service has answered for these claims. */
  answered(claims: Iterable<WrittenClaim>): void {
    // An effect calls this, and it must not run again because of it.
    const before = this.#answered.peek();
    const news = [...claims].filter((one) => before.get(one.claim_number) !== one.json);
    if (news.length > 0) this.#answered.value = new Map([...before, ...news.map((one) => [one.claim_number, one.json] as const)]);
  }
}
