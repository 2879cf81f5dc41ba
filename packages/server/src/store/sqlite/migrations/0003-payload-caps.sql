-- Payloads that are kept, where a project caps them per issue and hour of receipt. Until now every event kept its own.

ALTER TABLE groups ADD COLUMN payload_count INTEGER NOT NULL DEFAULT 0;
UPDATE groups SET payload_count = event_count;

-- The newest event with a payload; NULL where no batch has come since: then it is the newest event.
ALTER TABLE group_state ADD COLUMN payload_event_id TEXT;
ALTER TABLE group_state ADD COLUMN payload_event_ms INTEGER;

ALTER TABLE issues ADD COLUMN payload_count INTEGER NOT NULL DEFAULT 0;
UPDATE issues SET payload_count = event_count;
-- Events of the issue in one hour of receipt, the newest; it counts hours since 1970.
ALTER TABLE issues ADD COLUMN window_hour INTEGER NOT NULL DEFAULT 0;
ALTER TABLE issues ADD COLUMN window_events INTEGER NOT NULL DEFAULT 0;

-- Events whose value of the key is not among those that the project keeps apart. `key_id` 0: of all keys beyond those
-- that it keeps.
ALTER TABLE project_facet_keys ADD COLUMN other_count INTEGER NOT NULL DEFAULT 0;

-- Issues that began in one hour of receipt, the newest: what bounds them.
ALTER TABLE projects ADD COLUMN new_issues_hour INTEGER NOT NULL DEFAULT 0;
ALTER TABLE projects ADD COLUMN new_issues INTEGER NOT NULL DEFAULT 0;
