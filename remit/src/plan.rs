//! The plan type of a claim, from its claim filing indicator.

use crate::code::Code;
use crate::csv;
use crate::error::CsvError;
use crate::text::words;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use overturn_core::claims::PlanType;
use serde::{Serialize, Serializer};

/// Plans by payer, from a file. They come before the claim filing indicator.
#[derive(Clone, Default, Debug)]
pub struct PayerPlans(BTreeMap<String, PlanType>);

impl PayerPlans {
    /// Reads CSV with the columns `payer_name` and `plan_type`. Case, spaces and punctuation of a name do not matter.
    ///
    /// # Errors
    ///
    /// [`CsvError`] names the line.
    pub fn read(file: &str) -> Result<Self, CsvError> {
        let mut plans = BTreeMap::new();
        for row in csv::csv_rows(file, ["payer_name", "plan_type"])? {
            let [payer, plan] = &row.cells;
            let plan = PlanType::parse(plan).ok_or(CsvError::Plan(row.line))?;
            plans.insert(words(payer), plan);
        }
        Ok(Self(plans))
    }

    /// The plan type: of the file, else of CLP06, else of SBR09. It sets the deadline, and a later send cannot correct it, so
    /// an indicator that can mean several plans means none.
    pub(crate) fn of(&self, payer: &str, filing: Code, submitted: Code) -> Option<PlanType> {
        let payer = words(payer);
        let indicator = if filing.is_empty() { submitted } else { filing };
        self.0.get(&payer).copied().or(match indicator.as_str() {
            "MA" | "MB" => Some(PlanType::Medicare),
            "16" => Some(PlanType::MedicareAdvantage),
            "12" | "13" | "14" | "15" | "17" => Some(PlanType::Commercial),
            "CH" => Some(PlanType::Tricare),
            "WC" => Some(PlanType::WorkersComp),
            "AM" | "DS" | "LM" | "OF" | "TV" | "VA" => Some(PlanType::Other),
            "MC" if is_dhcs(&payer) => Some(PlanType::MediCalFfs),
            _ => None,
        })
    }
}

/// A payer of claims that are written without a plan type.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MissingPlan {
    /// The payer, as the file of plans can name it.
    pub payer_name: String,
    /// How many claims.
    pub claims: u64,
}

/// Those payers. No claim is counted twice.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MissingPlans(BTreeMap<u64, MissingPlan>);

impl MissingPlans {
    /// Counts a claim of a payer. The key is of its name without case and punctuation.
    pub(crate) fn add(&mut self, key: u64, payer: &str) {
        let one = self.0.entry(key).or_insert_with(|| MissingPlan { payer_name: payer.into(), claims: 0 });
        one.claims = one.claims.saturating_add(1);
    }

    /// The claims of all payers.
    #[must_use]
    pub fn claims(&self) -> u64 {
        let claims = self.0.values().map(|one| one.claims);
        claims.fold(0, u64::saturating_add)
    }

    /// The payers, with the most claims first.
    #[must_use]
    pub fn payers(&self) -> Vec<&MissingPlan> {
        let mut payers: Vec<_> = self.0.values().collect();
        payers.sort_by(|one, other| {
            let most = other.claims.cmp(&one.claims);
            most.then_with(|| one.payer_name.cmp(&other.payer_name))
        });
        payers
    }
}

impl Serialize for MissingPlans {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.payers().serialize(serializer)
    }
}

/// True for California's Department of Health Care Services, which pays Medi-Cal's fee for service. A managed plan has Medi-Cal
/// in its name too, so that word alone does not count.
fn is_dhcs(payer: &str) -> bool {
    let named = ["department of health care services", "dept of health care services", "medi cal fiscal intermediary"];
    payer.split(' ').any(|word| word == "dhcs")
        || named.iter().any(|name| payer.contains(name))
        || matches!(payer, "medi cal" | "california medi cal" | "state of california medi cal")
}
