import { date, deadline } from "../lib/index.ts";

/** The sign of a deadline, after its words. It is quiet for what is far away. */
const SIGNS = { late: "▲", today: "▲", soon: "●", later: "", unknown: "" };

/** A deadline: its words first, then a sign and a color, and the date below. `isOver` is for a claim that is not open any more. */
export function Due({ day, isOver = false }: { day: string | null | undefined; isOver?: boolean }) {
  if (isOver) return <span class="quiet-text">{day ? date(day) : "none"}</span>;
  const { words, urgency } = deadline(day);
  return (
    <span class={`due ${urgency}`}>
      {words} <span aria-hidden="true">{SIGNS[urgency]}</span>
      {day && <time class="under" dateTime={day}>{date(day)}</time>}
    </span>
  );
}
