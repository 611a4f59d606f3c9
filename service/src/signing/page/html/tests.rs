use super::*;
use crate::html::tests::{attribute, between, inputs};
use crate::request::language::Language;
use crate::signing::birth::BirthError;
use crate::signing::drawing::Drawing;
use crate::signing::form::SignatureInput;
use crate::signing::signature::Relation;
use overturn_core::base::time::Time;

fn authorization(text: &str) -> Authorization {
    Authorization {
        language: Language::English,
        title: "Authorization".into(),
        facts: vec![("Patient".into(), text.into())],
        paragraphs: vec![text.into()],
    }
}

const LINE: &str = "[[[1,2],[3,4]]]";

fn given(name: Option<&str>, drawing: Option<&str>) -> SignatureInput {
    SignatureInput {
        relation: Relation::Guardian,
        name: name.map(Into::into),
        drawing: drawing.and_then(|drawing| Drawing::parse(drawing).unwrap()),
    }
}

fn signed(given: &SignatureInput) -> Signed<'_> {
    let at = Time::parse("2026-11-21T14:05:09Z").unwrap();
    Signed { given, at, zone: None }
}

const EVERY: [FormProblem; 7] = [
    FormProblem::Relation,
    FormProblem::RepresentativeUnnamed,
    FormProblem::Missing,
    FormProblem::NameTooLong,
    FormProblem::NameUnprintable,
    FormProblem::Drawing,
    FormProblem::Consent,
];

/// A page of each kind, with `text` in every variable place.
pub(crate) fn pages(text: &str) -> Vec<String> {
    let typed = Typed { month: text, day: text, year: text };
    let form = SignatureFields { token: text, proof: text, relation: Relation::Patient, name: text, drawing: text };
    let document = authorization(text);
    let both = given(Some(text), Some(LINE));
    vec![
        ask_birth(Language::English, text, text, typed, None),
        ask_birth(Language::English, text, text, typed, Some(BirthProblem::Wrong(1))),
        ask_birth(Language::English, text, text, typed, Some(BirthProblem::Wrong(4))),
        ask_birth(Language::English, text, text, typed, Some(BirthProblem::TooLong)),
        ask_signature(&document, form, Again::Problems(&[])),
        ask_signature(&document, form, Again::Problems(&[FormProblem::Missing, FormProblem::Consent])),
        ask_signature(&document, form, Again::Changed),
        thanks(Language::English, Some(&document), signed(&both)),
        thanks(Language::English, None, signed(&both)),
    ]
}

#[test]
fn every_complaint_leads_to_its_field_and_is_read_out_first() {
    let form = SignatureFields { token: "t", proof: "p", relation: Relation::Patient, name: "", drawing: "" };
    let document = authorization("x");
    let mut complaining: Vec<String> =
        EVERY.iter().map(|problem| ask_signature(&document, form, Again::Problems(&[*problem]))).collect();
    complaining.push(ask_signature(&document, form, Again::Changed));
    let births = [BirthError::Month, BirthError::Day, BirthError::Year, BirthError::NoSuchDay, BirthError::Future];
    complaining.extend(
        births.map(|why| ask_birth(Language::English, "t", "x", Typed::default(), Some(BirthProblem::NoDate(why)))),
    );
    for page in &complaining {
        assert!(page.contains("<title>Error: "), "{page}");
        assert!(page.contains("role=\"alert\" tabindex=\"-1\" autofocus>"));
        let fields = between(page, "<a href=\"#", "\"");
        assert_eq!(fields.len(), 1);
        assert_eq!(page.matches(&format!(" id=\"{}\"", fields[0])).count(), 1);
        let link = format!("<a href=\"#{}\">", fields[0]);
        let beside = format!("<p class=\"error\" id=\"problem-{}\">", fields[0]);
        assert_eq!(
            between(page, &beside, "</p>"),
            between(page, &link, "</a>"),
            "what the summary says stands beside the field"
        );
        let wrong: Vec<_> = inputs(page)
            .into_iter()
            .chain(between(page, "<select", ">"))
            .filter(|input| input.contains("aria-invalid=\"true\""))
            .collect();
        // The drawing field is not an input.
        assert_eq!(wrong.len(), usize::from(fields[0] != "pad"));
        for input in wrong {
            assert_eq!(attribute(input, "id"), Some(fields[0]));
            let described = attribute(input, "aria-describedby").unwrap();
            assert!(described.starts_with(&format!("problem-{}", fields[0])));
        }
    }
    let fine = ask_signature(&document, form, Again::Problems(&[]));
    assert!(!fine.contains("alert") && !fine.contains("aria-invalid=\""));
}

