//! The signing page, as the patient sees it.

use super::pages::assert_page;
use overturn_core::base::instant::Instant;
use overturn_core::base::time::Time;
use overturn_service::plan::words::InWords as _;
use overturn_tests::link::submit;
use overturn_tests::prelude::*;
use overturn_tests::signing::{BORN, Case, NUMBER, SIGN, SIGNATURE, born, hidden, open, patient, proof, sign};

const LINE: &str = "[[[10,20],[30,40]],[[50,60]]]";
const GONE: &str = "This link does not work";

fn policy(answer: &Answer) -> &str {
    answer.header("content-security-policy").unwrap()
}

#[test]
fn a_patient_signs_with_a_typed_name() {
    let (case, token) = Case::needed();
    let phone = patient(case.tenant.server);
    let opened = open(&phone, &token);
    assert_page(&opened, 200, "<bdi>Practice</bdi> asks you to sign");
    // A token is random and may contain any text.
    let rest = opened.text().replace(&token, "");
    for unseen in ["Jane", "Doe", "Acme", "120.00", "1980", NUMBER] {
        assert!(!rest.contains(unseen), "{unseen}");
    }
    assert_eq!(opened.header("referrer-policy"), Some("same-origin"));
    assert_eq!(opened.header("cache-control"), Some("no-store"));
    assert!(!policy(&opened).contains("script"));

    let shown = born(&phone, &token, BORN);
    assert_page(&shown, 200, "<bdi>Jane Doe</bdi>");
    for seen in ["Acme Health", "$120.00", "January 2, 2025", "Practice", NUMBER] {
        assert_page(&shown, 200, &format!("<bdi>{seen}</bdi>"));
    }
    assert!(policy(&shown).contains("script-src 'self';"));
    let rest = shown.text().replace(&token, "");
    let rest = rest.replace(&hidden(&shown, "proof"), "");
    assert!(!rest.contains("1980"), "nor does the form carry it");

    let name = "Jane Q. Doe";
    let signed = sign(&phone, &token, &hidden(&shown, "proof"), &[("name", name)]);
    assert_page(&signed, 200, "Thank you");
    assert_page(&signed, 200, "Amount billed");
    assert_page(&signed, 200, "<bdi>Jane Q. Doe</bdi>");
    let row = case.tenant.row(NUMBER);
    assert_eq!((&row["signing_status"], &row["version"]), (&json!("signed"), &json!(3)));
    let kept = &case.signatures()[0];
    let at = Time(Instant(kept["signed_at"].as_i64().unwrap()));
    assert_page(&signed, 200, &format!("<dd>{}</dd>", at.in_words()));
    assert_eq!((&kept["name"], &kept["agent"]), (&json!(name), &json!("A phone")));
    assert_eq!(kept["version"], "2026-11-21");
    let text = kept["text"].as_str().unwrap();
    assert!(text.contains("\nPatient: Jane Doe\nMedical practice: Practice\nInsurer: Acme Health\n"));
    for line in text.lines().filter(|line| line.len() > 60) {
        let shown = shown.text();
        assert!(shown.contains(&format!("<p>{line}</p>")), "{line}");
    }
    assert!(case.links()[0]["used_at"].is_i64());
    assert_eq!(case.link(), None);
    let told = case.tenant.client().status(NUMBER);
    assert_eq!(told.json["claim"]["signing"]["status"], "signed");
    let actor = format!("signing_link:{}", case.links()[0]["id"].as_str().unwrap());
    for action in ["signing.shown", "signing.signed"] {
        let trail = case.tenant.audit(action);
        assert_eq!((trail.len(), &trail[0]["actor"]), (1, &json!(actor)));
        assert_eq!(trail[0]["record"], case.id);
    }
    case.tenant.check();
}

