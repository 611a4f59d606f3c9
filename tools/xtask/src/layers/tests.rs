use super::*;

fn arrows_of(sources: &[(&str, &str)]) -> Arrows {
    let modules = sources.iter().map(|(module, _)| (*module).to_owned());
    let modules: BTreeSet<String> = modules.collect();
    let arrow = |(module, source): &(&str, &str)| {
        let used = used(module, source, &modules);
        ((*module).to_owned(), used)
    };
    sources.iter().map(arrow).collect()
}

fn used_by(module: &str, source: &str) -> Vec<String> {
    let others = ["", "base::date", "base::id", "plan", "plan::claims", "plan::work"];
    let mut sources: Vec<_> = others.map(|other| (other, "")).into();
    sources.retain(|(other, _)| *other != module);
    sources.push((module, source));
    let arrows = arrows_of(&sources);
    arrows.get(module).unwrap().iter().cloned().collect()
}

#[test]
fn arrows_are_the_paths_that_code_names() {
    let source = "use crate::base::{date::Date, id::{self, ClaimId}};\nuse super::claims as other;\n";
    assert_eq!(used_by("plan::work", source), ["base::date", "base::id", "plan::claims"]);
    assert_eq!(used_by("plan::work", "fn f() -> crate::base::date::Date { todo() }"), ["base::date"]);
    assert!(used_by("plan::work", "pub(super) fn f() {}").is_empty());
    assert!(used_by("plan::work", "($crate::agreement!(), 1)").is_empty());
    assert_eq!(used_by("plan::work", "$crate::base::date::x!()"), ["base::date"]);
    assert_eq!(used_by("plan", "pub mod work;\npub use claims::Item;"), ["plan::claims"]);
}

#[test]
fn comments_and_tests_draw_no_arrow() {
    let source = "/// See [`crate::base::date`].\n#[cfg(test)]\nmod tests {\n    use crate::base::id;\n}\n";
    assert!(used_by("plan::work", source).is_empty());
    let behind = format!("{source}use crate::plan::claims;\n");
    assert_eq!(used_by("plan::work", &behind), ["plan::claims"]);
}

#[test]
fn an_arrow_leads_down_and_never_to_another_context() {
    let [(_, core), (_, service), .., (_, remit)] = FLOORS else {
        panic!("four crates are checked");
    };
    let wrong_in = |floors, from: &str, to: &str| {
        let source = format!("use crate::{to}::X;");
        upward(&arrows_of(&[(from, &source), (to, "")]), floors).len()
    };
    let wrong = |from: &str, to: &str| wrong_in(core, from, to);
    assert_eq!(wrong("claims::intake", "request::body"), 0);
    assert_eq!(wrong("claims::intake", "claims::identity"), 0);
    assert_eq!(wrong("request::field", "claims::intake"), 1);
    assert_eq!(wrong("claims::status", "identity::saml"), 1);
    assert_eq!(wrong("base::date", "request::problem"), 1);
    assert_eq!(wrong("claims::status", "elsewhere"), 2);
    assert_eq!(wrong_in(service, "claims::handlers", "pipeline::commit"), 0);
    assert_eq!(wrong_in(service, "plan::audit", "auth::role"), 0);
    assert_eq!(wrong_in(service, "request::error", "plan::audit"), 1);
    assert_eq!(wrong_in(service, "settings::members", "accounts::account"), 0);
    assert_eq!(wrong_in(service, "accounts::account", "settings::members"), 1);
    assert_eq!(wrong_in(service, "pipeline::authorize", "claims::load"), 1);
    assert_eq!(wrong_in(service, "settings::data_jobs", "webhooks::sweep"), 1);
    assert_eq!(wrong_in(service, "operator", "settings::agreements"), 0);
    assert_eq!(wrong_in(remit, "case", "join"), 0, "it has no floors");
}

#[test]
fn an_item_of_lib_rs_is_no_way_around_a_floor() {
    let (_, core) = FLOORS[0];
    let arrows = arrows_of(&[("", "pub use request::X;"), ("request", ""), ("claims", "use crate::X;")]);
    assert_eq!(upward(&arrows, core), ["claims uses lib.rs, which is not below it"]);
}

#[test]
fn a_circle_is_named_with_all_of_its_files() {
    let arrows = arrows_of(&[
        ("a", "use crate::b::X;"),
        ("b", "use crate::c::X;"),
        ("c", "use crate::a::X;"),
        ("d", "use crate::a::X;"),
    ]);
    assert_eq!(circles(&arrows), [["a", "b", "c"]]);
    assert!(circles(&arrows_of(&[("a", "use crate::b::X;"), ("b", "")])).is_empty());
}
