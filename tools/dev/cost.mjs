// Computes the monthly charge of the platform from docs/cost.json: the list prices, the usage of practices, and the rows of each
// call.
//
//   node tools/dev/cost.mjs            prints the table of docs/COST.md
//   node tools/dev/cost.mjs --polling  the same if every practice reads the status of 3,000 open claims each day

import { readFileSync } from "node:fs";

const model = JSON.parse(readFileSync(new URL("../../docs/cost.json", import.meta.url)));
const isPolling = process.argv.includes("--polling");
const OPEN_CLAIMS = 3000;
const DAYS = 30;

const { practices, calls, webhooks, limiter, claims, people, prices } = model;
if (isPolling) calls.find(({ name }) => name === "a status read").a_month = OPEN_CLAIMS * DAYS;

const million = 1e6;
const sum = (of) => calls.reduce((all, call) => all + call.a_month * of(call), 0) * practices;
const told = webhooks.a_month * practices;
const clock = model.minutes_of_the_clock_a_month;
const callers = sum(() => 1);
const minutesAtWork = people.a_practice * people.days_a_month * people.minutes_at_work_a_day * practices;

const usage = {
  // The queue's consumer and the scheduled job are invocations as well.
  "Worker requests": (callers + told + clock) / million,
  "Worker CPU": (sum(({ ms }) => ms) + told * 2 + clock * 2) / million,
  "D1 and Durable Object rows read": (sum(({ read }) => read) + told * webhooks.read + clock * 10) / million,
  "D1 rows written": (sum(({ written }) => written) + told * webhooks.written) / million,
  "D1 storage": (claims.a_practice_and_month * claims.months_kept * practices * claims.bytes) / 1e9,
  "KV reads": sum(({ kv_reads: reads }) => reads) / million,
  // KV gets at most one write per minute to keep a session alive.
  "KV writes": minutesAtWork / million,
  "Durable Object requests": (callers * limiter.requests) / million,
  "Durable Object duration": (callers * limiter.seconds * limiter.memory_gb) / million,
  "Durable Object rows written": (callers * limiter.rows_written) / million,
  "Queue operations": (told * webhooks.queue_operations) / million,
  "E-mails": (model.letters_a_practice_and_month * practices) / 1000,
};

const number = (value) => (value >= 100 ? value.toFixed(0) : value.toFixed(1)).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
const rows = prices.meters.map(({ name, unit, included, price }) => {
  const charged = Math.max(0, usage[name] - included) * price;
  return { charged, line: `| ${name} | ${number(usage[name])} ${unit} | ${included} | ${price} | ${charged.toFixed(2)} |` };
});
const total = rows.reduce((all, { charged }) => all + charged, prices.plan);
const lines = [
  "| what | used a month | included | price of one more | dollars a month |",
  "| --- | --- | --- | --- | --- |",
  `| Workers Paid | | | | ${prices.plan.toFixed(2)} |`,
  ...rows.map(({ line }) => line),
  `| **together** | | | | **${total.toFixed(2)}** |`,
];
process.stdout.write(`${lines.join("\n")}\n`);
