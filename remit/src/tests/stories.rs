//! Properties of claims that payers answer again: reversals, parts of a split, two answers in one transaction, other spellings,
//! answers without a name or a day, payers that got no claim number, and edited copies.

use super::history::{marked, part};
use super::{claim_payments, era_of, jane, run_with};
use crate::{Outcome, Remit};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use proptest::prelude::*;

/// What a payer says of a claim.
#[derive(Clone, Copy, Debug)]
enum Says {
    Denied,
    PaidInPart,
    Paid,
    /// The patient owes the rest.
    Settled,
    Duplicate,
    Pending,
    Reversed,
}

#[derive(Clone, Debug)]
struct Answer {
    says: Says,
    claim_number: &'static str,
    payer_number: &'static str,
    /// The charge of a part, and whether the payer says that it is one.
    share: Option<(&'static str, bool)>,
    /// What is changed about the patient and the day.
    edit: &'static [(&'static str, &'static str)],
}

#[derive(Clone, Debug)]
struct Transaction {
    payer: &'static str,
    day: &'static str,
    answers: Vec<Answer>,
}

const NAME: &str = "NM1*QC*1*DOE*JANE****MI*W1~";
const DAY: &str = "DTM*232*20260105~";

/// Most answers are about the same patient and day.
const EDITS: [&[(&str, &str)]; 8] =
    [&[], &[], &[], &[], &[("JANE", "JANET")], &[(NAME, "")], &[(DAY, "")], &[("20260105", "20260106")]];

fn text(answer: &Answer) -> String {
    let Answer { says, payer_number, .. } = answer;
    let (status, paid, carc) = match says {
        Says::Denied => ("1", 0, "50"),
        Says::PaidInPart => ("1", 40, "96"),
        Says::Paid => ("1", 100, ""),
        Says::Settled => ("2", 40, "3"),
        Says::Duplicate => ("1", 0, "18"),
        Says::Pending => ("5", 0, "133"),
        Says::Reversed => ("22", 0, "50"),
    };
    let text = part(status, paid, payer_number, carc);
    let text = text.replace("CLP*A-1*", &format!("CLP*{}*", answer.claim_number));
    let text = match answer.share {
        // What is paid in part has other amounts.
        Some((charge, is_marked)) if !matches!(says, Says::PaidInPart | Says::Settled) => {
            let text = text.replace("100", charge);
            if is_marked { marked(&text) } else { text }
        }
        _ => text,
    };
    let edits = answer.edit.iter();
    edits.fold(text, |text, (from, to)| text.replace(from, to))
}

fn file(transaction: &Transaction) -> String {
    let answers: String = transaction.answers.iter().map(text).collect();
    era_of(transaction.payer, transaction.day, &answers)
}

fn says() -> impl Strategy<Value = Says> {
    prop_oneof![
        3 => Just(Says::Denied),
        2 => Just(Says::PaidInPart),
        1 => Just(Says::Paid),
        1 => Just(Says::Settled),
        1 => Just(Says::Duplicate),
        1 => Just(Says::Pending),
        3 => Just(Says::Reversed),
    ]
}

fn payer_number() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&["P-1", "P-2", ""][..])
}

fn answer() -> impl Strategy<Value = Answer> {
    let claim_number = prop_oneof![6 => Just("A-1"), 2 => Just("B-1"), 1 => Just("0")];
    let edit = prop::sample::select(&EDITS[..]);
    let share = prop::sample::select(&["60", "40"][..]);
    let share = prop::option::of((share, any::<bool>()));
    (says(), claim_number, payer_number(), share, edit).prop_map(|(says, claim_number, payer_number, share, edit)| {
        Answer { says, claim_number, payer_number, share, edit }
    })
}

/// What payers sent, each transaction as a file of its own.
fn story() -> impl Strategy<Value = Vec<String>> {
    let payer = prop_oneof![3 => Just("ACME"), 1 => Just("SECOND")];
    let day = prop::sample::select(&["20260201", "20260202", "20260203"][..]);
    let answers = prop::collection::vec(answer(), 1..4);
    let transaction = (payer, day, answers).prop_map(|(payer, day, answers)| Transaction { payer, day, answers });
    let story = prop::collection::vec(transaction, 1..6);
    story.prop_map(|story| story.iter().map(file).collect())
}

