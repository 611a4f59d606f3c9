// Computes the monthly charge of the platform from docs/cost.json: the list prices, the usage of practices, and the rows of each
// call.
//
//   node tools/dev/cost.mjs            prints the table of docs/COST.md
//   node tools/dev/cost.mjs --polling  the same if every practice reads the status of 3,000 open claims each day
//   node tools/dev/cost.mjs --cells    prints how many databases more practices need

import { readFileSync } from "node:fs";

const model = JSON.parse(readFileSync(new URL("../../docs/cost.json", import.meta.url)));
const isPolling = process.argv.includes("--polling");
const OPEN_CLAIMS = 3000;
const DAYS = 30;

const { calls, webhooks, limiter, claims, people, prices } = model;
if (isPolling) calls.find(({ name }) => name === "a status read").a_month = OPEN_CLAIMS * DAYS;

const million = 1e6;
// A database is full at 10 GB. The alert comes at 80 percent, so a fuller one gets no new practice.
const GB_OF_CELL = 8;

/** What so many practices use in a month, if so many claims are kept in so many databases. */
function usageOf(practices, kept, cells) {
  const sum = (of) => calls.reduce((all, call) => all + call.a_month * of(call), 0) * practices;
  const told = webhooks.a_month * practices;
  const clock = model.minutes_of_the_clock_a_month;
  const callers = sum(() => 1);
  const minutesAtWork = people.a_practice * people.days_a_month * people.minutes_at_work_a_day * practices;
  return {
    // The queue's consumer and the scheduled job are invocations as well.
    "Worker requests": (callers + told + clock) / million,
    "Worker CPU": (sum(({ ms }) => ms) + (told + clock * cells) * 2) / million,
    "D1 and Durable Object rows read": (sum(({ read }) => read) + told * webhooks.read + clock * cells * 10) / million,
    "D1 rows written": (sum(({ written }) => written) + told * webhooks.written) / million,
    "D1 storage": (kept * claims.bytes) / 1e9,
    "KV reads": sum(({ kv_reads: reads }) => reads) / million,
    // KV gets at most one write per minute to keep a session alive.
    "KV writes": minutesAtWork / million,
    "Durable Object requests": (callers * limiter.requests) / million,
    "Durable Object duration": (callers * limiter.seconds * limiter.memory_gb) / million,
    "Durable Object rows written": (callers * limiter.rows_written) / million,
    "Queue operations": (told * webhooks.queue_operations) / million,
    "E-mails": (model.letters_a_practice_and_month * practices) / 1000,
  };
}

const keptBy = (practices) => claims.a_practice_and_month * claims.months_kept * practices;
const charge = (usage, { name, included, price }) => Math.max(0, usage[name] - included) * price;
const charges = (usage) => prices.meters.reduce((all, meter) => all + charge(usage, meter), prices.plan);
const number = (value) => (value >= 100 ? value.toFixed(0) : value.toFixed(1)).replace(/\B(?=(\d{3})+(?!\d))/g, ",");

/** The table of a month of the practices of the model. */
function month() {
  const usage = usageOf(model.practices, keptBy(model.practices), 1);
  const rows = prices.meters.map((meter) => {
    const { name, unit, included, price } = meter;
    return `| ${name} | ${number(usage[name])} ${unit} | ${included} | ${price} | ${charge(usage, meter).toFixed(2)} |`;
  });
  return [
    "| what | used a month | included | price of one more | dollars a month |",
    "| --- | --- | --- | --- | --- |",
    `| Workers Paid | | | | ${prices.plan.toFixed(2)} |`,
    ...rows,
    `| **together** | | | | **${charges(usage).toFixed(2)}** |`,
  ];
}

/** The table of databases by the number of practices. */
function cells() {
  const rows = [
    [model.practices, keptBy(model.practices)],
    [10_000, 200 * million],
  ].map(([practices, kept]) => {
    const storage = (kept * claims.bytes) / 1e9;
    const cells = Math.ceil(storage / GB_OF_CELL);
    const usage = usageOf(practices, kept, cells);
    const written = (usage["D1 rows written"] * million) / (DAYS * 86_400) / cells;
    const shown = [number(practices).replace(/\.0$/, ""), `${number(kept / million)} million`, `${number(storage)} GB`, cells];
    return `| ${shown.join(" | ")} | ${number(written)} | ${charges(usage).toFixed(0)} |`;
  });
  return [
    "| practices | claims kept | storage | databases | rows written a second in each | dollars a month |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows,
  ];
}

const lines = process.argv.includes("--cells") ? cells() : month();
process.stdout.write(`${lines.join("\n")}\n`);
