//! Files whose first lines do not show the format, long lines, and faults that hide what follows.

use super::*;

const SECOND: &str = "line 2: alone {\"a\":2}";
const THIRD: &str = "line 3: alone {\"a\":3}";

#[test]
fn a_first_line_that_was_cut_spoils_no_other_if_the_format_is_said() {
    for (first, column) in [
        ("{\"patient\":{},\"claim\":{}", 24),
        ("{\"patient\":{},\"claim\":", 22),
        ("{\"patient\":{},", 14),
        ("{\"claims\":[{}", 13),
        ("{\"claims\":[", 11),
        ("{", 1),
    ] {
        let file = format!("{first}\n{{\"a\":2}}\n{{\"a\":3}}\n");
        let found = found_in_lines(&file);
        let wrong = format!("line 1: not JSON at 1:{column}");
        let mut spoilt = found.iter().filter(|found| found.starts_with("line 1"));
        assert_eq!(spoilt.next_back().unwrap().split(',').next(), Some(&*wrong));
        assert_eq!(found[found.len() - 2..], [SECOND, THIRD], "{first}");
        // Without the option, the line is the beginning of the only value of the file.
        let unsaid = super::found(&file);
        assert!(unsaid.last().unwrap().ends_with(", rest unread"), "{unsaid:?}");
    }
    let blank = found_in_lines("{\"a\":{}\r\n\r\n {\"a\":2}\r\n");
    assert_eq!(blank, ["line 1: not JSON at 1:7", "line 3: alone {\"a\":2}"]);
}

#[test]
fn a_value_over_several_lines_is_one_also_where_a_line_of_it_could_stand_alone() {
    let batch = ["claims[0]: item {}", "envelope {\"claims\":[null]}"];
    for file in [
        "{\"claims\":[\n{}\n]}",
        "{\"claims\":\n\n[\n{}\n]}",
        "{\"claims\":[\n\n {}\n\n ]\n}\n",
        "{\n\"claims\":[\n{}]}",
    ] {
        assert_eq!(found(file), batch, "{file}");
    }
    assert_eq!(found("{\"patient\":\n{}\n,\"claim\":\n{}\n}"), ["alone {\"patient\":{},\"claim\":{}}"]);
    // Cut after its first item: the missing part may hold more claims.
    assert_eq!(found("{\"claims\":[\n{}\n"), ["claims[0]: item {}", "not JSON at 3:1, rest unread"]);
    // The line of the fault counts from the top of the file, blank lines included.
    assert_eq!(found("{\"a\":\n\n  {}\n  ]"), ["not JSON at 4:3, rest unread"]);
}

#[test]
fn values_over_several_lines_do_not_follow_one_another() {
    assert_eq!(found("{\n\"a\":1\n}\n{\n\"a\":2\n}\n"), ["several at 4:1, rest unread"]);
    assert_eq!(found("[\n{},\n{}\n]"), ["alone []"]);
}

#[test]
fn a_batch_on_a_line_is_as_long_as_it_likes_whichever_line_it_is_on() {
    let items = vec![format!("\"{}\"", "x".repeat(10_000)); 220].join(",");
    let batch = format!("{{\"claims\":[{items}]}}");
    assert!(batch.len() > BODY_MAX + 2);
    let ends_as = |format, file: String| {
        let found = found_as(format, file).into_iter();
        let ends = found.filter(|found| !found.contains("item \"x"));
        ends.collect::<Vec<_>>()
    };
    let ends = |file| ends_as(None, file);
    let envelope = "envelope {\"claims\":[null]}";
    assert_eq!(
        ends_as(Some(Format::Ndjson), format!("{batch}\n{{\"a\":2}}\n{batch}\n{{\"a\":4}}")),
        [&*format!("line 1: {envelope}"), SECOND, &format!("line 3: {envelope}"), "line 4: alone {\"a\":4}"]
    );
    // As one value over two lines, it is the whole file, and nothing may follow it.
    let broken = batch.replacen("]}", "\n]}", 1);
    assert_eq!(ends(format!("{broken}\n\n")), [envelope]);
    assert_eq!(ends(format!("{broken}\n{{\"a\":2}}\n")), ["several at 3:1, rest unread"]);
    let followed = format!("{batch} {{\"a\":2}}\n");
    let column = batch.len() + 2;
    let several = format!("several at 1:{column}, rest unread");
    assert_eq!(ends(followed), [&*several]);
}

#[test]
fn a_batch_that_breaks_off_in_a_line_hides_the_rest_of_it_only() {
    assert_eq!(
        found("{\"a\":1}\n{\"claims\":[1,2\n{\"a\":3}\n"),
        [
            "line 1: alone {\"a\":1}",
            "line 2: claims[0]: item 1",
            "line 2: claims[1]: item 2",
            "line 2: not JSON at 2:14, rest of line unread",
            THIRD
        ]
    );
}

#[test]
fn items_of_an_invalid_batch_are_marked() {
    assert_eq!(found(r#"{"note":1,"claims":[1]}"#), ["claims[0]: stray 1", r#"envelope {"note":1,"claims":[null]}"#]);
}

#[test]
fn bytes_that_are_not_utf_8_get_their_own_error() {
    for file in [b"{\"a\":\"\xe9\"}", b"{\"\xe9\":\"a\"}"] {
        let found = found(file);
        assert!(found[0].starts_with("not UTF-8 at 1:"), "{found:?}");
    }
}
