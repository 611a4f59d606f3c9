//! The statements that count the patients whom a person opens.

/// `?1` the account, `?2` the session, `?3` the practice, `?4` the claim, `?5` the beginning of the window, `?6` the
/// maximum of patients. A patient who was already opened in the window is not counted again.
pub(crate) const GUARD_PATIENTS: &str =
    "INSERT INTO guards (failed) SELECT 'patients' FROM (
       SELECT (SELECT c.patient_tag FROM claims c WHERE c.practice_id = ?3 AND c.id = ?4) AS patient, max(CAST(?5 AS INTEGER), coalesce((SELECT s.verified_at FROM sessions s
         WHERE s.user_id = ?1 AND s.id = ?2), 0)) AS since) n
     WHERE NOT EXISTS (SELECT 1 FROM patients_opened o
         WHERE o.user_id = ?1 AND o.patient = n.patient AND o.at > n.since)
       AND (SELECT count(*) FROM patients_opened o WHERE o.user_id = ?1 AND o.at > n.since) >= ?6";

/// `?1` the account, `?2` an instant. Deletes openings up to it.
pub(crate) const FORGET_OPENED: &str = "DELETE FROM patients_opened WHERE user_id = ?1 AND at <= ?2";

/// `?1` an instant. Deletes everybody's openings up to it.
pub(crate) const FORGET_ALL_OPENED: &str = "DELETE FROM patients_opened WHERE at <= ?1";

/// `?1` the account, `?2` the practice, `?3` the claim, `?4` now.
pub(crate) const OPEN_PATIENT: &str = "INSERT INTO patients_opened (user_id, patient, at)
     SELECT ?1, c.patient_tag, ?4 FROM claims c WHERE c.practice_id = ?2 AND c.id = ?3
     ON CONFLICT (user_id, patient) DO UPDATE SET at = max(at, excluded.at)";

/// `?1` the account, `?2` the session.
pub(crate) const GUARD_NOT_ALERTED: &str = "INSERT INTO guards (failed) SELECT 'done' WHERE EXISTS (
       SELECT 1 FROM sessions WHERE user_id = ?1 AND id = ?2 AND alerted_at > coalesce(verified_at, 0))";

/// `?1` the account, `?2` the session, `?3` now.
pub(crate) const ALERTED: &str = "UPDATE sessions SET alerted_at = ?3 WHERE user_id = ?1 AND id = ?2";
