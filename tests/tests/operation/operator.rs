//! The operator's commands, on a state folder as `cargo xtask dev` keeps it.

use overturn_core::base::id::PracticeId;
use overturn_service::people::CODES;
use overturn_service::request::secret::LinkToken;
use overturn_tests::account::{Account, SESSION, cookie, show};
use overturn_tests::only_on_workerd;
use overturn_tests::prelude::*;
use overturn_tests::project;
use overturn_tests::tenant::{self};

const SESSIONS: &str = "/api/v1/auth/sessions";

fn start(state: State) -> Server {
    Server::start(state, &json!({ "LIMITS": "unlimited" }))
}

/// Runs a command. Returns its output or its error.
fn order(state: &State, words: &[&str]) -> Result<String, String> {
    let mut program = project::operator();
    let done = program.args(words).arg("--state").arg(state.folder());
    let done = done.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().trim().to_owned();
    if done.status.success() { Ok(text(done.stdout)) } else { Err(text(done.stderr)) }
}

/// The operator's actions in order, each with the owner of the trail.
fn trail(server: &Server) -> Vec<Value> {
    let sql = "SELECT action, practice_id AS trail FROM audit WHERE actor = 'operator' ORDER BY at, action DESC";
    server.database().rows(sql, &[])
}

/// Accepts an invitation and signs in. A new account can then only enroll a second factor. Returns the first status.
fn joins(server: &Server, token: &LinkToken, email: &Value) -> u16 {
    let client = server.client();
    let password = "correct horse battery staple";
    let body = json!({ "token": token.expose(), "name": "Somebody", "password": password });
    let accepted = client.post("/api/v1/auth/invitation", body.to_string());
    let body = json!({ "email": email, "password": password });
    let signed_in = client.post(SESSION, body.to_string());
    assert_eq!(signed_in.json["session"]["kind"], "enrolment", "{}", signed_in.text());
    accepted.status
}

#[test]
fn an_installation_begins_with_a_practice_and_a_staff_member() {
    only_on_workerd!("the address of the links is in wrangler.toml");
    let state = State::fresh();
    let name = "O'Brien; \"Family\" -- /* and */ ?1 Søn";
    let made = ["create-practice", "--name", name, "--owner", "Dana@Cedar.example"];
    let made = order(&state, &made).unwrap();
    let practice: PracticeId = {
        let id = made.lines().next().unwrap().rsplit(' ').next();
        PracticeId(id.unwrap().parse().unwrap())
    };
    let staff = ["create-staff", "--email", "kim@overturn.example", "--url", "https://o.example/"];
    let staff = order(&state, &staff).unwrap();
    let listed = order(&state, &["list-practices"]).unwrap();
    assert!(listed.starts_with(&practice.to_string()) && listed.ends_with(name), "{listed}");

    let unknown = order(&state, &["disable-practice", "no-id"]).unwrap_err();
    assert!(unknown.starts_with("error: no such practice"), "{unknown}");
    let link = ["invite-owner", &practice.to_string(), "--email", "dana@cedar.example"];
    let new_link = order(&state, &link).unwrap();

    let server = start(state);
    let people =
        "SELECT u.id, u.role, u.state, u.email, u.email_key, u.practice_id AS practice FROM users u ORDER BY u.id";
    let people = server.database().rows(people, &[]);
    assert_eq!(people.len(), 2);
    for (n, (said, origin, user)) in [
        (&made, "http://127.0.0.1:8787", &people[0]),
        (&new_link, "http://127.0.0.1:8787", &people[0]),
        (&staff, "https://o.example", &people[1]),
    ]
    .into_iter()
    .enumerate()
    {
        let link = said.lines().last().unwrap();
        let token = link.strip_prefix(&format!("{origin}/invitation#"));
        let token: LinkToken = token.unwrap().parse().unwrap();
        let sql = "SELECT kind, epoch, expires_at - ?2 AS left FROM links WHERE hash = ?1 AND user_id = ?3";
        let params = [&*token.hash(), &tenant::now().0.to_string(), user["id"].as_str().unwrap()];
        let stored = server.database().rows(sql, &params);
        assert_eq!((&stored[0]["kind"], &stored[0]["epoch"]), (&json!("invitation"), &json!(1)));
        let days = stored[0]["left"].as_i64().unwrap() / 86_400_000;
        assert_eq!(days, 6, "less than seven from now");
        assert_eq!(user["state"], "invited");
        // Both links belong to one account, so accepting one uses up both.
        let expected = if n == 1 { 401 } else { 204 };
        assert_eq!(joins(&server, &token, &user["email"]), expected);
    }
    let [owner, staff] = &people[..] else { panic!("two were counted") };
    assert_eq!((&owner["role"], &owner["practice"]), (&json!("owner"), &json!(practice)));
    assert_eq!((&owner["email"], &owner["email_key"]), (&json!("Dana@Cedar.example"), &json!("dana@cedar.example")));
    assert_eq!((&staff["role"], &staff["practice"]), (&json!("staff"), &Value::Null));
    let of = |action: &str, trail: Value| json!({ "action": action, "trail": trail });
    let expected = [
        of("practice.created", json!(practice)),
        of("member.invited", json!(practice)),
        of("member.invited", json!("staff")),
        of("member.invited", json!(practice)),
    ];
    assert_eq!(trail(&server), expected);
}

