-- Changes of feature flags, as whatever holds the flags tells of them.
CREATE TABLE flag_changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  project_id INTEGER REFERENCES projects (id) ON DELETE CASCADE,
  flag TEXT NOT NULL,
  action TEXT NOT NULL CHECK (action IN ('created', 'updated', 'deleted')),
  at_ms INTEGER NOT NULL,
  author TEXT,
  author_type TEXT,
  change_id TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  UNIQUE (org_id, change_id)
) STRICT;
CREATE INDEX flag_changes_by_time ON flag_changes (org_id, at_ms);
CREATE INDEX flag_changes_by_project ON flag_changes (project_id) WHERE project_id IS NOT NULL;
