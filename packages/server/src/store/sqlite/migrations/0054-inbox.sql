-- What concerns one person: what people did, alerts for them, and deliveries that failed.
CREATE TABLE inbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  -- NULL: of the organisation; its owners and managers see it.
  project_id INTEGER REFERENCES projects (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  -- NULL: unread.
  read_ms INTEGER,
  -- What happened to an issue: the entry goes with the record.
  activity_id INTEGER REFERENCES activities (id) ON DELETE CASCADE,
  issue_id INTEGER REFERENCES issues (id) ON DELETE CASCADE,
  -- Of an alert and of a delivery that failed: what they said, and the rule.
  rule_id INTEGER,
  headline TEXT,
  level TEXT,
  channel_id INTEGER REFERENCES channels (id) ON DELETE CASCADE
) STRICT;
CREATE INDEX inbox_of_person ON inbox (user_id, id);
CREATE INDEX inbox_unread ON inbox (user_id) WHERE read_ms IS NULL;
CREATE UNIQUE INDEX inbox_by_activity ON inbox (activity_id, user_id);
CREATE INDEX inbox_by_issue ON inbox (issue_id, user_id);
CREATE INDEX inbox_by_channel ON inbox (channel_id, user_id);
CREATE INDEX inbox_by_project ON inbox (project_id);
CREATE INDEX inbox_by_org ON inbox (org_id);
CREATE INDEX inbox_by_age ON inbox (at_ms);

-- Kinds that a person switched off.
CREATE TABLE inbox_off (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  PRIMARY KEY (user_id, kind)
) STRICT, WITHOUT ROWID;
