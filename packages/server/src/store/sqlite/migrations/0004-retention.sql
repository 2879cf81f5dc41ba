-- Retention, deletion and compaction of what lies outside of this database.

-- Ids that only count up: a file is clean of every deletion up to an id, and may be so before it is written down.
CREATE TABLE tombstones_numbered (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL,
  -- NULL: every group of the project.
  hash BLOB,
  up_to_seq INTEGER NOT NULL,
  created_ms INTEGER NOT NULL DEFAULT (unixepoch() * 1000)
) STRICT;
INSERT INTO tombstones_numbered (project_id, hash, up_to_seq)
  SELECT project_id, hash, up_to_seq FROM tombstones ORDER BY rowid;
DROP TABLE tombstones;
ALTER TABLE tombstones_numbered RENAME TO tombstones;
CREATE INDEX tombstones_by_group ON tombstones (project_id, hash);

-- A person's events of one project. The name stands here until compaction has removed what it names.
CREATE TABLE person_tombstones (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL,
  -- As EventRow.people: `id:…`, `email:…`, `username:…` or `ip:…`.
  person TEXT NOT NULL,
  up_to_seq INTEGER NOT NULL,
  created_ms INTEGER NOT NULL,
  UNIQUE (project_id, person)
) STRICT;

-- What compaction has done to the files of a day and class; one that has changed since is seen by its marks.
CREATE TABLE file_states (
  day INTEGER NOT NULL,
  retention_days INTEGER NOT NULL,
  payload_bytes INTEGER NOT NULL,
  column_seq INTEGER NOT NULL,
  -- Clean of deletions up to these ids.
  tombstone_id INTEGER NOT NULL,
  person_id INTEGER NOT NULL,
  compacted_ms INTEGER NOT NULL,
  PRIMARY KEY (day, retention_days)
) STRICT, WITHOUT ROWID;

-- Files that retention removed or is removing; `ended_ms` NULL: begun, and finished at the next start at the latest.
CREATE TABLE removals (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  day INTEGER NOT NULL,
  retention_days INTEGER NOT NULL,
  reason TEXT NOT NULL CHECK (reason IN ('age', 'disk', 'empty')),
  bytes INTEGER NOT NULL,
  begun_ms INTEGER NOT NULL,
  ended_ms INTEGER
) STRICT;
CREATE INDEX removals_by_file ON removals (day, retention_days);

-- The last run of each kind of upkeep.
CREATE TABLE upkeep_runs (
  kind TEXT PRIMARY KEY CHECK (kind IN ('retention', 'compaction')),
  begun_ms INTEGER NOT NULL,
  ended_ms INTEGER NOT NULL,
  files INTEGER NOT NULL,
  freed_bytes INTEGER NOT NULL,
  -- NULL: it went well.
  failure TEXT
) STRICT, WITHOUT ROWID;
