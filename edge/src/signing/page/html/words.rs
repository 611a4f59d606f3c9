//! All texts of the signing page except the signed document. Its readers may read little English or use a screen
//! reader: short sentences, common words.

use overturn_core::signing::birth::BirthError;
use overturn_core::signing::form::FormProblem;
use std::borrow::Cow;

pub(super) const TITLE: &str = "Please sign";
/// The text before and after the practice's name.
pub(super) const WHO_ASKS: [&str; 2] = ["", " asks you to sign a document."];
pub(super) const WHAT_FOR: &str = "An insurer did not pay for medical care. The practice wants to ask the insurer to think again. \
     It needs your permission for that. You will not be asked to pay anything here.";

/// The texts around the date of birth.
pub(super) struct BirthWords {
    pub(super) legend: &'static str,
    pub(super) hint: &'static str,
}

pub(super) const BIRTH: BirthWords = BirthWords {
    legend: "Patient’s date of birth",
    hint: "We ask so that nobody else can read the document. If you sign for somebody else, such as your child, \
           enter that person’s date of birth. For example: 11 30 1951",
};
pub(super) const MONTH: &str = "Month";
pub(super) const DAY: &str = "Day";
pub(super) const YEAR: &str = "Year";
pub(super) const CONTINUE: &str = "Continue";

pub(super) const READ: &str = "Read this first. If it is right, sign below.";
pub(super) const YOUR_SIGNATURE: &str = "Your signature";
pub(super) const NAME: &str = "Type your full name";
pub(super) const NAME_HINT: &str = "Typing your name here is your signature.";
pub(super) const DRAW: &str = "Or draw your signature in this box with a finger, a pen or a mouse.";
pub(super) const CLEAR: &str = "Clear the drawing";
pub(super) const DRAWN: &str = "The box has a drawing.";
pub(super) const CLEARED: &str = "The box is empty.";
pub(super) const CONSENT: &str = "I have read the text above and I agree to it.";
pub(super) const SIGN: &str = "Sign";

pub(super) const THANKS: &str = "Thank you";
pub(super) const DONE: &str =
    "You have signed, and the practice can see it. You can close this page.";
pub(super) const COPY: &str = "This is what you signed. You may print this page and keep it.";

pub(super) const SIGNED_NAME: &str = "Name, as typed";
pub(super) const SIGNED_DRAWING: &str = "Signature, as drawn";
pub(super) const SIGNED_AT: &str = "Signed on";

pub(super) const PROBLEM: &str = "There is a problem";

/// A problem, and the field that can correct it.
pub(super) struct Complaint {
    pub(super) field: &'static str,
    pub(super) text: Cow<'static, str>,
}

const fn complaint(field: &'static str, text: &'static str) -> Complaint {
    Complaint {
        field,
        text: Cow::Borrowed(text),
    }
}

pub(super) const CHANGED: Complaint = complaint(
    "consent",
    "The document has changed since you opened it. Please read it again, then agree and sign.",
);

/// Why the date of birth is asked again.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BirthProblem {
    /// It is not a date.
    NoDate(BirthError),
    /// It is not the patient's; the number of attempts left.
    Wrong(i64),
    /// It was correct, but too long ago.
    TooLong,
}

pub(super) fn of_birth(problem: BirthProblem) -> Complaint {
    match problem {
        BirthProblem::NoDate(why) => match why {
            BirthError::Month => complaint("month", "Enter the month of birth: a number from 1 to 12, or its name."),
            BirthError::Day => complaint("day", "Enter the day of birth: a number from 1 to 31."),
            BirthError::Year => complaint("year", "Enter the year of birth with four digits, such as 1951."),
            BirthError::NoSuchDay => complaint("day", "That month does not have that day. Check the date of birth."),
            BirthError::Future => complaint("year", "The date of birth must be in the past."),
        },
        BirthProblem::Wrong(left) => Complaint {
            field: "month",
            text: format!(
                "That is not the date of birth that the practice has. Check it and try again. You have {}.",
                tries(left)
            )
            .into(),
        },
        BirthProblem::TooLong => complaint("month", "That took more than half an hour. Enter the date of birth again."),
    }
}

fn tries(left: i64) -> String {
    if left == 1 {
        "one more try".into()
    } else {
        format!("{left} more tries")
    }
}

pub(super) const fn of(problem: FormProblem) -> Complaint {
    match problem {
        // Without a script there is no drawing field. With one, the reader sees it below.
        FormProblem::Missing => {
            complaint("name", "Your signature is missing. Type your full name.")
        }
        FormProblem::NameTooLong => {
            complaint("name", "The name is too long: type at most 200 letters.")
        }
        FormProblem::NameUnprintable => complaint(
            "name",
            "The name has signs that cannot be shown. Type it again.",
        ),
        FormProblem::Drawing => complaint(
            "pad",
            "The drawing could not be read. Clear it and draw again, or type your name.",
        ),
        FormProblem::Consent => complaint("consent", "Tick the box to say that you agree."),
    }
}
