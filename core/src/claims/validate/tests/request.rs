//! Valid requests for property tests, and the ways to write them as JSON.

use super::NOW;
use crate::base::date::Date;
use crate::base::instant::Instant;
use crate::base::money::Cents;
use crate::base::text::is_visible;
use crate::claims::{Claim, Item, Patient, PlanType};
use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use proptest::prelude::*;

type Text = Cow<'static, str>;

/// Any text that is not blank, including control characters and all planes of Unicode.
fn text() -> impl Strategy<Value = Text> {
    prop_oneof!["\\PC{1,40}", "(?s).{1,40}", "[a-z]{1,8}"]
        .prop_filter("blank", |text| !text.trim().is_empty())
        .prop_map(Cow::Owned)
}

/// Any printable number.
fn number() -> impl Strategy<Value = Text> {
    "[ -~¡-¬®-ʯ一-龥😀-😏]{0,127}[!-~]".prop_map(Cow::Owned)
}

/// Any name: a text with a visible character and without characters that cut or reorder it.
fn name() -> impl Strategy<Value = Text> {
    let cuts = |c: char| c.is_ascii_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text()
        .prop_map(move |text| Text::Owned(text.replace(cuts, "n")))
        .prop_filter("unseen", |name: &Text| name.chars().any(is_visible))
}

fn date() -> impl Strategy<Value = Date> {
    // From the year 1 to the last millisecond of today.
    let today_ends = NOW.0 + 12 * 3_600_000 - 1;
    prop_oneof![-62_135_596_800_000_i64..=today_ends, Just(today_ends)].prop_map(|ms| Date::of(Instant(ms)))
}

fn cents() -> impl Strategy<Value = Cents> {
    prop_oneof![1..=999_999_999_999_999_999_i64, 1..100_000_i64].prop_map(|cents| Cents::new(cents).unwrap())
}

fn codes(most: usize) -> impl Strategy<Value = Vec<Text>> {
    let code = prop_oneof![text(), "(CO|PR)-[0-9]{1,3}".prop_map(Cow::Owned)];
    prop_oneof![
        prop::collection::vec(code, 0..=most.min(4)),
        prop::collection::vec("N[0-9]{1,3}".prop_map(Cow::Owned), 0..=most),
    ]
}

fn patient() -> impl Strategy<Value = Patient<'static>> {
    let optional = || prop::option::of(text());
    (name(), name(), date(), optional(), optional()).prop_map(|fields| Patient {
        first_name: fields.0,
        last_name: fields.1,
        date_of_birth: fields.2,
        account_number: fields.3,
        member_id: fields.4,
    })
}

fn claim() -> impl Strategy<Value = Claim<'static>> {
    let plan_type = prop::option::of(prop::sample::select(&PlanType::ALL[..]));
    let amounts = (prop::option::of(cents()), prop::option::of(cents()))
        .prop_filter("no amount", |(billed, denied)| billed.is_some() || denied.is_some());
    let denial = (codes(20), prop::option::of(text()))
        .prop_filter("no reason", |(codes, reason)| !codes.is_empty() || reason.is_some());
    let names = (number(), number(), name(), prop::option::of(text()));
    let dates = (date(), prop::option::of(date()));
    (names, dates, plan_type, amounts, denial, codes(100)).prop_map(|fields| Claim {
        claim_number: fields.0.0,
        payer_claim_number: fields.0.1,
        payer_name: fields.0.2,
        date_of_service: fields.1.0,
        denial_date: fields.1.1,
        plan_type: fields.2,
        procedure_code: fields.0.3,
        billed_amount: fields.3.0,
        denied_amount: fields.3.1,
        denial_codes: fields.4.0,
        denial_reason: fields.4.1,
        diagnosis_codes: fields.5,
    })
}

/// Any valid item.
pub(super) fn item() -> impl Strategy<Value = Item<'static>> {
    (patient(), claim()).prop_map(|(patient, claim)| Item { patient, claim })
}

/// A way to write a request, where JSON and the interface allow several.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// Every character as `\uXXXX`.
    escapes: bool,
    /// The form of an absent field: missing, `null` or blank text.
    absent: Option<&'static str>,
    /// Denial codes as one text, if their characters allow it.
    commas: bool,
    /// The last field first.
    reversed: bool,
    /// Unknown keys, at every level.
    strangers: bool,
}

