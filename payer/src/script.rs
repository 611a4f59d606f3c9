//! What happens to a claim, and after how many days.

use crate::numbers::Numbers;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// What a payer does with a claim and its appeals.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Script {
    pub act: Act,
    /// The reason of a denial.
    pub codes: Codes,
    /// Days from the last day of service to the first answer.
    pub after: u16,
    /// Days from the first answer to the one that reverses it or takes money back, and from there to the day on which the
    /// money is kept back.
    pub later: u16,
    /// The answers to appeals, the first one first.
    pub replies: Vec<Reply>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    Pay,
    /// Denies every line as a whole.
    #[default]
    Deny,
    /// Denies every second line, beginning with the first. Of a single line it denies half of what it allows.
    Part,
    /// Denies, and later reverses that and pays.
    Reverse,
    /// Pays, and later takes the money back and denies.
    TakeBack,
}

/// Why an amount was not paid.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Codes {
    pub group: String,
    pub carc: String,
    /// A remark code (RARC).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
}

/// An answer to an appeal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reply {
    pub outcome: Outcome,
    /// Days from the appeal to the answer.
    pub after: u16,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Overturned,
    /// Half of what was denied is paid.
    Part,
    Upheld,
    Dismissed,
    /// The payer asks for records and decides nothing.
    Records,
    Silence,
}

/// Denials that every table of codes agrees on, with a remark that goes with each.
const DENIALS: [(&str, &str, &str); 8] = [
    ("CO", "50", "N115"),
    ("PR", "96", "N130"),
    ("CO", "197", ""),
    ("OA", "16", "N290"),
    ("PI", "29", ""),
    ("CO", "B7", "N570"),
    ("CO", "97", "M15"),
    ("PR", "204", "N130"),
];

impl Default for Script {
    fn default() -> Self {
        Self { act: Act::Deny, codes: Codes::default(), after: 14, later: 30, replies: Vec::new() }
    }
}

impl Default for Codes {
    fn default() -> Self {
        Self::of(("CO", "50", "N115"))
    }
}

impl Codes {
    fn of((group, carc, remark): (&str, &str, &str)) -> Self {
        let remark = (!remark.is_empty()).then(|| remark.into());
        Self { group: group.into(), carc: carc.into(), remark }
    }

    /// Reads `CO-50`, with a remark code if there is one.
    #[must_use]
    pub fn parse(code: &str, remark: Option<&str>) -> Option<Self> {
        let (group, carc) = code.split_once('-')?;
        let codes = Self { group: group.into(), carc: carc.into(), remark: remark.map(Into::into) };
        codes.is_valid().then_some(codes)
    }

    /// True if X12 can carry them: a group code, a reason of up to 5 characters, a remark of up to 7.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        let fits = |code: &str, most: usize| {
            (1..=most).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        matches!(&*self.group, "CO" | "PR" | "OA" | "PI" | "CR")
            && fits(&self.carc, 5)
            && self.remark.as_deref().is_none_or(|remark| fits(remark, 7))
    }

    /// The reason as claims have it, such as `CO-50`.
    #[must_use]
    pub fn reason(&self) -> String {
        format!("{}-{}", self.group, self.carc)
    }

    /// Chosen by chance.
    pub(crate) fn any(numbers: &mut Numbers) -> Self {
        Self::of(numbers.pick(&DENIALS))
    }
}

impl Outcome {
    const ALL: [Self; 6] = [Self::Overturned, Self::Part, Self::Upheld, Self::Dismissed, Self::Records, Self::Silence];

    /// Chosen by chance.
    #[must_use]
    pub fn any(numbers: &mut Numbers) -> Self {
        numbers.pick(&Self::ALL)
    }
}

impl Script {
    /// Chosen by chance, with up to two answers to appeals.
    #[must_use]
    pub fn any(numbers: &mut Numbers) -> Self {
        let days = |numbers: &mut Numbers, from: u16, to: u16| {
            let more = numbers.below(u64::from(to.saturating_sub(from)) + 1);
            from.saturating_add(u16::try_from(more).unwrap_or(0))
        };
        let act = numbers.pick(&[Act::Deny, Act::Deny, Act::Part, Act::Part, Act::Pay, Act::Reverse, Act::TakeBack]);
        let mut script = Self {
            act,
            codes: Codes::any(numbers),
            after: days(numbers, 7, 45),
            later: days(numbers, 10, 40),
            replies: vec![],
        };
        for _ in 0..numbers.below(3) {
            script.replies.push(Reply { outcome: Outcome::any(numbers), after: days(numbers, 15, 60) });
        }
        script
    }

    /// Reads a script in JSON.
    ///
    /// # Errors
    ///
    /// What is wrong, by the name of the field.
    pub fn read(json: &str) -> Result<Self, String> {
        let script: Self = serde_json::from_str(json).map_err(|error| error.to_string())?;
        if !script.codes.is_valid() {
            return Err("group, carc and remark must be codes of X12, such as CO, 50 and N115".into());
        }
        Ok(script)
    }
}
