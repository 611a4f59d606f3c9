//! Claims as an 837: written for readers that need it, and read as input.

use crate::claim::{Claim, LINES_MAX, Line, Patient};
use crate::error::InputError;
use crate::habits::Habits;
use crate::x12::{File, digits};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use overturn_core::base::date::Date;
use overturn_remit::{Amount, Segment, decode, segments};

/// An 837 of professional claims (005010X222A1) that has these.
#[must_use]
pub fn submission(habits: &Habits, claims: &[Claim], control: u32) -> Vec<u8> {
    let day = claims.iter().filter_map(Claim::received).max();
    let mut file = File::new(habits, "HC", "005010X222A1", day, control);
    file.begin("837");
    let created = day.map(digits).unwrap_or_default();
    file.add(&format!("BHT*0019*00*{control}*{created}*1200*CH"));
    file.add("NM1*41*2*PRACTICE*****46*1234567893");
    file.add("PER*IC*BILLING*TE*9165550100");
    file.add("NM1*40*2*CLEARINGHOUSE*****46*CLEARING");
    file.add("HL*1**20*1");
    file.add("NM1*85*2*PRACTICE*****XX*1234567893");
    file.add("N3*1 MAIN STREET");
    file.add("N4*SACRAMENTO*CA*958140001");
    file.add("REF*EI*123456789");
    (2_u64..).zip(claims).for_each(|(level, claim)| submit(level, claim, &mut file));
    file.end_transaction();
    file.end()
}

fn submit(level: u64, claim: &Claim, file: &mut File<'_>) {
    let habits = file.habits;
    let Claim { patient, .. } = claim;
    let [last, first, member, payer, number] =
        [&patient.last_name, &patient.first_name, &patient.member_id, &claim.payer, &claim.number]
            .map(|text| file.text(text));
    let filing = if claim.filing.is_empty() { "CI" } else { &claim.filing };
    let filing = file.text(filing);
    file.add(&format!("HL*{level}*1*22*0"));
    file.add(&format!("SBR*P*18*******{filing}"));
    file.add(&format!("NM1*IL*1*{last}*{first}****MI*{member}"));
    if habits.detailed {
        file.add("N3*1200 NORTH MAIN STREET*APT 14");
        file.add("N4*SACRAMENTO*CA*958141234");
    }
    if let Some(birth) = patient.date_of_birth {
        file.add(&format!("DMG*D8*{}*F", digits(birth)));
    }
    file.add(&format!("NM1*PR*2*{payer}*****PI*60054"));
    if habits.detailed {
        file.add("REF*G2*330127");
    }
    let (mark, charge) = (habits.component, file.amount(claim.charge()));
    file.add(&format!("CLM*{number}*{charge}***11{mark}B{mark}1*Y*A*Y*Y"));
    if habits.detailed {
        file.add(&format!("REF*D9*17312345{number}"));
    }
    file.add(&format!("HI*ABK{mark}R0789"));
    if habits.detailed {
        file.add("NM1*82*1*SMITH*ALEXANDRA****XX*1234567893");
        file.add("PRV*PE*PXC*207Q00000X");
    }
    for (at, line) in (1_u64..).zip(&claim.lines) {
        let (service, charge) = (file.procedure(&line.procedure, mark), file.amount(line.charge));
        file.add(&format!("LX*{at}"));
        file.add(&format!("SV1*{service}*{charge}*UN*1***1"));
        file.add(&format!("DTP*472*D8*{}", digits(line.day)));
        if !line.control.is_empty() {
            let control = file.text(&line.control);
            file.add(&format!("REF*6R*{control}"));
        }
    }
}

/// Reads the claims of an 837, professional, institutional or dental.
pub(crate) fn read(bytes: &[u8]) -> Result<Vec<Claim>, InputError> {
    let mut reader = Reader::default();
    let mut first_error = None;
    segments(bytes, |segment| {
        if first_error.is_none() {
            first_error = reader.segment(segment).err();
        }
    })?;
    first_error.map_or_else(|| reader.close(), Err)?;
    Ok(reader.claims)
}

#[derive(Default)]
struct Reader {
    claims: Vec<Claim>,
    patient: Patient,
    payer: String,
    filing: String,
    open: Option<Open>,
}

