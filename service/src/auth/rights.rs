//! The actions of the wider service and who may do them, in one table.

use crate::auth::role::Role;
use crate::auth::scope::TokenScope;
use overturn_core::names;

names! {
    /// An action of a person.
    Action {
        /// Read one's own session.
        ReadSelf = "read_self",
        SignOut = "sign_out",
        /// Read one's own sessions.
        ListSessions = "list_sessions",
        /// Revoke one's own sessions.
        RevokeSessions = "revoke_sessions",
        /// Enroll a second factor. This is sensitive if the account already has one.
        EnrolFactor = "enrol_factor",
        /// Make new recovery codes.
        ChangeFactor = "change_factor",
        /// Read one's own passkeys.
        ListPasskeys = "list_passkeys",
        /// Enroll a passkey. This is sensitive if the account already has a second factor.
        EnrolPasskey = "enrol_passkey",
        /// Rename one's own passkey.
        RenamePasskey = "rename_passkey",
        /// Remove one's own passkey.
        RemovePasskey = "remove_passkey",
        /// Read one's own identities at providers.
        ListIdentities = "list_identities",
        /// Join an identity at a provider to one's own account, or remove it.
        ManageIdentities = "manage_identities",
        /// Change one's own password.
        ChangePassword = "change_password",
        /// Read the practice's settings.
        ReadPractice = "read_practice",
        /// Change the practice's name or appeal button.
        EditPractice = "edit_practice",
        /// Change how many sessions a member may have.
        EditSessionPolicy = "edit_session_policy",
        /// Read the practice's API keys.
        ListApiKeys = "list_api_keys",
        /// Make or revoke an API key.
        ManageApiKeys = "manage_api_keys",
        /// Replace an API key with a new one, and revoke the replaced one.
        RotateApiKeys = "rotate_api_keys",
        /// Read the agreements and who signed them.
        ReadAgreements = "read_agreements",
        /// Sign an agreement for the practice.
        SignAgreement = "sign_agreement",
        /// End an agreement of the practice.
        EndAgreement = "end_agreement",
        /// Read the state of the return or destruction of the practice's data.
        ReadDataJobs = "read_data_jobs",
        /// Request or cancel the return or destruction of the practice's data.
        ManageDataJobs = "manage_data_jobs",
        /// Export a page of the practice's data, including patients.
        TakeData = "take_data",
        /// Read the practice's sandbox.
        ReadSandbox = "read_sandbox",
        /// Make or empty the practice's sandbox, and make or revoke its keys.
        ManageSandbox = "manage_sandbox",
        /// Read the practice's members.
        ListMembers = "list_members",
        /// Invite, change or remove members, or end their sessions.
        ManageMembers = "manage_members",
        /// Leave the practice.
        Leave = "leave",
        /// Read one's own API tokens, or as owner or admin those of the practice.
        ListApiTokens = "list_api_tokens",
        /// Make or regenerate an API token.
        ManageApiTokens = "manage_api_tokens",
        RevokeApiTokens = "revoke_api_tokens",
        /// Read how the practice's people sign in: providers and domains.
        ReadSso = "read_sso",
        /// Change how the practice's people sign in.
        ManageSso = "manage_sso",
        /// Read the practice's audit trail.
        ReadAudit = "read_audit",
        /// Export the practice's audit trail.
        ExportAudit = "export_audit",
        /// Read the staff's own audit trail.
        ReadStaffAudit = "read_staff_audit",
        /// Export the staff's own audit trail.
        ExportStaffAudit = "export_staff_audit",
        /// Read the practice's webhooks and their deliveries.
        ListWebhooks = "list_webhooks",
        /// Make, change or remove a webhook, or renew its secret.
        ManageWebhooks = "manage_webhooks",
        /// Read what was sent to a webhook in a delivery, and what was answered.
        ReadDelivery = "read_delivery",
        /// Replay deliveries of a webhook.
        ReplayDeliveries = "replay_deliveries",
        /// Read the practice's claims.
        ReadDenials = "read_denials",
        /// Read the link to the signing page of a claim, to give it to the patient.
        ReadSigningLink = "read_signing_link",
        /// Send claims of the practice.
        SendClaims = "send_claims",
        /// Record what the payer's letter about a claim of the practice says.
        SetLetter = "set_letter",
        /// Upload a document: for one's practice, or as staff for the practice of a claim.
        UploadDocument = "upload_document",
        /// Read the practice's documents.
        ReadDocuments = "read_documents",
        /// Delete a document of the practice. Members delete only their own.
        DeleteDocument = "delete_document",
        /// Change how long the practice keeps documents.
        EditRetention = "edit_retention",
        /// Read the queue of claims, reports and cases, which name no patient.
        ReadWork = "read_work",
        /// Read a claim with its patient.
        ReadClaim = "read_claim",
        /// Take, annotate and move claims, and make reports and cases of them.
        Work = "work",
    }
}

/// The groups of endpoints. Each has its own limits (interface: application limits).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndpointGroup {
    /// General reads.
    Reads,
    /// Exports of data. Only the first page counts; the others are general reads.
    Exports,
    /// General writes.
    Writes,
    /// Uploads of documents.
    Uploads,
    /// 2FA setup.
    Factors,
    Passkeys,
    /// Endpoints that check passwords or codes.
    Auth,
}

impl EndpointGroup {
    /// True if its endpoints change nothing.
    #[must_use]
    pub const fn reads(self) -> bool {
        matches!(self, Self::Reads | Self::Exports)
    }
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
    Right { roles, scope, group: EndpointGroup::Reads, sensitive: false, own: false, agreement: false }
}