#[test]
fn a_patient_reads_and_signs_in_spanish() {
    let (case, token) = Case::needed();
    let phone = patient(case.tenant.server);
    let spanish = phone.with("Accept-Language", "es-MX,es;q=0.9,en;q=0.8");
    let opened = open(&spanish, &token);
    assert_page(&opened, 200, "<bdi>Practice</bdi> le pide que firme");
    assert_page(&opened, 200, "<html lang=\"es\">");
    assert_eq!(hidden_of(&opened, "method=\"post\"", "language"), "es");
    // The link of the switch.
    let chosen = spanish.get(&format!("{SIGN}?token={token}&language=en"));
    assert_page(&chosen, 200, "<bdi>Practice</bdi> asks you to sign");

    let spoken = [("language", "es")];
    let wrong = [("month", "ene"), ("day", "1"), ("year", "1980")];
    let again = born(&spanish, &token, [wrong[0], wrong[1], wrong[2]]);
    assert_page(&again, 422, "That is not the date of birth");
    let fields = [&[("token", &*token)], &wrong[..], &spoken[..]].concat();
    assert_page(&submit(&spanish, SIGN, &fields), 422, "Le quedan 3 intentos más");

    // English first, then Spanish without another date of birth.
    let english = proof(&phone, &token);
    let switched = [("token", &*token), ("proof", &*english), ("language", "es"), ("switch", "yes")];
    let shown = submit(&phone, SIGNATURE, &switched);
    assert_page(&shown, 200, "Autorización para apelar");
    assert_page(&shown, 200, "<bdi>2 de enero de 2025</bdi>");
    let proven = hidden_of(&shown, "name=\"name\"", "proof");
    assert_eq!(case.links()[0]["used_at"], json!(null), "reading signs nothing");

    // The proof of one language does not sign the other.
    let crossed = sign(&phone, &token, &english, &[("name", "Jane Doe"), ("language", "es")]);
    assert_page(&crossed, 422, "El documento cambió");
    let signed = sign(&phone, &token, &proven, &[("name", "Jane Doe"), ("language", "es")]);
    assert_page(&signed, 200, "Gracias");
    assert_page(&signed, 200, "Autorización para apelar");
    let kept = &case.signatures()[0];
    assert_eq!((&kept["version"], &kept["language"]), (&json!("2026-11-22"), &json!("es")));
    let text = kept["text"].as_str().unwrap();
    assert!(text.contains("\nPaciente: Jane Doe\nConsultorio médico: Practice\n"));
    let client = case.staff.client();
    let read = client.get(&case.path("/signature"));
    assert_eq!((&read.json["language"], &read.json["text"]), (&json!("es"), &json!(text)));
    case.tenant.check();
}

/// The hidden field of the form that has this text.
fn hidden_of(page: &Answer, has: &str, name: &str) -> String {
    let text = page.text();
    let form = text.split("<form ").find(|form| form.contains(has)).unwrap();
    let (_, rest) = form.split_once(&format!("name=\"{name}\" value=\"")).unwrap();
    rest.split('"').next().unwrap().into()
}

#[test]
fn a_patient_signs_with_a_drawing() {
    let (case, token) = Case::needed();
    let phone = patient(case.tenant.server);
    let proof = proof(&phone, &token);
    let signed = sign(&phone, &token, &proof, &[("name", ""), ("drawing", LINE)]);
    assert_page(&signed, 200, "Thank you");
    assert_page(&signed, 200, "<path d=\"M10 20L30 40h0M50 60h0\"/>");
    let kept = &case.signatures()[0];
    assert_eq!(kept["strokes"].to_string(), LINE);
    assert_eq!(kept.get("name"), None);
}

#[test]
fn problems_are_reported_and_no_input_is_lost() {
    let (case, token) = Case::needed();
    let phone = patient(case.tenant.server);
    for (field, date) in [
        ("month", ["13", "1", "1980"]),
        ("day", ["2", "", "1980"]),
        ("year", ["2", "1", "80"]),
        ("day", ["2", "30", "1980"]),
        ("year", ["2", "1", "9999"]),
    ] {
        let [month, day, year] = date;
        let typed = [("month", month), ("day", day), ("year", year)];
        let again = born(&phone, &token, typed);
        assert_page(&again, 422, &format!("<a href=\"#{field}\">"));
        for (name, value) in typed {
            let input = format!("name=\"{name}\" type=\"text\"");
            let text = again.text();
            let (_, rest) = text.split_once(&input).unwrap();
            let (input, _) = rest.split_once('>').unwrap();
            assert!(input.contains(&format!("value=\"{value}\"")), "{input}");
            assert_eq!(input.contains("aria-invalid"), name == field, "{input}");
        }
    }
    assert_eq!(case.links()[0]["attempts"], 0, "what is no date is no try");

    let shown = proof(&phone, &token);
    let long = "x".repeat(201);
    for (fields, field, said) in [
        (&[("name", "")][..], "name", "Your signature is missing"),
        (&[("name", &*long)], "name", "too long"),
        (&[("name", "A\u{202e}b")], "name", "cannot be shown"),
        (&[("name", ""), ("drawing", "[[[601,1],[2,2]]]")], "pad", "could not be read"),
    ] {
        let again = sign(&phone, &token, &shown, fields);
        assert_page(&again, 422, said);
        assert_page(&again, 422, &format!("<a href=\"#{field}\">"));
        assert_eq!(hidden(&again, "proof"), shown);
    }
    let fields = [("token", &*token), ("proof", &shown), ("name", "Jane \"J\""), ("drawing", LINE)];
    let again = submit(&phone, SIGNATURE, &fields);
    assert_page(&again, 422, "Tick the box");
    assert_page(&again, 422, "value=\"Jane &quot;J&quot;\"");
    assert_eq!(hidden(&again, "drawing"), LINE);
    assert!(case.signatures().is_empty());
}

