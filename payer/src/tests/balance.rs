//! A checker of the sums of an 835. It reads the text, and shares nothing with the code that writes it.

use alloc::vec::Vec;

/// Cents of a decimal number.
fn cents(text: &str) -> i64 {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let part = alloc::format!("{part:0<2}");
    assert!(part.len() == 2 && !whole.is_empty(), "{text}");
    sign * (whole.parse::<i64>().unwrap() * 100 + part.parse::<i64>().unwrap())
}

/// A charge, what is paid of it, and what its adjustments say.
#[derive(Default, Clone, Copy)]
struct Sums {
    charge: i64,
    paid: i64,
    adjusted: i64,
}

impl Sums {
    fn holds(self) {
        assert_eq!(self.charge - self.adjusted, self.paid);
    }
}

/// The claim that is being read, and its lines.
#[derive(Default)]
struct Claim {
    own: Sums,
    lines: Vec<Sums>,
}

impl Claim {
    fn holds(&self) {
        let sum = |of: fn(&Sums) -> i64| self.lines.iter().map(of).sum::<i64>();
        self.lines.iter().for_each(|line| line.holds());
        let lines = sum(|line| line.adjusted);
        Sums { adjusted: self.own.adjusted + lines, ..self.own }.holds();
        if !self.lines.is_empty() {
            assert_eq!(sum(|line| line.charge), self.own.charge);
            assert_eq!(sum(|line| line.paid), self.own.paid + self.own.adjusted);
        }
    }
}

/// Fails unless BPR02 is the sum of CLP04 less PLB, each claim and each line is its charge less its adjustments, the lines
/// are the claim, and the trailer counts its segments.
pub(super) fn check(file: &str) {
    let element = file.chars().nth(3).unwrap();
    let terminator = file.chars().nth(105).unwrap();
    let segments = file.split(terminator).map(str::trim).filter(|segment| !segment.is_empty());
    let (mut payment, mut told, mut count, mut open) = (0, 0, 0, None::<Claim>);
    let mut payments = 0;
    for segment in segments {
        let elements: Vec<&str> = segment.split(element).collect();
        let number = |at: usize| elements.get(at).filter(|text| !text.is_empty()).map_or(0, |text| cents(text));
        count += 1;
        match elements[0] {
            "ST" => (count, told) = (1, 0),
            "BPR" => payment = cents(elements[2]),
            "CLP" => {
                open.replace(Claim::default()).iter().for_each(Claim::holds);
                let own = Sums { charge: number(3), paid: number(4), adjusted: 0 };
                told += own.paid;
                payments += 1;
                open = Some(Claim { own, lines: Vec::new() });
            }
            "SVC" => {
                let line = Sums { charge: number(2), paid: number(3), adjusted: 0 };
                open.as_mut().unwrap().lines.push(line);
            }
            "CAS" => {
                let amounts: i64 = (3..elements.len()).step_by(3).map(number).sum();
                let claim = open.as_mut().unwrap();
                claim.lines.last_mut().unwrap_or(&mut claim.own).adjusted += amounts;
            }
            "PLB" => told -= (4..elements.len()).step_by(2).map(number).sum::<i64>(),
            "SE" => {
                open.take().iter().for_each(Claim::holds);
                assert_eq!((payment, elements[1]), (told, &*alloc::format!("{count}")));
                assert!(payment >= 0);
            }
            _ => {}
        }
    }
    assert_eq!(payments, file.matches(&alloc::format!("CLP{element}")).count());
}

#[test]
fn a_cent_too_much_anywhere_is_found() {
    use std::panic::catch_unwind;
    let whole = crate::case(1, 3).remittances.remove(0);
    check(&whole);
    let amounts = whole
        .match_indices('.')
        .map(|(at, _)| at)
        .filter(|at| whole[at + 1..].starts_with(|c: char| c.is_ascii_digit()));
    let mut changed = 0;
    for at in amounts {
        let (before, after) = whole.split_at(at + 1);
        let digit = if after.starts_with('9') { "8" } else { "9" };
        let line = whole[..at].rsplit(['\n', '~']).next().unwrap();
        // CLP05, the patient's share, is no part of the sums.
        if line.starts_with("CLP") && line.matches('*').count() > 4 || line.starts_with("AMT") {
            continue;
        }
        let wrong = [before, digit, &after[1..]].concat();
        assert!(catch_unwind(|| check(&wrong)).is_err(), "{line}");
        changed += 1;
    }
    assert!(changed > 3, "{changed}");
}
