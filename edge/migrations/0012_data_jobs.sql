-- REPLACE removes every row that is in its way by any unique index, and fires no trigger of a DELETE. `data_jobs_once` looks at
-- the id. This one refuses a row with a new id that would push out an open job of its kind.
CREATE TRIGGER data_jobs_open BEFORE INSERT ON data_jobs
WHEN NEW.state IN ('waiting', 'running')
 AND NOT EXISTS (SELECT 1 FROM data_jobs j WHERE j.practice_id = NEW.practice_id AND j.id = NEW.id)
 AND EXISTS (SELECT 1 FROM data_jobs j WHERE j.practice_id = NEW.practice_id AND j.kind = NEW.kind AND j.state IN ('waiting', 'running'))
BEGIN SELECT RAISE (ABORT, 'an open data job stays'); END;
