use super::*;
use crate::testing::test;

#[test]
fn a_form_is_signed_with_a_name_or_a_drawing_and_consent() {
    const LINE: &str = "[[[0,0],[9,9]]]";
    let long = "x".repeat(201);
    let rows: [(&str, &str, bool, Result<(bool, bool), &[FormProblem]>); 11] = [
        ("Ann", "", true, Ok((true, false))),
        ("", LINE, true, Ok((false, true))),
        ("Ann", LINE, true, Ok((true, true))),
        ("李 小龍", "", true, Ok((true, false))),
        (" ", "[]", true, Err(&[FormProblem::Missing])),
        (
            "",
            "",
            false,
            Err(&[FormProblem::Missing, FormProblem::Consent]),
        ),
        ("Ann", "", false, Err(&[FormProblem::Consent])),
        (&long, "", true, Err(&[FormProblem::NameTooLong])),
        (
            "A\u{202e}nn",
            "",
            true,
            Err(&[FormProblem::NameUnprintable]),
        ),
        ("A\nnn", LINE, true, Err(&[FormProblem::NameUnprintable])),
        ("", "x", true, Err(&[FormProblem::Drawing])),
    ];
    for (name, drawing, consents, expected) in rows {
        let given = SignatureInput::read(name, drawing, consents);
        let given = given.map(|given| (given.name.is_some(), given.drawing.is_some()));
        assert_eq!(given, expected.map_err(<[_]>::to_vec), "{name:?} {drawing}");
    }
    assert!(SignatureInput::read(&"漢".repeat(200), "", true).is_ok());
}
