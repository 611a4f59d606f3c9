//! Segments of an 837 become submitted claims.

use super::model::{Parts, SubmittedClaim, Texts};
use crate::amount::Amount;
use crate::code::Code;
use crate::day::Day;
use crate::envelope::CreatedAt;
use crate::remittance::is_member_id;
use crate::segment::Segment;
use alloc::vec::Vec;

/// The most lines of a claim. The standard allows 999.
const PARTS_MAX: usize = 10_000;
/// The most diagnoses of a claim. The standard allows 25.
const DIAGNOSES_MAX: usize = 100;

/// A person of the hierarchy: the subscriber or a dependent.
#[derive(Default)]
struct Person {
    last_name: Vec<u8>,
    first_name: Vec<u8>,
    /// Empty if there is none.
    member_id: Vec<u8>,
    date_of_birth: Option<Day>,
}

impl Person {
    /// Forgets the person and keeps the memory.
    fn clear(&mut self) {
        self.last_name.clear();
        self.first_name.clear();
        self.member_id.clear();
        self.date_of_birth = None;
    }
}

/// The loop that a segment is in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Loop {
    /// A loop that says nothing about the patient.
    Other,
    Subscriber,
    Dependent,
    /// CLM and what follows it. The names, SBR and DMG there are other people's.
    Claim,
}

/// The claim that is being read. One is filled again and again, so that a claim costs one allocation.
#[derive(Default)]
struct OpenClaim {
    is_open: bool,
    number: Vec<u8>,
    charge: Amount,
    diagnoses: Texts,
    /// The complete lines.
    lines: Texts,
    /// The number of lines, the last of which is not complete.
    count: usize,
    /// The control number and the code of the last line.
    control: Vec<u8>,
    procedure: Vec<u8>,
    line_day: Option<Day>,
    statement_day: Option<Day>,
}

impl OpenClaim {
    fn begin(&mut self, number: &[u8], charge: Amount) {
        set(&mut self.number, number);
        self.is_open = true;
        self.charge = charge;
        self.diagnoses.clear();
        self.lines.clear();
        self.count = 0;
        (self.line_day, self.statement_day) = (None, None);
    }

    fn begin_line(&mut self) {
        if self.count < PARTS_MAX {
            self.end_line();
            self.count = self.count.saturating_add(1);
        }
    }

    fn end_line(&mut self) {
        if self.count > 0 {
            self.lines.push(&self.control);
            self.lines.push(&self.procedure);
        }
        self.control.clear();
        self.procedure.clear();
    }
}

fn set(text: &mut Vec<u8>, to: &[u8]) {
    text.clear();
    text.extend_from_slice(to);
}

/// The reader of one transaction.
pub(crate) struct Reader {
    created: CreatedAt,
    subscriber: Person,
    dependent: Person,
    filing: Code,
    at: Loop,
    /// True if the patient is a dependent of the subscriber.
    has_dependent: bool,
    /// The person that a DMG segment describes.
    named: Loop,
    open: OpenClaim,
}

impl Reader {
    pub(crate) fn new(created: CreatedAt) -> Self {
        Self {
            created,
            subscriber: Person::default(),
            dependent: Person::default(),
            filing: Code::default(),
            at: Loop::Other,
            has_dependent: false,
            named: Loop::Other,
            open: OpenClaim::default(),
        }
    }

    /// A segment between ST and SE. Complete claims go to `sink`.
    pub(crate) fn read(&mut self, segment: Segment<'_>, sink: &mut impl FnMut(SubmittedClaim)) {
        match segment.id() {
            b"HL" => {
                self.close(sink);
                self.hierarchy(segment);
            }
            b"CLM" => {
                self.close(sink);
                self.claim(segment);
            }
            id if self.at == Loop::Claim => self.inside(id, segment),
            id => self.before(id, segment),
        }
    }

    /// SE: the last claim is complete.
    pub(crate) fn end(&mut self, sink: &mut impl FnMut(SubmittedClaim)) {
        self.close(sink);
    }

    fn close(&mut self, sink: &mut impl FnMut(SubmittedClaim)) {
        if !core::mem::take(&mut self.open.is_open) {
            return;
        }
        self.open.end_line();
        let open = &self.open;
        let person = if self.has_dependent { &self.dependent } else { &self.subscriber };
        let member_id = match &*person.member_id {
            [] => &self.subscriber.member_id,
            id => id,
        };
        let mut claim = SubmittedClaim::new(Parts {
            number: &open.number,
            last_name: &person.last_name,
            first_name: &person.first_name,
            member_id,
            diagnoses: &open.diagnoses,
            lines: &open.lines,
        });
        claim.date_of_birth = person.date_of_birth;
        claim.day = open.line_day.or(open.statement_day);
        claim.charge = open.charge;
        claim.filing = self.filing;
        claim.created = self.created;
        sink(claim);
    }

