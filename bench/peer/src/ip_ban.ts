// The IP ban: an address with too many requests in a minute is banned for five minutes.

import { settingsOf, type Env } from "./env.ts";
import { secondsUp } from "./limiter.ts";
import { Refusal } from "./refusal.ts";

const BAN_MS = 300_000;
/** How long an answer of KV is reused. */
const MEMO_MS = 30_000;
/** Addresses remembered before the memory is cleared. */
const MEMO_MAX = 10_000;

const memory = new Map<string, { until: number; isBanned: boolean }>();

/** Counts a request, and throws if its address is banned. */
export async function countRequest(env: Env, ip: string | undefined, now: number): Promise<void> {
  const { limits, ipLimit } = settingsOf(env);
  if (limits === undefined) return;
  const address = unit(ip ?? "");
  const memo = memory.get(address);
  const known = memo !== undefined && now < memo.until;
  if (known && memo.isBanned) throw banned(memo.until, now, ipLimit);
  const [stored, counted] = await Promise.all([
    known ? null : env.BANS.get(`ban:${address}`).catch(fails("bans")),
    env.IP_LIMITER.limit({ key: address }).catch(fails("ip_limiter")),
  ]);
  const until = Number(stored ?? 0);
  if (now < until) {
    remember(address, until, true);
    throw banned(until, now, ipLimit);
  }
  if (!counted.success) {
    const until = now + BAN_MS;
    remember(address, until, true);
    await env.BANS.put(`ban:${address}`, String(until), { expirationTtl: BAN_MS / 1000 }).catch(() =>
      console.error(JSON.stringify({ event: "ban_not_shared" })),
    );
    throw banned(until, now, ipLimit);
  }
  if (!known) remember(address, now + MEMO_MS, false);
}

const fails = (what: string) => (): never => {
  throw Refusal.unavailable(what);
};

function banned(until: number, now: number, limit: number): Refusal {
  const retry_after = Math.max(1, secondsUp(until - now));
  return Refusal.rateLimited({ allowed: false, limit, remaining: 0, reset: secondsUp(until), retry_after });
}

function remember(address: string, until: number, isBanned: boolean): void {
  if (memory.size >= MEMO_MAX) memory.clear();
  memory.set(address, { until, isBanned });
}

/** The unit that is counted: an IPv4 address, or an IPv6 /64, which belongs to one customer. */
function unit(address: string): string {
  if (!address.includes(":")) return address || "unknown";
  const [head = "", tail] = address.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail ? tail.split(":") : [];
  const missing = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array<string>(Math.max(0, missing)).fill("0"), ...after];
  return `${groups.slice(0, 4).join(":")}::/64`;
}
