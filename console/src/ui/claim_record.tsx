// What practices and staff see of a claim in the same way: what was denied, and what a change changed.

import { date, money, PLAN, words } from "../lib/index.ts";
import { Fact } from "./fact.tsx";
import { Difference } from "./history.tsx";
import { deniedOf, letterInWords, type LetterOf, planOf, Sent } from "./letter.tsx";

type Denied = LetterOf & { payer_name: string; payer_claim_number: string | null; date_of_service: string };

const NOT_SENT = "not sent";

/** A plan type as it was sent, in words. */
const plan = (sent: string | null): string => (sent === null ? NOT_SENT : ((PLAN as Readonly<Record<string, string>>)[sent] ?? sent));
const dated = (day: string | null): string => (day ? date(day) : NOT_SENT);

/** What was denied, by whom and when, in a `<dl class="facts">`. What a person read in the letter comes before what was sent. */
export function DenialFacts({ of }: { of: Denied }) {
  const { letter, plan_type: sentPlan, denial_date: sentDate } = of;
  return (
    <>
      <Fact name="Payer">{of.payer_name}</Fact>
      <Fact name="Payer’s claim number">{of.payer_claim_number}</Fact>
      <Fact name="Plan type">
        {plan(planOf(of))}
        {letter?.plan_type && <Sent as={sentPlan && plan(sentPlan)} />}
      </Fact>
      <Fact name="Date of service">{date(of.date_of_service)}</Fact>
      <Fact name="Denial date">
        {dated(deniedOf(of))}
        {letter?.denial_date && <Sent as={sentDate && dated(sentDate)} />}
      </Fact>
    </>
  );
}

/** What a change put in the place of what: the facts of a claim before and after. */
type FactsOf = Readonly<Record<string, unknown>> | null | undefined;

interface ChangeProps {
  before: FactsOf;
  after: FactsOf;
  /** The facts that were missing before, by their names in the API. */
  filled: readonly string[] | null | undefined;
  /** What a person read in the payer's letter; `null` if it no longer counts, `undefined` if the change is another. */
  letter: Parameters<typeof letterInWords>[0] | undefined;
}

/** What a change of a claim changed. */
export function ChangeOfClaim({ before, after, filled, letter }: ChangeProps) {
  return (
    <>
      {before && after && (
        <Difference of={namesIn(after).map((name) => [NAMES[name] ?? words(name), shown(name, before[name]), shown(name, after[name])] as const)} />
      )}
      {filled && <p>Added: {filled.map((name) => words(name).toLowerCase()).join(", ")}.</p>}
      {letter !== undefined && <p>{letterInWords(letter)}</p>}
    </>
  );
}

const NAMES: Readonly<Record<string, string>> = {
  payer_claim_number: "Payer’s claim number",
  billed_amount: "Billed",
  denied_amount: "Denied",
};

/** Those of the facts that have words come first, in the order of the words. */
const namesIn = (facts: object): string[] => Object.keys({ ...NAMES, ...facts }).filter((name) => name in facts);

function shown(name: string, value: unknown): string {
  if (value === null || value === undefined) return "";
  return name.endsWith("_amount") ? money(String(value)) : String(value);
}
