-- Who owns what of a project, as people wrote it.
CREATE TABLE project_ownership (
  project_id INTEGER PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  rules TEXT NOT NULL,
  code_owners TEXT NOT NULL,
  is_auto_assigned INTEGER NOT NULL,
  created_ms INTEGER NOT NULL,
  changed_ms INTEGER NOT NULL
) STRICT;

-- Whom the rules named when an issue began, the first before the others. One of the two is set.
CREATE TABLE issue_owners (
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  team_id INTEGER REFERENCES teams (id) ON DELETE CASCADE,
  rule TEXT NOT NULL,
  PRIMARY KEY (issue_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX issue_owners_by_user ON issue_owners (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX issue_owners_by_team ON issue_owners (team_id) WHERE team_id IS NOT NULL;