/// Signs in and returns the session cookie.
fn signed_in(person: &Account<'_>) -> String {
    let client = person.server.client();
    let done = show(&client, &person.continuation(&client), &person.code(0));
    format!("__Host-session={}", cookie(&done, "__Host-session").unwrap())
}

#[test]
fn only_a_removed_or_reset_person_is_signed_out() {
    let server = start(State::fresh());
    let tenant = Tenant::new(&server);
    let people = [Role::Owner, Role::Member, Role::Admin].map(|role| Account::of(&tenant, role));
    let cookies = people.each_ref().map(signed_in);
    let bodies =
        people.each_ref().map(|person| json!({ "email": person.email, "password": person.password }).to_string());
    let [owner, lost, leaver] = people;
    let (owner, lost, leaver) = (owner.id, lost.email, leaver.email);

    // Of several cells, the command names the one that refuses.
    let cell = if server.cells() > 1 { format!("cell {}: ", tenant.id.cell().0) } else { String::new() };
    let state = server.stop();
    let refused = order(&state, &["remove-user", &owner.to_string()]).unwrap_err();
    assert!(refused.starts_with(&format!("error: {cell}the practice must keep an owner")), "{refused}");
    order(&state, &["reset-factor", &lost.to_uppercase()]).unwrap();
    order(&state, &["remove-user", &leaver]).unwrap();

    let server = start(state);
    let statuses = cookies.map(|cookie| server.client().with("Cookie", &cookie).get(SESSIONS).status);
    assert_eq!(statuses, [200, 401, 401]);
    let [owner, lost, leaver] = bodies.map(|body| server.client().post(SESSION, body));
    assert_eq!((owner.status, leaver.status), (402, 401));
    assert_eq!(lost.json["session"]["kind"], "enrolment", "{}", lost.text());
    let codes = "SELECT count(*) AS n FROM recovery_codes";
    let of_two = 2 * i64::try_from(CODES).unwrap();
    assert_eq!(server.database().number(codes, &[]), of_two);
    let actions = trail(&server).into_iter().map(|row| row["action"].clone());
    assert_eq!(actions.collect::<Vec<_>>(), ["factor.reset", "member.removed"]);
}