#[test]
fn two_tabs_and_a_double_click_give_one_signature_and_thanks_for_all() {
    let (case, token) = Case::needed();
    let phone = patient(case.tenant.server);
    let proofs = [proof(&phone, &token), proof(&phone, &token)];
    let proofs = proofs.iter().cycle().take(6);
    let calls = proofs.map(|proof| {
        let (phone, token) = (&phone, &token);
        move || sign(phone, token, proof, &[("name", "Jane Doe")])
    });
    for answer in at_once(calls.collect()) {
        assert_page(&answer, 200, "Thank you");
    }
    assert_eq!(case.signatures().len(), 1);
    assert_eq!(case.tenant.audit("signing.signed").len(), 1);
    assert_eq!(case.tenant.row(NUMBER)["version"], 3);
    case.tenant.check();
}

#[test]
fn a_document_that_changed_is_shown_again_before_it_is_signed() {
    let (case, token) = Case::needed();
    let phone = patient(case.tenant.server);
    let shown = proof(&phone, &token);
    let corrected = with(item(NUMBER), "claim.billed_amount", "99.00");
    assert_eq!(case.tenant.send(&corrected).created(), [false]);
    let again = sign(&phone, &token, &shown, &[("name", "Jane Doe")]);
    assert_page(&again, 422, "The document has changed");
    assert_page(&again, 422, "$99.00");
    assert_page(&again, 422, "value=\"Jane Doe\"");
    assert!(case.signatures().is_empty());
    let signed = sign(&phone, &token, &hidden(&again, "proof"), &[("name", "Jane Doe")]);
    assert_page(&signed, 200, "Thank you");
    let text = case.signatures()[0]["text"].as_str().unwrap().to_owned();
    assert!(text.contains("$99.00") && !text.contains("120.00"), "{text}");
}

#[test]
fn a_lost_answer_leaves_one_signature() {
    let (case, token) = Case::needed();
    let phone = patient(case.tenant.server);
    let shown = proof(&phone, &token);
    let signed = sign(&phone.losing_commit(), &token, &shown, &[("name", "Jane Doe")]);
    assert_page(&signed, 200, "Thank you");
    assert_eq!(case.signatures().len(), 1);
    case.tenant.check();
}

#[test]
fn the_button_of_the_practice_shows_the_link_and_does_not_end_it() {
    let (case, token) = Case::needed();
    let phone = patient(case.tenant.server);
    let shown = proof(&phone, &token);
    case.tenant.change("UPDATE practices SET appeal_button = 0 WHERE id = ?1", &[]);
    assert_eq!(case.link(), None);
    assert_page(&open(&phone, &token), 200, "asks you to sign");
    let signed = sign(&phone, &token, &shown, &[("name", "Jane Doe")]);
    assert_page(&signed, 200, "Thank you");
}

#[test]
fn the_page_has_its_script_from_here_and_answers_to_its_methods_only() {
    let (case, token) = Case::needed();
    let phone = patient(case.tenant.server);
    let script = phone.exchange("GET", "/sign/pad.js", None);
    script.expect(200);
    assert_eq!(script.header("content-type"), Some("text/javascript; charset=utf-8"));
    let link = format!("{SIGN}?token={token}");
    phone.request("HEAD", &link, None).expect(200);
    assert_page(&phone.request("PUT", &link, Some(b"")), 405, "There is nothing here");
    assert_page(&phone.get(SIGNATURE), 405, "There is nothing here");
    assert_page(&phone.get("/sign/other"), 404, "There is nothing here");
    assert!(!phone.get("/signing").is_page());
    assert_page(&submit(&phone, SIGN, &[]), 404, GONE);
    assert_page(&phone.get(SIGN), 404, GONE);
    assert_eq!(case.links()[0]["attempts"], 0, "opening is no try");
    let line = &case.tenant.server.log().of(open(&phone, &token).request_id())[0];
    assert_eq!(line["route"], SIGN);
    assert!(!line.to_string().contains(&token));
}
