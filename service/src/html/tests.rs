use super::respond::content_security_policy;
use super::*;
use crate::signing::page::html::tests as signing;
use data_encoding::BASE64;
use maud::html;
use sha2::{Digest, Sha256};

/// A page of each kind, with `text` in every variable place.
fn pages(text: &str) -> Vec<String> {
    let failures = [Failed::SigningLink, Failed::TooMany(45), Failed::Request, Failed::Service];
    [signing::pages(text), failures.map(failed).into()].concat()
}

/// The text between each `before` and the next `after`.
pub(crate) fn between<'p>(page: &'p str, before: &str, after: &str) -> Vec<&'p str> {
    page.split(before).skip(1).map(|rest| rest.split_once(after).unwrap().0).collect()
}

/// The attributes of the visible inputs.
pub(crate) fn inputs(page: &str) -> Vec<&str> {
    let inputs = between(page, "<input ", ">").into_iter();
    inputs.filter(|input| !input.contains("type=\"hidden\"")).collect()
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
        for leads in between(&page, "src=\"", "\"").iter().chain(&between(&page, "href=\"", "\"")) {
            assert!(leads.starts_with(['#', '/']), "{leads} in {page}");
        }
        for tag in between(&page, "<", ">") {
            assert!(!tag.contains(" on"), "a handler in {tag}");
        }
        for tag in ["html", "head", "body", "main", "title", "style", "h1", "form", "p", "label", "button"] {
            let opened = page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
            assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{tag} in {page}");
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
        assert!(policy.contains(&format!("style-src 'sha256-{hash}';")), "{policy}");
    }
    assert!(policy.starts_with("default-src 'none';"));
    assert!(!policy.contains("unsafe") && !policy.contains("script"));
    let scripted = content_security_policy_with_script();
    assert_eq!(scripted.replace("script-src 'self'; ", ""), policy);
    assert_ne!(scripted, policy);
}
