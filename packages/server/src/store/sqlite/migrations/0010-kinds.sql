-- What is stored is of a kind, and so are files and groups.
ALTER TABLE groups ADD COLUMN kind TEXT NOT NULL DEFAULT 'error';
ALTER TABLE file_states RENAME TO file_states_before;
CREATE TABLE file_states (
  kind TEXT NOT NULL,
  day INTEGER NOT NULL,
  retention_days INTEGER NOT NULL,
  payload_bytes INTEGER NOT NULL,
  column_seq INTEGER NOT NULL,
  -- Clean of deletions up to these ids.
  tombstone_id INTEGER NOT NULL,
  person_id INTEGER NOT NULL,
  compacted_ms INTEGER NOT NULL,
  PRIMARY KEY (kind, day, retention_days)
) STRICT, WITHOUT ROWID;
DROP TABLE file_states_before;
ALTER TABLE removals ADD COLUMN kind TEXT NOT NULL DEFAULT 'error';
DROP INDEX removals_by_file;
CREATE INDEX removals_by_file ON removals (kind, day, retention_days);
