use super::*;
use uuid::Uuid;

#[test]
fn a_cursor_reads_back_and_other_text_is_not_a_cursor() {
    let place = Table::of("old_webhooks").unwrap();
    let factor = (UserId(Uuid::from_u128(1)), FactorId(Uuid::from_u128(2)));
    for after in [
        BEGIN,
        ResealPosition::DataKey(Some(PracticeId(Uuid::from_u128(4)))),
        ResealPosition::Factor(None),
        ResealPosition::Factor(Some(factor)),
        "notes".parse().unwrap(),
        ResealPosition::Record(place.behind([1, 2, 3].map(Uuid::from_u128))),
    ] {
        assert_eq!(after.to_string().parse(), Ok(after));
    }
    for text in [
        "",
        "0",
        "claims:0",
        "claims:x",
        "factors:",
        "data_keys:",
        "data_keys:1",
        "factors:1:2",
        "claims:1:2",
        "guards",
        "notes:1:2:3",
        "notes:",
    ] {
        assert_eq!(text.parse::<ResealPosition>(), Err(PositionError), "{text}");
    }
}
