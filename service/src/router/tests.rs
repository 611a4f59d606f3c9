use super::*;

#[test]
fn no_two_routes_have_the_same_paths() {
    let declared = include_str!("../router.rs").matches("        \"/").count();
    let short = include_str!("../router.rs").matches("    route(\"/").count();
    let pages = include_str!("../router.rs").matches("    route(path::").count();
    assert_eq!(Routes::new().all.len(), declared + short + pages);
}

#[test]
fn a_handler_takes_only_parts_that_its_route_names() {
    let mut seen = 0;
    for route in &Routes::new().all {
        for entry in &route.methods.0 {
            for part in &entry.parts {
                let named = format!("{{{part}}}");
                assert!(route.pattern.contains(&named), "{} {part}", route.pattern);
                seen += 1;
            }
        }
    }
    assert!(seen > 30, "{seen}");
}

mod edits;
