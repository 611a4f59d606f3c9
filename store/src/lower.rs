//! A plan as statements. Pure: what it needs of keys and entropy is handed in.

mod guards;

use crate::accounts::{sql as account_sql, writes as accounts};
use crate::claims::{fills, mismatches, sql};
use crate::json::{Chunks, json};
use crate::keyring::Keyring;
use crate::keyring::practice::{DataKey, PracticeKeys};
use crate::seal::Nonce;
use crate::settings::{data_jobs, data_keys, sql as setting_sql, writes as settings};
use crate::signing::writes as signing;
use crate::webhooks::writes;
use crate::work::{cases, pace, sql as work_sql, writes as work};
use crate::{Param, Statement, records, text};
use overturn_core::base::id::PracticeId;
use overturn_core::base::sealed::{KeyVersion, Place};
use overturn_core::plan::audit::{Entry, Event};
use overturn_core::plan::claims::{
    Corrections, NewClaim, NewClaims, PlanType, Present, codes, deadline,
};
use overturn_core::plan::{Guard, Plan, Write};
use serde::Serialize;
use std::ops::Range;

/// The batch of a plan.
#[derive(Debug)]
pub struct Batch {
    /// The statements, in order.
    pub statements: Vec<Statement>,
    /// How to learn what came of the plan's claims; `None` where it is about none.
    pub learn: Option<Learn>,
}

/// How to learn what came of a plan's claims.
#[derive(Clone, PartialEq, Debug)]
pub enum Learn {
    /// The last statement of the batch reads it.
    Last,
    /// Where the statements of `inserts` changed `created` rows, every claim was created by this very batch. Where they
    /// did not, as after a lost race or a lost answer, this statement reads what came of them.
    Inserted {
        /// The statements that insert.
        inserts: Range<usize>,
        /// How many claims there are to create.
        created: usize,
        /// What to run otherwise.
        otherwise: Statement,
    },
}

/// Why a plan cannot be written: it seals something of a practice whose data key is not at hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CannotLower;

/// What lowering needs beside the plan.
pub struct Means<'m> {
    pub(crate) keys: &'m Keyring,
    practice: Option<&'m PracticeKeys<'m>>,
    nonce: &'m mut dyn FnMut() -> Nonce,
    /// Whether the practice's data key has sealed anything.
    used: bool,
}

impl<'m> Means<'m> {
    /// The keys of the service, those of the practice where something of one is to be sealed, and what draws a fresh random
    /// nonce.
    pub fn new(
        keys: &'m Keyring,
        practice: Option<&'m PracticeKeys<'m>>,
        nonce: &'m mut dyn FnMut() -> Nonce,
    ) -> Self {
        Self {
            keys,
            practice,
            nonce,
            used: false,
        }
    }

    /// Seals what is confidential about a record for its place, under the key that seals there now: the version to store
    /// beside it, and the blob.
    pub(crate) fn seal(
        &mut self,
        place: Place,
        text: &[u8],
    ) -> Result<(KeyVersion, String), CannotLower> {
        let nonce = (self.nonce)();
        if let Some(practice) = place.practice() {
            let data = self.data(practice).ok_or(CannotLower)?;
            let sealed = data.seal(place, text, nonce).ok_or(CannotLower)?;
            let version = data.version();
            self.used = true;
            return Ok((version, sealed));
        }
        let key = self.keys.account(self.keys.current()).ok_or(CannotLower)?;
        let sealed = key.seal(place, text, nonce).ok_or(CannotLower)?;
        Ok((key.version(), sealed))
    }

