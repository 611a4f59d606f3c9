use super::*;
#[test]
fn a_form_is_signed_with_a_name_or_a_drawing_and_consent() {
    const LINE: &str = "[[[0,0],[9,9]]]";
    let long = "x".repeat(201);
    type Expected = Result<(bool, bool), &'static [FormProblem]>;
    let rows: [(&str, &str, bool, Expected); 11] = [
        ("Ann", "", true, Ok((true, false))),
        ("", LINE, true, Ok((false, true))),
        ("Ann", LINE, true, Ok((true, true))),
        ("李 小龍", "", true, Ok((true, false))),
        (" ", "[]", true, Err(&[FormProblem::Missing])),
        ("", "", false, Err(&[FormProblem::Missing, FormProblem::Consent])),
        ("Ann", "", false, Err(&[FormProblem::Consent])),
        (&long, "", true, Err(&[FormProblem::NameTooLong])),
        ("A\u{202e}nn", "", true, Err(&[FormProblem::NameUnprintable])),
        ("A\nnn", LINE, true, Err(&[FormProblem::NameUnprintable])),
        ("", "x", true, Err(&[FormProblem::Drawing])),
    ];
    for (name, drawing, consents, expected) in rows {
        let given = SignatureInput::read(FormFields { relation: "patient", name, drawing, consents });
        let given = given.map(|given| (given.name.is_some(), given.drawing.is_some()));
        assert_eq!(given, expected.map_err(<[_]>::to_vec), "{name:?} {drawing}");
    }
    let longest = "漢".repeat(200);
    assert!(SignatureInput::read(by("patient", &longest, "")).is_ok());
}

const fn by<'a>(relation: &'a str, name: &'a str, drawing: &'a str) -> FormFields<'a> {
    FormFields { relation, name, drawing, consents: true }
}

#[test]
fn a_person_who_signs_for_the_patient_says_in_which_relation_and_types_a_name() {
    const LINE: &str = "[[[0,0],[9,9]]]";
    for relation in Relation::ALL {
        let given = SignatureInput::read(by(relation.name(), "Ann", LINE)).unwrap();
        assert_eq!(given.relation, relation);
        let unnamed = SignatureInput::read(by(relation.name(), " ", LINE)).map(drop);
        let expected =
            if relation == Relation::Patient { Ok(()) } else { Err(vec![FormProblem::RepresentativeUnnamed]) };
        assert_eq!(unnamed, expected, "{relation:?}");
    }
    for unknown in ["", "Patient", "neighbor"] {
        let refused = SignatureInput::read(by(unknown, "Ann", "")).unwrap_err();
        assert_eq!(refused, [FormProblem::Relation], "{unknown}");
    }
}
