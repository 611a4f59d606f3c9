//! The plan type of a claim, from its claim filing indicator.

use crate::code::Code;
use crate::csv::{self, CsvError};
use crate::text::words;
use alloc::collections::BTreeMap;
use alloc::string::String;
use overturn_core::plan::claims::PlanType;

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

/// True for California's Department of Health Care Services, which pays Medi-Cal's fee for service. A managed plan has Medi-Cal
/// in its name too, so that word alone does not count.
fn is_dhcs(payer: &str) -> bool {
    let named = [
        "department of health care services",
        "dept of health care services",
        "medi cal fiscal intermediary",
    ];
    payer.split(' ').any(|word| word == "dhcs")
        || named.iter().any(|name| payer.contains(name))
        || matches!(
            payer,
            "medi cal" | "california medi cal" | "state of california medi cal"
        )
}