#[test]
fn every_page_is_in_one_language_and_leads_to_the_other() {
    let [english, spanish] = Language::ALL.map(|language| {
        let document = Authorization { language, ..authorization("x") };
        let form = SignatureFields { token: "t", proof: "p", relation: Relation::Patient, name: "", drawing: "" };
        let ask = |problem| ask_birth(language, "t", "x", Typed::default(), problem);
        [
            ask(None),
            ask(Some(BirthProblem::Wrong(2))),
            ask_signature(&document, form, Again::Problems(&EVERY)),
            ask_signature(&document, form, Again::Changed),
            thanks(language, None, signed(&given(Some("x"), Some(LINE)))),
        ]
    });
    for (page, of) in english.iter().map(|page| (page, "en")).chain(spanish.iter().map(|page| (page, "es"))) {
        assert!(page.contains(&format!("<html lang=\"{of}\">")));
        let other = if of == "en" { "es" } else { "en" };
        // The copy has nothing more to send.
        let leads = !page.contains("<dl>") || page.contains("<form");
        assert_eq!(page.contains(&format!("<button class=\"second\" lang=\"{other}\">")), leads);
    }
    // No text of a page is the same in both languages, but for what is the same word.
    let texts = |page: &str| -> Vec<String> {
        let texts = page.split('>').filter_map(|rest| rest.split_once('<'));
        texts.map(|(text, _)| text.trim().to_owned()).filter(|text| text.len() > 3).collect()
    };
    let same = ["Overturn", "Authorization", "Patient"];
    for (english, spanish) in english.iter().zip(&spanish) {
        let english = texts(english);
        let (_, body) = spanish.split_once("<body>").unwrap();
        for text in texts(body) {
            assert!(!english.contains(&text) || same.contains(&&*text), "{text}");
        }
    }
}

#[test]
fn thanks_show_the_signature_as_it_was_made() {
    for (name, drawing) in [(Some("Zoë"), None), (None, Some(LINE)), (Some("Zoë"), Some(LINE))] {
        let page = thanks(Language::English, None, signed(&given(name, drawing)));
        assert_eq!(page.contains("<dd><bdi>Zoë</bdi></dd>"), name.is_some());
        let picture =
            "<svg viewBox=\"0 0 600 200\" role=\"img\" aria-label=\"Signature, as drawn\"><path d=\"M1 2L3 4h0\"/>";
        assert_eq!(page.contains(picture), drawing.is_some(), "{page}");
        assert!(page.contains("<dd>November 21, 2026, 14:05 UTC</dd>"));
    }
}

#[test]
fn every_field_has_its_label_and_its_purpose() {
    let mut purposes = Vec::new();
    for page in pages("x") {
        for input in inputs(&page) {
            let id = attribute(input, "id").unwrap();
            assert_eq!(page.matches(&format!("<label for=\"{id}\">")).count(), 1);
            assert_eq!(page.matches(&format!(" id=\"{id}\"")).count(), 1);
            purposes.extend(attribute(input, "autocomplete").map(ToOwned::to_owned));
        }
    }
    purposes.sort_unstable();
    purposes.dedup();
    assert_eq!(purposes, ["bday-day", "bday-month", "bday-year", "name"]);
}

#[test]
fn the_script_comes_from_one_place_and_only_where_something_is_drawn() {
    for page in pages("x") {
        let scripts = between(&page, "<script ", ">");
        let expected = format!("type=\"module\" src=\"{}\"", path::PAD);
        let draws = page.contains("<canvas ");
        assert_eq!(scripts, if draws { vec![&*expected] } else { vec![] });
    }
}

#[test]
fn the_script_draws_as_much_as_is_read() {
    for limit in ["STROKES_MAX = 100;", "POINTS_MAX = 3000;"] {
        assert!(PAD_SCRIPT.contains(limit), "{limit}");
    }
}
