//! States that a good simulation reaches sometimes. A state that no seed reached says that something is not tried.

use overturn_service::store::error::FailedGuard;

pub(crate) const CREATED: &str = "a claim is created";
pub(crate) const EXISTS_AFTER_LOST: &str = "a send is repeated after a commit whose answer was lost";
pub(crate) const SENT_AGAIN: &str = "a claim is sent again";
pub(crate) const OTHER_PATIENT: &str = "a number is refused for another patient";
pub(crate) const OTHER_CLAIM: &str = "a number is refused for another claim";
pub(crate) const RACE: &str = "two sends of a number are under way at once";
pub(crate) const RACE_LOST: &str = "a send loses a race for a number";
pub(crate) const BATCH: &str = "a batch is sent";
pub(crate) const PARTLY: &str = "a batch is created in part";
pub(crate) const READ: &str = "a status is read";
pub(crate) const ABSENT: &str = "a status is read of a number that is not used";
pub(crate) const KEY_REFUSED: &str = "a revoked key is refused";
pub(crate) const KEY_ROTATED: &str = "a key is rotated while sends are under way";
pub(crate) const KEY_REPEATED: &str = "the creation of a key is repeated";
pub(crate) const LIMITED: &str = "a call is limited";
pub(crate) const UNAVAILABLE: &str = "a call is answered with a server error";
pub(crate) const UNANSWERED: &str = "a call is not answered";
pub(crate) const AGREEMENT_ENDED: &str = "an agreement ends";
pub(crate) const AGREEMENT_SIGNED: &str = "an agreement is signed again";
pub(crate) const BAA_REQUIRED: &str = "a call without an agreement is refused";
pub(crate) const FOLLOWED: &str = "changes are followed";
pub(crate) const FOLLOWED_MORE: &str = "changes are followed over several pages";
pub(crate) const TAKEN: &str = "staff take a claim";
pub(crate) const MOVED: &str = "staff move a claim";
pub(crate) const STALE_EDIT: &str = "staff lose a race for a claim";
pub(crate) const CACHE_HIT: &str = "a cache has a text";
pub(crate) const CACHE_OLD: &str = "a cache gives an old text";
pub(crate) const ISOLATE_BEGINS_AGAIN: &str = "an isolate follows one that ended";
pub(crate) const SWEPT: &str = "a sweep ends";
pub(crate) const QUEUED: &str = "a queue message is consumed";
pub(crate) const DELIVERED: &str = "a webhook message is delivered";
pub(crate) const DELIVERED_TWICE: &str = "a webhook message is delivered twice";
pub(crate) const MAILED: &str = "an email is sent";
pub(crate) const UPLOADED: &str = "a document is uploaded";
pub(crate) const DOWNLOADED: &str = "a document comes back";
pub(crate) const DELETED: &str = "a document is deleted";
pub(crate) const REPORTED: &str = "staff report claims";
pub(crate) const CASE_OPENED: &str = "staff open a case";
pub(crate) const LETTER_READ: &str = "staff read a letter";
pub(crate) const NOTED: &str = "staff write a note";
pub(crate) const DUE_MOVED: &str = "staff move the date of a level";
pub(crate) const FILED: &str = "staff file a level";
pub(crate) const FILING_UNDONE: &str = "staff take a filing back";
pub(crate) const WITHDRAWN: &str = "staff withdraw a level";
pub(crate) const LEVEL_BEGUN: &str = "staff begin the next level";
pub(crate) const DECIDED: &str = "staff record a decision";
pub(crate) const APPEAL_ENDED: &str = "staff end the appeal of a claim";
pub(crate) const APPEALED_AGAIN: &str = "staff appeal a claim again";
pub(crate) const AMOUNT_CORRECTED: &str = "staff correct an amount";
pub(crate) const SIGNING_DECIDED: &str = "staff decide about a signature";
pub(crate) const LINK_SHOWN: &str = "a signing link is shown";
pub(crate) const SIGNED: &str = "a patient signs";
pub(crate) const BIRTH_REFUSED: &str = "a wrong date of birth is refused";
pub(crate) const LINK_GUESSED: &str = "wrong dates of birth end a link";
pub(crate) const PAGE_REPEATED: &str = "a page of a patient is asked for again";
pub(crate) const TOKEN_WORKS: &str = "an integration works with a token";
pub(crate) const TOKEN_REFUSED: &str = "a revoked token is refused";
pub(crate) const SIGNED_IN: &str = "a person signs in";
pub(crate) const SIGNED_OUT: &str = "a person signs out";
pub(crate) const SESSION_REFUSED: &str = "a session that ended is refused";
pub(crate) const SESSIONS_ENDED: &str = "an owner ends the sessions of a member";
pub(crate) const MEMBER_REMOVED: &str = "an owner removes a member";
pub(crate) const RESEALED: &str = "the operator wraps keys under another one";
pub(crate) const KEY_REPLACED: &str = "the key of the service is replaced while calls are under way";
pub(crate) const CODE_REPLAYED: &str = "a code is tried again";
pub(crate) const RESENDS_STOPPED: &str = "resends of a claim are stopped";
pub(crate) const OWN_LETTER_READ: &str = "a member reads a letter";
pub(crate) const SCANNED: &str = "a document is scanned";
pub(crate) const INFECTED: &str = "an infected document is refused";
pub(crate) const QUARANTINED: &str = "a document waits for its scan";
pub(crate) const COPIED: &str = "staff are copied into a cell";
pub(crate) const LIST_MISSES: &str = "a list does without a cell";
pub(crate) const OPENED: &str = "staff open a patient";
pub(crate) const PATIENTS_LIMITED: &str = "staff may open no more patients";
pub(crate) const TAKEN_TOGETHER: &str = "staff take claims of several practices at once";
pub(crate) const INVITED: &str = "a person is invited by several practices";
pub(crate) const NAME_CONTESTED: &str = "two practices reserve an address at once";
pub(crate) const NAME_TAKEN: &str = "an invitation is refused, as the address has an account";
pub(crate) const JOINED: &str = "a person joins a practice";
pub(crate) const LEFT: &str = "a person who joined is removed";
pub(crate) const STAMP_REFUSED: &str = "a credential is tried in another cell";
pub(crate) const LINK_MAILED: &str = "a link comes by mail";
pub(crate) const LINK_PASSED: &str = "a person passes by a mailed link";
pub(crate) const PASSWORD_RESET: &str = "a password is reset";
pub(crate) const OLD_PASSWORD_REFUSED: &str = "a password is refused after it was replaced";
pub(crate) const LATER_REFUSED: &str = "a credential is refused after weeks";
pub(crate) const LATER_LINK: &str = "a signing link has ended after weeks";
pub(crate) const LATE: &str = "a deadline has passed";
pub(crate) const MOVE_DONE: &str = "a practice has moved";
pub(crate) const MOVE_UNDONE: &str = "a move is undone";
pub(crate) const MOVE_REFUSED: &str = "a second move of a practice is refused";
pub(crate) const FENCE_MET: &str = "a batch waits for the switch of a move";
pub(crate) const LED: &str = "a call is led to where its practice has moved";
pub(crate) const FOLLOWED_MOVING: &str = "changes are followed during a move";
pub(crate) const UPLOADED_MOVING: &str = "a document is uploaded during a move";
pub(crate) const KEPT_ANSWER: &str = "an answer comes again under its key";
pub(crate) const SCRIPTED: &str = "a claim of a sandbox takes a step";
pub(crate) const ADVANCED: &str = "the clock of a sandbox is advanced";
pub(crate) const ADVANCED_MOVING: &str = "the clock of a sandbox is advanced during a move";
pub(crate) const EMPTIED: &str = "a sandbox is emptied";
const CUT_COPY: &str = "a move is broken off while rows are copied";
const CUT_CHECK: &str = "a move is broken off while rows are compared";
const CUT_FOLLOW: &str = "a move is broken off while changes are followed";
const CUT_SWITCHED: &str = "a move is broken off after its switch";
const CUT_BACK: &str = "a move is broken off while it is undone";
pub(crate) const RETURNED: &str = "a practice takes all data";
pub(crate) const DESTRUCTION_CANCELED: &str = "a destruction is canceled";
pub(crate) const DESTROYED: &str = "the data of a practice is destroyed";
pub(crate) const PARTED: &str = "two owners remove each other at once";
pub(crate) const KEY_MISUSED: &str = "another request comes under the same key";
pub(crate) const VISITOR_REMOVED: &str = "the operator removes one of the staff";
pub(crate) const PRESSED_TWICE: &str = "a link is pressed twice at once";
pub(crate) const CODE_TWICE: &str = "a code is sent twice at once";
pub(crate) const GUESSED: &str = "a password is guessed until it is closed";
pub(crate) const FILTER_SAVED: &str = "staff save a filter";
pub(crate) const KEYS_EXPIRED: &str = "an API key has expired";
const GUARD_DONE: &str = "a batch finds that it ran before";
const GUARD_CREDENTIAL: &str = "a batch finds its key or agreement withdrawn";
const GUARD_RIGHTS: &str = "a batch finds the rights of its person changed";
const GUARD_RECORD: &str = "a batch finds its record changed";
const GUARD_REQUEST: &str = "a batch finds its request repeated";
const GUARD_DATA_KEY: &str = "a batch finds another data key";
const GUARD_OTHER: &str = "a batch meets another guard";

