//! A folder that is copied, and what is refused.

use super::*;
use crate::database::tests::Folder;
use crate::database::{Sync, connect, documents, file, migrate};
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::PracticeId;
use overturn_core::base::instant::Instant;
use overturn_service::store::keyring::practice::Fresh;
use std::path::PathBuf;

const PRACTICE: &str = "01a20dc8-7314-7588-9fd3-a3173e0dd386";
const DOCUMENTS: [&str; 2] = ["01a20dc9-5534-7921-ae6a-ec84502a6193", "01a20dc9-5535-79e5-9530-2eecbee7ae60"];

/// Settings with a key, which differs by its byte.
fn settings(folder: &Folder, byte: u8) -> Settings {
    let key = data_encoding::BASE64.encode(&[byte; 32]);
    let secrets = folder.0.join(format!("secrets {byte}"));
    fs::create_dir_all(&secrets).unwrap();
    fs::write(secrets.join(keyring::SECRET), format!("1:{key}")).unwrap();
    Settings::load(None, Some(secrets)).unwrap()
}

/// A data folder with a practice, its data key, and two documents, the second one without its file.
fn installation(folder: &Folder, settings: &Settings) -> PathBuf {
    let data = folder.0.join("data");
    let mut db = connect(&file(&data), Sync::Off).unwrap();
    migrate(&mut db).unwrap();
    let keys = keys(settings).unwrap();
    let practice = PracticeId(PRACTICE.parse().unwrap());
    let fresh = Fresh::new(&Ctx::new(Instant(1), [1; _]), 0, [2; 32], [3; _]);
    let made = keys.of_practice(practice, None).or_new(fresh).unwrap();
    let row = made.data().and_then(|key| key.new_row()).unwrap();
    db.pragma_update(None, "foreign_keys", false).unwrap();
    db.execute_batch(&format!(
        "INSERT INTO practices (id, name, state, created_at) VALUES ('{PRACTICE}', 'Cedar', 'active', 1);
         INSERT INTO practice_keys (practice_id, version, id, key_version, wrapped, created_at)
           VALUES ('{PRACTICE}', 1, '{}', 1, '{}', 1);",
        row.id, row.wrapped
    ))
    .unwrap();
    for id in DOCUMENTS {
        db.execute_batch(&format!(
            "INSERT INTO documents (practice_id, id, kind, state, content_type, size, sha256, key_version, sealed,
               uploaded_by, uploaded_at) VALUES ('{PRACTICE}', '{id}', 'other', 'available', 'text/plain', 1, '', 1, 'x', 'u', 1)"
        ))
        .unwrap();
    }
    let below = documents(&data).join("documents");
    fs::create_dir_all(&below).unwrap();
    fs::write(below.join(DOCUMENTS[0]), "sealed").unwrap();
    data
}

#[test]
fn a_copy_holds_the_same_and_goes_over_nothing_else() {
    let folder = Folder::new();
    let settings = settings(&folder, 1);
    let data = installation(&folder, &settings);
    let (out, home) = (folder.0.join("out"), folder.0.join("home"));
    fs::create_dir(&home).unwrap();
    let held = check(&data, &settings).unwrap();
    assert!(held.contains("practices                     1 "), "{held}");
    assert!(held.contains(&format!("missing documents/{}\n", DOCUMENTS[1])));
    assert!(held.ends_with("documents: 2, 1 without a file\n"));

    assert_eq!(copy(&data, &out, &settings).unwrap(), held);
    assert_eq!(copy(&out, &home, &settings).unwrap(), held);
    let sealed = documents(&home).join("documents").join(DOCUMENTS[0]);
    assert_eq!(fs::read_to_string(sealed).unwrap(), "sealed");

    let refused = copy(&out, &home, &settings).unwrap_err().to_string();
    assert!(refused.ends_with("is not empty"), "{refused}");
    assert_eq!(check(&home, &settings).unwrap(), held);

    let change = |data: &Path| {
        let db = connect(&file(data), Sync::Off).unwrap();
        db.execute_batch("UPDATE practices SET name = 'Cedar Hill'").unwrap();
    };
    change(&home);
    assert_ne!(check(&home, &settings).unwrap(), held);
    change(&data);
    assert_eq!(check(&home, &settings).unwrap(), check(&data, &settings).unwrap());
}

#[test]
fn other_keys_another_schema_or_a_changed_trail_are_refused_and_nothing_is_left() {
    let folder = Folder::new();
    let own = settings(&folder, 1);
    let data = installation(&folder, &own);
    let to = folder.0.join("out");
    let refused = |settings: &Settings| {
        let refused = copy(&data, &to, settings).unwrap_err().to_string();
        assert_eq!(check(&data, settings).unwrap_err().to_string(), refused);
        assert!(!to.exists(), "{refused}");
        refused
    };
    let others = refused(&settings(&folder, 2));
    assert!(others.starts_with("SEALING_KEYS cannot open the data key of the practice"), "{others}");

    let db = connect(&file(&data), Sync::Off).unwrap();
    let change = |sql: &str| db.execute_batch(sql).unwrap();
    change("INSERT INTO d1_migrations (name) VALUES ('9999_later.sql')");
    let later = refused(&own);
    assert!(later.contains("migrations of this program"), "{later}");
    change("DELETE FROM d1_migrations WHERE name = '9999_later.sql'");

    change("INSERT INTO trail_heads (practice_id, seq, digest, key_version, mac) VALUES ('staff', 1, 'x', 1, 'x')");
    let changed = refused(&own);
    assert!(changed.starts_with("the trail staff is not as it was written"), "{changed}");

    let none = folder.0.join("none");
    assert!(copy(&none, &to, &own).is_err() && !none.exists() && !to.exists());
}