    fn hierarchy(&mut self, segment: Segment<'_>) {
        let [_, _, level] = segment.elements::<3>();
        self.named = Loop::Other;
        self.dependent.clear();
        self.has_dependent = level == b"23";
        match level {
            b"23" => self.at = Loop::Dependent,
            _ => {
                self.at = if level == b"22" { Loop::Subscriber } else { Loop::Other };
                self.subscriber.clear();
                self.filing = Code::default();
            }
        }
    }

    fn before(&mut self, id: &[u8], segment: Segment<'_>) {
        match id {
            b"SBR" if self.at == Loop::Subscriber => {
                let [.., filing] = segment.elements::<9>();
                self.filing = Code::new(filing);
            }
            b"NM1" => self.name(segment),
            b"DMG" => {
                let [form, day] = segment.elements::<2>();
                if let Some(person) = self.person().filter(|_| form == b"D8") {
                    person.date_of_birth = Day::parse(day);
                }
            }
            _ => {}
        }
    }

    /// The person that a segment describes.
    fn person(&mut self) -> Option<&mut Person> {
        match self.named {
            Loop::Subscriber => Some(&mut self.subscriber),
            Loop::Dependent => Some(&mut self.dependent),
            Loop::Other | Loop::Claim => None,
        }
    }

    fn name(&mut self, segment: Segment<'_>) {
        let [role] = segment.elements::<1>();
        self.named = match (role, self.at) {
            (b"IL", Loop::Subscriber) => Loop::Subscriber,
            (b"QC", Loop::Dependent) => Loop::Dependent,
            _ => {
                self.named = Loop::Other;
                return;
            }
        };
        let [_, _, last, first, _, _, _, qualifier, id] = segment.elements::<9>();
        if let Some(person) = self.person() {
            set(&mut person.last_name, last);
            set(&mut person.first_name, first);
            if is_member_id(qualifier) && !id.is_empty() {
                set(&mut person.member_id, id);
            }
        }
    }

    fn claim(&mut self, segment: Segment<'_>) {
        let [number, charge] = segment.elements::<2>();
        self.at = Loop::Claim;
        let charge = Amount::parse(charge).unwrap_or_default();
        self.open.begin(number, charge);
    }

    fn inside(&mut self, id: &[u8], segment: Segment<'_>) {
        let open = &mut self.open;
        match id {
            b"HI" => diagnoses(segment, &mut open.diagnoses),
            b"LX" => open.begin_line(),
            b"SV1" | b"SV3" => {
                let [service] = segment.elements::<1>();
                procedure(segment, service, open);
            }
            b"SV2" => {
                let [_, service] = segment.elements::<2>();
                procedure(segment, service, open);
            }
            b"DTP" => {
                let [qualifier, _, day] = segment.elements::<3>();
                match qualifier {
                    b"472" => {
                        let days = [open.line_day, Day::first_of(day)];
                        open.line_day = days.into_iter().flatten().min();
                    }
                    b"434" => open.statement_day = Day::first_of(day),
                    _ => {}
                }
            }
            b"REF" => {
                let [qualifier, value] = segment.elements::<2>();
                if qualifier == b"6R" && open.count > 0 {
                    set(&mut open.control, value);
                }
            }
            _ => {}
        }
    }
}

fn procedure<'a>(segment: Segment<'a>, service: &'a [u8], open: &mut OpenClaim) {
    let [qualifier, parts @ ..] = segment.service::<6>(service);
    if !matches!(qualifier, b"HC" | b"AD") || open.count == 0 {
        return;
    }
    open.procedure.clear();
    for part in parts.iter().filter(|part| !part.is_empty()) {
        if !open.procedure.is_empty() {
            open.procedure.push(b'-');
        }
        open.procedure.extend_from_slice(part);
    }
}

/// ABK and ABF: ICD-10 codes, with the dot after the third character. ICD-9 codes (BK, BF) are left out.
fn diagnoses(segment: Segment<'_>, to: &mut Texts) {
    for element in segment.elements::<12>() {
        let [qualifier, code] = segment.components::<2>(element);
        if !matches!(qualifier, b"ABK" | b"ABF") || code.is_empty() || to.iter().count() >= DIAGNOSES_MAX {
            continue;
        }
        let dotted = match code.split_at_checked(3) {
            Some((category, rest)) if !rest.is_empty() && code.is_ascii() && !code.contains(&b'.') => {
                [category, b".", rest].concat()
            }
            _ => code.to_vec(),
        };
        if to.iter().all(|known| known != dotted) {
            to.push(&dotted);
        }
    }
}
