//! What a sandbox may have, and what the beginning of a claim's number makes happen there.

use overturn_core::base::ctx::Ctx;
use overturn_core::base::date::Date;
use overturn_core::base::id::PracticeId;
use overturn_core::base::instant::{DAY_MS, Instant};
use overturn_core::claims::Patient;
use overturn_core::names;
use serde::Deserialize;

/// The most keys, and the most tokens, of a sandbox, without the revoked ones.
pub const SANDBOX_CREDENTIALS: usize = 100;
/// The most claims of a sandbox.
pub const SANDBOX_CLAIMS: usize = 5_000;
/// The most bytes of a document of a sandbox.
pub const SANDBOX_DOCUMENT: u64 = 1_000_000;
/// The most calls of a kind that the keys of a sandbox may make in a minute, together.
pub const SANDBOX_CALLS: u32 = 30;
/// How far the clock of a sandbox may be ahead: five years.
pub const SANDBOX_AHEAD_MS: i64 = 1826 * DAY_MS;
/// After this long without a call, a sandbox is emptied.
pub const SANDBOX_IDLE_MS: i64 = 90 * DAY_MS;

/// The clock of a sandbox.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct Clock {
    pub sandbox: PracticeId,
    /// How far it is ahead, in milliseconds.
    pub ahead_ms: i64,
}

impl Clock {
    /// That of a practice, if it is a sandbox.
    pub fn of(practice: PracticeId, clock_ms: Option<i64>) -> Option<Self> {
        clock_ms.map(|ahead_ms| Self { sandbox: practice, ahead_ms })
    }

    /// The same request by this clock.
    #[must_use]
    pub fn ctx(self, ctx: &Ctx) -> Ctx {
        ctx.at(ctx.real.plus(self.ahead_ms))
    }
}

names! {
    /// Why an item of a send to a sandbox gets advice.
    SandboxAdvice {
        /// The patient is none of the made-up ones.
        NotMadeUp = "not_made_up",
    }
}

/// What happens to a claim of a sandbox at an instant of its clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScriptStep {
    /// It is taken: `reviewing`.
    Review,
    /// It is delivered in a report: `in_report`.
    Report,
    /// The patient has to sign. The link works.
    Sign,
    /// A case is opened with it: `in_appeal`.
    Appeal,
    /// The appeal is filed.
    File,
    /// The payer asks for records, which are sent.
    Records,
    /// The payer decides.
    Decide,
}

/// What happens to a claim, by the beginning of its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Script {
    Recover,
    /// As `Recover`, but half of what was denied is paid.
    Part,
    Close,
    /// The payer dismisses the appeal as too late.
    Dismiss,
    /// The payer does not answer.
    Silent,
    /// As `Recover`, but the payer asks for records first.
    Records,
    Report,
    Sign,
    /// As `Recover`, but everything takes long.
    Slow,
}

/// The script of each beginning.
const SCRIPTS: [(&str, Script); 9] = [
    ("RECOVER-", Script::Recover),
    ("PART-", Script::Part),
    ("CLOSE-", Script::Close),
    ("DISMISS-", Script::Dismiss),
    ("SILENT-", Script::Silent),
    ("RECORDS-", Script::Records),
    ("REPORT-", Script::Report),
    ("SIGN-", Script::Sign),
    ("SLOW-", Script::Slow),
];

impl Script {
    /// The script of a claim number, if it begins as one does.
    #[must_use]
    pub fn of(claim_number: &str) -> Option<Self> {
        let found = SCRIPTS.iter().find(|(beginning, _)| claim_number.starts_with(beginning));
        found.map(|(_, script)| *script)
    }

    /// The steps, each with how many days after the claim's arrival it comes, in order.
    #[must_use]
    pub const fn steps(self) -> &'static [(i64, ScriptStep)] {
        use ScriptStep::{Appeal, Decide, File, Records, Report, Review, Sign};
        match self {
            Self::Recover | Self::Part | Self::Close | Self::Dismiss => {
                &[(1, Review), (3, Appeal), (5, File), (35, Decide)]
            }
            Self::Silent => &[(1, Review), (3, Appeal), (5, File)],
            Self::Records => &[(1, Review), (3, Appeal), (5, File), (25, Records), (55, Decide)],
            Self::Report => &[(1, Review), (3, Report)],
            Self::Sign => &[(1, Review), (2, Sign)],
            Self::Slow => &[(20, Review), (40, Appeal), (45, File), (225, Decide)],
        }
    }

    /// The nth step of a claim that arrived at an instant, and when it is due.
    #[must_use]
    pub fn step(self, n: usize, received_at: Instant) -> Option<(Instant, ScriptStep)> {
        let (days, step) = self.steps().get(n)?;
        Some((received_at.plus(days.saturating_mul(DAY_MS)), *step))
    }
}