const fn export(roles: &'static [Role], scope: Option<TokenScope>) -> Right {
    Right { group: EndpointGroup::Exports, ..read(roles, scope) }
}

const fn write(roles: &'static [Role]) -> Right {
    Right { group: EndpointGroup::Writes, ..read(roles, None) }
}

const fn sensitive(roles: &'static [Role]) -> Right {
    Right { sensitive: true, ..write(roles) }
}

/// What a token of a sandbox is for. There it needs no scope that no token has, and nothing is sensitive.
const OF_SANDBOX: &[Action] = &[
    Action::ReadAudit,
    Action::ExportAudit,
    Action::ListApiKeys,
    Action::RotateApiKeys,
    Action::ListWebhooks,
    Action::ManageWebhooks,
    Action::ReadDelivery,
    Action::ReplayDeliveries,
    Action::ReadDenials,
    Action::ReadSigningLink,
    Action::SendClaims,
    Action::SetLetter,
    Action::UploadDocument,
    Action::ReadDocuments,
    Action::DeleteDocument,
];

impl Action {
    /// True if a token of a sandbox may do it.
    #[must_use]
    pub fn is_of_sandbox(self) -> bool {
        OF_SANDBOX.contains(&self)
    }

    /// Its conditions.
    #[must_use]
    pub const fn right(self) -> Right {
        const SETTINGS: Option<TokenScope> = Some(TokenScope::SettingsRead);
        match self {
            Self::ReadSelf => Right { own: true, ..read(&Role::ALL, SETTINGS) },
            Self::SignOut => Right { own: true, ..write(&Role::ALL) },
            Self::ListSessions => read(&Role::ALL, None),
            Self::RevokeSessions => write(&Role::ALL),
            Self::EnrolFactor => Right { own: true, group: EndpointGroup::Factors, ..write(&Role::ALL) },
            Self::ChangeFactor => Right { group: EndpointGroup::Factors, ..sensitive(&Role::ALL) },
            Self::ListPasskeys | Self::ListIdentities => Right { own: true, ..read(&Role::ALL, None) },
            Self::EnrolPasskey => Right { own: true, group: EndpointGroup::Passkeys, ..write(&Role::ALL) },
            Self::RenamePasskey => Right { group: EndpointGroup::Passkeys, ..write(&Role::ALL) },
            // A person can remove what an intruder can add.
            Self::RemovePasskey => Right { own: true, group: EndpointGroup::Passkeys, ..sensitive(&Role::ALL) },
            // Allowed without single sign-on, because it is how a person gets to it.
            Self::ManageIdentities => Right { own: true, ..sensitive(&Role::ALL) },
            Self::ChangePassword => Right { group: EndpointGroup::Auth, ..sensitive(&Role::ALL) },
            Self::ReadPractice | Self::ReadAgreements | Self::ListApiTokens => read(PRACTICE, SETTINGS),
            // Nothing in a sandbox is about a patient, so it takes no second factor.
            Self::EditPractice | Self::ManageSandbox => write(LEADERS),
            // A message names a claim, and an answer may say anything.
            Self::ReadDelivery => Right { agreement: true, ..read(LEADERS, None) },
            Self::ReplayDeliveries => Right { agreement: true, ..write(LEADERS) },
            Self::RevokeApiTokens | Self::Leave => sensitive(PRACTICE),
            Self::ListApiKeys | Self::ReadSandbox | Self::ListMembers | Self::ListWebhooks | Self::ReadSso => {
                read(LEADERS, SETTINGS)
            }
            // A program renews its own key. It needs a token of this scope, which a person makes with the second factor.
            Self::RotateApiKeys => Right { scope: Some(TokenScope::KeysRotate), ..sensitive(LEADERS) },
            Self::EditSessionPolicy
            | Self::ManageApiKeys
            | Self::SignAgreement
            | Self::ManageMembers
            | Self::ManageSso
            | Self::ManageApiTokens
            | Self::ManageWebhooks => sensitive(LEADERS),
            Self::EndAgreement | Self::ManageDataJobs => sensitive(OWNERS),
            Self::ReadDataJobs => read(OWNERS, None),
            Self::TakeData => Right { sensitive: true, ..export(OWNERS, None) },
            Self::ReadAudit => read(LEADERS, Some(TokenScope::AuditRead)),
            Self::ExportAudit => export(LEADERS, Some(TokenScope::AuditRead)),
            Self::ReadStaffAudit => read(AUDITORS, None),
            Self::ExportStaffAudit => export(AUDITORS, None),
            Self::ReadDenials => Right { agreement: true, ..read(PRACTICE, Some(TokenScope::DenialsRead)) },
            // A practice's billing system has an API key for it, with limits of its own.
            Self::SendClaims => Right { agreement: true, ..write(PRACTICE) },
            Self::UploadDocument => Right {
                scope: Some(TokenScope::DocumentsWrite),
                group: EndpointGroup::Uploads,
                agreement: true,
                ..write(UPLOADERS)
            },
            // The link may be shown where the patient is, so only people get it here. A billing system has its API key.
            Self::ReadDocuments | Self::ReadSigningLink => Right { agreement: true, ..read(PRACTICE, None) },
            // A person read it. A billing system sends what it knows with the claim.
            Self::DeleteDocument | Self::SetLetter => Right { agreement: true, ..write(PRACTICE) },
            Self::EditRetention => sensitive(LEADERS),
            Self::ReadWork | Self::ReadClaim => read(STAFF, None),
            Self::Work => write(STAFF),
        }
    }
}

#[cfg(test)]
mod tests;