#[test]
fn a_practice_goes_off_and_on_and_a_key_goes_for_good() {
    let server = start(State::fresh());
    let tenant = Tenant::new(&server);
    let (id, key, hint) = (tenant.id, tenant.key.clone(), tenant.key.text[..13].to_owned());
    let send = |server: &Server, number: &str| {
        let key = key.clone();
        Tenant { server, id, key }.client().send(&item(number)).status
    };
    assert_eq!(send(&server, "A-1"), 201);
    let state = server.stop();
    order(&state, &["disable-practice", &id.to_string()]).unwrap();
    let server = start(state);
    assert_eq!(send(&server, "A-2"), 403);
    let state = server.stop();
    order(&state, &["enable-practice", &id.to_string()]).unwrap();
    order(&state, &["revoke-key", &hint]).unwrap();
    let server = start(state);
    assert_eq!(send(&server, "A-3"), 401);
    let sql = "SELECT count(*) AS n FROM practices WHERE id = ?1 AND state = 'active'";
    assert_eq!(server.database().number(sql, &[&id.to_string()]), 1);
    let actions: Vec<Value> = trail(&server).into_iter().map(|row| row["action"].clone()).collect();
    let switched = "practice.state_changed";
    assert_eq!(actions, [switched, switched, "api_key.revoked"]);
}

#[test]
fn an_agreement_ends_and_all_data_is_destroyed_once_its_practice_is_named() {
    let server = start(State::fresh());
    let tenant = Tenant::new(&server);
    let (id, key) = (tenant.id, tenant.key.clone());
    let owner = Account::of(&tenant, Role::Owner).email;
    tenant.client().send(&item("Qnumber-1")).expect(201);
    let practice = id.to_string();
    let state = server.stop();
    let destroy = ["destroy-data", &practice, "--name", "Practice", "--days", "0"];
    let refused = order(&state, &destroy).unwrap_err();
    assert!(refused.contains("the agreement is in force"), "{refused}");
    let said = order(&state, &["end-agreement", &practice]).unwrap();
    assert!(said.contains("has ended"), "{said}");
    let refused = order(&state, &["end-agreement", &practice]).unwrap_err();
    assert!(refused.contains("no agreement in force"), "{refused}");
    let other = ["destroy-data", &practice, "--name", "practice"];
    let refused = order(&state, &other).unwrap_err();
    assert!(refused.contains("must be the name of the practice"), "{refused}");
    let said = order(&state, &["destroy-data", &practice, "--name", "Practice"]).unwrap();
    assert!(said.contains("cancel-destruction stops it"), "{said}");
    order(&state, &["cancel-destruction", &practice]).unwrap();
    let refused = order(&state, &["cancel-destruction", &practice]).unwrap_err();
    assert!(refused.contains("no destruction waits"), "{refused}");
    order(&state, &destroy).unwrap();

    let server = start(state);
    let mut inbox = server.mails_to(&owner);
    let tenant = Tenant { server: &server, id, key };
    let refused = tenant.client().status("Qnumber-1");
    assert_eq!(refused.json["code"], "baa_required");
    assert_eq!(tenant.claims(), 1);
    for _ in 0..2 {
        let raw = server.client().exchange("POST", "/.tests/sweep", Some(b""));
        raw.expect(204);
    }
    assert_eq!(tenant.claims(), 0);
    let subjects = [(); 5].map(|()| inbox.take().subject);
    for subject in [
        "The agreement of your practice has ended",
        "All data of your practice will be destroyed",
        "The destruction of your practice's data was cancelled",
        "All data of your practice was destroyed",
    ] {
        assert!(subjects.iter().any(|one| one == subject), "{subjects:?}");
    }
    let actions = trail(&server).into_iter().map(|row| row["action"].clone());
    assert_eq!(
        actions.collect::<Vec<_>>(),
        ["agreement.ended", "data.destruction_requested", "data.job_cancelled", "data.destruction_requested",]
    );
    let state = server.stop();
    let shown = order(&state, &["data-jobs", &practice]).unwrap();
    let shown: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!((&shown[0]["state"], &shown[1]["state"]), (&json!("done"), &json!("cancelled")));
    assert_eq!(shown[0]["requested_by"], "operator");
}