    fn data(&self, practice: PracticeId) -> Option<&'m DataKey> {
        let keys = self.practice.filter(|keys| keys.practice() == practice)?;
        keys.data()
    }

    /// The guards of a plan. Before everything that the data key sealed comes its row where it is new, and the guard that it is the
    /// practice's: in one statement with the guard of an API key, since every send has both.
    fn guards(&self, plan: &Plan<'_>) -> Vec<Statement> {
        let keys = self.practice.filter(|_| self.used);
        let sealed = keys.and_then(|keys| Some((keys.practice(), keys.data()?)));
        let mut joined = false;
        let guards = plan.guards.iter().map(|guard| match (guard, sealed) {
            (Guard::Key(caller), Some((practice, data)))
                if caller.practice_id == practice && data.new_row().is_none() =>
            {
                joined = true;
                guards::key_and_data_key(caller, data, plan)
            }
            _ => guards::guard(guard, plan),
        });
        let mut statements: Vec<Statement> = guards.collect();
        let Some((practice, data)) = sealed.filter(|_| !joined) else {
            return statements;
        };
        if let Some(new) = data.new_row() {
            statements.push(data_keys::insert(new, plan.at));
            statements.push(records::audit(plan, &new.audit, self.keys));
        }
        statements.push(data_keys::guard(practice, data));
        statements
    }
}

/// A version and a blob as parameters.
pub(crate) fn sealed((version, sealed): (KeyVersion, String)) -> [Param; 2] {
    [Param::Int(version.0), Param::Text(sealed)]
}

/// Lowers a plan to one batch.
///
/// # Errors
///
/// [`CannotLower`] when something is to be sealed under a key that is not at hand.
pub fn lower(plan: &Plan<'_>, means: &mut Means<'_>) -> Result<Batch, CannotLower> {
    let mut first: Vec<Statement> = plan.evidence().map(guards::done).into_iter().collect();
    let mut statements = Vec::new();
    let mut numbers: Vec<&str> = Vec::new();
    let mut practice = None;
    let mut submission = Param::Text(String::new());
    let mut inserts = 0..0;
    for write in &plan.writes {
        match write {
            Write::Claims(new) => {
                practice = Some(new.caller.practice_id);
                submission = text(new.submission_id);
                numbers.extend(claim_numbers(&new.claims));
                inserts = claims(&mut statements, new, plan, means)?;
            }
            Write::Fills(filled) => {
                practice = Some(filled.caller.practice_id);
                let claims = filled.claims.iter();
                numbers.extend(claims.map(|fill| &*fill.item.claim.claim_number));
                fills::fills(&mut statements, filled, plan, means)?;
            }
            Write::Corrections(corrected) => {
                practice = Some(corrected.caller.practice_id);
                numbers.extend(corrected.claims.iter().map(|claim| claim.claim_number));
                corrections(&mut statements, corrected, plan, means.keys);
            }
            Write::Touch(caller) => statements.push(Statement::new(
                setting_sql::TOUCH_API_KEY,
                [
                    text(caller.practice_id),
                    text(caller.api_key_id),
                    Param::Int(plan.at.0),
                ],
            )),
            other => statements.extend(record(other, plan, means)?),
        }
    }
    first.extend(means.guards(plan));
    let shift = first.len();
    let inserts = inserts.start.saturating_add(shift)..inserts.end.saturating_add(shift);
    let mut statements = [first, statements].concat();
    let outcome = practice.map(|practice| {
        Statement::new(
            sql::OUTCOME,
            [text(practice), Param::Text(json(&numbers)), submission],
        )
    });
    let only_new = !plan
        .writes
        .iter()
        .any(|write| matches!(write, Write::Fills(_) | Write::Corrections(_)));
    let learn = match outcome {
        Some(otherwise) if only_new => Some(Learn::Inserted {
            inserts,
            created: numbers.len(),
            otherwise,
        }),
        Some(last) => {
            statements.push(last);
            Some(Learn::Last)
        }
        None => None,
    };
    Ok(Batch { statements, learn })
}

