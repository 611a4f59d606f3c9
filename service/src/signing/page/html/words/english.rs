//! The texts in English.

use super::Words;

pub(super) static WORDS: Words = Words {
    title: "Please sign",
    who_asks: ["", " asks you to sign a document."],
    what_for: "An insurer did not pay for medical care. The practice wants to ask the insurer to think again. \
               It needs your permission for that. You will not be asked to pay anything here.",
    other_language: "Español",

    birth: "Patient’s date of birth",
    birth_hint: "We ask so that no other person can read the document. If you sign for another person, such as your \
                 child, enter that person’s date of birth. For example: 11 30 1951",
    month: "Month",
    day: "Day",
    year: "Year",
    next: "Continue",

    read: "Read this first. If it is right, sign below.",
    your_signature: "Your signature",
    relation: "Who is signing?",
    relations: [
        "I am the patient",
        "I am a parent of the patient, who is a minor",
        "I am the patient's guardian, appointed by a court",
        "I have a power of attorney for the patient's health care",
        "I settle the estate of the patient, who died",
        "I may act for the patient for another legal reason",
    ],
    name: "Type your full name",
    name_hint: "Typing your name here is your signature.",
    draw: "Or draw your signature in this box with a finger, a pen or a mouse.",
    clear: "Clear the drawing",
    drawn: "The box has a drawing.",
    cleared: "The box is empty.",
    consent: "I have read the text above and I agree to it.",
    sign: "Sign",

    thanks: "Thank you",
    done: "You have signed, and the practice can see it. You can close this page.",
    copy: "This is what you signed. You may print this page and keep it.",
    signed_name: "Name, as typed",
    signed_drawing: "Signature, as drawn",
    signed_at: "Signed on",

    problem: "There is a problem",
    changed: "The document has changed since you opened it. Please read it again, then agree and sign.",
    no_month: "Enter the month of birth: a number from 1 to 12, or its name.",
    no_day: "Enter the day of birth: a number from 1 to 31.",
    no_year: "Enter the year of birth with four digits, such as 1951.",
    no_such_day: "That month does not have that day. Check the date of birth.",
    future: "The date of birth must be in the past.",
    too_long: "That took more than half an hour. Enter the date of birth again.",
    wrong,
    no_relation: "Choose who is signing.",
    unnamed: "Type your full name, because you sign for the patient.",
    missing: "Your signature is missing. Type your full name.",
    name_too_long: "The name is too long: type at most 200 letters.",
    name_unprintable: "The name has signs that cannot be shown. Type it again.",
    drawing: "The drawing could not be read. Clear it and draw again, or type your name.",
    no_consent: "Tick the box to say that you agree.",
};

fn wrong(left: i64) -> String {
    let tries = if left == 1 { "one more try".to_owned() } else { format!("{left} more tries") };
    format!("That is not the date of birth that the practice has. Check it and try again. You have {tries}.")
}
