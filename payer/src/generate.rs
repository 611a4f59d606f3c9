//! Claims that are made up, and the files of several payers at once.

use crate::answer::{Answer, Verdict};
use crate::claim::{Claim, Line, Patient};
use crate::expected::{Expected, expected};
use crate::habits::{HABITS, Habits};
use crate::numbers::Numbers;
use crate::remittance::{era, remittances};
use crate::script::Codes;
use crate::submission::submission;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;
use overturn_core::base::date::Date;

/// What the claims of generated files are like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mix {
    /// Every fourth line is denied, and there are only the segments that matter. For tests.
    Dense,
    /// Each tenth claim is denied, and there are the addresses, references, contacts and amounts of real files. For
    /// measurements.
    Usual,
}

/// Files and what must come out of them.
#[derive(Clone, Default, Debug)]
pub struct Generated {
    /// 835 files, one for each payer.
    pub remittances: Vec<Vec<u8>>,
    /// 837 files, one for each payer.
    pub submissions: Vec<Vec<u8>>,
    /// The denials, by claim number.
    pub expected: Vec<Expected>,
}

const LAST: [&str; 5] = ["Garcia", "O'Brien", "Nguyen-Smith", "Doe", "Ito"];
const FIRST: [&str; 5] = ["Maria", "Sean", "Linh", "Jane", "Ken"];
const PROCEDURES: [&str; 4] = ["99213", "99214", "85025", "J1100"];

/// Claims to a payer, made up from the seed of the numbers. The prefix of their numbers must be one of its own.
#[must_use]
pub fn claims(habits: &Habits, numbers: &mut Numbers, prefix: &str, count: u32) -> Vec<Claim> {
    (0..count).map(|visit| claim(habits, numbers, prefix, visit)).collect()
}

fn claim(habits: &Habits, numbers: &mut Numbers, prefix: &str, visit: u32) -> Claim {
    let first = Date::parse("2026-01-01");
    let later = |days: u32| first.and_then(|first| first.plus_days(i32::try_from(days).ok()?));
    let day = later(u32::try_from(numbers.below(28)).unwrap_or(0));
    let birth = Date::parse(&format!("{}-{:02}-{:02}", 1940 + visit % 75, 1 + visit % 12, 1 + visit % 28));
    let lines = (1..=1 + numbers.below(3)).filter_map(|at| {
        let charge = 1_000 + numbers.below(50_000).cast_signed();
        Some(Line { procedure: numbers.pick(&PROCEDURES).into(), charge, day: day?, control: at.to_string() })
    });
    let lines = lines.collect();
    let filler = if habits.cuts { "-LONGER-CLAIM-NUMBER" } else { "" };
    Claim {
        number: format!("{prefix}P{visit:07}{filler}"),
        payer: habits.name.into(),
        filing: habits.filing.into(),
        patient: Patient {
            first_name: numbers.pick(&FIRST).into(),
            last_name: numbers.pick(&LAST).into(),
            member_id: format!("W{}", numbers.below(u64::from(u32::MAX))),
            date_of_birth: birth,
        },
        lines,
    }
}

/// Files of four payers with about `count` claim payments in all, the same for the same seed.
#[must_use]
pub fn generate(seed: u64, count: u32) -> Generated {
    generate_as(seed, count, Mix::Dense)
}

/// The same with claims of another kind.
#[must_use]
pub fn generate_as(seed: u64, count: u32, mix: Mix) -> Generated {
    let mut generated = Generated::default();
    for (at, habits) in HABITS.iter().take(4).enumerate() {
        let habits = Habits { detailed: mix == Mix::Usual, ..*habits };
        let count = count / 4 + u32::from(count % 4 > u32::try_from(at).unwrap_or(4));
        let mut numbers = Numbers::new(seed ^ ((at as u64) << 32));
        let claims = claims(&habits, &mut numbers, &at.to_string(), count);
        answer(&habits, &mut numbers, &claims, mix, &mut generated);
        generated.submissions.push(submission(&habits, &claims, 1));
    }
    generated.expected.sort();
    generated
}

/// Answers all claims on one day.
fn answer(habits: &Habits, numbers: &mut Numbers, claims: &[Claim], mix: Mix, to: &mut Generated) {
    let denials = claims.iter().map(|claim| {
        let may_be_denied = mix == Mix::Dense || numbers.below(10) == 0;
        let lines = claim.lines.iter().enumerate().map(|(at, _)| {
            let is_denied = may_be_denied && (numbers.below(4) == 0 || (mix == Mix::Usual && at == 0));
            is_denied.then(|| Codes::any(numbers))
        });
        lines.collect::<Vec<_>>()
    });
    let denials: Vec<_> = denials.collect();
    let Some(day) = Date::parse("2026-02-02") else { return };
    let answers = claims.iter().zip(&denials).map(|(claim, denied)| {
        let codes = |at| denied.get(at).and_then(Option::as_ref);
        Answer::new(claim, day, |at| codes(at).map_or(Verdict::Paid, Verdict::RestDenied))
    });
    let answers: Vec<_> = answers.collect();
    to.expected.extend(answers.iter().filter_map(|answer| expected(core::slice::from_ref(answer), habits)));
    to.remittances.push(era(habits, &remittances(answers), 1));
}
