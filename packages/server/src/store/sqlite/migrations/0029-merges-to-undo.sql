-- The last merge into an issue, for as long as it can be taken back: what it merged, as it was.
CREATE TABLE merges (
  issue_id INTEGER PRIMARY KEY REFERENCES issues (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  -- JSON of KeptMerge.
  kept TEXT NOT NULL
) STRICT;
CREATE INDEX merges_by_age ON merges (at_ms);
