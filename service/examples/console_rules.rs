//! Prints the rules that the console shows, as TypeScript: `cargo xtask console generate` writes them to
//! `console/src/generated/rules.ts`.

use overturn_core::claims::appeal::level_names::{LevelKind, LevelOutcome};
use overturn_core::claims::intake;
use overturn_core::claims::moves::{MOVES, Mover, Needs};
use overturn_core::claims::{ClaimStatus, NUMBER_MAX, PlanType};
use overturn_service::auth::role::Role;
use overturn_service::auth::scope::{Scope, TokenScope};
use overturn_service::auth::user_agent::{BROWSERS, Names, SYSTEMS};
use overturn_service::described::{
    AcceptedInvitation, AgreementSignature, COUNT_SCAN_MAX, DAYS, DECISIONS_MAX, DocumentKind, DocumentSettingsEdit,
    DomainRequest, FILTERS_MAX, NewName, NewQueueFilter, NewWebhook, NoteText, PASSKEYS_MAX, PatientSearch,
    PracticeEdit, ProviderEditRequest, RequestedApiKey, Reset, SEVERAL_MAX, SecondFactorContext, SsoAdvice,
    TokenRequest, bounds,
};
use overturn_service::people::CODES;
use overturn_service::plan::audit::Event;
use overturn_service::plan::documents::DocumentState;
use overturn_service::plan::message::MessageKind;
use overturn_service::plan::signing::SigningStatus;
use overturn_service::plan::us_zone::UsZone;
use overturn_service::plan::work::change::{ClosingReason, EVENTS_MAX};
use overturn_service::request::accept::ListForm;
use overturn_service::request::declare::Body;
use overturn_service::request::email;
use overturn_service::request::file_limits::FILE_MAX;
use overturn_service::request::reason::Reason;
use serde_json::{Value, json};

/// The names of an enumeration.
macro_rules! names {
    ($type:ident) => {
        $type::ALL.map($type::name).map(Value::from)
    };
}

fn main() -> std::io::Result<()> {
    std::io::Write::write_all(&mut std::io::stdout(), typescript().as_bytes())
}

fn typescript() -> String {
    let events = MessageKind::OF_EVENTS.map(MessageKind::name).map(Value::from);
    let practice_roles = Role::OF_PRACTICE.map(Role::name).map(Value::from);
    let lists = [
        list("Reason", "reasons", &names!(Reason)),
        list("Role", "roles", &names!(Role)),
        list("PracticeRole", "practiceRoles", &practice_roles),
        list("ClaimStatus", "claimStatuses", &names!(ClaimStatus)),
        list("SigningStatus", "signingStatuses", &names!(SigningStatus)),
        list("PlanType", "planTypes", &names!(PlanType)),
        list("ClosingReason", "closingReasons", &names!(ClosingReason)),
        list("LevelKind", "levelKinds", &names!(LevelKind)),
        list("LevelOutcome", "levelOutcomes", &names!(LevelOutcome)),
        list("SsoContext", "ssoContexts", &names!(SecondFactorContext)),
        list("DocumentKind", "documentKinds", &names!(DocumentKind)),
        list("DocumentState", "documentStates", &names!(DocumentState)),
        list("KeyScope", "keyScopes", &names!(Scope)),
        list("TokenScope", "tokenScopes", &names!(TokenScope)),
        list("WebhookEvent", "webhookEvents", &events),
        list("TimeZone", "timeZones", &names!(UsZone)),
        list("SsoAdvice", "ssoAdvice", &names!(SsoAdvice)),
        list("AuditAction", "auditActions", &names!(Event)),
    ];
    let lists: String = lists.concat();
    let (moves, closing, steps) = (moves(), closing(), steps());
    let limits = limits();
    let (browsers, systems) = (marks(BROWSERS), marks(SYSTEMS));
    format!(
        "// Made by `cargo xtask console generate`. Do not edit.\n{lists}\n\
         /** Every move of a claim between statuses: who may make it, and what it needs. */\n\
         export const moves = [\n{moves}] as const;\n\n\
         /** The steps that appeals of a plan can have. */\n\
         export const stepsOf = {{\n{steps}}} as const;\n\n\
         /** The reasons to close a claim that has this status. */\n\
         export const closingReasonsOf = {{\n{closing}}} as const;\n\n\
         /** The limits of fields, files and lists. Lengths are in characters, sizes in bytes, times in days. */\n\
         export const limits = {{\n{limits}}} as const;\n\n\
         /** What stands in a user agent, and the browser. The first that fits counts. */\n\
         export const browsers = [\n{browsers}] as const;\n\n\
         /** The same for systems. */\n\
         export const systems = [\n{systems}] as const;\n"
    )
}

