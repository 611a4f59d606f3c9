use super::{OBJECTS, check};
use overturn_core::base::instant::Instant;
use overturn_core::request::problem::texts;
use proptest::prelude::*;

const NOW: Instant = Instant(1_790_000_000_000);
const NOT_JSON: &str = "body must be valid JSON";

fn errors(text: &str, words: &[u32]) -> Option<Vec<String>> {
    check(text, words, NOW).map(|report| texts(&report.errors))
}

#[test]
fn a_packed_claim_is_valid_whatever_its_characters() {
    let strings =
        ["Zoë", "漢🦷", "1984-06-02", "A-1", "P-1", "Blue Prairie Health", "2025-01-14", "245.00", "CO-50", "N130"];
    let text = |index: usize| {
        let units: usize = strings[index].encode_utf16().count();
        u32::try_from(units << 4 | 1).unwrap()
    };
    let mut words = vec![0b110 << 4 | 5, 0b111 << 4 | 7];
    words.extend([text(0), text(1), text(2), 0b0010_1000_1111 << 4 | 8]);
    words.extend((3..8).map(text));
    words.extend([2 << 4 | 3, text(8), text(9)]);
    assert_eq!(errors(&strings.concat(), &words), Some(Vec::new()));
    // Without its last word the value is incomplete.
    let cut = words.split_last().unwrap().1;
    assert_eq!(errors(&strings.concat(), cut), Some(vec![NOT_JSON.into()]));
}

#[test]
fn two_surrogates_in_two_strings_differ_from_one_character() {
    let halves = [0b1 << 4 | 5, 2 << 4 | 3, 1 << 4 | 1, 1 << 4 | 1];
    assert_eq!(errors("🦷", &halves), None);
    let whole = [0b1 << 4 | 5, 1 << 4 | 3, 2 << 4 | 1];
    let said = errors("🦷", &whole).unwrap();
    assert_eq!(said, ["claims[0]: item must be an object"]);
}

#[test]
fn other_keys_count_and_have_no_value() {
    let batch = [0b1001 << 4 | 5, 3];
    let said = errors("", &batch).unwrap();
    assert_eq!(said, ["claims must be the only key of a batch", "claims must have 1 to 100 items"]);
}

#[test]
fn the_packer_has_a_line_for_each_key_with_the_bit_of_its_place() {
    let packer = include_str!("../../js/pack.js");
    let [.., patient, claim] = OBJECTS;
    for (name, keys) in [("patient", patient), ("claim", claim)] {
        let start = format!("  {name}(value, mask) {{\n    let found = mask;\n");
        let (_, body) = packer.split_once(&start).unwrap();
        let (body, _) = body.split_once("    return found;\n").unwrap();
        let lines: Vec<_> = body.lines().map(|line| line.trim().replace("this.strings(", "this.string(")).collect();
        let expected: Vec<_> = keys
            .iter()
            .enumerate()
            .map(|(n, key)| {
                let bit = 1 << n;
                format!(r#"if (mask & {bit} && !this.string(value.{key}, "{key}")) found &= ~{bit};"#)
            })
            .collect();
        assert_eq!(lines, expected, "{name} in clients/wasm/js/pack.js");
    }
}

#[test]
fn no_object_has_more_keys_than_a_word_has_bits() {
    assert!(OBJECTS.iter().all(|keys| keys.len() < 27));
}

proptest! {
    #[test]
    fn any_words_get_an_answer(
        text in "[a-zé漢🦷]{0,40}",
        words in prop::collection::vec(
            (0_u32..10, prop_oneof![0_u32..20, any::<u32>()]).prop_map(|(tag, number)| number << 4 | tag), 0..60),
    ) {
        let _answer = check(&text, &words, NOW);
    }
}
