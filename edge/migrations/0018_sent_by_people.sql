-- People send claims as well as API keys. The view names the actor of a submission, and a key only where it was one.
DROP VIEW all_submissions;
CREATE VIEW all_submissions (practice_id, id, received_at, api_key_id, request_id, actor) AS
  SELECT practice_id, id, received_at, api_key_id, request_id, CAST('api_key:' || api_key_id AS TEXT) FROM submissions
  UNION ALL
  SELECT a.practice_id, a.id, a.at, CAST(iif(a.actor LIKE 'api_key:%', substr(a.actor, length('api_key:') + 1), NULL) AS TEXT),
    a.request_id, a.actor
  FROM audit a
  WHERE a.action = 'submission.received' AND a.record = a.id AND NOT EXISTS (
    SELECT 1 FROM data_jobs j WHERE j.practice_id = a.practice_id AND j.kind = 'destruction' AND j.state = 'done'
      AND j.finished_at >= a.at);