/// The claim that is being read.
struct Open {
    claim: Claim,
    lines: Vec<Draft>,
    statement_day: Option<Date>,
}

/// A line that may lack its day until the claim ends.
struct Draft {
    procedure: String,
    charge: i64,
    day: Option<Date>,
    control: String,
}

fn text(bytes: &[u8]) -> String {
    decode(bytes).into_owned()
}

/// The day, or the first day of a range.
fn day(bytes: &[u8]) -> Option<Date> {
    let digits = core::str::from_utf8(bytes.get(..8)?).ok()?;
    Date::parse(&format!("{}-{}-{}", digits.get(..4)?, digits.get(4..6)?, digits.get(6..8)?))
}

impl Reader {
    fn segment(&mut self, segment: Segment<'_>) -> Result<(), InputError> {
        match (segment.id(), &mut self.open) {
            (b"HL", _) => {
                self.close()?;
                // A dependent keeps the subscriber's member id and payer.
                let [_, _, level] = segment.elements();
                if level != b"23" {
                    (self.patient, self.payer, self.filing) = Default::default();
                }
            }
            (b"CLM", _) => {
                self.close()?;
                let [number] = segment.elements();
                let (payer, filing, patient) = (self.payer.clone(), self.filing.clone(), self.patient.clone());
                let claim = Claim { number: text(number), payer, filing, patient, lines: Vec::new() };
                self.open = Some(Open { claim, lines: Vec::new(), statement_day: None });
            }
            (id, Some(open)) => open.segment(id, segment)?,
            (b"SBR", None) => {
                let [.., filing] = segment.elements::<9>();
                self.filing = text(filing);
            }
            (b"NM1", None) => {
                let [role, _, last, first, _, _, _, _, id] = segment.elements();
                match role {
                    b"IL" | b"QC" => {
                        (self.patient.last_name, self.patient.first_name) = (text(last), text(first));
                        if !id.is_empty() {
                            self.patient.member_id = text(id);
                        }
                    }
                    b"PR" => self.payer = text(last),
                    _ => {}
                }
            }
            (b"DMG", None) => {
                let [_, birth] = segment.elements();
                self.patient.date_of_birth = day(birth);
            }
            _ => {}
        }
        Ok(())
    }

    fn close(&mut self) -> Result<(), InputError> {
        let Some(Open { mut claim, lines, statement_day }) = self.open.take() else {
            return Ok(());
        };
        let first = lines.iter().filter_map(|line| line.day).min().or(statement_day);
        for Draft { procedure, charge, day, control } in lines {
            let day = day.or(first).ok_or(InputError::Field("DTP*472", "must have a day of service"))?;
            claim.lines.push(Line { procedure, charge, day, control });
        }
        self.claims.push(claim.checked("CLM01", "LX").map_err(|error| error.of_item(self.claims.len()))?);
        Ok(())
    }
}

impl Open {
    fn segment(&mut self, id: &[u8], segment: Segment<'_>) -> Result<(), InputError> {
        match id {
            b"SV1" | b"SV3" => {
                let [service, charge] = segment.elements();
                self.line(segment, service, charge)?;
            }
            b"SV2" => {
                let [_, service, charge] = segment.elements();
                self.line(segment, service, charge)?;
            }
            b"DTP" => {
                let [qualifier, _, value] = segment.elements();
                match (qualifier, self.lines.last_mut(), day(value)) {
                    (b"472", Some(line), found) => line.day = found,
                    (b"434" | b"472", None, found) => self.statement_day = found,
                    _ => {}
                }
            }
            b"REF" => {
                let [qualifier, value] = segment.elements();
                if let Some(line) = self.lines.last_mut().filter(|_| qualifier == b"6R") {
                    line.control = text(value);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn line<'a>(&mut self, segment: Segment<'a>, service: &'a [u8], charge: &[u8]) -> Result<(), InputError> {
        let [_, parts @ ..] = segment.service::<6>(service);
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).map(text).collect();
        let charge = Amount::parse(charge).ok_or(InputError::Field("SV102", "must be an amount"))?.0;
        // One line too many is enough for an error.
        if self.lines.len() <= LINES_MAX {
            self.lines.push(Draft { procedure: parts.join("-"), charge, day: None, control: String::new() });
        }
        Ok(())
    }
}
