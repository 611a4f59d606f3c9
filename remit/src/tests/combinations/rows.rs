//! Two answers to one claim, and what must come out of them.

use super::Out::{Held, Nothing, Written};
use super::Row;
use crate::Hold;
use crate::tests::history::{marked, part, share};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// An answer about one line.
pub(super) fn line(answer: &str, control: &str, charge: i32, paid: i32) -> String {
    let (before, adjusted) = answer.split_once("CAS").unwrap_or((answer, ""));
    let adjusted = if adjusted.is_empty() { String::new() } else { format!("CAS{adjusted}") };
    format!("{before}SVC*HC:99213*{charge}*{paid}~{adjusted}REF*6R*{control}~LQ*HE*MA15~")
}

pub(super) fn rows() -> Vec<Row> {
    let whole = part("1", 0, "P-1", "50");
    let sixty = share("1", 60, 0, "P-1", "50");
    let paid_forty = share("1", 40, 40, "P-2", "");
    let denied_forty = share("1", 40, 0, "P-2", "96");
    let contradiction = || Held(Hold::Contradiction);
    let cut = || Held(Hold::CutOff);
    let reversal = part("22", 0, "P-1", "50");
    let row = |what, [first, second]: [&str; 2], out, first_cut, lost| Row {
        what,
        answers: [first.into(), second.into()],
        out,
        first_cut,
        lost,
    };
    let sum = Written("100.00", "100.00");
    let first = Written("100.00", "60.00");
    let [line_one, again] = [line(&sixty, "L1", 60, 0), line(&share("1", 60, 60, "P-2", ""), "L1", 60, 60)];
    [
        row(
            "marked parts, both denied",
            [&marked(&sixty), &marked(&denied_forty)],
            [sum.clone(), sum.clone(), sum.clone(), contradiction()],
            cut(),
            [0, 0],
        ),
        row(
            "marked parts, one paid",
            [&marked(&sixty), &marked(&paid_forty)],
            [first.clone(), first.clone(), first.clone(), contradiction()],
            cut(),
            [0, 0],
        ),
        row(
            "parts of which only the first is marked",
            [&marked(&sixty), &paid_forty],
            [first.clone(), first.clone(), first.clone(), contradiction()],
            cut(),
            [0, 0],
        ),
        row(
            "parts without a mark that are the whole claim",
            [&sixty, &denied_forty],
            [sum.clone(), sum.clone(), sum, contradiction()],
            cut(),
            [0, 0],
        ),
        row(
            "two numbers that are not the whole claim",
            [&sixty, &share("1", 30, 30, "P-2", "")],
            [Held(Hold::SplitSum), Held(Hold::PartsUnclear), Held(Hold::PartsUnclear), contradiction()],
            cut(),
            [0, 0],
        ),
        row(
            "marked parts that are more than the claim",
            [&marked(&sixty), &marked(&share("1", 60, 60, "P-2", ""))],
            [Held(Hold::SplitSum), Held(Hold::SplitSum), Held(Hold::SplitSum), contradiction()],
            cut(),
            [0, 0],
        ),
        row(
            "parts of two members",
            [&marked(&sixty), &marked(&denied_forty).replace("MI*W1", "MI*W2")],
            [Held(Hold::MemberIdsDiffer), Held(Hold::MemberIdsDiffer), Held(Hold::MemberIdsDiffer), contradiction()],
            cut(),
            [0, 0],
        ),
        row(
            "a denial again",
            [&whole, &whole],
            [
                Held(Hold::AnsweredTwice),
                Written("100.00", "100.00"),
                Written("100.00", "100.00"),
                Written("100.00", "100.00"),
            ],
            Written("100.00", "100.00"),
            [1, 0],
        ),
        row("a reversal", [&whole, &reversal], [Nothing, Nothing, Nothing, contradiction()], Nothing, [0, 1]),
        row(
            "a reversal of a marked part",
            [&marked(&sixty), &share("22", 60, 0, "P-1", "50")],
            [Nothing, Nothing, Nothing, contradiction()],
            Nothing,
            [0, 1],
        ),
        row(
            "a correction of the same number",
            [&whole, &part("1", 40, "P-1", "96")],
            [Held(Hold::AnsweredTwice), Written("100.00", "60.00"), contradiction(), contradiction()],
            Written("100.00", "60.00"),
            [1, 0],
        ),
        row(
            "a payment of the same number",
            [&whole, &part("1", 100, "P-1", "")],
            [Held(Hold::AnsweredTwice), Nothing, contradiction(), contradiction()],
            Nothing,
            [1, 0],
        ),
        row(
            "a payment of the whole claim under another number",
            [&whole, &part("1", 100, "P-2", "")],
            [Held(Hold::SplitSum), Nothing, contradiction(), contradiction()],
            Nothing,
            [1, 0],
        ),
        row(
            "a payment of the whole claim after a marked part",
            [&marked(&sixty), &part("1", 100, "P-2", "")],
            [Held(Hold::SplitSum), Nothing, contradiction(), contradiction()],
            Nothing,
            [1, 0],
        ),
        row(
            "a payment of the same lines under another number",
            [&line_one, &again],
            [Held(Hold::PartsUnclear), Nothing, contradiction(), contradiction()],
            Nothing,
            [1, 0],
        ),
        row(
            "a reversal with its correction",
            [&whole, &[&*reversal, &part("1", 40, "P-3", "96")].concat()],
            [Written("100.00", "60.00"), Written("100.00", "60.00"), Written("100.00", "60.00"), contradiction()],
            Written("100.00", "60.00"),
            [0, 1],
        ),
    ]
    .into()
}
