//! The money of a day: the answers of a payer, what it moves between days, and the 835 that says so.

use crate::answer::{Adjustment, Answer, Kind};
use crate::habits::Habits;
use crate::x12::{File, digits};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use overturn_core::base::date::Date;

/// An amount for the practice as a whole (PLB). What is above 0 is kept back.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Provider {
    /// `WO` takes an overpayment back, `FB` moves a balance to another day.
    reason: &'static str,
    reference: String,
    amount: i64,
}

/// What a payer pays on a day, and for what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remittance<'a> {
    pub payer: &'a str,
    pub day: Date,
    pub answers: Vec<Answer<'a>>,
    provider: Vec<Provider>,
}

impl Remittance<'_> {
    /// The payment in cents (BPR02): what the claims say less what is kept back. Never below 0.
    #[must_use]
    pub fn payment(&self) -> i64 {
        let paid: i64 = self.answers.iter().map(Answer::paid).sum();
        paid - self.provider.iter().map(|one| one.amount).sum::<i64>()
    }
}

/// The remittances of all payers, by day. A day on which a payer would have to get money moves that balance to its next
/// day. Money that is taken back is first left with the practice and kept back some days later.
#[must_use]
pub fn remittances<'a>(answers: impl IntoIterator<Item = Answer<'a>>) -> Vec<Remittance<'a>> {
    let mut days: BTreeMap<(&str, Date), Remittance<'_>> = BTreeMap::new();
    let on = |payer: &'a str, day| ((payer, day), Remittance { payer, day, answers: Vec::new(), provider: Vec::new() });
    for answer in answers {
        let (payer, reference) = (&*answer.claim.payer, answer.payer_number());
        let kept_on = answer.taken_back_after.and_then(|after| answer.day.plus_days(i32::from(after) + 1));
        let moved = [(answer.day, answer.paid()), (kept_on.unwrap_or(answer.day), -answer.paid())];
        for (day, amount) in moved.into_iter().filter(|(_, amount)| kept_on.is_some() && *amount != 0) {
            let (key, empty) = on(payer, day);
            let moved = Provider { reason: "WO", reference: reference.clone(), amount };
            days.entry(key).or_insert(empty).provider.push(moved);
        }
        let (key, empty) = on(payer, answer.day);
        days.entry(key).or_insert(empty).answers.push(answer);
    }
    let mut owed = 0;
    let mut before: Option<(&str, Date)> = None;
    for ((payer, day), remittance) in &mut days {
        if let Some((_, from)) = before.filter(|(last, _)| last == payer && owed > 0) {
            remittance.provider.push(Provider { reason: "FB", reference: digits(from), amount: owed });
        }
        owed = -remittance.payment().min(0);
        if owed > 0 {
            remittance.provider.push(Provider { reason: "FB", reference: digits(*day), amount: -owed });
        }
        before = Some((*payer, *day));
    }
    let mut remittances: Vec<_> = days.into_values().collect();
    remittances.sort_by_key(|one| one.day);
    remittances
}

