mod shapes;

use super::*;
use std::io::BufReader;

/// The entries of a file whose first line suggests the format, as text.
fn found(file: impl AsRef<[u8]>) -> Vec<String> {
    found_as(None, file)
}

/// The entries of a file with one value on each line, as text.
fn found_in_lines(file: impl AsRef<[u8]>) -> Vec<String> {
    found_as(Some(Format::Ndjson), file)
}

fn found_as(format: Option<Format>, file: impl AsRef<[u8]>) -> Vec<String> {
    let mut found = Vec::new();
    // One byte at a time, so that the test covers every boundary.
    let input = BufReader::with_capacity(1, file.as_ref());
    let shape = Shape { asked: format, ..Shape::default() };
    let read = read(input, &shape, &mut |place, entry| {
        found.push(match entry {
            Entry::Alone(text) => format!("{place}alone {text}"),
            Entry::Row(text, _) => format!("{place}row {text}"),
            Entry::Item(text) => format!("{place}item {text}"),
            Entry::Envelope(text) => format!("{place}envelope {text}"),
            Entry::Stray(text) => format!("{place}stray {text}"),
            Entry::Broken(broken) => format!("{place}{}", told(broken)),
        });
        Ok(())
    });
    assert_eq!(read, Ok(()));
    found
}

fn told(Broken { fault, hides }: Broken) -> String {
    let (what, at) = match fault {
        Fault::NotJson(at) => ("not JSON", Some(at)),
        Fault::Several(at) => ("several", Some(at)),
        Fault::NotUtf8(at) => ("not UTF-8", Some(at)),
        Fault::TooLarge => ("too large", None),
        Fault::Cells => ("too many cells", None),
        Fault::Quote => ("open quote", None),
    };
    let at = at.map(|Position { line, column }| format!(" at {line}:{column}"));
    let hides = match hides {
        Hidden::Nothing => "",
        Hidden::RestOfLine => ", rest of line unread",
        Hidden::RestOfFile => ", rest unread",
    };
    format!("{what}{}{hides}", at.unwrap_or_default())
}

