// The appeal deadline, by the rules of core/src/plan/claims/deadline.rs.

interface Rule {
  since: number;
  days: number;
}

/** The days after the denial, by plan type; the latest rule first. */
const RULES: Record<string, Rule[]> = {
  erisa: [{ since: 1, days: 180 }],
  aca_individual: [{ since: 1, days: 180 }],
  medicare: [{ since: 1, days: 125 }],
  medicare_advantage: [{ since: 2025, days: 65 }, { since: 1, days: 60 }],
  medi_cal_managed: [{ since: 1, days: 60 }],
  medi_cal_ffs: [{ since: 1, days: 90 }],
  tricare: [{ since: 1, days: 90 }],
};

/** The last day to appeal against a denial, if a rule covers it. */
export function appealDue(planType: string | undefined, denied: string | undefined): string | undefined {
  if (planType === undefined || denied === undefined) return undefined;
  const rule = RULES[planType]?.find(({ since }) => since <= Number(denied.slice(0, 4)));
  if (rule === undefined) return undefined;
  const due = new Date(`${denied}T00:00:00Z`);
  due.setUTCDate(due.getUTCDate() + rule.days);
  return due.toISOString().slice(0, 10);
}
