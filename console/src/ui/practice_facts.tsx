import { addressLines, phone, type PracticeDetails, ZONES } from "../lib/index.ts";
import { Fact } from "./fact.tsx";

/** What an appeal says about a practice. What it has not entered says so. */
export function PracticeFacts({ of }: { of: PracticeDetails }) {
  const address = addressLines(of.address);
  return (
    <dl class="facts">
      <Fact name="Mailing address">
        {address.length === 0 && "Not entered"}
        {address.map((line) => (
          <div key={line}>{line}</div>
        ))}
      </Fact>
      <Fact name="NPI">{of.npi ?? "Not entered"}</Fact>
      <Fact name="Tax id">{of.tax_id ?? "Not entered"}</Fact>
      <Fact name="Phone">{phone(of.phone) ?? "Not entered"}</Fact>
      <Fact name="Time zone">{of.time_zone ? ZONES[of.time_zone] : "Not entered"}</Fact>
    </dl>
  );
}
