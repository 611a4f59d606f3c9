import { date, money, time } from "../../lib/format.ts";
import { user } from "../../lib/session.ts";
import { CLOSING, isOpen, PLAN } from "../../lib/terms.ts";
import { ClaimDue, Codes } from "../../ui/claim_parts.tsx";
import { DenialCodes } from "../../ui/denial_code_list.tsx";
import { Fact } from "../../ui/fact.tsx";
import { PracticeFacts } from "../../ui/practice_facts.tsx";
import { Section } from "../../ui/section.tsx";
import type { Claim } from "./claim_work.tsx";

/** Where the deadline comes from, in words. */
function sourceOf({ deadline, plan_type, denial_date, status }: Claim): string {
  if (deadline?.from === "case") return "From the current level of the case.";
  if (deadline) return `From the rule for ${plan_type ? PLAN[plan_type] : "the plan"}, counted from the denial on ${date(denial_date)}.`;
  if (status === "in_appeal") return "The current level is filed or has no date. The case says which.";
  if (!denial_date) return "The practice sent no denial date, so no deadline can be counted.";
  if (!plan_type) return "The practice sent no plan type, so no rule is known. Look at the payer’s letter.";
  return `We know no rule for ${PLAN[plan_type]}. Look at the payer’s letter.`;
}

/** The facts of a claim: first what is urgent, then whom and what it is about. */
export function ClaimFacts({ claim }: { claim: Claim }) {
  const { patient, practice, taken_by, deadline } = claim;
  const isEnded = !isOpen(claim.status);
  return (
    <>
      <Section title={isEnded ? "Result" : "Deadline and amounts"}>
        <dl class="facts">
          {!isEnded && (
            <Fact name="Deadline">
              <ClaimDue deadline={deadline} status={claim.status} />
              <span class="under">{sourceOf(claim)}</span>
            </Fact>
          )}
          <Fact name="Denied">
            <strong>{money(claim.denied_amount)}</strong>
            <span class="under">of {money(claim.billed_amount)} billed</span>
          </Fact>
          {claim.amount_recovered !== null && (
            <Fact name="Recovered">
              <strong>{money(claim.amount_recovered)}</strong>
            </Fact>
          )}
          {claim.closing_reason && <Fact name="Closed because">{CLOSING[claim.closing_reason]}</Fact>}
          <Fact name="Taken by">{taken_by === null ? "No one" : taken_by.id === user.value?.id ? "You" : taken_by.name}</Fact>
          {claim.case_id && (
            <Fact name="Case">
              <a href={`/work/${practice.id}/cases/${claim.case_id}`}>Show the case</a>
            </Fact>
          )}
          {claim.report_id && (
            <Fact name="Report">
              <a href={`/work/${practice.id}/reports/${claim.report_id}`}>Show the report</a>
            </Fact>
          )}
        </dl>
      </Section>
      <Section title="Patient">
        <dl class="facts">
          <Fact name="Name">
            <strong>{`${patient.first_name} ${patient.last_name}`}</strong>
          </Fact>
          <Fact name="Date of birth">{date(patient.date_of_birth)}</Fact>
          {patient.member_id && <Fact name="Member id">{patient.member_id}</Fact>}
          {patient.account_number && <Fact name="Account number">{patient.account_number}</Fact>}
        </dl>
        <p class="quiet-text">The practice’s audit trail records each time that you open a claim.</p>
      </Section>
      <Section title="Denial">
        <dl class="facts">
          <Fact name="Practice">{practice.name}</Fact>
          <Fact name="Payer">{claim.payer_name}</Fact>
          <Fact name="Plan">{claim.plan_type ? PLAN[claim.plan_type] : "Not sent"}</Fact>
          <Fact name="Payer’s claim number">{claim.payer_claim_number}</Fact>
          <Fact name="Date of service">{date(claim.date_of_service)}</Fact>
          <Fact name="Denied on">{date(claim.denial_date)}</Fact>
          <Fact name="Procedure">
            <Codes of={claim.procedure_code ? [claim.procedure_code] : []} />
          </Fact>
          <Fact name="Diagnoses">
            <Codes of={claim.diagnosis_codes} />
          </Fact>
          <Fact name="Arrived">{time(claim.received_at)}</Fact>
        </dl>
        {claim.denial_codes.length > 0 && (
          <dl class="facts whole">
            <Fact name="Denial codes">
              <DenialCodes of={claim.denial_codes} />
            </Fact>
          </dl>
        )}
        {claim.denial_reason && (
          <dl class="facts whole">
            <Fact name="The payer’s reason">{claim.denial_reason}</Fact>
          </dl>
        )}
      </Section>
      <Section title="The practice, for the letter">
        <PracticeFacts of={claim.practice_details} />
      </Section>
    </>
  );
}