/// Files with one header: they say nothing of money, and few different things.
fn versions() -> impl Strategy<Value = Vec<String>> {
    let says = prop::sample::select(&[Says::Denied, Says::Reversed, Says::Duplicate][..]);
    let claim_number = prop::sample::select(&["A-1", "B-1"][..]);
    let edit = prop::sample::select(&EDITS[3..6]);
    let answer = (says, claim_number, payer_number(), edit);
    let answers = prop::collection::vec(answer, 2..5);
    answers.prop_flat_map(|answers| {
        let version = (prop::collection::vec(0..answers.len(), 1..6), prop::bool::weighted(0.3));
        prop::collection::vec(version, 2..5).prop_map(move |versions| {
            let version = |(places, breaks_off): (Vec<usize>, bool)| {
                let said = places.iter().filter_map(|at| answers.get(*at));
                let answers = said.map(|(says, claim_number, payer_number, edit)| Answer {
                    says: *says,
                    claim_number,
                    payer_number,
                    share: None,
                    edit,
                });
                let file = file(&Transaction { payer: "ACME", day: "20260201", answers: answers.collect() });
                if breaks_off { file.split("SE*").next().unwrap_or_default().into() } else { file }
            };
            versions.into_iter().map(version).collect()
        })
    })
}

fn claim_files() -> [String; 2] {
    [jane(), jane().replace("CLM*A-1*", "CLM*B-1*")]
}

/// The outcome of remittances, and of the claim files after them.
fn outcome(remittances: &[String]) -> Outcome {
    let claim_files = claim_files();
    let files = remittances.iter().chain(&claim_files);
    let files: Vec<&str> = files.map(|file| &**file).collect();
    let outcome = run_with(super::options(), &files);
    // No claim comes to more than its total charge, and each CLP is counted once.
    for claim in &outcome.claims {
        let item: serde_json::Value = serde_json::from_str(&claim.json).unwrap();
        for name in ["billed_amount", "denied_amount"] {
            let amount = item["claim"][name].as_str().unwrap();
            assert!(amount.len() < 6 || amount == "100.00", "{item}");
        }
    }
    let read: u64 = files.iter().map(|file| claim_payments(file.as_bytes())).sum();
    let counted: u64 = outcome.files.iter().map(|file| file.counts.claim_payments).sum();
    assert_eq!(counted, read);
    outcome
}

/// A copy of a file with a reference that says nothing, in its first claim or in its last one. The digests of that claim
/// and of all that follow differ.
fn edited(file: &str, is_last: bool) -> String {
    let claim = if is_last { file.rfind("CLP*") } else { file.find("CLP*") };
    let (before, claim) = file.split_at(claim.unwrap_or_default());
    [before, &claim.replacen('~', "~REF*EA*MRN1~", 1)].concat()
}

