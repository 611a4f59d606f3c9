use super::respond::content_security_policy;
use super::*;
use crate::accounts::pages::html::{
    Choice, CompletedAction, FieldProblem, choose_password, confirm_sign_in, done, enter_code,
};
use crate::signing::page::html::tests as signing;
use data_encoding::BASE64;
use maud::html;
use sha2::{Digest, Sha256};

/// A page of each kind, with `text` in every variable place.
fn pages(text: &str) -> Vec<String> {
    [signing::pages(text), of_letters(text)].concat()
}

/// The pages of mailed links, and all pages about failures.
fn of_letters(text: &str) -> Vec<String> {
    let invitation = Choice::Invitation {
        practice: text,
        name: text,
    };
    vec![
        confirm_sign_in(text),
        enter_code(text, false),
        enter_code(text, true),
        choose_password(text, Choice::Reset, None),
        choose_password(text, Choice::Reset, problem(text)),
        choose_password(text, invitation, None),
        choose_password(text, invitation, problem(text)),
        done(CompletedAction::SignedIn),
        done(CompletedAction::PasswordSet),
        done(CompletedAction::InvitationAccepted),
        failed(Failed::Link),
        failed(Failed::SignIn),
        failed(Failed::TooMany(45)),
        failed(Failed::Taken),
        failed(Failed::Request),
        failed(Failed::Service),
        failed(Failed::SigningLink),
    ]
}

fn problem(text: &str) -> Option<FieldProblem<'_>> {
    let field = "password";
    Some(FieldProblem { field, text })
}

/// The text between each `before` and the next `after`.
pub(crate) fn between<'p>(page: &'p str, before: &str, after: &str) -> Vec<&'p str> {
    page.split(before)
        .skip(1)
        .map(|rest| rest.split_once(after).unwrap().0)
        .collect()
}

/// The attributes of the visible inputs.
pub(crate) fn inputs(page: &str) -> Vec<&str> {
    let inputs = between(page, "<input ", ">").into_iter();
    inputs
        .filter(|input| !input.contains("type=\"hidden\""))
        .collect()
}

pub(crate) fn attribute<'p>(tag: &'p str, name: &str) -> Option<&'p str> {
    between(tag, &format!("{name}=\""), "\"").first().copied()
}

#[test]
fn variable_text_stays_text_whatever_it_holds() {
    let plain = pages("x");
    for hostile in [
        "<script>alert(1)</script>",
        "\"><script>alert(1)</script>",
        "' onfocus='alert(1)' autofocus='",
        "\" onfocus=\"alert(1)\" autofocus=\"",
        "</p></main></title></style><img src=x>",
        "<!-- <![CDATA[",
        "&quot;&gt;&lt;script&gt;",
        "</textarea><form action=\"https://evil.example\">",
    ] {
        for (page, plain) in pages(hostile).iter().zip(&plain) {
            // Every attribute is in double quotes, so a single quote does not end one.
            for mark in ['<', '>', '"'] {
                let count = |page: &str| page.matches(mark).count();
                assert_eq!(count(page), count(plain), "{mark} in {page}");
            }
            let shown = page.replace(&html! { (hostile) }.into_string(), "x");
            assert_eq!(&shown, plain);
        }
    }
}

#[test]
fn every_document_is_complete_and_has_nothing_that_the_policy_forbids() {
    for page in pages("x") {
        assert!(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">\n"));
        assert!(page.ends_with("</html>\n"));
        assert!(page.contains("<meta charset=\"utf-8\">"));
        assert!(page.contains("content=\"width=device-width, initial-scale=1\""));
        for forbidden in ["style=\"", "http:", "https:", "<base"] {
            assert!(!page.contains(forbidden), "{forbidden} in {page}");
        }
        for leads in between(&page, "src=\"", "\"")
            .iter()
            .chain(&between(&page, "href=\"", "\""))
        {
            assert!(leads.starts_with(['#', '/']), "{leads} in {page}");
        }
        for tag in between(&page, "<", ">") {
            assert!(!tag.contains(" on"), "a handler in {tag}");
        }
        for tag in [
            "html", "head", "body", "main", "title", "style", "h1", "form", "p", "label", "button",
        ] {
            let opened = page.matches(&format!("<{tag}>")).count()
                + page.matches(&format!("<{tag} ")).count();
            assert_eq!(
                opened,
                page.matches(&format!("</{tag}>")).count(),
                "{tag} in {page}"
            );
        }
    }
}