/// An 835 with these remittances, each in a transaction of its own.
#[must_use]
pub fn era(habits: &Habits, remittances: &[Remittance<'_>], control: u32) -> Vec<u8> {
    let mut file = File::new(habits, "HP", "005010X221A1", remittances.first().map(|one| one.day), control);
    for one in remittances {
        file.begin("835");
        header(one, &mut file);
        one.answers.iter().for_each(|answer| claim(answer, &mut file));
        // A segment has room for six.
        for six in one.provider.chunks(6) {
            let mut segment = format!("PLB*1234567893*{:04}1231", one.day.year());
            for Provider { reason, reference, amount } in six {
                let (mark, reference, amount) = (habits.component, file.text(reference), file.amount(*amount));
                segment.push_str(&format!("*{reason}{mark}{reference}*{amount}"));
            }
            file.add(&segment);
        }
        file.end_transaction();
    }
    file.end()
}

fn header(one: &Remittance<'_>, file: &mut File<'_>) {
    let (day, payment) = (digits(one.day), one.payment());
    let paid_on = digits(one.day.plus_days(1).unwrap_or(one.day));
    let method = if payment == 0 { "NON" } else { "ACH" };
    let amount = file.amount(payment);
    file.add(&format!("BPR*I*{amount}*C*{method}************{paid_on}"));
    file.add(&format!("TRN*1*EFT{day}*1512345678"));
    file.add(&format!("DTM*405*{day}"));
    let payer = file.text(one.payer);
    file.add(&format!("N1*PR*{payer}"));
    file.add("N3*1 PLAN STREET");
    file.add("N4*SACRAMENTO*CA*95814");
    file.add("PER*BL*PROVIDER SERVICES*TE*8005550100");
    file.add("N1*PE*PRACTICE*XX*1234567893");
    if !one.answers.is_empty() {
        file.add("LX*1");
    }
}

fn claim(answer: &Answer<'_>, file: &mut File<'_>) {
    let Answer { claim, is_reversal, .. } = answer;
    let habits = file.habits;
    let number = file.text(habits.cut(&claim.number));
    let denied_whole = answer.sum(Kind::Denied) == answer.charge();
    let status = match *is_reversal {
        true => "22",
        false if denied_whole && habits.says_denied => "4",
        false => "1",
    };
    let [charge, paid, share] =
        [answer.charge(), answer.paid(), answer.sum(Kind::Share)].map(|amount| file.amount(amount));
    let filing = file.text(&claim.filing);
    let payer_number = file.text(&answer.payer_number());
    file.add(&format!("CLP*{number}*{status}*{charge}*{paid}*{share}*{filing}*{payer_number}*11*1"));
    if habits.claim_level || habits.twice {
        adjustments(answer.adjustments(), answer.sign(), file);
    }
    let cased = |text: &str| if habits.upper_case { text.to_ascii_uppercase() } else { text.into() };
    let [last, first] = [&claim.patient.last_name, &claim.patient.first_name].map(|name| file.text(&cased(name)));
    let member = file.text(&claim.patient.member_id);
    let member_id = if member.is_empty() { String::new() } else { format!("*A***MI*{member}") };
    file.add(&format!("NM1*QC*1*{last}*{first}{member_id}"));
    if habits.detailed {
        file.add("NM1*82*1*SMITH*ALEXANDRA****XX*1234567893");
    }
    if habits.no_lines && !is_reversal {
        let remark = answer.adjustments().find_map(|one| one.remark);
        remark.into_iter().for_each(|remark| file.add(&format!("MOA***{remark}")));
    }
    if habits.detailed {
        file.add(&format!("REF*EA*MRN{member}"));
    }
    if let Some(before) = answer.corrects() {
        let before = file.text(&before);
        file.add(&format!("REF*F8*{before}"));
    }
    if habits.claim_date {
        claim.day().into_iter().for_each(|day| file.add(&format!("DTM*232*{}", digits(day))));
    }
    if habits.detailed {
        file.add(&format!("DTM*050*{}", digits(answer.day)));
        file.add("PER*CX*PROVIDER SERVICES*TE*8005550100");
        file.add(&format!("AMT*AU*{charge}"));
    }
    if !habits.no_lines {
        lines(answer, file);
    }
}

fn lines(answer: &Answer<'_>, file: &mut File<'_>) {
    let (habits, sign) = (file.habits, answer.sign());
    for (line, adjusted) in answer.claim.lines.iter().zip(&answer.lines) {
        let sum: i64 = adjusted.iter().map(|one| one.amount).sum();
        let [charge, paid] = [line.charge, line.charge - sum].map(|amount| file.amount(sign * amount));
        let procedure = file.procedure(&line.procedure, habits.service);
        file.add(&format!("SVC*{procedure}*{charge}*{paid}**1"));
        if !habits.claim_date || habits.detailed {
            file.add(&format!("DTM*472*{}", digits(line.day)));
        }
        if !habits.claim_level {
            adjustments(adjusted.iter(), sign, file);
        }
        if !line.control.is_empty() {
            let control = file.text(&line.control);
            file.add(&format!("REF*6R*{control}"));
        }
        if habits.detailed && !answer.is_reversal {
            let contractual: i64 =
                adjusted.iter().filter(|one| one.kind == Kind::Contractual).map(|one| one.amount).sum();
            let allowed = file.amount(line.charge - contractual);
            file.add(&format!("AMT*B6*{allowed}"));
        }
        if !answer.is_reversal {
            let remarks = adjusted.iter().filter_map(|one| one.remark);
            remarks.for_each(|remark| file.add(&format!("LQ*HE*{remark}")));
        }
    }
}

/// Adjustments with one reason are added up. A payer may write those of a group in one segment.
fn adjustments<'a>(all: impl Iterator<Item = &'a Adjustment<'a>>, sign: i64, file: &mut File<'_>) {
    let mut sums: Vec<(&str, &str, i64)> = Vec::new();
    for Adjustment { group, carc, amount, .. } in all {
        match sums.iter_mut().find(|(a, b, _)| (a, b) == (group, carc)) {
            Some((.., sum)) => *sum += amount,
            None => sums.push((group, carc, *amount)),
        }
    }
    if file.habits.trios {
        sums.sort_by_key(|(group, ..)| *group);
    }
    let joins = file.habits.trios;
    for group in sums.chunk_by(|(one, ..), (next, ..)| joins && one == next) {
        let mut segment = String::from("CAS");
        for (at, (group, carc, sum)) in group.iter().enumerate() {
            // A trio has a quantity, which is left out.
            let before = if at == 0 { format!("*{group}") } else { "*".into() };
            segment.push_str(&format!("{before}*{carc}*{}", file.amount(sign * sum)));
        }
        file.add(&segment);
    }
}