/// What happens to a send with a claim, by the beginning of its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SendScript {
    /// The item is refused, as if its number were another patient's.
    DifferentPatient,
    /// The send gets `429`.
    Limit,
    /// The send gets `503` for [`DOWN_TRIES`] tries.
    Down,
}

/// How often a send is refused before it is accepted.
pub const DOWN_TRIES: usize = 3;

const SEND_SCRIPTS: [(&str, SendScript); 3] =
    [("DIFFERENT-PATIENT-", SendScript::DifferentPatient), ("LIMIT-", SendScript::Limit), ("DOWN-", SendScript::Down)];

impl SendScript {
    /// The script of a claim number, if it begins as one does.
    #[must_use]
    pub fn of(claim_number: &str) -> Option<Self> {
        let found = SEND_SCRIPTS.iter().find(|(beginning, _)| claim_number.starts_with(beginning));
        found.map(|(_, script)| *script)
    }
}

/// The made-up patients, as the description of the claims interface lists them: names, date of birth, member number.
pub const PATIENTS: [(&str, &str, &str, &str); 4] = [
    ("Maria", "Gonzalez", "1968-04-12", "XEH904718265"),
    ("Wei", "Chen", "1951-11-30", "TEST00000002"),
    ("Jane", "Doe", "1980-02-29", "TEST00000003"),
    ("James", "Sample", "1975-07-04", "TEST00000004"),
];

/// True if a patient is one of the made-up ones. A member number may be left out.
#[must_use]
pub fn is_made_up(patient: &Patient<'_>) -> bool {
    PATIENTS.iter().any(|(first, last, born, member)| {
        patient.first_name.eq_ignore_ascii_case(first)
            && patient.last_name.eq_ignore_ascii_case(last)
            && Date::parse(born) == Some(patient.date_of_birth)
            && patient.member_id.as_deref().is_none_or(|given| given == *member)
    })
}

/// When the first step of a claim's script is due, if it has one.
#[must_use]
pub fn first_due(claim_number: &str, received_at: Instant) -> Option<Instant> {
    Script::of(claim_number)?.step(0, received_at).map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steps_of_a_script_come_one_after_the_other() {
        for (beginning, script) in SCRIPTS {
            assert_eq!(Script::of(&format!("{beginning}1")), Some(script));
            assert_eq!(Script::of(&format!("X{beginning}1")), None);
            assert!(script.steps().is_sorted_by(|before, after| before.0 < after.0), "{beginning}");
            assert_eq!(script.step(script.steps().len(), Instant(0)), None);
        }
        assert_eq!(first_due("RECOVER-1", Instant(5)), Some(Instant(DAY_MS + 5)));
        assert_eq!(first_due("100-RECOVER-1", Instant(5)), None);
    }

    #[test]
    fn only_the_patients_of_the_description_are_made_up() {
        let described = include_str!("../../../docs/openapi.yaml");
        for (first, last, born, member) in PATIENTS {
            assert!(described.contains(&format!("    | {first} | {last} | {born} | {member} |\n")), "{first}");
            let patient = Patient {
                first_name: first.to_uppercase().into(),
                last_name: last.into(),
                date_of_birth: Date::parse(born).unwrap(),
                account_number: None,
                member_id: Some(member.into()),
            };
            assert!(is_made_up(&patient));
            assert!(is_made_up(&Patient { member_id: None, ..patient.clone() }));
            assert!(!is_made_up(&Patient { member_id: Some("1EG4TE5MK73".into()), ..patient.clone() }));
            assert!(!is_made_up(&Patient { last_name: "Smith".into(), ..patient.clone() }));
            assert!(!is_made_up(&Patient { date_of_birth: Date::parse("1980-02-28").unwrap(), ..patient }));
        }
        for beginning in SCRIPTS.map(|(beginning, _)| beginning).into_iter().chain(SEND_SCRIPTS.map(|(of, _)| of)) {
            assert!(described.contains(&format!("    | `{beginning}…` | ")), "{beginning}");
        }
    }
}
