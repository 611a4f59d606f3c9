// What the payer makes, every runtime reads back.

import { payer } from "@overturn/core/payer";
import { remit } from "@overturn/core/remit";

const cents = (amount) => Math.round(Number(amount || 0) * 100);

/** Fails unless each payment (BPR) is the sum of its claims (CLP) less what the payer keeps (PLB). */
function balance(text) {
  let [made, left] = [0, 0];
  for (const segment of text.split("~")) {
    const elements = segment.trim().split("*");
    if (elements[0] === "BPR") left = cents(elements[2]);
    else if (elements[0] === "CLP") left -= cents(elements[4]);
    else if (elements[0] === "PLB") for (let at = 4; at < elements.length; at += 2) left += cents(elements[at]);
    else if (elements[0] === "SE") {
      made += 1;
      if (left !== 0) throw new Error(`a payment is off by ${left} cents`);
    }
  }
  return made;
}

async function readBack(options) {
  const { remittance, submission, expected } = payer(options);
  const encoder = new TextEncoder();
  const files = [remittance, submission].map((text, at) => ({ name: String(at), data: encoder.encode(text) }));
  const { claims } = await remit(files, { now: new Date("2027-06-01") });
  const found = claims.map(({ claim_number, denied_amount }) => `${claim_number} ${denied_amount}`);
  const wanted = expected.map(({ claim_number, denied_amount }) => `${claim_number} ${denied_amount}`);
  if (wanted.length === 0 || found.join() !== wanted.join()) throw new Error(`found ${found}, and not ${wanted}`);
  return balance(remittance) + wanted.length;
}

/** Answers how many comparisons were made. */
export async function checkPayer() {
  let made = 0;
  for (const seed of [0, 7]) made += await readBack({ seed, claims: 40 });
  const codes = { group: "PR", carc: "204", remark: "N130" };
  const script = { act: "reverse", codes, after: 5, replies: [{ outcome: "part", after: 9 }] };
  if (payer({ claims: 2, script }).expected.length !== 0) throw new Error("what was reversed is not denied");
  const sent = payer({ seed: 3, claims: 2 }).submission;
  made += await readBack({ claims: sent, script: { codes } });
  if (payer({ seed: 3 }).remittance !== payer({ seed: 3, claims: 10 }).remittance) throw new Error("a seed makes other files");
  for (const options of [{ seed: -1 }, { claims: 1.5 }, { claims: "no claims" }, { script: { act: "lose" } }]) {
    try {
      payer(options);
    } catch (error) {
      if (error instanceof TypeError && error.message !== "") made += 1;
      continue;
    }
    throw new Error(`${JSON.stringify(options)} is taken`);
  }
  return made;
}