/// All of them.
pub const ALL: &[&str] = &[
    CREATED,
    EXISTS_AFTER_LOST,
    SENT_AGAIN,
    OTHER_PATIENT,
    OTHER_CLAIM,
    RACE,
    RACE_LOST,
    BATCH,
    PARTLY,
    READ,
    ABSENT,
    KEY_REFUSED,
    KEY_ROTATED,
    KEY_REPEATED,
    LIMITED,
    UNAVAILABLE,
    UNANSWERED,
    AGREEMENT_ENDED,
    AGREEMENT_SIGNED,
    BAA_REQUIRED,
    FOLLOWED,
    FOLLOWED_MORE,
    TAKEN,
    MOVED,
    STALE_EDIT,
    CACHE_HIT,
    CACHE_OLD,
    ISOLATE_BEGINS_AGAIN,
    SWEPT,
    QUEUED,
    DELIVERED,
    DELIVERED_TWICE,
    MAILED,
    UPLOADED,
    DOWNLOADED,
    DELETED,
    REPORTED,
    CASE_OPENED,
    LETTER_READ,
    NOTED,
    DUE_MOVED,
    FILED,
    FILING_UNDONE,
    WITHDRAWN,
    LEVEL_BEGUN,
    DECIDED,
    APPEAL_ENDED,
    APPEALED_AGAIN,
    AMOUNT_CORRECTED,
    SIGNING_DECIDED,
    LINK_SHOWN,
    SIGNED,
    BIRTH_REFUSED,
    LINK_GUESSED,
    PAGE_REPEATED,
    TOKEN_WORKS,
    TOKEN_REFUSED,
    SIGNED_IN,
    SIGNED_OUT,
    SESSION_REFUSED,
    SESSIONS_ENDED,
    MEMBER_REMOVED,
    RESEALED,
    KEY_REPLACED,
    CODE_REPLAYED,
    RESENDS_STOPPED,
    OWN_LETTER_READ,
    SCANNED,
    INFECTED,
    QUARANTINED,
    COPIED,
    LIST_MISSES,
    OPENED,
    PATIENTS_LIMITED,
    TAKEN_TOGETHER,
    INVITED,
    NAME_CONTESTED,
    NAME_TAKEN,
    JOINED,
    LEFT,
    STAMP_REFUSED,
    LINK_MAILED,
    LINK_PASSED,
    PASSWORD_RESET,
    OLD_PASSWORD_REFUSED,
    LATER_REFUSED,
    LATER_LINK,
    LATE,
    MOVE_DONE,
    MOVE_UNDONE,
    MOVE_REFUSED,
    FENCE_MET,
    LED,
    FOLLOWED_MOVING,
    UPLOADED_MOVING,
    KEPT_ANSWER,
    SCRIPTED,
    ADVANCED,
    ADVANCED_MOVING,
    EMPTIED,
    CUT_COPY,
    CUT_CHECK,
    CUT_FOLLOW,
    CUT_SWITCHED,
    CUT_BACK,
    RETURNED,
    DESTRUCTION_CANCELED,
    DESTROYED,
    PARTED,
    KEY_MISUSED,
    VISITOR_REMOVED,
    PRESSED_TWICE,
    CODE_TWICE,
    GUESSED,
    FILTER_SAVED,
    KEYS_EXPIRED,
    GUARD_DONE,
    GUARD_CREDENTIAL,
    GUARD_RIGHTS,
    GUARD_RECORD,
    GUARD_REQUEST,
    GUARD_DATA_KEY,
    GUARD_OTHER,
];

/// The state in which a move is broken off at a step.
pub(crate) fn of_step(step: &str) -> Option<&'static str> {
    match step {
        "copy" => Some(CUT_COPY),
        "check" => Some(CUT_CHECK),
        "follow" => Some(CUT_FOLLOW),
        "switched" => Some(CUT_SWITCHED),
        "back" => Some(CUT_BACK),
        _ => None,
    }
}

/// The state in which a guard aborts a batch.
pub(crate) const fn of_guard(guard: FailedGuard) -> &'static str {
    match guard {
        FailedGuard::Done => GUARD_DONE,
        FailedGuard::Credential => GUARD_CREDENTIAL,
        FailedGuard::Rights => GUARD_RIGHTS,
        FailedGuard::Record => GUARD_RECORD,
        FailedGuard::Request => GUARD_REQUEST,
        FailedGuard::DataKey => GUARD_DATA_KEY,
        FailedGuard::Secret
        | FailedGuard::Owner
        | FailedGuard::Patients
        | FailedGuard::Address
        | FailedGuard::Mismatches
        | FailedGuard::Number => GUARD_OTHER,
    }
}
