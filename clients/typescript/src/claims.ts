import { validate } from "@overturn/core";
import type { Advice, Item } from "@overturn/core";
import { ApiError, OverturnError, SendError } from "./errors.js";
import { Group } from "./runtime.js";
import type { Options } from "./runtime.js";
import type * as T from "./types.js";

const BODY_MAX = 2 * 1024 * 1024;
const ITEMS_MAX = 100;
const STOPPED = /^((?:claims\[\d+\], )*claims\[\d+\]): (claim\.claim_number cannot be sent again .*)$/;

/** The answer to one item of a send. */
export interface ItemResult {
  /** The item's place among those sent, from 0. */
  index: number;
  claim_number: string | undefined;
  created: boolean;
  id?: string;
  status?: T.ClaimsClaimStatus;
  /** Why the item is not stored. Empty if it is. */
  errors: string[];
  /** Possible mistakes, which refuse nothing. */
  advice: (Advice | SandboxAdvice)[];
}

/** Advice of the service, which only a sandbox gives. */
export type SandboxAdvice = NonNullable<T.ClaimsSendResponse["advice"]>[number] & { field?: undefined };

interface Waiting {
  result: ItemResult;
  number: string;
  text: string;
  bytes: number;
}

/** Takes the items of the next request out of those that wait: each number once, and none before an earlier one of its number. */
function nextBatch(waiting: Waiting[]): Waiting[] {
  const [batch, later, seen] = [[] as Waiting[], [] as Waiting[], new Set<string>()];
  let length = '{"claims":[]}'.length;
  for (const one of waiting) {
    const fits = batch.length < ITEMS_MAX && length + one.bytes <= BODY_MAX;
    if (!seen.has(one.number) && fits) {
      length += one.bytes + 1;
      batch.push(one);
    } else later.push(one);
    seen.add(one.number);
  }
  waiting.splice(0, waiting.length, ...later);
  return batch;
}

/** What the claims interface has beside its calls. */
export class ClaimsGroup extends Group {
  /**
   * Sends any number of claims and gives each its answer, in their order. What the service would refuse is not sent.
   *
   * @throws SendError if it ends early; its `results` has the answers that came before
   */
  async send(items: Iterable<Item> | AsyncIterable<Item>, options: Options = {}): Promise<ItemResult[]> {
    const results: ItemResult[] = [];
    try {
      for await (const result of this.sendEach(items, options)) results.push(result);
    } catch (cause) {
      throw new SendError(results.sort((a, b) => a.index - b.index), cause);
    }
    return results.sort((a, b) => a.index - b.index);
  }

  /** The same, with each answer as it comes. */
  async *sendEach(items: Iterable<Item> | AsyncIterable<Item>, options: Options = {}): AsyncGenerator<ItemResult, void, undefined> {
    const waiting: Waiting[] = [];
    let index = 0;
    for await (const item of items) {
      const text = JSON.stringify(item) ?? "null";
      const { errors, advice } = validate(`{"claims":[${text}]}`);
      const number = (item as Item | undefined)?.claim?.claim_number;
      const result: ItemResult = { index, claim_number: number, created: false, errors: errors.map(withoutPlace), advice: advice.map((one) => ({ ...one, index: 0 })) };
      index += 1;
      if (errors.length > 0) yield result;
      else waiting.push({ result, number: String(number).trim(), text, bytes: new TextEncoder().encode(text).length });
      if (waiting.length >= 2 * ITEMS_MAX) yield* this.#sendBatch(nextBatch(waiting), options);
    }
    while (waiting.length > 0) yield* this.#sendBatch(nextBatch(waiting), options);
  }

  async *#sendBatch(batch: Waiting[], options: Options): AsyncGenerator<ItemResult, void, undefined> {
    let rest = batch;
    while (rest.length > 0) {
      const text = `{"claims":[${rest.map((one) => one.text).join(",")}]}`;
      try {
        const sent = await this.connection.json("POST", "/api/v1/claims", { text, as: "key" }, options);
        if (sent?.claims?.length !== rest.length) throw new OverturnError("what answers there is not this service");
        for (const [n, { result }] of rest.entries()) {
          const { error, ...said } = sent.claims[n] as T.ClaimsResultItem;
          const found = (sent.advice ?? []).filter((one: SandboxAdvice) => one.index === n).map((one: SandboxAdvice) => ({ ...one, index: 0 }));
          yield { ...result, ...said, errors: error === undefined ? [] : [error], advice: [...result.advice, ...found] };
        }
        return;
      } catch (error) {
        const named = error instanceof ApiError ? namedItems(error) : undefined;
        const refused = rest.filter((_, n) => named?.has(n));
        if (named === undefined || refused.length === 0) throw error;
        for (const [n, { result }] of rest.entries()) if (named.has(n)) yield { ...result, errors: named.get(n)! };
        rest = rest.filter((_, n) => !named.has(n));
      }
    }
  }
}

const withoutPlace = (problem: string) => problem.replace(/^claims\[\d+\]: /, "");

/** The items that a refusal names. The others can be sent at once. */
function namedItems(error: ApiError): Map<number, string[]> | undefined {
  const named = new Map<number, string[]>();
  const stopped = STOPPED.exec(error.message.replace(/ \(\d+\)$/, ""));
  const problems = stopped === null ? error.problems : stopped[1]!.split(", ").map((place) => `${place}: ${stopped[2]}`);
  for (const problem of problems) {
    const place = /^claims\[(\d+)\]: (.*)$/s.exec(problem);
    if (place === null) return undefined;
    named.set(Number(place[1]), [...(named.get(Number(place[1])) ?? []), place[2]!]);
  }
  return named;
}