#[test]
fn a_file_of_one_claim_is_that_claim_however_it_is_laid_out() {
    let claim = r#"alone {"patient":{"a":1},"claim":[2]}"#;
    assert_eq!(found(r#"{"patient":{"a":1},"claim":[2]}"#), [claim]);
    assert_eq!(found("\n\n{\"patient\":{\"a\":1},\"claim\":[2]}\r\n\r\n"), [claim]);
    assert_eq!(found("{\n \"patient\" : {\"a\":1},\n \"claim\": [2]\n}\n"), [claim]);
}

#[test]
fn a_batch_is_its_items_and_what_is_left_of_it() {
    let items = ["claims[0]: item {\"a\":1}", "claims[1]: item null", "envelope {\"claims\":[null]}"];
    assert_eq!(found(r#"{"claims":[{"a":1},null]}"#), items);
    assert_eq!(found("{\n\"claims\": [\n{\"a\":1},\nnull]\n}\n"), items);
    assert_eq!(found(r#"{"claims":[]}"#), [r#"envelope {"claims":[]}"#]);
    for other in ["null", "1", "true", "\"x\"", "{\"a\":[1]}", "-1", "1.5"] {
        let file = format!("{{\"x\": [1], \"claims\": {other}}}");
        assert_eq!(found(file), [r#"envelope {"x":[1],"claims":null}"#], "{other}");
    }
    let twice = found(r#"{"claims":[1],"claims":[2]}"#);
    assert_eq!(twice, ["claims[0]: item 1", "claims[1]: stray 2", r#"envelope {"claims":[null],"claims":[null]}"#]);
}

#[test]
fn a_claim_a_line_is_read_whatever_the_line_breaks() {
    let claims = ["line 1: alone {\"a\":1}", "line 2: alone {\"a\":2}"];
    for file in ["{\"a\":1}\n{\"a\":2}", "{\"a\":1}\r\n{\"a\":2}\r\n", "\u{feff}{\"a\":1}\n{\"a\":2}\n"] {
        assert_eq!(found(file), claims);
    }
    let blank = found("\n  \r\n{\"a\":1}\n\n\t\n {\"a\":2} \n\n");
    assert_eq!(blank, ["line 3: alone {\"a\":1}", "line 6: alone {\"a\":2}"]);
}

#[test]
fn a_batch_a_line_is_read_as_well() {
    assert_eq!(
        found("{\"a\":1}\n{\"claims\":[2]}\n"),
        ["line 1: alone {\"a\":1}", "line 2: claims[0]: item 2", "line 2: envelope {\"claims\":[null]}"]
    );
}

#[test]
fn a_line_that_is_wrong_spoils_no_other() {
    let file = "{\"a\":1}\n{\"a\":\n\"open\n{]\n\u{1}\n[1]\n7 8\n{\"a\":2}\n";
    assert_eq!(
        found(file),
        [
            "line 1: alone {\"a\":1}",
            "line 2: not JSON at 2:5",
            "line 3: not JSON at 3:5",
            "line 4: not JSON at 4:2",
            "line 5: not JSON at 5:1",
            "line 6: alone []",
            "line 7: several at 7:3",
            "line 8: alone {\"a\":2}",
        ]
    );
    // So is the first line: text that is complete at the end of its line is not the beginning of a longer value.
    assert_eq!(found("{\"a\n{\"a\":2}\n"), ["line 1: not JSON at 1:3", "line 2: alone {\"a\":2}"]);
    assert_eq!(found(b"{\"a\":\"\xff\"}\n{\"a\":2}\n")[1], "line 2: alone {\"a\":2}");
}

#[test]
fn an_incomplete_value_is_reported_with_its_position() {
    assert_eq!(
        found("{\n\"claims\": [{},\n{}"),
        ["claims[0]: item {}", "claims[1]: item {}", "not JSON at 3:2, rest unread"]
    );
    assert_eq!(found("\n\n{\"a\":}"), ["not JSON at 3:6, rest unread"]);
    assert_eq!(found("{\n} x"), ["several at 2:3, rest unread"]);
}

#[test]
fn an_empty_file_holds_nothing() {
    for file in ["", "\n", " \r\n\t", "\u{feff}", "\u{feff}\n"] {
        assert_eq!(found(file), [""; 0]);
    }
}

#[test]
fn a_file_that_is_not_utf_8_is_refused_at_once() {
    for file in [b"\xff\xfe{\0", b"\xfe\xff\0{"] {
        let found = read(&file[..], &Shape::default(), &mut |_, _| panic!("there is nothing to be found"));
        assert!(matches!(found, Err(CommandError::Usage(text)) if text.contains("UTF-16")));
    }
}

#[test]
fn a_value_that_is_too_large_is_skipped_and_the_rest_is_read() {
    let large = format!("{{\"a\":\"{}\"}}", "x".repeat(BODY_MAX));
    let file = format!("{{\"a\":1}}\n{large}\n{{\"a\":2}}\n");
    assert_eq!(found(file), ["line 1: alone {\"a\":1}", "line 2: too large", "line 3: alone {\"a\":2}"]);
    let batch = format!("{{\"claims\":[\n1,\n{large},\n2]}}");
    assert_eq!(found(batch), ["claims[0]: item 1", "too large, rest unread"]);
}

#[test]
fn a_batch_longer_than_a_line_may_be_is_read_item_by_item() {
    let items = vec![format!("\"{}\"", "x".repeat(10_000)); 1_000].join(",");
    let batch = format!("{{\"claims\":[{items}]}}");
    assert!(batch.len() > 4 * BODY_MAX);
    let found = found(batch);
    assert_eq!(found.len(), 1_001);
    assert!(found[999].starts_with("claims[999]: item \"xxx"));
}

#[test]
fn a_sink_that_fails_ends_the_reading() {
    for file in ["{\"claims\":[1,2]}", "1\n2\n", "{\n}"] {
        let mut calls = 0;
        let result = read(file.as_bytes(), &Shape::default(), &mut |_, _| {
            calls += 1;
            Err(CommandError::Interrupted)
        });
        assert_eq!((result, calls), (Err(CommandError::Interrupted), 1), "{file}");
    }
}

#[test]
fn another_format_under_the_name_of_lines_is_refused_unless_lines_were_asked_for() {
    let lines = Some(Format::Ndjson);
    let mut seen = 0;
    let mut ended = |asked| {
        let shape = Shape { asked, named: lines, ..Shape::default() };
        read(&b"ISA*00*          *00*\nGS*HP\n"[..], &shape, &mut |_, _| {
            seen += 1;
            Ok(())
        })
    };
    let refused = ended(None);
    assert!(
        matches!(&refused, Err(CommandError::Usage(text)) if text.starts_with("the file looks like an X12")),
        "{refused:?}"
    );
    assert_eq!(ended(lines), Ok(()));
    assert_eq!(seen, 2);
}