/// The statements of a write that is not about claims.
fn record(
    write: &Write<'_>,
    plan: &Plan<'_>,
    means: &mut Means<'_>,
) -> Result<Vec<Statement>, CannotLower> {
    let now = plan.at;
    let at = Param::Int(now.0);
    Ok(match write {
        Write::Claims(_) | Write::Fills(_) | Write::Corrections(_) | Write::Touch(_) => Vec::new(),
        Write::Mismatches(_) | Write::MismatchesTold(..) => {
            mismatches::record(write).into_iter().collect()
        }
        Write::MismatchAlarm(alarm) => mismatches::alarm(alarm, plan, means.keys).into(),
        Write::Webhook(_)
        | Write::WebhookEdit(_)
        | Write::WebhookSecret { .. }
        | Write::WebhookRemoved(..)
        | Write::WebhookDisabled(..)
        | Write::Told(_)
        | Write::DeliveryReplayed(..)
        | Write::MissedReplayed(..) => writes::record(write, now, means)?.into_iter().collect(),
        Write::Practice(new) => vec![records::practice(new)],
        Write::PracticeEdit(id, edit) => vec![settings::practice(*id, edit)],
        Write::PracticeState(id, state) => vec![settings::practice_state(*id, *state)],
        Write::Agreement(new) => settings::agreement(new).into(),
        Write::AgreementEnded(practice, id) => {
            vec![data_jobs::end_agreement(*practice, *id, now)]
        }
        Write::Notice(notice) => vec![data_jobs::notice(notice, now)],
        Write::DataJob(new) => vec![data_jobs::insert(new, now)],
        Write::DataJobTaken(taken) => vec![data_jobs::taken(taken, now)],
        Write::DataJobBegun(practice, id) => data_jobs::begin(*practice, *id, now).into(),
        Write::DataJobEnded(practice, id, state) => {
            vec![data_jobs::end(*practice, *id, *state, now)]
        }
        Write::ApiKey(new) => vec![records::api_key(new)],
        Write::ApiKeyRevoked(practice, id) => {
            vec![Statement::new(
                setting_sql::REVOKE_API_KEY,
                [text(practice), text(id), at],
            )]
        }
        Write::ApiToken(new) => vec![settings::api_token(new)],
        Write::ApiTokenReplaced {
            practice_id,
            id,
            by,
            until,
        } => vec![Statement::new(
            setting_sql::REPLACE_API_TOKEN,
            [text(practice_id), text(id), text(by), Param::Int(until.0)],
        )],
        Write::ApiTokenRevoked(practice, id) => vec![Statement::new(
            setting_sql::REVOKE_API_TOKEN,
            [text(practice), text(id), at],
        )],
        Write::User(new) => vec![accounts::user(new)],
        Write::UserJoined(user, name, hash) => vec![Statement::new(
            account_sql::JOIN_USER,
            [text(user), text(name), text(hash)],
        )],
        Write::Password(user, hash) => vec![Statement::new(
            account_sql::UPDATE_PASSWORD,
            [text(user), text(hash)],
        )],
        Write::PasswordClosed(user) => vec![Statement::new(
            account_sql::CLOSE_PASSWORD,
            [text(user), at],
        )],
        Write::PasswordOpened(user) => {
            vec![Statement::new(account_sql::OPEN_PASSWORD, [text(user)])]
        }
        Write::UserRole(practice, user, role) => vec![Statement::new(
            account_sql::UPDATE_ROLE,
            [text(practice), text(user), text(role.name())],
        )],
        Write::UserRemoved(user) => {
            vec![Statement::new(account_sql::REMOVE_USER, [text(user)])]
        }
        Write::Epoch(user, epoch) => vec![Statement::new(
            account_sql::UPDATE_EPOCH,
            [text(user), Param::Int(*epoch)],
        )],
        Write::Session(new) => accounts::session(new).into(),
        Write::SessionTurned(turn) => vec![accounts::turned(turn)],
        Write::SessionsEnded(which) => vec![accounts::ended(*which, now)],
        Write::Seen(person) => vec![accounts::seen(person, now)],
        Write::Continuation(new) => accounts::continuation(new, now).into(),
        Write::ContinuationUsed(hash) => vec![Statement::new(
            account_sql::USE_CONTINUATION,
            [text(hash), at],
        )],
        Write::Link(new) => accounts::link(new, now).into(),
        Write::LinkUsed(hash) => {
            vec![Statement::new(account_sql::USE_LINK, [text(hash), at])]
        }
        Write::Factor(new) => accounts::factor(new, now, means)?.into(),
        Write::FactorConfirmed(user, id) => vec![
            Statement::new(account_sql::DELETE_OTHER_FACTORS, [text(user), text(id)]),
            Statement::new(account_sql::CONFIRM_FACTOR, [text(user), text(id), at]),
        ],
        Write::FactorsRemoved(user) => accounts::factors_removed(*user).into(),
        Write::FactorStep(user, id, step) => vec![Statement::new(
            account_sql::UPDATE_STEP,
            [text(user), text(id), Param::Int(*step)],
        )],
        Write::RecoveryCodes(new) => accounts::recovery_codes(new).into(),
        Write::RecoveryCodeUsed(user, hash) => vec![Statement::new(
            account_sql::USE_RECOVERY_CODE,
            [text(user), text(hash), at],
        )],
        Write::SigningLink(new) => signing::link(new, now, means)?.into(),
        Write::SigningLinksRevoked(practice, claim) => {
            vec![signing::revoked(*practice, *claim, now)]
        }
        Write::SigningTryReturned(practice, claim, link) => {
            vec![signing::returned(*practice, *claim, *link)]
        }
        Write::Signature(new) => signing::signature(new, now, means)?.into(),
        Write::ClaimChanges(changes) => work::changes(changes, plan),
        Write::Note(note) => vec![work::note(note, plan, means)?],
        Write::Report(new) => cases::report(new, plan).into(),
        Write::Case(new) => vec![cases::case(new, plan)],
        Write::CaseVersion(practice, case, version) => vec![Statement::new(
            work_sql::cases::UPDATE_VERSION,
            [text(practice), text(case), Param::Int(*version)],
        )],
        Write::CaseLevel(row) => vec![cases::level(row, plan)],
        Write::CaseClaims(practice, case, claims) => vec![Statement::new(
            work_sql::cases::INSERT_CLAIMS,
            [text(practice), text(case), Param::Text(json(claims)), at],
        )],
        Write::CaseOutcome(outcome) => vec![cases::outcome(outcome, plan)],
        Write::Level(of) => vec![cases::at_level(of)],
        Write::PatientOpened(pace, practice, claim) => {
            pace::opened(*pace, *practice, *claim, now).into()
        }
        Write::PatientsAlerted(user, session) => vec![pace::alerted(*user, *session, now)],
        Write::Audit(entry) => vec![records::audit(plan, entry, means.keys)],
        Write::Answer(new) => accounts::answer(new, plan).into(),
    })
}

