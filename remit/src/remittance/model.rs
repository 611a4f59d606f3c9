//! One claim payment with its service lines, adjustments and remarks.

use crate::amount::Amount;
use crate::code::Code;
use crate::day::Day;
use crate::text::place;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// The most bytes that are kept of one value. The service takes 200 characters, and so refuses what was cut here.
const VALUE_MAX: usize = 1_024;
/// The most bytes of text that are kept of one claim payment. 999 lines with the longest codes and control numbers need 70 KiB.
const TEXT_MAX: usize = 256 * 1_024;

/// What a transaction says before its claims.
#[derive(Clone, Default)]
pub(crate) struct Header {
    /// BPR02.
    pub(crate) payment: Amount,
    /// BPR16: the day of the payment, often in the future.
    pub(crate) paid_on: Option<Day>,
    /// DTM*405: the day on which the payer produced the remittance.
    pub(crate) produced_on: Option<Day>,
    /// N102 of the first N1*PR.
    pub(crate) payer: Option<Box<str>>,
}

/// A piece of the text of a claim payment.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Span {
    start: u32,
    end: u32,
}

impl Span {
    pub(crate) const fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// Where an adjustment or a remark stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Level {
    Claim,
    /// The line at this position.
    Line(usize),
}

/// One adjustment of a CAS segment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Adjustment {
    pub(crate) level: Level,
    /// The claim adjustment group code: CO, PR, OA, PI, CR.
    pub(crate) group: Code,
    pub(crate) carc: Code,
    pub(crate) amount: Amount,
}

/// A service line (SVC).
#[derive(Clone, Copy, Default)]
pub(crate) struct ServiceLine {
    pub(crate) charge: Amount,
    pub(crate) paid: Amount,
    /// The code of SVC06 or SVC01 with its modifiers, if it is a HCPCS or CDT code.
    pub(crate) procedure: Span,
    /// REF*6R.
    pub(crate) control: Span,
    /// A hash of the service as the payer writes it: SVC06, else SVC01.
    pub(crate) service: u64,
    /// The earliest DTM*472 or DTM*150.
    pub(crate) began: Option<Day>,
}

/// A claim payment (CLP) and what follows it. One is filled again and again, so that a paid claim costs no allocation.
#[derive(Default)]
pub(crate) struct ClaimPayment {
    text: Vec<u8>,
    /// True after the first NM1*QC.
    pub(crate) is_named: bool,
    pub(crate) number: Span,
    /// CLP02.
    pub(crate) status: Code,
    pub(crate) charge: Amount,
    pub(crate) paid: Amount,
    /// CLP06.
    pub(crate) filing: Code,
    /// CLP07.
    pub(crate) payer_number: Span,
    /// REF*F8.
    pub(crate) original_number: Span,
    pub(crate) last_name: Span,
    pub(crate) first_name: Span,
    pub(crate) member_id: Span,
    /// DTM*232.
    pub(crate) service_began: Option<Day>,
    /// The earliest DTM*472 or DTM*150 of a line.
    pub(crate) line_began: Option<Day>,
    pub(crate) lines: Vec<ServiceLine>,
    pub(crate) adjustments: Vec<Adjustment>,
    pub(crate) remarks: Vec<(Level, Code)>,
    /// True if an amount cannot be read, or the claim has more parts or text than is kept.
    pub(crate) unreadable: bool,
    /// True if CLP03 is empty.
    pub(crate) lacks_charge: bool,
    /// True if CLP04 is empty.
    pub(crate) lacks_payment: bool,
    /// True if an adjustment has a reason and no amount.
    pub(crate) lacks_adjustment: bool,
}

impl ClaimPayment {
    /// Forgets the claim and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.lines.clear();
        self.adjustments.clear();
        self.remarks.clear();
        *self = Self {
            text: core::mem::take(&mut self.text),
            lines: core::mem::take(&mut self.lines),
            adjustments: core::mem::take(&mut self.adjustments),
            remarks: core::mem::take(&mut self.remarks),
            ..Self::default()
        };
    }

    /// Keeps bytes of a segment, up to the longest value.
    pub(crate) fn keep(&mut self, bytes: &[u8]) -> Span {
        self.keep_joined(&[bytes])
    }

    /// Keeps parts with hyphens between them, without empty parts, up to the longest value. A claim with too much text is
    /// unreadable.
    pub(crate) fn keep_joined(&mut self, parts: &[&[u8]]) -> Span {
        let start = self.end();
        let before = self.text.len();
        let longest = before.saturating_add(VALUE_MAX);
        for part in parts.iter().filter(|part| !part.is_empty()) {
            if self.end() > start {
                self.text.push(b'-');
            }
            self.text.extend_from_slice(part);
            self.text.truncate(longest);
        }
        if self.text.len() > TEXT_MAX {
            self.text.truncate(before);
            self.unreadable = true;
            return Span::default();
        }
        Span { start, end: self.end() }
    }

    fn end(&self) -> u32 {
        u32::try_from(self.text.len()).unwrap_or(u32::MAX)
    }

    /// Bytes that were kept.
    pub(crate) fn bytes(&self, span: Span) -> &[u8] {
        self.text.get(place(span.start)..place(span.end)).unwrap_or_default()
    }

    /// The sum of the adjustments of a level.
    pub(crate) fn sum(&self, of: impl Fn(Level) -> bool) -> Amount {
        let chosen = self.adjustments.iter().filter(|one| of(one.level));
        chosen.map(|one| one.amount).collect()
    }

    /// True if the adjustments of a line are not the difference of its charge and payment.
    pub(crate) fn has_unbalanced_line(&self) -> bool {
        // The adjustments are in the order of the lines.
        let mut adjustments = self.adjustments.iter().peekable();
        while adjustments.next_if(|one| one.level == Level::Claim).is_some() {}
        self.lines.iter().enumerate().any(|(at, line)| {
            let mut adjusted = Amount::ZERO;
            while let Some(one) = adjustments.next_if(|one| one.level == Level::Line(at)) {
                adjusted.add(one.amount);
            }
            adjusted != line.charge.minus(line.paid)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_claim_has_a_bound() {
        let mut claim = ClaimPayment::default();
        let long = [b'x'; 5_000];
        let first = claim.keep_joined(&[&long, &long]);
        assert_eq!(claim.bytes(first).len(), VALUE_MAX);
        for _ in 0..1_000 {
            claim.keep(&long);
        }
        assert!(claim.unreadable);
        assert!(claim.text.capacity() <= 2 * TEXT_MAX);
        assert_eq!(claim.bytes(first).len(), VALUE_MAX);
    }
}
