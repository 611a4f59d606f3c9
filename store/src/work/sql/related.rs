//! The other claims of a patient.

/// The claims `c` that this query finds, as `work::related::RelatedItem` reads them.
macro_rules! items {
    ($found:expr) => {
        concat!(
            "json((SELECT json_group_array(json_object('id', c.id, 'version', c.version, 'claim_number', c.claim_number,
               'status', c.status, 'signing_status', c.signing_status, 'taken_by', ",
            colleague!("c.taken_by"),
            ", 'deadline', ",
            deadline!(),
            ", 'date_of_service', c.date_of_service, 'billed_amount', c.billed_cents, 'denied_amount', c.denied_cents,
               'case_id', c.case_id, 'report_id', c.report_id, 'received_at', c.received_at, 'payer_name', c.payer_name,
               'link', ",
            kept_link!(),
            ")) FROM (",
            $found,
            ") c))"
        )
    };
}

/// `?1` the practice, `?2` the claim, `?3` how many claims at most, `?4` how many of the newest ones to search, as
/// `work::related::StoredRelated` reads it. No row for a claim that the practice does not have.
///
/// Claims whose review began are in an index by patient. Claims that are still `received` are not, because that would cost
/// a row for each claim of a send: they are searched among the newest ones.
pub(crate) const RELATED: &str = concat!(
    "SELECT json_object('payer_name', o.payer_name, 'claims', ",
    items!(
        "SELECT * FROM (SELECT r.* FROM claims r INDEXED BY claims_of_patient
           WHERE r.practice_id = o.practice_id AND r.patient_tag = o.patient_tag AND r.status <> 'received' AND r.id <> o.id
           ORDER BY r.id DESC LIMIT CAST(?3 AS INTEGER))
         UNION ALL
         SELECT * FROM (SELECT n.* FROM (SELECT * FROM claims WHERE practice_id = o.practice_id
             ORDER BY id DESC LIMIT CAST(?4 AS INTEGER)) n
           WHERE n.status = 'received' AND n.patient_tag = o.patient_tag AND n.id <> o.id LIMIT CAST(?3 AS INTEGER))"
    ),
    ") AS json FROM claims o WHERE o.practice_id = ?1 AND o.id = ?2"
);