#[test]
fn the_policy_allows_the_style_sheet_of_every_page_by_its_hash() {
    let policy = content_security_policy();
    for page in pages("x") {
        let styles = between(&page, "<style>", "</style>");
        assert_eq!(styles.len(), 1);
        let hash = BASE64.encode(&Sha256::digest(styles[0]));
        assert!(
            policy.contains(&format!("style-src 'sha256-{hash}';")),
            "{policy}"
        );
    }
    assert!(policy.starts_with("default-src 'none';"));
    assert!(!policy.contains("unsafe") && !policy.contains("script"));
    let scripted = content_security_policy_with_script();
    assert_eq!(scripted.replace("script-src 'self'; ", ""), policy);
    assert_ne!(scripted, policy);
}

#[test]
fn every_input_has_a_label_a_hint_and_a_purpose() {
    let pages = of_letters("x");
    let mut seen = Vec::new();
    for page in &pages {
        for input in inputs(page) {
            let id = attribute(input, "id").unwrap();
            assert_eq!(page.matches(&format!("<label for=\"{id}\">")).count(), 1);
            assert_eq!(page.matches(&format!(" id=\"{id}\"")).count(), 1);
            assert!(input.contains(" required"));
            for described in attribute(input, "aria-describedby").unwrap().split(' ') {
                assert_eq!(page.matches(&format!(" id=\"{described}\"")).count(), 1);
            }
            seen.push((id, attribute(input, "autocomplete").unwrap()));
        }
    }
    seen.sort();
    seen.dedup();
    assert_eq!(
        seen,
        [
            ("code", "one-time-code"),
            ("name", "name"),
            ("password", "new-password")
        ]
    );
}

#[test]
fn a_form_goes_to_its_own_path_and_takes_its_token_along() {
    let token = "ovt&\"token";
    let invitation = Choice::Invitation {
        practice: "Lakeside",
        name: "Zoë",
    };
    for (page, action, name) in [
        (confirm_sign_in(token), "/auth/magic_link", "token"),
        (
            enter_code(token, false),
            "/auth/magic_link/code",
            "continuation_token",
        ),
        (
            choose_password(token, Choice::Reset, None),
            "/auth/password_reset",
            "token",
        ),
        (
            choose_password(token, invitation, None),
            "/auth/invitation",
            "token",
        ),
    ] {
        assert!(page.contains(&format!("<form method=\"post\" action=\"{action}\">")));
        let hidden =
            format!("<input type=\"hidden\" name=\"{name}\" value=\"ovt&amp;&quot;token\">");
        assert_eq!(page.matches(&hidden).count(), 1, "{page}");
    }
    let page = choose_password(token, invitation, problem("too short"));
    assert!(page.contains("<bdi>Lakeside</bdi>") && page.contains("value=\"Zoë\""));
}

const NAMELESS: Choice<'_> = Choice::Invitation {
    practice: "Lakeside",
    name: "",
};
const TOO_LONG: FieldProblem<'_> = FieldProblem {
    field: "name",
    text: "Too long.",
};

#[test]
fn a_problem_is_announced_and_belongs_to_its_input() {
    for (page, field) in [
        (enter_code("t", true), "code"),
        (
            choose_password("t", Choice::Reset, problem("Too short.")),
            "password",
        ),
        (choose_password("t", NAMELESS, Some(TOO_LONG)), "name"),
    ] {
        assert!(page.contains("<p class=\"wrong\" id=\"problem\" role=\"alert\">"));
        assert!(page.contains("<title>Error: "));
        let inputs = inputs(&page);
        let wrong: Vec<_> = inputs
            .iter()
            .filter(|input| input.contains("aria-invalid=\"true\""))
            .collect();
        assert_eq!(wrong.len(), 1);
        assert_eq!(attribute(wrong[0], "name"), Some(field));
        let described = format!("problem {field}-hint");
        assert_eq!(attribute(wrong[0], "aria-describedby"), Some(&*described));
    }
    for page in [
        enter_code("t", false),
        choose_password("t", Choice::Reset, None),
    ] {
        assert!(
            !page.contains("alert") && !page.contains("Error") && !page.contains("aria-invalid=\"")
        );
    }
}
