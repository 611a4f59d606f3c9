//! Segments of an 835 become claim payments.

use super::model::{Adjustment, ClaimPayment, Header, Level, ServiceLine};
use crate::amount::Amount;
use crate::code::Code;
use crate::day::Day;
use crate::segment::Segment;
use crate::text::{self, decode};
use twox_hash::xxhash3_128::Hasher;

/// The most service lines and adjustments of one claim payment. The standard allows 999 lines.
const PARTS_MAX: usize = 20_000;

/// Gets what a transaction says.
pub(crate) trait Events {
    /// The first claim follows. The digest is of ST to the segment before it.
    fn header(&mut self, header: &Header, digest: text::Digest);
    /// A complete claim payment. The digest is of ST to its last segment.
    fn claim(&mut self, claim: &ClaimPayment, digest: text::Digest);
    /// SE. True if BPR02 is the sum of the payments less PLB.
    fn end(&mut self, balanced: bool);
    /// A claim payment whose end never came.
    fn broken(&mut self);
}

/// The reader of one transaction.
pub(crate) struct Reader {
    hash: Hasher,
    header: Header,
    claim: ClaimPayment,
    /// True from CLP to the segment that ends the claim.
    open: bool,
    any: bool,
    sum: Amount,
}

impl Reader {
    pub(crate) fn new() -> Self {
        Self {
            hash: Hasher::new(),
            header: Header::default(),
            claim: ClaimPayment::default(),
            open: false,
            any: false,
            sum: Amount::ZERO,
        }
    }

    /// ST: begins another transaction.
    pub(crate) fn begin(&mut self, segment: Segment<'_>) {
        self.hash = Hasher::new();
        self.header = Header::default();
        self.claim.clear();
        (self.open, self.any, self.sum) = (false, false, Amount::ZERO);
        self.digest(segment);
    }

    /// A segment between ST and SE.
    pub(crate) fn read(&mut self, segment: Segment<'_>, events: &mut impl Events) {
        let id = segment.id();
        match id {
            b"CLP" => {
                self.close(events);
                if !self.any {
                    self.any = true;
                    let digest = self.value();
                    events.header(&self.header, digest);
                }
                self.open = true;
                self.claim.clear();
                self.payment(segment);
            }
            b"LX" | b"PLB" => {
                self.close(events);
                if id == b"PLB" {
                    self.provider_adjustments(segment);
                }
            }
            _ if self.open => self.inside(id, segment),
            _ => self.before(id, segment),
        }
        self.digest(segment);
    }

    /// SE: the last claim is complete.
    pub(crate) fn end(&mut self, events: &mut impl Events) {
        self.close(events);
        events.end(self.sum == self.header.payment);
    }

    /// The transaction breaks off. Its last claim is not complete.
    pub(crate) fn break_off(&mut self, events: &mut impl Events) {
        if core::mem::take(&mut self.open) {
            events.broken();
        }
    }

    fn close(&mut self, events: &mut impl Events) {
        if core::mem::take(&mut self.open) {
            self.sum.add(self.claim.paid);
            let digest = self.value();
            events.claim(&self.claim, digest);
        }
    }

    fn digest(&mut self, segment: Segment<'_>) {
        self.hash.write(segment.bytes);
        self.hash.write(b"~");
    }

    fn value(&self) -> text::Digest {
        text::digest(self.hash.finish_128())
    }

    fn before(&mut self, id: &[u8], segment: Segment<'_>) {
        match id {
            b"BPR" => {
                let elements = segment.elements::<16>();
                let [_, amount, .., day] = elements;
                self.header.payment = Amount::parse(amount).unwrap_or_default();
                self.header.paid_on = Day::parse(day);
            }
            b"DTM" => {
                let [qualifier, day] = segment.elements::<2>();
                if qualifier == b"405" {
                    self.header.produced_on = Day::parse(day);
                }
            }
            b"N1" if self.header.payer.is_none() => {
                let [qualifier, name] = segment.elements::<2>();
                if qualifier == b"PR" && !name.is_empty() {
                    self.header.payer = Some(decode(name).into());
                }
            }
            _ => {}
        }
    }

    fn provider_adjustments(&mut self, segment: Segment<'_>) {
        let [_, _, pairs @ ..] = segment.elements::<14>();
        for pair in pairs.chunks(2) {
            if let [_, amount] = pair {
                let amount = Amount::parse(amount).unwrap_or_default();
                self.sum = self.sum.minus(amount);
            }
        }
    }

    fn payment(&mut self, segment: Segment<'_>) {
        let [number, status, charge, paid, _, filing, payer_number] = segment.elements::<7>();
        let claim = &mut self.claim;
        claim.number = claim.keep(number);
        claim.payer_number = claim.keep(payer_number);
        claim.status = Code::new(status);
        claim.filing = Code::new(filing);
        claim.lacks_charge = charge.is_empty();
        claim.lacks_payment = paid.is_empty();
        claim.charge = amount(charge, &mut claim.unreadable);
        claim.paid = amount(paid, &mut claim.unreadable);
    }