/// Adds the statements of new claims, and says which of them insert the claims.
fn claims(
    statements: &mut Vec<Statement>,
    new: &NewClaims<'_>,
    plan: &Plan<'_>,
    means: &mut Means<'_>,
) -> Result<Range<usize>, CannotLower> {
    let practice = new.caller.practice_id;
    let mut rows = Chunks::default();
    for claim in &new.claims {
        rows.push(&claim_row(claim, practice, means)?);
    }
    let (practice, submission, at) = (
        text(practice),
        text(new.submission_id),
        Param::Int(plan.at.0),
    );
    let (actor, request) = (text(plan.actor), text(plan.request_id));
    let numbers = Param::Text(json(&claim_numbers(&new.claims).collect::<Vec<_>>()));
    let key = text(new.caller.api_key_id);
    let common = [practice.clone(), submission.clone(), at.clone()];
    statements.push(Statement::new(
        sql::INSERT_SUBMISSION,
        [&common[..], &[key, request.clone(), numbers]].concat(),
    ));
    let first = statements.len();
    for chunk in rows.finish() {
        let params = [
            practice.clone(),
            submission.clone(),
            at.clone(),
            Param::Text(chunk),
        ];
        statements.push(Statement::new(sql::INSERT_CLAIMS, params));
    }
    let inserts = first..statements.len();
    let received = Entry {
        id: new.audit_id,
        ..records::entry(
            new.caller.practice_id,
            Event::SubmissionReceived,
            new.submission_id,
        )
    };
    let noted = records::noted(plan, &received, means.keys);
    let common = [practice, submission, text(new.audit_id), at, actor, request];
    statements.push(Statement::new(
        setting_sql::trail::AUDIT_SUBMISSION,
        [&common[..], &noted[..]].concat(),
    ));
    Ok(inserts)
}

