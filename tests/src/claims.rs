//! Bodies of send requests.

use serde_json::{Value, json};

/// An item with a claim number and only the required fields.
pub fn item(number: &str) -> Value {
    json!({
        "patient": { "first_name": "Jane", "last_name": "Doe", "date_of_birth": "1980-02-29" },
        "claim": {
            "claim_number": number,
            "payer_claim_number": "ICN-1",
            "payer_name": "Acme Health",
            "date_of_service": "2025-01-02",
            "billed_amount": "120.00",
            "denial_codes": ["CO-45"],
        },
    })
}

/// An item with every field.
pub fn full(number: &str) -> Value {
    json!({
        "patient": {
            "first_name": "Jane",
            "last_name": "Doe",
            "date_of_birth": "1980-02-29",
            "account_number": "ACC-1",
            "member_id": "W123",
        },
        "claim": {
            "claim_number": number,
            "payer_claim_number": "ICN-1",
            "payer_name": "Acme Health",
            "date_of_service": "2025-01-02",
            "denial_date": "2025-02-03",
            "plan_type": "erisa",
            "procedure_code": "99213-25",
            "billed_amount": "200.00",
            "denied_amount": "123.45",
            "denial_codes": ["CO-45", "n130", "see letter"],
            "denial_reason": "not covered",
            "diagnosis_codes": ["J10.1", "E11.9"],
        },
    })
}

/// An item with a field set, as in `with(item("A-1"), "patient.first_name", "Ann")`; `null` removes the field.
pub fn with(mut item: Value, field: &str, value: impl Into<Value>) -> Value {
    let (object, name) = field.split_once('.').unwrap();
    let object = item[object].as_object_mut().unwrap();
    match value.into() {
        Value::Null => object.remove(name),
        value => object.insert(name.into(), value),
    };
    item
}

pub fn batch(items: impl IntoIterator<Item = Value>) -> Value {
    json!({ "claims": items.into_iter().collect::<Vec<_>>() })
}

/// A batch of items with these numbers.
pub fn numbered<N: AsRef<str>>(numbers: impl IntoIterator<Item = N>) -> Value {
    batch(numbers.into_iter().map(|number| item(number.as_ref())))
}