    fn inside(&mut self, id: &[u8], segment: Segment<'_>) {
        match id {
            b"CAS" => self.adjustments(segment),
            b"SVC" => self.line(segment),
            b"NM1" => self.name(segment),
            b"DTM" => {
                let [qualifier, day] = segment.elements::<2>();
                let day = Day::parse(day);
                match (qualifier, self.claim.lines.last_mut()) {
                    (b"232", None) => self.claim.service_began = day,
                    (b"472" | b"150", Some(line)) => {
                        line.began = earliest(line.began, day);
                        self.claim.line_began = earliest(self.claim.line_began, day);
                    }
                    _ => {}
                }
            }
            b"REF" => {
                let [qualifier, value] = segment.elements::<2>();
                self.reference(qualifier, value);
            }
            b"LQ" => {
                let [list, code] = segment.elements::<2>();
                if list == b"HE" {
                    self.remark(code);
                }
            }
            b"MIA" => {
                let elements = segment.elements::<23>();
                let mut of_claim = elements.iter().skip(4).take(1).chain(elements.iter().skip(19).take(4));
                of_claim.by_ref().for_each(|code| self.remark(code));
            }
            b"MOA" => {
                let elements = segment.elements::<7>();
                elements.iter().skip(2).for_each(|code| self.remark(code));
            }
            _ => {}
        }
    }

    /// REF*6R of a line or REF*F8 of the claim. The first one counts.
    fn reference(&mut self, qualifier: &[u8], value: &[u8]) {
        let claim = &mut self.claim;
        let known = match (claim.lines.last(), qualifier) {
            (Some(line), b"6R") => line.control,
            (None, b"F8") => claim.original_number,
            _ => return,
        };
        if !known.is_empty() {
            return;
        }
        let span = claim.keep(value);
        match claim.lines.last_mut() {
            Some(line) => line.control = span,
            None => claim.original_number = span,
        }
    }

    fn level(&self) -> Level {
        match self.claim.lines.len().checked_sub(1) {
            Some(last) => Level::Line(last),
            None => Level::Claim,
        }
    }

    fn remark(&mut self, code: &[u8]) {
        if !code.is_empty() && self.claim.remarks.len() < PARTS_MAX {
            self.claim.remarks.push((self.level(), Code::new(code)));
        }
    }

    fn adjustments(&mut self, segment: Segment<'_>) {
        let level = self.level();
        let [group, triples @ ..] = segment.elements::<19>();
        let claim = &mut self.claim;
        for triple in triples.chunks(3) {
            let [carc, money, _] = triple else { continue };
            if carc.is_empty() && money.is_empty() {
                continue;
            }
            if claim.adjustments.len() >= PARTS_MAX {
                claim.unreadable = true;
                return;
            }
            claim.lacks_adjustment |= money.is_empty();
            let amount = amount(money, &mut claim.unreadable);
            claim.adjustments.push(Adjustment { level, group: Code::new(group), carc: Code::new(carc), amount });
        }
    }

    fn line(&mut self, segment: Segment<'_>) {
        let [paid_as, charge, paid, _, _, submitted] = segment.elements::<6>();
        let claim = &mut self.claim;
        if claim.lines.len() >= PARTS_MAX {
            claim.unreadable = true;
            return;
        }
        let code = if submitted.is_empty() { paid_as } else { submitted };
        let mut line = ServiceLine {
            charge: amount(charge, &mut claim.unreadable),
            paid: amount(paid, &mut claim.unreadable),
            service: text::hash(&[code]),
            ..ServiceLine::default()
        };
        let [qualifier, parts @ ..] = segment.service::<6>(code);
        if matches!(qualifier, b"HC" | b"AD") {
            line.procedure = claim.keep_joined(&parts);
        }
        claim.lines.push(line);
    }

    /// The first NM1*QC. NM1*74, the patient as the payer corrects it, is ignored.
    fn name(&mut self, segment: Segment<'_>) {
        if self.claim.is_named || segment.elements() != [b"QC"] {
            return;
        }
        let [_, _, last, first, _, _, _, qualifier, id] = segment.elements::<9>();
        let claim = &mut self.claim;
        claim.is_named = true;
        claim.last_name = claim.keep(last);
        claim.first_name = claim.keep(first);
        if is_member_id(qualifier) {
            claim.member_id = claim.keep(id);
        }
    }
}

fn earliest(one: Option<Day>, other: Option<Day>) -> Option<Day> {
    one.into_iter().chain(other).min()
}

/// True for qualifiers of a member id. 34 is a social security number and is never read.
pub(crate) fn is_member_id(qualifier: &[u8]) -> bool {
    matches!(qualifier, b"MI" | b"MR" | b"HN" | b"II")
}

fn amount(bytes: &[u8], unreadable: &mut bool) -> Amount {
    Amount::parse(bytes).unwrap_or_else(|| {
        *unreadable = true;
        Amount::ZERO
    })
}
