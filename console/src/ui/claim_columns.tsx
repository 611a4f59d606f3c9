// The columns that tables of claims have in common.

import type { ClaimStatus } from "../generated/rules.ts";
import { date, money } from "../lib/index.ts";
import { ClaimDue, StatusTag } from "./claim_parts.tsx";

interface Row {
  claim_number: string;
  status: ClaimStatus;
  deadline: { date: string } | null;
  payer_name: string;
  date_of_service: string;
  billed_amount: string | null;
  denied_amount: string | null;
  amount_recovered: string | null;
}

export const CLAIM_COLUMNS = {
  number: { head: "Claim number", cell: ({ claim_number }: Pick<Row, "claim_number">) => <span class="claim-number">{claim_number}</span> },
  status: { head: "Status now", cell: ({ status }: Pick<Row, "status">) => <StatusTag of={status} /> },
  deadline: { head: "Deadline", cell: (row: Pick<Row, "status" | "deadline">) => <ClaimDue deadline={row.deadline} status={row.status} /> },
  payer: { head: "Payer", cell: ({ payer_name }: Pick<Row, "payer_name">) => <span class="payer">{payer_name}</span> },
  service: { head: "Date of service", cell: (row: Pick<Row, "date_of_service">) => date(row.date_of_service), isShort: true },
  billed: { head: "Billed", cell: (row: Pick<Row, "billed_amount">) => money(row.billed_amount), isNumber: true },
  denied: { head: "Denied", cell: (row: Pick<Row, "denied_amount">) => money(row.denied_amount), isNumber: true },
  recovered: { head: "Recovered", cell: (row: Pick<Row, "amount_recovered">) => money(row.amount_recovered), isNumber: true },
} as const;
