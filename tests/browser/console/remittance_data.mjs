// Remittances (835) and claim files (837) for the tests of the page that reads them. They are balanced and have all trailers.

import { day } from "./practice_data.mjs";

const compact = (date) => date.replaceAll("-", "");
let count = 0;
let transactions = 0;

/** A claim payment with a number of its own, denied as a whole unless `paid` says otherwise. `changes` go over it. */
export function payment(changes = {}) {
  count += 1;
  return {
    number: `R${process.pid}-${String(count).padStart(5, "0")}`,
    last: "Canarybird",
    first: `Pat${count}`,
    member: `W${process.pid}X${count}`,
    born: "1984-06-02",
    served: day(-60),
    charge: 100 + (count % 50),
    paid: 0,
    ...changes,
  };
}

/** One interchange with one transaction of a kind. */
function interchange(group, kind, segments) {
  const sender = "SENDER".padEnd(15);
  const body = [`ST*${kind}*0001`, ...segments];
  const all = [
    `ISA*00*${" ".repeat(10)}*00*${" ".repeat(10)}*ZZ*${sender}*ZZ*${sender}*260210*1200*^*00501*000000007*0*P*:`,
    `GS*${group}*SENDER*SENDER*${compact(day(-30))}*1200*7*X*005010`,
    ...body,
    `SE*${body.length + 1}*0001`,
    "GE*1*7",
    "IEA*1*000000007",
  ];
  return all.map((segment) => `${segment}~\n`).join("");
}

/** A remittance of a payer that answers these claims. */
export function remittance(payments, payer = "BLUE PRAIRIE HEALTH") {
  const paid = payments.reduce((sum, one) => sum + one.paid, 0);
  const answers = payments.flatMap(({ number, last, first, member, served, charge, paid }) => [
    `CLP*${number}*${paid > 0 ? 1 : 4}*${charge}*${paid}**12*ICN${number}`,
    `CAS*CO*${paid > 0 ? 45 : 50}*${charge - paid}`,
    `NM1*QC*1*${last}*${first}****MI*${member}`,
    `DTM*232*${compact(served)}`,
  ]);
  const date = compact(day(-30));
  return interchange("HP", "835", [
    `BPR*I*${paid}*C*${paid > 0 ? "ACH" : "NON"}************${date}`,
    `TRN*1*${process.pid}${(transactions += 1)}*1512345678`,
    `DTM*405*${date}`,
    `N1*PR*${payer}`,
    "LX*1",
    ...answers,
  ]);
}

/** The claim file with which these claims were sent. */
export function submission(payments) {
  const claims = payments.flatMap(({ number, last, first, member, born, charge }, n) => [
    `HL*${n + 2}*1*22*0`,
    "SBR*P*18*******CI",
    `NM1*IL*1*${last}*${first}****MI*${member}`,
    `DMG*D8*${compact(born)}*F`,
    `CLM*${number}*${charge}***11:B:1*Y*A*Y*Y`,
  ]);
  return interchange("HC", "837", ["BHT*0019*00*1*20260110*1200*CH", "HL*1**20*1", ...claims]);
}

/** A file for the picker. */
export const file = (name, text) => ({ name, mimeType: "application/octet-stream", buffer: Buffer.from(text) });
