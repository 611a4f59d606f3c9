//! What can be done in the wider service, and who may: one table.

use crate::auth::role::Role;
use crate::auth::scope::TokenScope;

/// What a person does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Ask who is signed in.
    ReadSelf,
    /// Sign out.
    SignOut,
    /// See one's own sessions.
    ListSessions,
    /// Revoke one's own sessions.
    RevokeSessions,
    /// Enrol a second factor: sensitive for an account that has one already.
    EnrolFactor,
    /// Make new recovery codes.
    ChangeFactor,
    /// Change one's own password.
    ChangePassword,
    /// Read the practice's settings.
    ReadPractice,
    /// Change the practice's name or appeal button.
    EditPractice,
    /// Change how many sessions a member may have.
    EditSessionPolicy,
    /// See the practice's API keys.
    ListApiKeys,
    /// Make or revoke an API key.
    ManageApiKeys,
    /// Read the agreements and who signed them.
    ReadAgreements,
    /// Sign an agreement for the practice.
    SignAgreement,
    /// End an agreement of the practice.
    EndAgreement,
    /// See how far the return or destruction of the practice's data is.
    ReadDataJobs,
    /// Request or cancel the return or destruction of the practice's data.
    ManageDataJobs,
    /// Take a page of the practice's data, patients included.
    TakeData,
    /// See the practice's members.
    ListMembers,
    /// Invite, change or remove members, or end their sessions.
    ManageMembers,
    /// Leave the practice.
    Leave,
    /// See one's own API tokens, or as owner or admin those of the practice.
    ListApiTokens,
    /// Make or regenerate an API token.
    ManageApiTokens,
    /// Revoke an API token.
    RevokeApiTokens,
    /// Read the practice's audit trail.
    ReadAudit,
    /// Read the staff's own audit trail.
    ReadStaffAudit,
    /// See the practice's webhooks and what they were told.
    ListWebhooks,
    /// Make, change or remove a webhook, or give it a new secret.
    ManageWebhooks,
    /// Have a webhook told again.
    ReplayDeliveries,
    /// Read the practice's claims.
    ReadDenials,
    /// See the queue of claims, reports and cases, none of which names a patient.
    ReadWork,
    /// See a claim with its patient.
    ReadClaim,
    /// Take, note and move claims, and make reports and cases of them.
    Work,
}

/// The endpoint groups that are limited by themselves (interface: application limits).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// General reads.
    Reads,
    /// General writes.
    Writes,
    /// 2FA setup.
    Factors,
    /// What is guessed at with a password.
    Auth,
}

/// Who may do something, and what it takes.
#[derive(Clone, Copy, Debug)]
pub struct Right {
    /// The roles that may.
    pub roles: &'static [Role],
    /// The scope that lets an API token do it; `None` if it takes a session.
    pub scope: Option<TokenScope>,
    /// What it counts as.
    pub group: Group,
    /// Whether it takes a second factor that was shown lately.
    pub sensitive: bool,
    /// Whether it is about the person alone: open to an account without a second factor, and to one whose practice is
    /// not active.
    pub own: bool,
    /// Whether it is about the practice's claims, and takes what [`crate::auth::disclosure`] asks for.
    pub agreement: bool,
}

const PRACTICE: &[Role] = &Role::OF_PRACTICE;
/// Who runs a practice.
pub const LEADERS: &[Role] = &[Role::Owner, Role::Admin];

const OWNERS: &[Role] = &[Role::Owner];
const STAFF: &[Role] = &[Role::Staff];
/// An auditor reads what the staff did, and nothing that the staff see.
const AUDITORS: &[Role] = &[Role::Auditor];

const fn read(roles: &'static [Role], scope: Option<TokenScope>) -> Right {
    Right {
        roles,
        scope,
        group: Group::Reads,
        sensitive: false,
        own: false,
        agreement: false,
    }
}

const fn write(roles: &'static [Role]) -> Right {
    Right {
        group: Group::Writes,
        ..read(roles, None)
    }
}

const fn sensitive(roles: &'static [Role]) -> Right {
    Right {
        sensitive: true,
        ..write(roles)
    }
}

impl Action {
    /// Every action.
    pub const ALL: [Self; 33] = [
        Self::ReadSelf,
        Self::SignOut,
        Self::ListSessions,
        Self::RevokeSessions,
        Self::EnrolFactor,
        Self::ChangeFactor,
        Self::ChangePassword,
        Self::ReadPractice,
        Self::EditPractice,
        Self::EditSessionPolicy,
        Self::ListApiKeys,
        Self::ManageApiKeys,
        Self::ReadAgreements,
        Self::SignAgreement,
        Self::EndAgreement,
        Self::ReadDataJobs,
        Self::ManageDataJobs,
        Self::TakeData,
        Self::ListMembers,
        Self::ManageMembers,
        Self::Leave,
        Self::ListApiTokens,
        Self::ManageApiTokens,
        Self::RevokeApiTokens,
        Self::ReadAudit,
        Self::ReadStaffAudit,
        Self::ListWebhooks,
        Self::ManageWebhooks,
        Self::ReplayDeliveries,
        Self::ReadDenials,
        Self::ReadWork,
        Self::ReadClaim,
        Self::Work,
    ];

