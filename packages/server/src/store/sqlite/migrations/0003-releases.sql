-- Releases: what tools and events say of them.

CREATE TABLE releases (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  org_id INTEGER NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  version TEXT NOT NULL,
  -- Folded by the program, for searching.
  folded TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'archived')),
  ref TEXT,
  url TEXT,
  created_ms INTEGER NOT NULL,
  started_ms INTEGER,
  released_ms INTEGER,
  UNIQUE (org_id, version)
) STRICT;

-- A release without projects is gone: the program removes it.
CREATE TABLE release_projects (
  release_id INTEGER NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  -- Of the events’ own time.
  first_event_ms INTEGER,
  last_event_ms INTEGER,
  event_count INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (release_id, project_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX release_projects_by_project ON release_projects (project_id, release_id);

CREATE TABLE release_commits (
  release_id INTEGER NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
  -- 0: the newest.
  position INTEGER NOT NULL,
  commit_id TEXT NOT NULL,
  repository TEXT,
  message TEXT,
  author_name TEXT,
  author_email TEXT,
  -- Folded by the program: what members are found by.
  email_folded TEXT,
  at_ms INTEGER,
  -- JSON array of [path, type].
  files TEXT NOT NULL,
  PRIMARY KEY (release_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX release_commits_by_id ON release_commits (commit_id, release_id);

CREATE TABLE deploys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  release_id INTEGER NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
  environment TEXT NOT NULL,
  name TEXT,
  url TEXT,
  started_ms INTEGER,
  finished_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX deploys_by_release ON deploys (release_id, id);

-- JSON of ResolvedIn: the release, or the commit, that an issue is resolved in; NULL: resolved now, or not.
ALTER TABLE issues ADD COLUMN resolved_in TEXT;
CREATE INDEX issues_resolved_in ON issues (project_id) WHERE resolved_in IS NOT NULL;
CREATE INDEX issues_by_first_release ON issues (project_id, first_release);
-- The release of the event that brought an issue back.
CREATE INDEX activities_regressed ON activities (json_extract(detail, '$.release'), issue_id) WHERE kind = 'regressed';

-- JSON: how much of what build tools upload is kept. NULL: as the limits say.
ALTER TABLE organisations ADD COLUMN artifact_quota TEXT;
