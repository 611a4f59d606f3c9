import { limits, type TimeZone } from "../../generated/rules.ts";
import { patch } from "../../lib/api.ts";
import { addressLines, choicesOf, type Loaded, may, phone, type PracticeDetails, ZONES } from "../../lib/index.ts";
import {
  changes, changingSetting, Form, PracticeFacts, Section, SelectField, TextField, toast, useForm, type Values,
} from "../../ui/index.ts";
import { type Practice, PRACTICE } from "./practice_record.ts";

/** What appeals and signatures say about the practice. Our staff see it beside each claim. */
export function Details({ of, loaded }: { of: Practice; loaded: Loaded<Practice> }) {
  return (
    <Section title="For appeals and signatures" look="stack" lead="Payers ask for it in every appeal. Our staff see it beside your claims.">
      {may("edit_practice") ? <DetailsForm of={of} loaded={loaded} /> : <div class="card"><PracticeFacts of={of} /></div>}
    </Section>
  );
}

/** The address as entered; `null` if every field is empty. The service says what else is missing. */
function addressOf(values: Values): PracticeDetails["address"] {
  const text = (name: string): string => values.text(`address.${name}`);
  const address = { line1: text("line1"), line2: text("line2") || null, city: text("city"), state: text("state"), zip: text("zip") };
  return Object.values(address).some(Boolean) ? address : null;
}

function DetailsForm({ of, loaded }: { of: Practice; loaded: Loaded<Practice> }) {
  const form = useForm(async (values, intent) => {
    const address = addressOf(values);
    const shown = { npi: of.npi, tax_id: of.tax_id, phone: phone(of.phone) ?? null, time_zone: of.time_zone };
    const entered = {
      npi: values.textOrNull("npi"),
      tax_id: values.textOrNull("tax_id"),
      phone: values.textOrNull("phone"),
      time_zone: values.textOrNull("time_zone") as TimeZone | null,
    };
    const isMoved = addressLines(address).join("\n") !== addressLines(of.address).join("\n");
    const body = { ...changes<typeof shown>(shown, entered), ...(isMoved && { address }) };
    if (Object.keys(body).length > 0) {
      loaded.set(await changingSetting(of, PRACTICE, (version) => patch("/api/v1/settings/practice", { body, version, intent })));
    }
    toast("Saved.");
  });
  return (
    <div class="card measure">
      <Form of={form} submit="Save">
        <fieldset class="group">
          <legend>Mailing address</legend>
          <TextField name="address.line1" label="Street and number" defaultValue={of.address?.line1 ?? ""} maxLength={limits.addressLine} autocomplete="address-line1" />
          <TextField name="address.line2" label="Suite or floor" defaultValue={of.address?.line2 ?? ""} maxLength={limits.addressLine} autocomplete="address-line2" />
          <TextField name="address.city" label="City" defaultValue={of.address?.city ?? ""} maxLength={limits.addressLine} autocomplete="address-level2" />
          <TextField name="address.state" label="State" hint="Two letters, such as TX." defaultValue={of.address?.state ?? ""} maxLength={2} autocomplete="address-level1" />
          <TextField name="address.zip" label="ZIP code" hint="5 digits, or 9 with a hyphen." defaultValue={of.address?.zip ?? ""} maxLength={10} inputMode="numeric" autocomplete="postal-code" />
        </fieldset>
        <fieldset class="group">
          <legend>Numbers</legend>
          <TextField name="npi" label="NPI" hint="10 digits, on your claims in box 33a." defaultValue={of.npi ?? ""} maxLength={10} inputMode="numeric" autocomplete="off" />
          <TextField
            name="tax_id"
            label="Tax id (EIN)"
            hint="On your claims in box 25, such as 12-3456789. Do not enter a social security number."
            defaultValue={of.tax_id ?? ""}
            maxLength={10}
            autocomplete="off"
          />
          <TextField name="phone" label="Phone" hint="With the area code, as payers call you." defaultValue={phone(of.phone) ?? ""} maxLength={30} autocomplete="tel-national" />
        </fieldset>
        <SelectField
          name="time_zone"
          label="Time zone"
          hint="A patient’s signature says when it was made in this zone, beside UTC."
          choices={[["", "Not set: UTC alone"], ...choicesOf(ZONES)]}
          value={of.time_zone ?? ""}
        />
      </Form>
    </div>
  );
}
