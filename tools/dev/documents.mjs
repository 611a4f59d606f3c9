// Uploads a few made-up documents to a running service, as the integration of the demo practice.
//
//   node tools/dev/documents.mjs DEMO_JSON DONE_JSON [history]
//
// DONE_JSON gets the answers. It says that the state has its documents. With `history`, some of the demo claims
// (`tools/operator/src/demo/history.rs`) get documents as well.

import { readFileSync, writeFileSync } from "node:fs";

const [demoFile, doneFile, history] = process.argv.slice(2);
const demo = JSON.parse(readFileSync(demoFile, "utf8"));

const LETTER = `Acme Health
Notice of adverse benefit determination

Claim CH-2025-00417. The service was denied as not medically necessary (CO-50).
You may appeal within 180 days of this notice.
`;

// A remittance advice of one claim (X12 835). The interchange header has fixed columns.
const REMITTANCE = [
  "ISA*00*          *00*          *ZZ*ACMEHEALTH     *ZZ*CEDARHILL      *250203*1200*^*00501*000000001*0*T*:",
  "GS*HP*ACMEHEALTH*CEDARHILL*20250203*1200*1*X*005010X221A1",
  "ST*835*0001",
  "BPR*H*0*C*NON************20250203",
  "TRN*1*DEMO-1*1999999999",
  "N1*PR*ACME HEALTH",
  "N1*PE*CEDAR HILL*XX*1999999984",
  "CLP*CH-2025-00417*4*200*0**12*ICN-1",
  "CAS*CO*50*200",
  "SE*8*0001",
  "GE*1*1",
  "IEA*1*000000001",
].join("~\n");

const PDF = `%PDF-1.4
1 0 obj
<< /Type /Catalog /Pages 2 0 R >>
endobj
2 0 obj
<< /Type /Pages /Kids [3 0 R] /Count 1 >>
endobj
3 0 obj
<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>
endobj
trailer
<< /Root 1 0 R >>
%%EOF
`;

const TEXT = "Made-up text of the demo data.\n";

// Kind, name, content, and the claim.
const DOCUMENTS = [
  ["denial_letter", "denial letter.txt", LETTER],
  ["remittance", "remittance 2025-02-03.835", `${REMITTANCE}~\n`],
  ["medical_record", "visit note.pdf", PDF],
];
const OF_CLAIMS = [
  ["denial_letter", "denial letter.txt", TEXT, "CH-0001"],
  ["correspondence", "letter of the payer.txt", TEXT, "CH-0001"],
  ["medical_record", "operative report.pdf", PDF, "CH-0004"],
  ["authorization", "prior authorization.txt", TEXT, "CH-0007"],
  ["denial_letter", "notice of denial.pdf", PDF, "CH-0031"],
  ["medical_record", "visit note.pdf", PDF, "CH-0062"],
  ["denial_letter", "denial letter.txt", TEXT, "CH-0121"],
  ["correspondence", "fax confirmation.txt", TEXT, "CH-0121"],
  ["other", "fee schedule.txt", TEXT, "CH-0166"],
];

async function upload([kind, name, text, claim]) {
  const form = new FormData();
  form.set("kind", kind);
  if (claim) form.set("claim_number", claim);
  form.set("file", new File([text], name));
  const response = await fetch(`${demo.base_url}/api/v1/documents`, {
    method: "POST",
    headers: { Authorization: `Bearer ${demo.users.member.documents_token}` },
    body: form,
  });
  const answer = await response.json();
  if (response.status !== 201) throw new Error(`the demo document ${name} got ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}

const uploaded = await Promise.all([...DOCUMENTS, ...(history ? OF_CLAIMS : [])].map(upload));
writeFileSync(doneFile, `${JSON.stringify(uploaded, null, 2)}\n`, { mode: 0o600 });
