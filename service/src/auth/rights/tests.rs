use super::*;

#[test]
fn the_sensitive_actions_of_the_interface_need_a_second_factor() {
    for action in [
        Action::ManageApiKeys,
        Action::ManageApiTokens,
        Action::RevokeApiTokens,
        Action::SignAgreement,
        Action::ChangeFactor,
        Action::ChangePassword,
        Action::ManageMembers,
        Action::ManageSso,
        Action::RemovePasskey,
        Action::ManageIdentities,
        Action::Leave,
        Action::EditSessionPolicy,
        Action::ManageWebhooks,
        Action::EndAgreement,
        Action::ManageDataJobs,
        Action::TakeData,
        Action::EditRetention,
    ] {
        assert!(action.right().sensitive, "{action:?}");
    }
}

#[test]
fn a_token_only_reads_but_uploads_and_rotates_and_staff_share_nothing_with_a_practice_but_what_is_ones_own() {
    for action in Action::ALL {
        let right = action.right();
        // An upload is the one write of a token, and the one action that staff share with a practice.
        if action == Action::UploadDocument {
            assert_eq!(right.scope, Some(TokenScope::DocumentsWrite));
            assert!(!right.roles.contains(&Role::Auditor));
            continue;
        }
        if right.scope.is_some() && action != Action::RotateApiKeys {
            assert!(right.group.reads() && !right.sensitive, "{action:?}");
        }
        for role in [Role::Staff, Role::Auditor] {
            let shared = right.roles.contains(&role) && right.roles.len() > 1;
            assert_eq!(shared, right.roles.len() == Role::ALL.len(), "{action:?}");
        }
    }
}

#[test]
fn an_auditor_reads_the_staffs_trail_and_opens_nothing_else() {
    let may = |action: &Action| action.right().roles == [Role::Auditor];
    let alone: std::vec::Vec<Action> = Action::ALL.into_iter().filter(may).collect();
    assert_eq!(alone, [Action::ReadStaffAudit, Action::ExportStaffAudit]);
    for action in [Action::ReadWork, Action::ReadClaim, Action::Work, Action::ReadAudit] {
        assert!(!action.right().roles.contains(&Role::Auditor), "{action:?}");
    }
}

/// The limiter does not compare what people send at the same time, because they can read the claims anyway.
#[test]
fn people_who_send_claims_may_read_them() {
    let (send, read) = (Action::SendClaims.right(), Action::ReadDenials.right());
    assert!(send.roles.iter().all(|role| read.roles.contains(role)));
    assert!(send.agreement && read.agreement && !send.own);
}

#[test]
fn members_change_no_settings_of_the_practice() {
    for action in Action::ALL {
        let right = action.right();
        let may = right.roles.contains(&Role::Member) && !right.group.reads();
        let own = matches!(
            action,
            Action::SignOut
                | Action::RevokeSessions
                | Action::EnrolFactor
                | Action::ChangeFactor
                | Action::ChangePassword
                | Action::EnrolPasskey
                | Action::RenamePasskey
                | Action::RemovePasskey
                | Action::ManageIdentities
                | Action::Leave
                | Action::RevokeApiTokens
                | Action::SendClaims
                | Action::SetLetter
                | Action::UploadDocument
                | Action::DeleteDocument
        );
        assert_eq!(may, own, "{action:?}");
    }
}

fn those(is_so: impl Fn(&Right) -> bool) -> std::vec::Vec<Action> {
    Action::ALL.into_iter().filter(|action| is_so(&action.right())).collect()
}

#[test]
fn only_owners_end_an_agreement_and_take_or_destroy_the_data() {
    let owners = [Action::EndAgreement, Action::ReadDataJobs, Action::ManageDataJobs, Action::TakeData];
    assert_eq!(those(|right| right.roles == [Role::Owner]), owners);
}

#[test]
fn members_do_not_read_the_keys_the_people_the_sign_in_the_trail_and_the_webhooks() {
    let hidden = [
        Action::ListApiKeys,
        Action::ReadDataJobs,
        Action::TakeData,
        Action::ReadSandbox,
        Action::ListMembers,
        Action::ReadSso,
        Action::ReadAudit,
        Action::ExportAudit,
        Action::ListWebhooks,
        Action::ReadDelivery,
    ];
    let is_hidden = |right: &Right| {
        let (owner, member) = (right.roles.contains(&Role::Owner), right.roles.contains(&Role::Member));
        right.group.reads() && owner && !member
    };
    assert_eq!(those(is_hidden), hidden);
}

#[test]
fn a_token_reaches_only_what_its_scope_names() {
    let reached = [
        (Action::ReadSelf, TokenScope::SettingsRead),
        (Action::ReadPractice, TokenScope::SettingsRead),
        (Action::ListApiKeys, TokenScope::SettingsRead),
        (Action::RotateApiKeys, TokenScope::KeysRotate),
        (Action::ReadAgreements, TokenScope::SettingsRead),
        (Action::ReadSandbox, TokenScope::SettingsRead),
        (Action::ListMembers, TokenScope::SettingsRead),
        (Action::ListApiTokens, TokenScope::SettingsRead),
        (Action::ReadSso, TokenScope::SettingsRead),
        (Action::ReadAudit, TokenScope::AuditRead),
        (Action::ExportAudit, TokenScope::AuditRead),
        (Action::ListWebhooks, TokenScope::SettingsRead),
        (Action::ReadDenials, TokenScope::DenialsRead),
        (Action::UploadDocument, TokenScope::DocumentsWrite),
    ];
    let scoped = Action::ALL.into_iter().filter_map(|action| action.right().scope.map(|scope| (action, scope)));
    assert_eq!(scoped.collect::<std::vec::Vec<_>>(), reached);
}
