// The service's sentences about fields, which programmers read, in the words of people who fill in a form.

import { date, whole } from "./format.ts";

type Rule = readonly [pattern: RegExp, plain: string | ((found: RegExpExecArray) => string)];

const CHOICE = "must be one of the choices";

/** A rule replaces the whole text. It follows the label of the field, as the text does. */
const RULES: readonly Rule[] = [
  [/^is required \(YYYY-MM-DD\)$/, "is required"],
  [/^is required: the ETag/, "is missing. Reload the page, and try again"],
  [/^must be a date \(YYYY-MM-DD\)$/, "must be a date that the calendar has"],
  [/^must not be (before|behind) (\d{4}-\d\d-\d\d)$/, ([, side, day = ""]) => `must not be ${side === "before" ? "before" : "after"} ${date(day)}`],
  [/^must not be before filed_on$/, "must not be before the day on which the level was filed"],
  [/^must not be before denial_date$/, "must not be before the denial date"],
  [/^is required with (outcome|decided_on)$/, "is required: a decision has an outcome and a day"],
  [/^(status )?is \w+, and only the person who has taken /, "was taken by a colleague, or by no one. Take it first"],
  [/no longer in_appeal$/, "have their results already"],
  [/^must be a claim that is in appeal in the case$/, "has its result already. Close this, and look at the case"],
  [/^must be a positive amount/, "must be an amount of more than zero, with cents, such as 120.00"],
  [/^must be a whole number from (\d+) to (\d+)$/, ([, from, to]) => `must be a number from ${whole(Number(from))} to ${whole(Number(to))}`],
  [/^must have printable characters only$/, "has a character that nobody can see. Type the text here instead of pasting it"],
  [/^must be true or false$/, "must be yes or no"],
  [/^must be an e-mail address$/, "must be an email address"],
  [/^must be (an id|an? (JSON )?(array|object)( of text)?)$/, CHOICE],
  [/^must be (one|out) of /, CHOICE],
  [/^must have 1 to (\d+) items$/, ([, most]) => `must have 1 to ${most} entries`],
  [/^must have at most (\d+) items$/, ([, most]) => `must have at most ${most} entries`],
  [/^must have items of at most (\d+) characters$/, ([, most]) => `must have entries of at most ${most} characters`],
  [/^came with another body before$/, "was sent with other entries before. Reload the page, and try again"],
  [/^has changed, read it again$/, "was changed by somebody else. Reload the page, and look at it again"],
  [/^must be an NPI /, "must be the 10 digits of your NPI. One of these digits seems wrong"],
  [/^must be an employer identification number/, "must be an EIN with its hyphen, such as 12-3456789. We take no social security number"],
  [/^must be a phone number /, "must have an area code and 7 digits, such as (512) 555-0100, without an extension"],
];

/** The text of a field's problem in plain words. A text without a rule is plain already. */
export function plain(text: string): string {
  for (const [pattern, said] of RULES) {
    const found = pattern.exec(text);
    if (found) return typeof said === "string" ? said : said(found);
  }
  return text;
}