    /// Who may, and what it takes.
    #[must_use]
    pub const fn right(self) -> Right {
        const SETTINGS: Option<TokenScope> = Some(TokenScope::SettingsRead);
        match self {
            Self::ReadSelf => Right {
                own: true,
                ..read(&Role::ALL, SETTINGS)
            },
            Self::SignOut => Right {
                own: true,
                ..write(&Role::ALL)
            },
            Self::ListSessions => read(&Role::ALL, None),
            Self::RevokeSessions => write(&Role::ALL),
            Self::EnrolFactor => Right {
                own: true,
                group: Group::Factors,
                ..write(&Role::ALL)
            },
            Self::ChangeFactor => Right {
                group: Group::Factors,
                ..sensitive(&Role::ALL)
            },
            Self::ChangePassword => Right {
                group: Group::Auth,
                ..sensitive(&Role::ALL)
            },
            Self::ReadPractice | Self::ReadAgreements | Self::ListApiTokens => {
                read(PRACTICE, SETTINGS)
            }
            Self::EditPractice => write(LEADERS),
            Self::ReplayDeliveries => Right {
                agreement: true,
                ..write(LEADERS)
            },
            Self::RevokeApiTokens | Self::Leave => sensitive(PRACTICE),
            Self::ListApiKeys | Self::ListMembers | Self::ListWebhooks => read(LEADERS, SETTINGS),
            Self::EditSessionPolicy
            | Self::ManageApiKeys
            | Self::SignAgreement
            | Self::ManageMembers
            | Self::ManageApiTokens
            | Self::ManageWebhooks => sensitive(LEADERS),
            Self::EndAgreement | Self::ManageDataJobs => sensitive(OWNERS),
            Self::ReadDataJobs => read(OWNERS, None),
            Self::TakeData => Right {
                sensitive: true,
                ..read(OWNERS, None)
            },
            Self::ReadAudit => read(LEADERS, Some(TokenScope::AuditRead)),
            Self::ReadStaffAudit => read(AUDITORS, None),
            Self::ReadDenials => Right {
                agreement: true,
                ..read(PRACTICE, Some(TokenScope::DenialsRead))
            },
            Self::ReadWork | Self::ReadClaim => read(STAFF, None),
            Self::Work => write(STAFF),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::test;

    #[test]
    fn what_the_interface_calls_sensitive_takes_a_second_factor() {
        for action in [
            Action::ManageApiKeys,
            Action::ManageApiTokens,
            Action::RevokeApiTokens,
            Action::SignAgreement,
            Action::ChangeFactor,
            Action::ChangePassword,
            Action::ManageMembers,
            Action::Leave,
            Action::EditSessionPolicy,
            Action::ManageWebhooks,
            Action::EndAgreement,
            Action::ManageDataJobs,
            Action::TakeData,
        ] {
            assert!(action.right().sensitive, "{action:?}");
        }
    }

    #[test]
    fn a_token_only_reads_and_staff_share_nothing_with_a_practice_but_what_is_ones_own() {
        for action in Action::ALL {
            let right = action.right();
            if right.scope.is_some() {
                assert!(
                    right.group == Group::Reads && !right.sensitive,
                    "{action:?}"
                );
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
        let alone: alloc::vec::Vec<Action> = Action::ALL.into_iter().filter(may).collect();
        assert_eq!(alone, [Action::ReadStaffAudit]);
        for action in [
            Action::ReadWork,
            Action::ReadClaim,
            Action::Work,
            Action::ReadAudit,
        ] {
            assert!(!action.right().roles.contains(&Role::Auditor), "{action:?}");
        }
    }

    #[test]
    fn members_change_nothing_of_the_practice() {
        for action in Action::ALL {
            let right = action.right();
            let may = right.roles.contains(&Role::Member) && right.group != Group::Reads;
            let own = matches!(
                action,
                Action::SignOut
                    | Action::RevokeSessions
                    | Action::EnrolFactor
                    | Action::ChangeFactor
                    | Action::ChangePassword
                    | Action::Leave
                    | Action::RevokeApiTokens
            );
            assert_eq!(may, own, "{action:?}");
        }
    }
}
