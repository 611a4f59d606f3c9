import { CLOSING, date, isOpen, money, time, useKeys, user } from "../../lib/index.ts";
import {
  Button, ClaimDue, Codes, DeadlineSources, DenialCodes, DenialFacts, Fact, openLetter, PracticeFacts, Section,
  SET_LETTER,
} from "../../ui/index.ts";
import { setLetterOf } from "./claim_moves.ts";
import type { ClaimWork } from "./claim_work.tsx";

/** The facts of a claim: first what is urgent, then whom and what it is about. */
export function ClaimFacts({ work }: { work: ClaimWork }) {
  const { of: claim, may } = work;
  const { patient, practice, taken_by, deadline } = claim;
  const setLetter = (): void => void openLetter(claim, (body, intent) => setLetterOf(work, body, intent));
  useKeys(may("set_letter") ? [{ keys: "d", what: SET_LETTER, run: setLetter }] : []);
  const isEnded = !isOpen(claim.status);
  return (
    <>
      <Section title={isEnded ? "Result" : "Deadline and amounts"}>
        <dl class="facts">
          {!isEnded && (
            <Fact name="Deadline">
              <ClaimDue deadline={deadline} status={claim.status} />
              <DeadlineSources of={claim} reader="staff" />
              {may("set_letter") && (
                <Button look="quiet" onClick={setLetter}>
                  {SET_LETTER}
                </Button>
              )}
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
          <DenialFacts of={claim} />
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
