use crate::base::ctx::Ctx;
use crate::base::instant::Instant;
use crate::claims::intake;
use crate::request::problem::texts;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

const NOT_JSON: &str = "body must be valid JSON";
const NOT_OBJECT: &str = "body must be an object";
const TOO_BIG: &str = "body must not hold a number out of range";

const PATIENT: &str = r#"{"first_name":"Jane","last_name":"Doe","date_of_birth":"1980-02-29"}"#;
const CLAIM: &str = r#"{"claim_number":"A-1","payer_claim_number":"P-1","payer_name":"Acme",
    "date_of_service":"2026-01-02","billed_amount":"1.00","denial_codes":["CO-45"]}"#;

fn item() -> String {
    format!(r#"{{"patient":{PATIENT},"claim":{CLAIM}}}"#)
}

fn numbered(n: usize) -> String {
    item().replace("A-1", &n.to_string())
}

/// A batch of `count` items.
fn batch(count: usize) -> String {
    let items: Vec<String> = (0..count).map(numbered).collect();
    format!(r#"{{"claims":[{}]}}"#, items.join(","))
}

/// The number of items in a body, or its problems.
fn read(body: impl AsRef<[u8]>) -> Result<usize, Vec<String>> {
    let ctx = Ctx::new(Instant(1_772_625_600_000), [9; 32]);
    let read = intake::parse(body.as_ref(), &ctx);
    read.map(|send| send.items.len()).map_err(|problems| texts(&problems))
}

fn refusal(problem: &str) -> Result<usize, Vec<String>> {
    Err([problem.to_string()].into())
}

#[test]
fn a_body_is_one_json_object_and_nothing_else() {
    let item = item();
    for (body, expected) in [
        (String::new(), NOT_JSON),
        (" \n".into(), NOT_JSON),
        ("{".into(), NOT_JSON),
        ("{]".into(), NOT_JSON),
        ("{'patient':1}".into(), NOT_JSON),
        ("{\"patient\":}".into(), NOT_JSON),
        ("{\"patient\":1,}".into(), NOT_JSON),
        ("{patient:1}".into(), NOT_JSON),
        ("{\"patient\":NaN}".into(), NOT_JSON),
        ("{\"patient\":+1}".into(), NOT_JSON),
        ("{\"patient\":01}".into(), NOT_JSON),
        ("{\"other\":01}".into(), NOT_JSON),
        ("{\"other\":\"\\x\"}".into(), NOT_JSON),
        ("{1:1}".into(), NOT_JSON),
        ("// no comments\n{}".into(), NOT_JSON),
        ("first_name=Jane".into(), NOT_JSON),
        (item[..item.len() - 1].into(), NOT_JSON),
        (format!("{item}x"), NOT_JSON),
        (format!("{item}{item}"), NOT_JSON),
        (format!("{item},"), NOT_JSON),
        (format!("{item}\0"), NOT_JSON),
        (format!("\0{item}"), NOT_JSON),
        (format!("\u{feff}{item}"), NOT_JSON),
        ("[]x".into(), NOT_JSON),
        ("null".into(), NOT_OBJECT),
        ("true".into(), NOT_OBJECT),
        ("7".into(), NOT_OBJECT),
        ("-1.5e3".into(), NOT_OBJECT),
        ("\"text\"".into(), NOT_OBJECT),
        ("\"\\u0041\"".into(), NOT_OBJECT),
        ("[]".into(), NOT_OBJECT),
        (format!("[{item}]"), NOT_OBJECT),
    ] {
        assert_eq!(read(&body), refusal(expected), "{body:?}");
    }
    assert_eq!(read(format!(" \r\n\t{item}\n ")), Ok(1));
}

#[test]
fn text_that_is_not_unicode_is_invalid_except_where_it_is_skipped() {
    let named = |name: &[u8]| {
        let mut body = br#"{"patient":{"first_name":""#.to_vec();
        body.extend(name);
        body.extend(br#""}}"#);
        body
    };
    for name in [
        &b"\xff"[..],
        b"\xc0\xaf",
        b"\xed\xa0\x80",
        b"\xf4\x90\x80\x80",
        b"caf\xe9",
        b"\xe6\xbc",
        // Control characters and lone surrogates must be escaped, and lone surrogates are never valid.
        b"a\0b",
        b"a\nb",
        br"\ud800",
        br"\udc00",
        br"\ud800\ud800",
        br"\ud800x",
        br"\u12",
        br"\u{41}",
        br"\x41",
        br"\",
    ] {
        assert_eq!(read(named(name)), refusal(NOT_JSON), "{name:?}");
    }
    // An unknown key may have any complete value.
    let stranger = |value: &str| item().replacen('{', &format!("{{\"other\":{value},"), 1);
    assert_eq!(read(stranger(r#""\ud800""#)), Ok(1));
    assert_eq!(read(stranger("[1e999,{\"a\":[null]}]")), Ok(1));
    assert_eq!(read(stranger("\"\0\"")), refusal(NOT_JSON));
}

#[test]
fn a_nul_and_other_control_characters_are_text_like_any_other_where_print_is_not_asked_for() {
    let body = item().replace("\"Jane\"", r#""Jane","account_number":"A\u0000\u001b\u0007","member_id":"\u0000""#);
    assert_eq!(read(body), Ok(1));
}

#[test]
fn a_number_that_nothing_can_hold_is_refused_and_does_not_pass_for_another_error() {
    for number in ["1e999", "-1e999", "1e99999999999999999999"] {
        assert_eq!(read(number), refusal(TOO_BIG));
        for text in ["\"Jane\"", "\"1.00\"", "\"CO-45\"", "[\"CO-45\"]", CLAIM] {
            let body = item().replace(text, number);
            assert_eq!(read(&body), refusal(TOO_BIG), "{body}");
        }
        // If any value of the array is wrong, the number is not read.
        let nested = item().replace("\"Jane\"", &format!("[{number}]"));
        assert_eq!(read(nested), refusal("patient.first_name must be text"));
        assert_eq!(read(format!("[{number}]")), refusal(NOT_OBJECT));
    }
    for number in ["0", "-0", "1e308", "1e-999", "123456789012345678901234567890", "0.1e+1"] {
        let body = item().replace("\"Jane\"", number);
        let expected = refusal("patient.first_name must be text");
        assert_eq!(read(body), expected, "{number}");
    }
}

#[test]
fn a_batch_is_an_array_of_1_to_100_items() {
    for (body, expected) in [
        (batch(0), "claims must have 1 to 100 items"),
        (batch(101), "claims must have 1 to 100 items"),
        (batch(5000), "claims must have 1 to 100 items"),
        (r#"{"claims":null}"#.into(), "claims must be an array"),
        (r#"{"claims":{}}"#.into(), "claims must be an array"),
        (format!(r#"{{"claims":{}}}"#, item()), "claims must be an array"),
        (r#"{"claims":""}"#.into(), "claims must be an array"),
        (r#"{"claims":false}"#.into(), "claims must be an array"),
        (r#"{"claims":1}"#.into(), "claims must be an array"),
    ] {
        assert_eq!(read(&body), refusal(expected));
    }
    assert_eq!(read(batch(1)), Ok(1));
    assert_eq!(read(batch(100)), Ok(100));
}

#[test]
fn claims_is_the_only_key_of_a_batch() {
    let (batch, first) = (batch(2), "claims must be the only key of a batch");
    for other in [
        r#""note":"x""#.to_string(),
        r#""note":null"#.into(),
        r#""":{}"#.into(),
        r#""Claims":[]"#.into(),
        r#""patient":null"#.into(),
        r#""claim":null"#.into(),
        r#""claim":5"#.into(),
        format!(r#""patient":{PATIENT}"#),
        format!(r#""patient":{PATIENT},"claim":{CLAIM}"#),
    ] {
        let before = batch.replacen('{', &format!("{{{other},"), 1);
        let behind = format!("{},{other}}}", &batch[..batch.len() - 1]);
        for body in [before, behind] {
            assert_eq!(read(&body), refusal(first), "{body}");
        }
    }
    // The problems of the items are listed as well.
    let body = r#"{"claims":[5],"note":1}"#;
    assert_eq!(read(body).unwrap_err(), [first, "claims[0]: item must be an object"]);
    assert_eq!(read(r#"{"claims":null,"patient":{}}"#).unwrap_err(), [first, "claims must be an array"]);
}

#[test]
fn keys_that_no_one_knows_are_ignored_in_and_beside_a_single_item() {
    let item = item();
    let everywhere = item.replace('{', r#"{"note":[{"patient":1}],"":null,"Patient":{},"#);
    assert_eq!(read(&everywhere), Ok(1));
    assert_eq!(read(format!(r#"{{"claims":[{everywhere}]}}"#)), Ok(1));
}

#[test]
fn a_key_may_be_written_with_escapes() {
    let escaped = item()
        .replace("\"patient\"", r#""\u0070atient""#)
        .replace("\"claim\"", r#""\u0063\u006c\u0061\u0069\u006d""#)
        .replace("\"first_name\"", r#""first\u005fname""#)
        .replace("\"Jane\"", r#""\u004aan\u0065""#);
    assert_eq!(read(&escaped), Ok(1));
    assert_eq!(read(format!(r#"{{"claim\u0073":[{escaped}]}}"#)), Ok(1));
    // It counts as the same key.
    let twice = item().replacen('{', r#"{"\u0070atient":null,"#, 1);
    assert_eq!(read(twice), refusal("patient must be given only once"));
}

#[test]
fn a_known_key_that_comes_twice_is_refused_once_however_often_it_comes() {
    let claims = "\"claims\":[],".repeat(1000);
    let (claim, number) = ("\"claim\":{},".repeat(50_000), "\"claim_number\":\"A-1\",".repeat(3));
    for (body, expected) in [
        (item().replacen('{', r#"{"patient":{},"#, 1), "patient must be given only once"),
        (item().replacen('{', &format!("{{{claim}"), 1), "claim must be given only once"),
        (batch(1).replacen('{', &format!("{{{claims}"), 1), "claims must be given only once"),
        (
            item().replace("{\"first_name\"", "{\"first_name\":\"x\",\"first_name\""),
            "patient.first_name must be given only once",
        ),
        (
            item().replace("{\"claim_number\"", &format!("{{{number}\"claim_number\"")),
            "claim.claim_number must be given only once",
        ),
        (
            batch(1).replace("{\"claim_number\"", &format!("{{{number}\"claim_number\"")),
            "claims[0]: claim.claim_number must be given only once",
        ),
        (
            batch(1).replace("{\"patient\"", "{\"patient\":null,\"patient\""),
            "claims[0]: patient must be given only once",
        ),
    ] {
        assert_eq!(read(&body), refusal(expected));
    }
    let strangers = item().replacen('{', r#"{"note":1,"note":2,"#, 1);
    assert_eq!(read(strangers), Ok(1));
}

#[test]
fn depth_is_no_way_to_exhaust_the_stack() {
    for depth in [127, 128, 10_000, 300_000] {
        for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"claims\":", "}]")] {
            let nested = format!("{}1{}", open.repeat(depth), close.repeat(depth));
            let unknown = item().replacen('{', &format!("{{\"note\":{nested},"), 1);
            assert_eq!(read(unknown), Ok(1), "{depth} in an unknown key");

            let name = item().replace("\"Jane\"", &nested);
            let expected = refusal("patient.first_name must be text");
            assert_eq!(read(name), expected, "{depth} in a text");

            let codes = item().replace("\"CO-45\"", &nested);
            let expected = refusal("claim.denial_codes must be an array of text");
            assert_eq!(read(codes), expected, "{depth} in a list");

            let items = format!("{{\"claims\":{}}}", nested.replace("claims", "x"));
            assert!(read(items).is_err(), "{depth} in a batch");

            let expected = if nested.starts_with('[') { 1 } else { 9 };
            assert_eq!(read(&nested).unwrap_err().len(), expected, "{depth} as a body");

            let unclosed = open.repeat(depth);
            assert_eq!(read(unclosed), refusal(NOT_JSON));
        }
        // Known keys nested in known keys count as unknown.
        let patients = format!("{}1{}", "{\"patient\":".repeat(depth), "}".repeat(depth));
        assert_eq!(read(patients).unwrap_err().len(), 9);
        let batches = format!("{}1{}", "{\"claims\":[".repeat(depth), "]}".repeat(depth));
        assert_eq!(read(batches).unwrap_err().len(), 9);
    }
}
