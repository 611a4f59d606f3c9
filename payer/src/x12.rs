//! Writes segments in the way of a payer.

use crate::habits::Habits;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use overturn_core::base::date::Date;
use overturn_remit::Amount;

/// A day as X12 has it: `YYYYMMDD`.
pub(crate) fn digits(day: Date) -> String {
    format!("{:04}{:02}{:02}", day.year(), day.month(), day.day())
}

/// A file with one interchange and one group.
pub(crate) struct File<'a> {
    pub(crate) habits: &'a Habits,
    text: String,
    control: u32,
    /// The segments of the transaction.
    count: u32,
    transactions: u32,
}

impl<'a> File<'a> {
    pub(crate) fn new(habits: &'a Habits, group: &str, version: &str, day: Option<Date>, control: u32) -> Self {
        let mut file = File { habits, text: String::new(), control, count: 0, transactions: 0 };
        let day = day.map(digits).unwrap_or_else(|| "20260101".into());
        let (short, component) = (day.get(2..).unwrap_or_default(), habits.component);
        file.add(&if habits.padded {
            format!(
                "ISA*00*          *00*          *ZZ*PAYER          *ZZ*PRACTICE       *{short}*1200*^*00501*{control:09}*0*P*{component}"
            )
        } else {
            format!("ISA*00**00**ZZ*PAYER*ZZ*PRACTICE*{short}*1200*^*00501*{control:09}*0*P*{component}")
        });
        file.add(&format!("GS*{group}*PAYER*PRACTICE*{day}*1200*{control}*X*{version}"));
        file
    }

    pub(crate) fn begin(&mut self, kind: &str) {
        self.transactions += 1;
        self.count = 0;
        let version = if kind == "837" { "*005010X222A1" } else { "" };
        self.add(&format!("ST*{kind}*{:04}{version}", self.transactions));
    }

    pub(crate) fn end_transaction(&mut self) {
        self.add(&format!("SE*{}*{:04}", self.count + 1, self.transactions));
    }

    /// Adds a segment whose elements `*` separates.
    pub(crate) fn add(&mut self, segment: &str) {
        let segment = segment.trim_end_matches('*');
        if self.habits.element == '*' {
            self.text.push_str(segment);
        } else {
            self.text.extend(segment.chars().map(|c| if c == '*' { self.habits.element } else { c }));
        }
        self.text.push_str(self.habits.terminator);
        self.count += 1;
    }

    pub(crate) fn end(mut self) -> Vec<u8> {
        self.add(&format!("GE*{}*{}", self.transactions, self.control));
        self.add(&format!("IEA*1*{:09}", self.control));
        self.text.into_bytes()
    }

    /// A text that separates nothing.
    pub(crate) fn text(&self, text: &str) -> String {
        let Habits { element, component, terminator, .. } = *self.habits;
        let separates = |c: char| {
            c.is_control() || matches!(c, '*' | '^') || c == element || c == component || terminator.contains(c)
        };
        text.trim().chars().map(|c| if separates(c) { ' ' } else { c }).collect()
    }

    /// A code with its modifiers as components of a service.
    pub(crate) fn procedure(&self, code: &str, mark: char) -> String {
        let code = self.text(code).replace(['-', ':'], &format!("{mark}"));
        format!("HC{mark}{code}")
    }

    pub(crate) fn amount(&self, cents: i64) -> String {
        let text = format!("{}", Amount(cents));
        if self.habits.short { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
    }
}
