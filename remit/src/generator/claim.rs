//! One claim: as the practice sends it and as the payer answers it.

use super::habits::{DENIALS, FIRST, File, Habits, LAST, Numbers};
use crate::amount::Amount;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// What the claims of generated files are like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mix {
    /// Every fourth line is denied, and there are only the segments that matter. For tests.
    Dense,
    /// Each tenth claim is denied, and there are the addresses, references, contacts and amounts of real files. For
    /// measurements.
    Usual,
}

pub(super) struct Line {
    procedure: &'static str,
    charge: i64,
    pub(super) denied: i64,
    contractual: i64,
    share: i64,
    code: (&'static str, &'static str),
}

pub(super) struct Claim {
    pub(super) number: String,
    first: &'static str,
    last: &'static str,
    member: String,
    day: u64,
    mix: Mix,
    pub(super) lines: Vec<Line>,
}

impl Claim {
    pub(super) fn new(habits: &Habits, numbers: &mut Numbers, at: usize, visit: u32, mix: Mix) -> Self {
        let filler = if habits.cuts { "-LONGER-CLAIM-NUMBER" } else { "" };
        let member = numbers.below(u64::from(u32::MAX));
        let may_be_denied = mix == Mix::Dense || numbers.below(10) == 0;
        let lines = (0..=numbers.below(3)).map(|at| {
            let charge = 1_000 + numbers.below(50_000) as i64;
            let contractual = charge / 5;
            let share = charge / 10;
            let is_denied = may_be_denied && (numbers.below(4) == 0 || (mix == Mix::Usual && at == 0));
            Line {
                procedure: numbers.pick(&["99213", "99214", "85025", "J1100"]).unwrap_or("99213"),
                charge,
                denied: if is_denied { charge - contractual } else { 0 },
                contractual,
                share: if is_denied { 0 } else { share },
                code: numbers.pick(&DENIALS).unwrap_or(("CO", "50")),
            }
        });
        let lines = lines.collect();
        Self {
            number: format!("{at}P{visit:07}{filler}"),
            first: numbers.pick(&FIRST).unwrap_or("Jane"),
            last: numbers.pick(&LAST).unwrap_or("Doe"),
            member: format!("W{member}"),
            day: 20_260_101 + numbers.below(28),
            mix,
            lines,
        }
    }

    fn charge(&self) -> i64 {
        self.lines.iter().map(|line| line.charge).sum()
    }

    pub(super) fn paid(&self) -> i64 {
        self.lines.iter().map(Line::paid).sum()
    }

    pub(super) fn submit(&self, visit: u32, to: &mut File<'_>) {
        let birth = 19_500_101 + u64::from(visit % 28);
        to.add(&format!("HL*{}*1*22*0", visit + 2));
        to.add("SBR*P*18*******CI");
        to.add(&format!("NM1*IL*1*{}*{}****MI*{}", self.last, self.first, self.member));
        let is_usual = self.mix == Mix::Usual;
        if is_usual {
            to.add("N3*1200 NORTH MAIN STREET*APT 14");
            to.add("N4*SACRAMENTO*CA*958141234");
        }
        to.add(&format!("DMG*D8*{birth}*F"));
        if is_usual {
            to.add(&format!("NM1*PR*2*{}*****PI*60054", to.habits.name));
            to.add("REF*G2*330127");
        }
        to.add(&format!("CLM*{}*{}***11:B:1*Y*A*Y*Y", self.number, Amount(self.charge())));
        if is_usual {
            to.add(&format!("REF*D9*17312345{}", self.number));
        }
        to.add(&format!("HI*ABK{}R0789", to.habits.component));
        if is_usual {
            to.add("NM1*82*1*SMITH*ALEXANDRA****XX*1234567893");
            to.add("PRV*PE*PXC*207Q00000X");
        }
        for (at, line) in self.lines.iter().enumerate() {
            to.add(&format!("LX*{}", at + 1));
            to.add(&format!("SV1*HC{}{}*{}*UN*1", to.habits.component, line.procedure, Amount(line.charge)));
            to.add(&format!("DTP*472*D8*{}", self.day));
            to.add(&format!("REF*6R*{}", at + 1));
        }
    }

    pub(super) fn answer(&self, habits: &Habits, to: &mut Vec<String>) {
        let number: String = if habits.cuts { self.number.chars().take(20).collect() } else { self.number.clone() };
        let name = |text: &str| {
            if habits.upper_case { text.to_ascii_uppercase() } else { text.into() }
        };
        let (charge, paid) = (Amount(self.charge()), Amount(self.paid()));
        to.push(format!("CLP*{number}*1*{charge}*{paid}**{}*ICN{number}*11*1", habits.filing));
        if habits.claim_level || habits.twice {
            self.lines.iter().for_each(|line| line.adjustments(to));
        }
        to.push(format!("NM1*QC*1*{}*{}*A***MI*{}", name(self.last), name(self.first), self.member));
        let is_usual = self.mix == Mix::Usual;
        if is_usual {
            to.push("NM1*82*1*SMITH*ALEXANDRA****XX*1234567893".into());
            to.push(format!("REF*EA*MRN{}", self.member));
        }
        if habits.claim_date {
            to.push(format!("DTM*232*{}", self.day));
        }
        if is_usual {
            to.push("DTM*050*20260129".into());
            to.push("PER*CX*PROVIDER SERVICES*TE*8005550100".into());
            to.push(format!("AMT*AU*{charge}"));
        }
        for (at, line) in self.lines.iter().enumerate() {
            let (mark, paid) = (habits.service, Amount(line.paid()));
            to.push(format!("SVC*HC{mark}{}*{}*{paid}**1", line.procedure, Amount(line.charge)));
            if !habits.claim_date || is_usual {
                to.push(format!("DTM*472*{}", self.day));
            }
            if !habits.claim_level {
                line.adjustments(to);
            }
            to.push(format!("REF*6R*{}", at + 1));
            if is_usual {
                to.push(format!("AMT*B6*{}", Amount(line.charge - line.contractual)));
            }
        }
    }
}

impl Line {
    pub(super) const fn paid(&self) -> i64 {
        self.charge - self.denied - self.contractual - self.share
    }

    fn adjustments(&self, to: &mut Vec<String>) {
        to.push(format!("CAS*CO*45*{}", Amount(self.contractual)));
        if self.share > 0 {
            to.push(format!("CAS*PR*1*{}", Amount(self.share)));
        }
        if self.denied > 0 {
            let (group, carc) = self.code;
            to.push(format!("CAS*{group}*{carc}*{}", Amount(self.denied)));
        }
    }
}
