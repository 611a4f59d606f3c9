//! The body of a send before validation: one item, or a batch.

use crate::request::body::{AnyValue, Lenient, Object, Text, Texts, first, object};
use alloc::vec::Vec;
use core::marker::PhantomData;
use serde::de::{Deserialize, Deserializer, SeqAccess};

object! {
    /// The request envelope: a single item or a batch.
    RawEnvelope { claims: ClaimsValue<'a>, patient: Object<RawPatient<'a>>, claim: Object<RawClaim<'a>>, }
}

object! {
    RawItem { patient: Object<RawPatient<'a>>, claim: Object<RawClaim<'a>>, }
}

object! {
    /// An unchecked `patient`. Add a new key at the end, and to `clients/wasm/js/pack.js`: its position is its bit.
    RawPatient {
        first_name: Text<'a>, last_name: Text<'a>, date_of_birth: Text<'a>, account_number: Text<'a>,
        member_id: Text<'a>,
    }
}

object! {
    /// An unchecked `claim`. Add a new key at the end, and to `clients/wasm/js/pack.js`: its position is its bit.
    RawClaim {
        claim_number: Text<'a>, payer_claim_number: Text<'a>, payer_name: Text<'a>, date_of_service: Text<'a>,
        denial_date: Text<'a>, plan_type: Text<'a>, procedure_code: Text<'a>, billed_amount: Text<'a>,
        denied_amount: Text<'a>, denial_codes: Texts<'a>, denial_reason: Text<'a>, diagnosis_codes: Texts<'a>,
    }
}

/// The value of `claims`.
#[derive(Default)]
pub(crate) enum ClaimsValue<'a> {
    /// Absent: the envelope is a single item. (`null` counts as present.)
    #[default]
    Absent,
    /// An array; `count` is its length. At most [`ClaimsValue::MAX`] items are kept.
    Items { items: Vec<Object<RawItem<'a>>>, count: usize },
    /// Of another type.
    Wrong,
}

impl ClaimsValue<'_> {
    /// The most items that are kept.
    pub(crate) const MAX: usize = ITEMS_MAX;
}

impl<'de: 'a, 'a> Lenient<'de> for ClaimsValue<'a> {
    const NULL: Self = Self::Wrong;
    const WRONG: Self = Self::Wrong;
    fn array<A: SeqAccess<'de>>(array: A) -> Result<Self, A::Error> {
        let (items, count) = first(array, Self::MAX, |_| true)?;
        Ok(Self::Items { items, count })
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for ClaimsValue<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(AnyValue(PhantomData))
    }
}

/// Claims per send request (interface: Limits).
pub const ITEMS_MAX: usize = 100;
