// Sends claims in requests of some, one after the other. The service saves a valid request as a whole, and knows a claim by its
// number. So a request whose answer was lost is simply sent again.

import { computed, signal } from "@preact/signals";
import type { Intent } from "../../lib/intent.ts";
import { asProblem, ownProblem, type Problem } from "../../lib/problem.ts";
import type { WrittenClaim } from "../../worker/messages.ts";
import { type Answered, type Bounds, Outbox, placesIn, type Refused } from "./outbox.ts";

/**
 * `sending`. `stopping`: ends with the request that is on its way. `paused`: the service asks to wait, and it goes on by
 * itself. `lost`: the service was not reached. `refused`: some claims were refused, and the person decides. `stopped`: by
 * the person, or by a refusal that is about no claim. `done`: each claim has a result, or the
 * person ended it.
 */
type Stage = "ready" | "sending" | "stopping" | "paused" | "lost" | "refused" | "stopped" | "done";

type Post = (claims: readonly unknown[], intent: Intent) => Promise<readonly Answered[]>;

/** A wait that is longer is for the person to decide. */
const LONGEST_WAIT_SECONDS = 120;
const WAIT_SECONDS = 5;
/** The places in front of a refusal. The page names the claims instead. */
const PLACE = /^(claims\[\d+\](, )?)+[:.]? ?/;

export class Sending {
  readonly stage = signal<Stage>("ready");
  readonly problem = signal<Problem | undefined>(undefined);
  /** What was refused now, and is left out if the person goes on. */
  readonly refusals = signal<readonly Refused[]>([]);
  readonly count = signal(0);
  readonly all: number;
  readonly outbox: Outbox;
  /** True from the first request until it is done. */
  readonly isUnderWay = computed(() => !["ready", "done"].includes(this.stage.value));
  readonly #post: Post;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasSeenRefusal = false;

  constructor(claims: readonly WrittenClaim[], bounds: Bounds, post: Post) {
    this.all = claims.length;
    this.outbox = new Outbox(claims, bounds);
    this.#post = post;
  }

  /** Sends what is left, until the end or until something stands in the way. */
  async run(): Promise<void> {
    if (["sending", "stopping", "done"].includes(this.stage.value)) return;
    clearTimeout(this.#timer);
    this.problem.value = undefined;
    this.#leaveOut();
    this.stage.value = "sending";
    while (this.stage.peek() === "sending") await this.#sendOne();
    if (this.stage.peek() === "stopping") this.stage.value = this.outbox.left > 0 ? "stopped" : "done";
  }

  /** Stops after the request that is on its way, so that its answer is not lost. */
  stop(): void {
    clearTimeout(this.#timer);
    if (!this.isUnderWay.peek()) return;
    this.stage.value = this.stage.value === "sending" ? "stopping" : "stopped";
  }

  /** Leaves what was not sent for another sending. */
  end(): void {
    clearTimeout(this.#timer);
    this.stage.value = "done";
  }

  /** Goes on after the network came back. */
  resume(): void {
    if (this.stage.value === "lost") void this.run();
  }

  async #sendOne(): Promise<void> {
    const batch = this.outbox.next();
    if (batch === undefined) {
      this.stage.value = "done";
      return;
    }
    try {
      const before = this.outbox.refused.length;
      const items = batch.claims.map(({ json }) => JSON.parse(json) as unknown);
      const answers = await this.#post(items, batch.intent);
      if (!this.outbox.settle(answers)) throw ownProblem("unreadable", "The answer of the service could not be read.");
      this.count.value = this.all - this.outbox.left;
      const refused = this.outbox.refused.slice(before);
      // The first refusal may concern all claims. Once the person has seen one, the others are in the summary.
      if (refused.length === 0 || this.#hasSeenRefusal || this.outbox.left === 0) return;
      this.#hasSeenRefusal = true;
      this.refusals.value = refused;
      this.stage.value = "refused";
    } catch (thrown) {
      this.#halt(asProblem(thrown));
    }
  }

  #halt(problem: Problem): void {
    if (problem.isCanceled) {
      this.stage.value = "stopped";
      return;
    }
    this.problem.value = problem;
    const refused = this.#refusedBy(problem);
    if (refused.length > 0) {
      this.#hasSeenRefusal = true;
      this.refusals.value = refused;
      this.stage.value = "refused";
    } else if (problem.status === 429 && (problem.retryAfter ?? WAIT_SECONDS) <= LONGEST_WAIT_SECONDS) {
      const isStopping = this.stage.peek() === "stopping";
      this.stage.value = isStopping ? "stopped" : "paused";
      if (!isStopping) this.#timer = setTimeout(() => void this.run(), (problem.retryAfter ?? WAIT_SECONDS) * 1000);
    } else {
      this.stage.value = problem.code === "network" ? "lost" : "stopped";
    }
  }

  /** The claims that a refusal of a whole request names. */
  #refusedBy({ status, fields, detail }: Problem): Refused[] {
    if (status !== 422 && status !== 429) return [];
    const reasons = new Map<WrittenClaim, string[]>();
    for (const { field, message } of fields) {
      for (const claim of this.outbox.at(placesIn(field))) {
        reasons.set(claim, [...(reasons.get(claim) ?? []), `${field.replace(PLACE, "")} ${message}`]);
      }
    }
    if (reasons.size > 0) return [...reasons].map(([claim, whys]) => ({ claim, why: whys.join("; ") }));
    const why = detail.replace(PLACE, "");
    return this.outbox.at(placesIn(detail)).map((claim) => ({ claim, why }));
  }

  /** Leaves out what the person has seen. A claim that was refused in an answer is out already. */
  #leaveOut(): void {
    const seen = new Set(this.outbox.refused.map(({ claim }) => claim));
    const left = this.refusals.value.filter(({ claim }) => !seen.has(claim));
    if (left.length > 0) this.outbox.leaveOut(left);
    this.refusals.value = [];
    this.count.value = this.all - this.outbox.left;
  }
}