fn assert_same(one: &Outcome, other: &Outcome) -> Result<(), TestCaseError> {
    prop_assert_eq!(&one.claims, &other.claims);
    prop_assert_eq!(&one.held, &other.held);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn files_tell_the_same_in_any_order_twice_and_in_one(
        (story, shuffled) in story().prop_flat_map(|story| (Just(story.clone()), Just(story).prop_shuffle())),
        chunk in 1_usize..40,
    ) {
        let told = outcome(&story);
        assert_same(&told, &outcome(&shuffled))?;
        assert_same(&told, &outcome(&[&shuffled[..], &story[..]].concat()))?;
        assert_same(&told, &outcome(&[shuffled.concat()]))?;

        let mut remit = Remit::new(super::options());
        for file in claim_files().iter().chain(&shuffled) {
            remit.open("file");
            file.as_bytes().chunks(chunk).for_each(|chunk| { let _result = remit.push(chunk); });
        }
        assert_same(&told, &remit.finish())?;
    }

    /// With one header, files are versions of one transaction. They share what they begin with, and some break off.
    #[test]
    fn versions_of_one_transaction_tell_the_same_in_any_order(
        (versions, shuffled) in versions().prop_flat_map(|versions| (Just(versions.clone()), Just(versions).prop_shuffle())),
    ) {
        let told = outcome(&versions);
        assert_same(&told, &outcome(&shuffled))?;
        assert_same(&told, &outcome(&[&shuffled[..], &versions[..]].concat()))?;
    }

    #[test]
    fn edited_copies_tell_the_same(
        (story, edits) in story().prop_flat_map(|story| {
            let len = story.len();
            (Just(story), prop::collection::vec(any::<Option<bool>>(), len))
        }),
    ) {
        // With one trace number, two transactions may count as copies that differ.
        let traced = (1..).zip(&story).map(|(at, file)| file.replace("TRN*1*1*", &format!("TRN*1*{at}*")));
        let story: Vec<String> = traced.collect();
        let told = outcome(&story);
        let copies = story.iter().zip(edits).filter_map(|(file, is_last)| Some(edited(file, is_last?)));
        let copies: Vec<String> = copies.collect();
        assert_same(&told, &outcome(&[&story[..], &copies[..]].concat()))?;
        assert_same(&told, &outcome(&[&copies[..], &story[..]].concat()))?;
    }

    #[test]
    fn the_last_decision_that_no_reversal_took_away_counts(
        said in prop::collection::vec((says(), payer_number()), 1..7),
    ) {
        // The number and the denied cents of the decision that stands.
        let mut stands = None;
        let mut numbers = BTreeSet::new();
        let mut story = Vec::new();
        for (day, (says, payer_number)) in (1..).zip(said) {
            let denied = match says {
                Says::Denied => Some(10_000),
                Says::PaidInPart => Some(6_000),
                Says::Paid | Says::Settled => Some(0),
                Says::Duplicate | Says::Pending | Says::Reversed => None,
            };
            let is_of_another = numbers.contains(payer_number)
                && stands.is_some_and(|(number, _)| number != payer_number);
            if let Some(denied) = denied {
                stands = Some((payer_number, denied));
                numbers.extend((!payer_number.is_empty()).then_some(payer_number));
            } else if matches!(says, Says::Reversed) && !is_of_another {
                stands = None;
            }
            let answer = Answer { says, claim_number: "A-1", payer_number, share: None, edit: &[] };
            story.push(era_of("ACME", &format!("2026020{day}"), &text(&answer)));
        }
        let told = outcome(&story);
        let (number, denied) = stands.unwrap_or_default();
        // A claim that the payer gave no number cannot be sent.
        let (is_written, is_held) = (denied > 0 && !number.is_empty(), denied > 0 && number.is_empty());
        prop_assert_eq!((told.claims.len(), told.held.len()), (usize::from(is_written), usize::from(is_held)));
        prop_assert!(told.claims.iter().all(|claim| claim.denied.0 == denied));
    }
}

/// The second file has the only payment of the first one again, beside a reversal and another denial.
#[test]
fn a_payment_that_two_files_have_is_held_in_the_same_place_whichever_comes_first() {
    let payment = "CLP*A-1*1*100*40**12*~DTM*232*20260105~CAS*CO*96*60~";
    let others = "CLP*A-1*22*-100*0**12*P-1~NM1*QC*1*DOE*JANE****MI*W1~DTM*232*20260105~CAS*CR*50*-100~
CLP*A-1*1*40*0**12*~NM1*QC*1*DOE*JANE****MI*W1~DTM*232*20260105~CAS*CO*50*40~";
    let [one, other] = [String::from(payment), [others, payment].concat()].map(|claims| {
        let segments = claims.matches('~').count() + 8;
        format!(
            "ISA*00*          *00*          *ZZ*PAYER          *ZZ*PRACTICE       *260210*1200*^*00501*000000007*0*P*:~
GS*HP*PAYER*PRACTICE*20260210*1200*7*X*005010~ST*835*0001~BPR*I*40*C*ACH************20260201~TRN*1*1*1512345678~
DTM*405*20260201~N1*PR*ACME~N1*PE*PRACTICE*XX*1~LX*1~{claims}SE*{segments}*0001~GE*1*7~IEA*1*000000007~"
        )
    });
    let told = outcome(&[one.clone(), other.clone()]);
    assert_eq!(told.held.len(), 2);
    assert_same(&told, &outcome(&[other, one])).unwrap();
}
