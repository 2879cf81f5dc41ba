-- Searches that people keep, how they have the issue list, and links to single issues.

CREATE TABLE saved_searches (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  -- NULL: an organisation token made it.
  owner_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  sort TEXT NOT NULL,
  is_shared INTEGER NOT NULL,
  created_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX saved_searches_by_org ON saved_searches (org_id, is_shared, owner_id);

CREATE TABLE list_preferences (
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  default_search INTEGER REFERENCES saved_searches (id) ON DELETE SET NULL,
  density TEXT NOT NULL,
  -- JSON list of columns that are not shown.
  hidden_columns TEXT NOT NULL,
  PRIMARY KEY (org_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX list_preferences_by_search ON list_preferences (default_search);

CREATE TABLE issue_shares (
  issue_id INTEGER PRIMARY KEY REFERENCES issues (id) ON DELETE CASCADE,
  -- Kept as it is: whoever may read the issue sees the link again.
  token TEXT NOT NULL UNIQUE,
  created_ms INTEGER NOT NULL,
  created_by TEXT NOT NULL
) STRICT;