pub(super) fn style() -> impl Strategy<Value = Style> {
    let absent = prop::sample::select(&[None, Some("null"), Some("\"\""), Some("\" \"")][..]);
    (any::<[bool; 4]>(), absent).prop_map(|([escapes, commas, reversed, strangers], absent)| Style {
        escapes,
        absent,
        commas,
        reversed,
        strangers,
    })
}

/// A field, by its name in messages, and its JSON; `None` leaves it out.
pub(super) type Written<'a> = (&'a str, Option<&'a str>);

impl Style {
    /// The JSON of an item, with one field written differently.
    pub(super) fn write(self, item: &Item<'_>, other: Option<Written<'_>>) -> String {
        let Item { patient, claim } = item;
        let plan = claim.plan_type.map(PlanType::name);
        let amount = |cents: Option<Cents>| cents.map(|cents| self.text(&cents.to_string()));
        let patient = [
            ("first_name", Some(self.text(&patient.first_name))),
            ("last_name", Some(self.text(&patient.last_name))),
            ("date_of_birth", Some(self.date(patient.date_of_birth))),
            ("account_number", self.optional(patient.account_number.as_deref())),
            ("member_id", self.optional(patient.member_id.as_deref())),
        ];
        let claim = [
            ("claim_number", Some(self.text(&claim.claim_number))),
            ("payer_claim_number", Some(self.text(&claim.payer_claim_number))),
            ("payer_name", Some(self.text(&claim.payer_name))),
            ("date_of_service", Some(self.date(claim.date_of_service))),
            ("denial_date", claim.denial_date.map(|date| self.date(date))),
            ("plan_type", self.optional(plan)),
            ("procedure_code", self.optional(claim.procedure_code.as_deref())),
            ("billed_amount", amount(claim.billed_amount)),
            ("denied_amount", amount(claim.denied_amount)),
            ("denial_codes", Some(self.codes(&claim.denial_codes))),
            ("denial_reason", self.optional(claim.denial_reason.as_deref())),
            ("diagnosis_codes", Some(self.array(&claim.diagnosis_codes))),
        ];
        let patient = self.fields("patient.", patient, other);
        let claim = self.fields("claim.", claim, other);
        self.object([("patient", patient), ("claim", claim)].into())
    }

    fn fields<const N: usize>(
        self,
        object: &str,
        fields: [(&str, Option<String>); N],
        other: Option<Written<'_>>,
    ) -> String {
        let written = fields.into_iter().filter_map(|(name, value)| {
            let value = match other {
                Some((path, json)) if path.strip_prefix(object) == Some(name) => json.map(ToString::to_string),
                _ => value.or_else(|| self.absent.map(ToString::to_string)),
            };
            value.map(|value| (name, value))
        });
        self.object(written.collect())
    }

    fn object(self, mut fields: Vec<(&str, String)>) -> String {
        if self.strangers {
            let stranger = "[{\"patient\":[1e999,-0,null]},\"\\ud800\"]";
            fields.push(("first", stranger.into()));
            fields.push(("", "false".into()));
        }
        if self.reversed {
            fields.reverse();
        }
        let fields = fields.into_iter().map(|(name, value)| format!("{} : {value}", self.text(name)));
        format!("{{{}\n}}", fields.collect::<Vec<_>>().join(" ,\t"))
    }

    fn text(self, text: &str) -> String {
        if !self.escapes {
            return serde_json::to_string(text).unwrap();
        }
        let units: String = text.encode_utf16().map(|unit| format!("\\u{unit:04X}")).collect();
        format!("\"{units}\"")
    }

    fn optional(self, text: Option<&str>) -> Option<String> {
        text.map(|text| self.text(text))
    }

    fn date(self, date: Date) -> String {
        self.text(&date.to_string())
    }

    fn codes(self, codes: &[Cow<'_, str>]) -> String {
        let survives = |code: &Cow<'_, str>| !code.contains(',') && code.trim() == code;
        if self.commas && codes.iter().all(survives) { self.text(&codes.join(" ,,")) } else { self.array(codes) }
    }

    fn array(self, texts: &[Cow<'_, str>]) -> String {
        let texts: Vec<String> = texts.iter().map(|text| self.text(text)).collect();
        format!("[{}]", texts.join(", "))
    }
}
