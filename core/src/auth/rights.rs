//! The actions of the wider service and who may do them, in one table.

use crate::auth::role::Role;
use crate::auth::scope::TokenScope;

/// An action of a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Read one's own session.
    ReadSelf,
    /// Sign out.
    SignOut,
    /// Read one's own sessions.
    ListSessions,
    /// Revoke one's own sessions.
    RevokeSessions,
    /// Enroll a second factor. This is sensitive if the account already has one.
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
    /// Read the practice's API keys.
    ListApiKeys,
    /// Make or revoke an API key.
    ManageApiKeys,
    /// Read the agreements and who signed them.
    ReadAgreements,
    /// Sign an agreement for the practice.
    SignAgreement,
    /// End an agreement of the practice.
    EndAgreement,
    /// Read the state of the return or destruction of the practice's data.
    ReadDataJobs,
    /// Request or cancel the return or destruction of the practice's data.
    ManageDataJobs,
    /// Export a page of the practice's data, including patients.
    TakeData,
    /// Read the practice's members.
    ListMembers,
    /// Invite, change or remove members, or end their sessions.
    ManageMembers,
    /// Leave the practice.
    Leave,
    /// Read one's own API tokens, or as owner or admin those of the practice.
    ListApiTokens,
    /// Make or regenerate an API token.
    ManageApiTokens,
    /// Revoke an API token.
    RevokeApiTokens,
    /// Read the practice's audit trail.
    ReadAudit,
    /// Read the staff's own audit trail.
    ReadStaffAudit,
    /// Read the practice's webhooks and their deliveries.
    ListWebhooks,
    /// Make, change or remove a webhook, or renew its secret.
    ManageWebhooks,
    /// Replay deliveries of a webhook.
    ReplayDeliveries,
    /// Read the practice's claims.
    ReadDenials,
    /// Upload a document: for one's practice, or as staff for the practice of a claim.
    UploadDocument,
    /// Read the practice's documents.
    ReadDocuments,
    /// Delete a document of the practice. Members delete only their own.
    DeleteDocument,
    /// Change how long the practice keeps documents.
    EditRetention,
    /// Read the queue of claims, reports and cases, which name no patient.
    ReadWork,
    /// Read a claim with its patient.
    ReadClaim,
    /// Take, annotate and move claims, and make reports and cases of them.
    Work,
}

/// The groups of endpoints. Each has its own limits (interface: application limits).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndpointGroup {
    /// General reads.
    Reads,
    /// General writes.
    Writes,
    /// Uploads of documents.
    Uploads,
    /// 2FA setup.
    Factors,
    /// Endpoints that check passwords or codes.
    Auth,
}

/// The conditions of an action.
#[derive(Clone, Copy, Debug)]
pub struct Right {
    /// The allowed roles.
    pub roles: &'static [Role],
    /// The scope that an API token needs; `None` if it needs a session.
    pub scope: Option<TokenScope>,
    /// The group whose limit counts.
    pub group: EndpointGroup,
    /// True if it needs a recently confirmed second factor.
    pub sensitive: bool,
    /// True if it concerns only the person: allowed without a second factor, and in an inactive practice.
    pub own: bool,
    /// True if it concerns the practice's claims. It then needs what [`crate::auth::disclosure`] requires.
    pub agreement: bool,
}

const PRACTICE: &[Role] = &Role::OF_PRACTICE;
/// The roles that manage a practice.
pub const LEADERS: &[Role] = &[Role::Owner, Role::Admin];

/// Staff upload for a practice what a payer sends them.
const UPLOADERS: &[Role] = &[Role::Owner, Role::Admin, Role::Member, Role::Staff];
const OWNERS: &[Role] = &[Role::Owner];
const STAFF: &[Role] = &[Role::Staff];
/// An auditor reads the staff's actions, but not the data that staff see.
const AUDITORS: &[Role] = &[Role::Auditor];

const fn read(roles: &'static [Role], scope: Option<TokenScope>) -> Right {
    Right {
        roles,
        scope,
        group: EndpointGroup::Reads,
        sensitive: false,
        own: false,
        agreement: false,
    }
}

const fn write(roles: &'static [Role]) -> Right {
    Right {
        group: EndpointGroup::Writes,
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
    pub const ALL: [Self; 37] = [
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
        Self::UploadDocument,
        Self::ReadDocuments,
        Self::DeleteDocument,
        Self::EditRetention,
        Self::ReadWork,
        Self::ReadClaim,
        Self::Work,
    ];

    /// Its conditions.
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
                group: EndpointGroup::Factors,
                ..write(&Role::ALL)
            },
            Self::ChangeFactor => Right {
                group: EndpointGroup::Factors,
                ..sensitive(&Role::ALL)
            },
            Self::ChangePassword => Right {
                group: EndpointGroup::Auth,
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
            Self::UploadDocument => Right {
                scope: Some(TokenScope::DocumentsWrite),
                group: EndpointGroup::Uploads,
                agreement: true,
                ..write(UPLOADERS)
            },
            Self::ReadDocuments => Right {
                agreement: true,
                ..read(PRACTICE, None)
            },
            Self::DeleteDocument => Right {
                agreement: true,
                ..write(PRACTICE)
            },
            Self::EditRetention => sensitive(LEADERS),
            Self::ReadWork | Self::ReadClaim => read(STAFF, None),
            Self::Work => write(STAFF),
        }
    }
}

#[cfg(test)]
mod tests;