/// An enumeration: its names in order, and their type.
fn list(name: &str, names: &str, values: &[Value]) -> String {
    let lines: String = values.iter().map(|value| format!("  {value},\n")).collect();
    format!("\nexport const {names} = [\n{lines}] as const;\nexport type {name} = (typeof {names})[number];\n")
}

fn moves() -> String {
    let lines = MOVES.iter().map(|step| {
        let by = match step.by {
            Mover::Anybody => "anybody",
            Mover::Holder => "holder",
        };
        let needs = match step.needs {
            Needs::Nothing => "nothing",
            Needs::Report => "report",
            Needs::Case => "case",
            Needs::Amount => "amount",
            Needs::Reason => "reason",
        };
        let (from, to) = (step.from.name(), step.to.name());
        format!("  {{ from: {from:?}, to: {to:?}, by: {by:?}, needs: {needs:?} }},\n")
    });
    lines.collect()
}

fn steps() -> String {
    let lines = PlanType::ALL.map(|plan| {
        let steps = LevelKind::ALL.into_iter().filter(|step| step.is_of(plan));
        let steps: Vec<&str> = steps.map(LevelKind::name).collect();
        format!("  {}: {},\n", plan.name(), json!(steps))
    });
    lines.concat()
}

fn closing() -> String {
    let lines = ClaimStatus::ALL.into_iter().filter_map(|status| {
        let reasons = ClosingReason::of(status).iter().map(|reason| reason.name());
        let reasons: Vec<&str> = reasons.collect();
        let line = format!("  {}: {},\n", status.name(), json!(reasons));
        (!reasons.is_empty()).then_some(line)
    });
    lines.collect()
}

fn marks(names: &Names) -> String {
    let line = |(marks, name): &(_, _)| format!("  [{}, {}],\n", json!(marks), json!(name));
    names.iter().map(line).collect()
}

/// A limit of a body's key.
fn limit<B: Body>(key: &str, rule: &str) -> Value {
    B::schema().pointer(&format!("/properties/{key}/{rule}")).cloned().unwrap_or_default()
}

fn limits() -> String {
    let limits = [
        ("addressLine", limit::<PracticeEdit>("address/properties/line1", "maxLength")),
        ("agreementSigner", limit::<AgreementSignature>("signer_name", "maxLength")),
        ("apiKeyName", limit::<RequestedApiKey>("name", "maxLength")),
        ("apiTokenName", limit::<TokenRequest>("name", "maxLength")),
        ("claimEvents", json!(EVENTS_MAX)),
        ("claimNumber", json!(NUMBER_MAX)),
        ("claimsAtOnce", json!(SEVERAL_MAX)),
        ("claimsCounted", json!(COUNT_SCAN_MAX)),
        ("claimsOfSend", json!(intake::ITEMS_MAX)),
        ("csvPage", json!(ListForm::Csv.limits().1)),
        ("decisionsCounted", json!(DECISIONS_MAX)),
        ("dueDaysAgo", json!(bounds::NEW_DUE_DAYS_AGO)),
        ("dueDaysAhead", json!(bounds::DUE_DAYS_AHEAD)),
        ("email", json!(email::MAX)),
        ("fileSize", json!(FILE_MAX)),
        ("levelDaysAgo", json!(bounds::DAYS_AGO)),
        ("noteText", limit::<NoteText>("text", "maxLength")),
        ("page", json!(ListForm::Json.limits().1)),
        ("passkeyName", limit::<NewName>("name", "maxLength")),
        ("passkeys", json!(PASSKEYS_MAX)),
        ("passwordLeast", limit::<Reset>("password", "minLength")),
        ("passwordMost", limit::<Reset>("password", "maxLength")),
        ("patientName", limit::<PatientSearch>("first_name", "maxLength")),
        ("personName", limit::<AcceptedInvitation>("name", "maxLength")),
        ("practiceName", limit::<PracticeEdit>("name", "maxLength")),
        ("queueFilterName", limit::<NewQueueFilter>("name", "maxLength")),
        ("queueFilters", json!(FILTERS_MAX)),
        ("recoveryCodes", json!(CODES)),
        ("retentionLeast", limit::<DocumentSettingsEdit>("retention_days", "minimum")),
        ("retentionMost", limit::<DocumentSettingsEdit>("retention_days", "maximum")),
        ("sendSize", json!(intake::BODY_MAX)),
        ("ssoDomain", limit::<DomainRequest>("domain", "maxLength")),
        ("ssoProviderName", limit::<ProviderEditRequest>("name", "maxLength")),
        ("summaryDays", json!(DAYS)),
        ("webhookUrl", limit::<NewWebhook>("url", "maxLength")),
    ];
    let lines = limits.map(|(name, value)| format!("  {name}: {value},\n"));
    lines.concat()
}
