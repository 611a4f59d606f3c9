//! Claims in JSON: one, a batch `{"claims": […]}`, a list, or several of these on lines. A claim is as the service takes it,
//! and may have `lines` with a `procedure_code`, a `charge` and a `date_of_service` each.

use crate::claim::{Claim, Line, Patient};
use crate::error::InputError;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use overturn_core::base::date::Date;
use overturn_remit::Amount;
use serde_json::Value;

type Result<T> = core::result::Result<T, InputError>;

pub(crate) fn read(bytes: &[u8]) -> Result<Vec<Claim>> {
    let mut claims = Vec::new();
    for value in serde_json::Deserializer::from_slice(bytes).into_iter::<Value>() {
        let value = value.map_err(|error| InputError::Json(error.line(), error.column()))?;
        let list = value.as_array().or_else(|| value.get("claims")?.as_array());
        for one in list.map_or(core::slice::from_ref(&value), Vec::as_slice) {
            claims.push(claim(one).map_err(|error| error.of_item(claims.len()))?);
        }
    }
    Ok(claims)
}

fn claim(item: &Value) -> Result<Claim> {
    let [claim, patient] = ["claim", "patient"].map(|name| item.get(name).unwrap_or(&Value::Null));
    let day = date(claim, "claim.date_of_service")?;
    let patient = Patient {
        first_name: text(patient, "patient.first_name")?.ok_or(missing("patient.first_name"))?,
        last_name: text(patient, "patient.last_name")?.ok_or(missing("patient.last_name"))?,
        member_id: text(patient, "patient.member_id")?.unwrap_or_default(),
        date_of_birth: date(patient, "patient.date_of_birth")?,
    };
    let lines = match claim.get("lines").map(Value::as_array) {
        Some(None) => return Err(InputError::Field("claim.lines", "must be a list")),
        Some(Some(lines)) => {
            let lines = lines.iter().enumerate();
            lines.map(|(at, line)| Line::of(line, day, at)).collect::<Result<_>>()?
        }
        None => Vec::from([Line {
            procedure: text(claim, "claim.procedure_code")?.unwrap_or_else(|| "99213".into()),
            charge: amount(claim, "claim.billed_amount")?,
            day: day.ok_or(missing("claim.date_of_service"))?,
            control: "1".into(),
        }]),
    };
    let claim = Claim {
        number: text(claim, "claim.claim_number")?.ok_or(missing("claim.claim_number"))?,
        payer: text(claim, "claim.payer_name")?.ok_or(missing("claim.payer_name"))?,
        filing: String::new(),
        patient,
        lines,
    };
    claim.checked("claim.claim_number", "claim.lines")
}

impl Line {
    fn of(line: &Value, day: Option<Date>, at: usize) -> Result<Self> {
        Ok(Self {
            procedure: text(line, "claim.lines.procedure_code")?.ok_or(missing("claim.lines.procedure_code"))?,
            charge: amount(line, "claim.lines.charge")?,
            day: date(line, "claim.lines.date_of_service")?.or(day).ok_or(missing("claim.date_of_service"))?,
            control: at.saturating_add(1).to_string(),
        })
    }
}

const fn missing(field: &'static str) -> InputError {
    InputError::Field(field, "is missing")
}

/// A text that is not empty. The field is named by its whole path.
fn text(of: &Value, field: &'static str) -> Result<Option<String>> {
    let name = field.rsplit('.').next().unwrap_or(field);
    match of.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if !text.trim().is_empty() => Ok(Some(text.trim().into())),
        Some(_) => Err(InputError::Field(field, "must be a text")),
    }
}

fn date(of: &Value, field: &'static str) -> Result<Option<Date>> {
    let day = text(of, field)?.map(|text| Date::parse(&text));
    day.map(|day| day.ok_or(InputError::Field(field, "must be a date (YYYY-MM-DD)"))).transpose()
}

fn amount(of: &Value, field: &'static str) -> Result<i64> {
    let text = text(of, field)?.ok_or(missing(field))?;
    let amount = Amount::parse(text.as_bytes()).ok_or(InputError::Field(field, "must be an amount, such as 120.00"))?;
    Ok(amount.0)
}