/// A new claim as `sql::INSERT_CLAIMS` reads it.
fn claim_row<'a>(
    new: &'a NewClaim<'_>,
    practice: PracticeId,
    means: &mut Means<'_>,
) -> Result<impl Serialize + use<'a>, CannotLower> {
    let claim = &new.item.claim;
    let version = new.tags.key_version;
    let secret = json(&new.item.confidential());
    let place = Place::Claim {
        practice,
        id: new.id,
    };
    let (sealed_under, sealed) = means.seal(place, secret.as_bytes())?;
    if sealed_under != version {
        return Err(CannotLower);
    }
    let codes = claim.denial_codes.iter();
    Ok((
        &*claim.claim_number,
        new.id,
        &*claim.payer_claim_number,
        &*claim.payer_name,
        claim.date_of_service,
        claim.denial_date,
        claim.plan_type.map(PlanType::name),
        claim.billed_amount,
        claim.denied_amount,
        codes
            .filter_map(|code| codes::recognise(code))
            .collect::<Vec<_>>(),
        &new.tags.patient,
        &new.tags.procedure,
        version,
        sealed,
        deadline::of(claim.plan_type, claim.denial_date).map(|due| due.on),
        Present::of(new.item).bits(),
    ))
}

fn claim_numbers<'a>(claims: &'a [NewClaim<'a>]) -> impl Iterator<Item = &'a str> {
    claims.iter().map(|claim| &*claim.item.claim.claim_number)
}

/// A correction as the statements of corrections read it.
#[derive(Serialize)]
struct CorrectionRow<'a> {
    claim_number: &'a str,
    id: String,
    payer_claim_number: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    billed: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    denied: Option<i64>,
}

fn corrections(
    statements: &mut Vec<Statement>,
    corrected: &Corrections<'_>,
    plan: &Plan<'_>,
    keys: &Keyring,
) {
    let rows: Vec<CorrectionRow<'_>> = corrected
        .claims
        .iter()
        .map(|claim| CorrectionRow {
            claim_number: claim.claim_number,
            id: claim.id.to_string(),
            payer_claim_number: claim.payer_claim_number,
            billed: claim.billed.map(|amount| amount.get()),
            denied: claim.denied.map(|amount| amount.get()),
        })
        .collect();
    let practice = text(corrected.caller.practice_id);
    let rows = Param::Text(json(&rows));
    let at = Param::Int(plan.at.0);
    let (actor, request) = (text(plan.actor), text(plan.request_id));
    let common = [practice.clone(), rows.clone(), at.clone()];
    statements.push(Statement::new(
        sql::INSERT_CORRECTED_EVENTS,
        [&common[..], &[actor.clone(), request.clone()]].concat(),
    ));
    statements.push(Statement::new(sql::UPDATE_CORRECTED, common));
    let entry = Entry {
        id: corrected.audit_id,
        ..records::entry(
            corrected.caller.practice_id,
            Event::ClaimsCorrected,
            plan.request_id,
        )
    };
    let noted = records::noted(plan, &entry, keys);
    let common = [practice, rows, text(corrected.audit_id), at, actor, request];
    statements.push(Statement::new(
        setting_sql::trail::AUDIT_CORRECTED,
        [&common[..], &noted[..]].concat(),
    ));
}

/// Numbers claims that have no number of change, some at a time.
#[must_use]
pub const fn number_claims() -> Statement {
    Statement {
        sql: sql::NUMBER_CLAIMS,
        params: Vec::new(),
    }
}
